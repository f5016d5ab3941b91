/**
 * Principals and permissions of a scripted server. The names of permissions and schemas in a statement, and its condition
 * about revoked ones, decide about rows.
 */

import type { StatementAnswer } from './catalog.ts'

/** A user, group or role; those of the platform are added. */
export interface PrincipalModel {
  id: number
  name: string
  /** S, U, E = users, G, X = groups, R = role. */
  type?: string
  sid?: string
  isFixed?: boolean
}

/** A row of `sys.database_permissions`; without a schema it is about the database. */
export interface PermissionModel {
  grantee: number
  permission: string
  state?: 'G' | 'W' | 'D' | 'R'
  schema?: string
  object?: string
  column?: string
}

/** The access to a database. */
export interface AccessModel {
  /** Whether the user sees all permissions. */
  isVisible?: boolean
  /** The number of denials of the right to see them. */
  denials?: number
  principals?: readonly PrincipalModel[]
  members?: readonly (readonly [role: number, member: number])[]
  permissions?: readonly PermissionModel[]
  /** The owners of schemas and tables. */
  owners?: readonly { id: number; schema: string; object?: string }[]
}

/** The logins that may read everything; undefined = they are hidden. */
export type ServerAccessModel = readonly (readonly [name: string, type: string, sid: string])[]

const FIXED: readonly PrincipalModel[] = [
  { id: 0, name: 'public', type: 'R' },
  { id: 1, name: 'dbo', sid: '0x01' },
  { id: 2, name: 'guest', sid: '0x00' },
  { id: 16_384, name: 'db_owner', type: 'R', isFixed: true },
  { id: 16_390, name: 'db_datareader', type: 'R', isFixed: true },
  { id: 16_391, name: 'db_datawriter', type: 'R', isFixed: true },
  { id: 16_392, name: 'db_denydatareader', type: 'R', isFixed: true },
  { id: 16_393, name: 'db_denydatawriter', type: 'R', isFixed: true },
]

/** Answers a statement about the server; undefined for other statements. */
export function answerServerAccess(
  administrators: ServerAccessModel | undefined,
  text: string,
): StatementAnswer | undefined {
  if (/'VIEW ANY DEFINITION'/.test(text)) {
    return { types: ['int'], rows: [[administrators === undefined ? 0 : 1]] }
  }
  if (!text.includes('sys.server_role_members')) return undefined
  return { types: ['name', 'name', 'name'], rows: administrators ?? [] }
}

/** Answers a statement about a database; undefined for other statements. */
export function answerAccess(access: AccessModel, text: string): StatementAnswer | undefined {
  const { isVisible = true, denials = 0, principals = [], members = [] } = access
  if (/'DATABASE', 'VIEW SECURITY DEFINITION'/.test(text)) {
    return { types: ['int', 'int'], rows: [[Number(isVisible), denials]] }
  }
  if (text.includes('database_role_members')) return { types: ['int', 'int'], rows: members }
  if (text.includes('database_principals p\norder by')) {
    const rows = [...FIXED, ...principals].map(({ id, name, type = 'S', sid, isFixed = false }) => [
      id,
      name,
      type,
      sid ?? null,
      Number(isFixed),
    ])
    return { types: ['int', 'name', 'name', 'name', 'int'], rows }
  }
  if (!text.includes('x.grantee_principal_id, s.name')) return undefined
  return { types: ['int', 'name', 'name', 'name', 'name', 'name'], rows: listRows(access, text) }
}

function listRows({ permissions = [], owners = [] }: AccessModel, text: string) {
  const isNamed = (name: string): boolean => text.includes(`N'${name.replaceAll("'", "''")}'`)
  const granted = permissions
    .filter(({ permission }) => isNamed(permission))
    .filter(({ schema }) => schema === undefined || isNamed(schema))
    .filter(({ state }) => state !== 'R' || !text.includes(`x.state <> 'R'`))
    .map(
      ({ grantee, permission, state = 'G', schema = null, object = null, column = null }) =>
        [grantee, schema, object, permission, state, column] as const,
    )
  const owned = owners
    .filter(({ schema }) => isNamed(schema))
    .map(({ id, schema, object = null }) => [id, schema, object, 'OWNERSHIP', 'G', null] as const)
  const toKey = ([id, schema, object, permission, state, column]: (typeof granted)[number]) =>
    [schema ?? '', object ?? '', String(id).padStart(9, '0'), permission, state, column ?? ''].join(
      '\0',
    )
  return [...granted, ...owned].toSorted((one, other) => (toKey(one) < toKey(other) ? -1 : 1))
}
