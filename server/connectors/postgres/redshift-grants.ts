import {
  guardReading,
  PUBLIC,
  toAdministratorBatches,
  toGrantBatches,
  toMemberBatches,
  toOutcomeBatches,
} from '../access.ts'
import { groupAdjacent } from '../asset-parts.ts'
import { SourceFailure, type Scope } from '../connector.ts'
import type { Grantee, GrantBatch, GrantOutcome, SourceGrant, SourceMember } from '../grant.ts'
import type { PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import type { CopyRow } from './copy-text.ts'
import { beginReadOnly, isIn, text } from './flat-dialect.ts'
import { closeOnFailure } from './grants.ts'
import type { PostgresConnections } from './home.ts'

/**
 * Grants of Amazon Redshift are in views of the platform for one database. Users, groups and roles are distinct and belong to
 * the whole cluster: https://docs.aws.amazon.com/redshift/latest/dg/svv_views.html
 */

/** The roles and groups of a cluster with their members, and who may read everything. */
interface Identities {
  members: readonly SourceMember[]
  administrators: readonly Grantee[]
}

const SUPERUSER_ROLE: Grantee = { kind: 'role', name: 'sys:superuser' }

const EXTERNAL = 'Access to an external schema also depends on IAM and Lake Formation.'

/** The columns of one list, in Redshift at most 1,600. */
const ROWS_OF_TABLE_MAX = 2000

/** Reads the grants in scopes, database by database, then the memberships. Errors: SourceFailure. */
export async function* readRedshiftGrants(
  connecting: PostgresSetup,
  scopes: readonly Scope[],
  connections: PostgresConnections,
): AsyncGenerator<GrantBatch> {
  const identities = await connections.use(undefined, (connection) =>
    readIdentities(new GrantReader(connecting, connection)),
  )
  const byDatabase = Map.groupBy(scopes, ({ reading }) => reading)
  for (const [database, own] of byDatabase) {
    const inner = own.filter(({ path }) => path.length > 1)
    const paths = inner.map(({ path }) => path)
    const batches = connections.read(database, (connection) =>
      closeOnFailure(
        connection,
        readDatabase(new GrantReader(connecting, connection), database, inner),
      ),
    )
    yield* guardReading(paths, batches)
  }
  yield* toMemberBatches(identities.members)
  yield* toAdministratorBatches(identities.administrators)
  yield { membership: {} }
}

/** Sends statements on a connection, each in a transaction of its own: some views have no snapshot. */
class GrantReader {
  readonly #connecting: PostgresSetup
  readonly #connection: PostgresConnection

  constructor(connecting: PostgresSetup, connection: PostgresConnection) {
    this.#connecting = connecting
    this.#connection = connection
  }

  get user(): string {
    return this.#connecting.configuration.user
  }

  async list(name: string, statement: string): Promise<CopyRow[]> {
    return (await Array.fromAsync(this.stream(name, statement))).flat()
  }

  stream(name: string, statement: string): AsyncGenerator<CopyRow[]> {
    return this.#connection.rows(
      name,
      [beginReadOnly(this.#connecting), statement, 'commit'].join(';'),
    )
  }
}

/** Reads users, groups and roles. Errors: SourceFailure permission if the user does not see all of them. */
async function readIdentities(reader: GrantReader): Promise<Identities> {
  const users = await reader.list('read users', USERS)
  const superusers = users.flatMap(([name, isSuper]) => (isSuper === 't' ? String(name) : []))
  const inUsers = await reader.list('read roles of users', ROLES_OF_USERS)
  const inRoles = await reader.list('read roles of roles', ROLES_OF_ROLES)
  const inGroups = await reader.list('read members of groups', MEMBERS_OF_GROUPS)
  const members = [
    ...inUsers.map(([role, user]) => toMember('role', role, 'user', user)),
    ...inRoles.map(([role, member]) => toMember('role', role, 'role', member)),
    ...inGroups.map(([group, user]) => toMember('group', group, 'user', user)),
  ]
  if (!superusers.includes(reader.user)) {
    const holders = await reader.list('read system privileges', SYSTEM_PRIVILEGES)
    requireAccess(reader.user, members, holders)
  }
  const administrators = superusers.map((name) => ({ kind: 'user', name }) as const)
  return { members, administrators: [...administrators, SUPERUSER_ROLE] }
}

// The views show others only what concerns themselves, without an error.
function requireAccess(
  user: string,
  members: readonly SourceMember[],
  holders: readonly CopyRow[],
): void {
  const roles = new Set<string>()
  const pending = [`user ${user}`]
  for (let member = pending.pop(); member !== undefined; member = pending.pop()) {
    for (const edge of members) {
      if (edge.role.kind !== 'role' || `${edge.member.kind} ${edge.member.name}` !== member)
        continue
      if (roles.has(edge.role.name)) continue
      roles.add(edge.role.name)
      pending.push(`role ${edge.role.name}`)
    }
  }
  if (roles.has(SUPERUSER_ROLE.name)) return
  if (holders.some(([name, kind]) => kind === 'role' && roles.has(String(name)))) return
  throw new SourceFailure('permission', `${user} does not see the privileges of others`)
}

function toMember(
  roleKind: Grantee['kind'],
  role: string | null | undefined,
  memberKind: Grantee['kind'],
  member: string | null | undefined,
): SourceMember {
  return {
    role: { kind: roleKind, name: String(role) },
    member: { kind: memberKind, name: String(member) },
    isInherited: true,
    isSettable: false,
  }
}

async function* readDatabase(
  reader: GrantReader,
  database: string,
  scopes: readonly Scope[],
): AsyncGenerator<GrantBatch> {
  const schemas = scopes.flatMap(({ path }) => path.slice(1, 2))
  const rows = await reader.list('read external schemas', EXTERNAL_SCHEMAS)
  const external = new Set(rows.map(([name]) => name))
  // Every user may connect.
  const connect = {
    path: [database],
    grantee: PUBLIC,
    privilege: 'CONNECT',
    effect: 'use',
  } as const
  yield { grants: [{ ...connect, withGrant: false }] }
  const containers = await reader.list('read grants of schemas', containersStatement(schemas))
  yield* toGrantBatches(containers.flatMap((row) => toContainerGrants(row, database, schemas)))
  for await (const tables of reader.stream('read grants of tables', tablesStatement(schemas))) {
    yield* toGrantBatches(tables.flatMap((row) => toTableGrants([row], database)))
  }
  const columns = reader.stream('read grants of columns', columnsStatement(schemas))
  for await (const some of groupAdjacent(columns, isOfOne, ROWS_OF_TABLE_MAX)) {
    yield* toGrantBatches(toTableGrants(some, database))
  }
  yield* toOutcomeBatches(scopes.map((scope) => toOutcome(scope, external)))
}

function toOutcome(
  { path }: Scope,
  external: ReadonlySet<string | null | undefined>,
): GrantOutcome {
  return { path, isWhole: true, ...(external.has(path[1]) && { message: EXTERNAL }) }
}

function isOfOne(row: CopyRow, first: CopyRow): boolean {
  return [0, 1, 2, 3, 4].every((at) => row[at] === first[at])
}

// The fields: schema, kind and name of the identity, privilege, its scope, whether it can be passed on.
function toContainerGrants(
  row: CopyRow,
  database: string,
  schemas: readonly string[],
): SourceGrant[] {
  const [schema, kind, name, privilege, scope, withGrant] = row
  const path = schema === null || schema === undefined ? [database] : [database, schema]
  const grant = {
    path,
    grantee: toGrantee(kind, name),
    privilege: String(privilege),
    withGrant: withGrant === 't',
  }
  switch (String(scope).toUpperCase()) {
    case 'TABLES':
      return toEffects(grant.privilege).map((effect) => ({ ...grant, effect }))
    case 'SCHEMAS':
      // A privilege for all schemas opens each of them.
      return grant.privilege === 'USAGE'
        ? schemas.map((one) => ({
            ...grant,
            path: [database, one],
            effect: 'use',
            inheritedFrom: database,
          }))
        : []
    case 'SCHEMA':
      return grant.privilege === 'USAGE' ? [{ ...grant, effect: 'use' }] : []
    default:
      return []
  }
}

// The fields: schema, table, kind and name of the identity, privilege, whether it can be passed on, column.
function toTableGrants(rows: readonly CopyRow[], database: string): SourceGrant[] {
  const [schema, table, kind, name, privilege, withGrant] = rows[0] ?? []
  const columns = rows.flatMap(([, , , , , , column]) => column ?? [])
  return toEffects(String(privilege)).map((effect) => ({
    path: [database, String(schema), String(table)],
    grantee: toGrantee(kind, name),
    privilege: String(privilege),
    effect,
    withGrant: withGrant === 't',
    ...(columns.length > 0 && { columns }),
  }))
}

function toEffects(privilege: string): SourceGrant['effect'][] {
  switch (privilege) {
    case 'SELECT':
      return ['read']
    case 'INSERT':
    case 'UPDATE':
    case 'DELETE':
    case 'TRUNCATE':
      return ['write']
    case 'OWNERSHIP':
    case 'ALL':
      return ['read', 'write']
    default:
      return []
  }
}

function toGrantee(kind: string | null | undefined, name: string | null | undefined): Grantee {
  if (kind === 'public') return PUBLIC
  const own = kind === 'role' || kind === 'group' ? kind : 'user'
  return { kind: own, name: String(name) }
}

const USERS = `
select ${text('u.usename')}, case when u.usesuper then 't' else 'f' end
from pg_catalog.pg_user u`

const ROLES_OF_USERS = `
select ${text('g.role_name')}, ${text('g.user_name')}
from svv_user_grants g`

const ROLES_OF_ROLES = `
select ${text('g.granted_role_name')}, ${text('g.role_name')}
from svv_role_grants g`

const MEMBERS_OF_GROUPS = `
select ${text('g.groname')}, ${text('u.usename')}
from pg_catalog.pg_group g
join pg_catalog.pg_user u on u.usesysid = any (g.grolist)`

const SYSTEM_PRIVILEGES = `
select ${text('p.identity_name')}, ${text('p.identity_type')}
from svv_system_privileges p
where p.system_privilege = 'ACCESS SYSTEM TABLE'`

const EXTERNAL_SCHEMAS = `
select ${text('e.schemaname')}
from svv_external_schemas e`

const IDENTITY = (row: string): string => `
  ${text(`${row}.identity_type`)}, ${text(`${row}.identity_name`)}, ${text(`${row}.privilege_type`)}`

const GRANT_OPTION = (row: string): string => `case when ${row}.admin_option then 't' else 'f' end`

// Owners have their privileges without a grant.
function containersStatement(schemas: readonly string[]): string {
  return `
select null::varchar(65535), ${IDENTITY('p')}, ${text('p.privilege_scope')}, ${GRANT_OPTION('p')}
from svv_database_privileges p
where p.database_name = current_database() and p.privilege_scope in ('SCHEMAS', 'TABLES')
union all
select ${text('s.namespace_name')}, ${IDENTITY('s')}, ${text('s.privilege_scope')}, ${GRANT_OPTION('s')}
from svv_schema_privileges s
where ${isIn('s.namespace_name', schemas)}
union all
select ${text('n.nspname')}, 'user', ${text('pg_catalog.pg_get_userbyid(n.nspowner)')}, 'USAGE', 'SCHEMA', 'f'
from pg_catalog.pg_namespace n
where ${isIn('n.nspname', schemas)}`
}

function tablesStatement(schemas: readonly string[]): string {
  return `
select ${text('r.namespace_name')}, ${text('r.relation_name')}, ${IDENTITY('r')}, ${GRANT_OPTION('r')}, null::varchar(65535)
from svv_relation_privileges r
where ${isIn('r.namespace_name', schemas)}
union all
select ${text('n.nspname')}, ${text('c.relname')}, 'user', ${text('pg_catalog.pg_get_userbyid(c.relowner)')}, 'OWNERSHIP', 'f', null
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'v') and ${isIn('n.nspname', schemas)}`
}

function columnsStatement(schemas: readonly string[]): string {
  return `
select ${text('c.namespace_name')}, ${text('c.relation_name')}, ${IDENTITY('c')}, 'f', ${text('c.column_name')}
from svv_column_privileges c
where ${isIn('c.namespace_name', schemas)}
order by 1, 2, 3, 4, 5, 7`
}
