import {
  attemptReading,
  guardReading,
  toAdministratorBatches,
  toGrantBatches,
  toMemberBatches,
  toOutcomeBatches,
  toUnreadOutcome,
  toWholeOutcome,
} from '../access.ts'
import { groupAdjacent } from '../asset-parts.ts'
import { SourceFailure, type Scope } from '../connector.ts'
import type { Grantee, GrantBatch, SourceGrant, SourceMember } from '../grant.ts'
import type { TdsConnection } from './connection.ts'
import type { TdsConnections } from './connections.ts'
import {
  membersStatement,
  OWNERSHIP,
  permissionsStatement,
  PERMISSIONS,
  principalsStatement,
  serverStatement,
  visibilityStatement,
} from './grant-statements.ts'
import { isUnsupported } from './failure.ts'
import { WORKSPACE_LIMIT } from './flavour.ts'
import { DBO, parseKind, PrincipalNames, type Principal } from './principals.ts'
import { asText, type TdsRow } from './rows.ts'

/**
 * Permissions of SQL Server are granted, or denied, on columns, tables, schemas and databases. A denial wins. Fixed roles
 * have no permissions in the catalog.
 */

const GRANTS_MAX = 1000
const PRINCIPALS_MAX = 300_000
/** The longest list of columns of a table, also of one with sparse columns. */
const ROWS_OF_OBJECT_MAX = 250_000

const WRITES = ['INSERT', 'UPDATE', 'DELETE', 'ALTER'] as const

type Effects = readonly SourceGrant['effect'][]

const EFFECTS: ReadonlyMap<string, Effects> = new Map<string, Effects>([
  ['SELECT', ['read']],
  ['INSERT', ['write']],
  ['UPDATE', ['write']],
  ['DELETE', ['write']],
  ['ALTER', ['write']],
  ['CONTROL', ['read', 'write']],
  [OWNERSHIP, ['read', 'write']],
])

/** The privileges that a denied permission withdraws. */
const DENIALS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...PERMISSIONS.map((name) => [name, [name]] as const),
  ['CONTROL', ['SELECT', 'CONTROL', ...WRITES]],
  ['CONNECT', ['SELECT', 'CONTROL', OWNERSHIP, ...WRITES]],
])

/** The permissions of fixed roles of a database: https://learn.microsoft.com/sql/relational-databases/security/authentication-access/database-level-roles */
const FIXED_ROLES: ReadonlyMap<string, { permissions: readonly string[]; isDenied?: true }> =
  new Map([
    ['db_owner', { permissions: ['CONTROL'] }],
    ['db_datareader', { permissions: ['SELECT'] }],
    ['db_datawriter', { permissions: ['INSERT', 'UPDATE', 'DELETE'] }],
    ['db_ddladmin', { permissions: ['ALTER'] }],
    ['db_denydatareader', { permissions: ['SELECT'], isDenied: true }],
    ['db_denydatawriter', { permissions: ['INSERT', 'UPDATE', 'DELETE'], isDenied: true }],
  ])

const HIDDEN_SERVER = 'The roles of the server are not visible to the account.'
const HIDDEN_GROUPS = 'The members of Windows and Entra groups are not visible.'
const NO_CHECK = 'This product does not show whether all permissions are visible.'

/** The principals of a database, and the members of its roles. */
interface Access {
  principals: Map<number, Principal>
  /** The ids of roles and members. */
  members: readonly (readonly [role: number, member: number])[]
}

/**
 * Reads the grants in scopes. A database that cannot be read leaves the others readable; memberships count as read if all
 * could be read. Errors: SourceFailure.
 */
export async function* readGrants(
  connections: TdsConnections,
  scopes: readonly Scope[],
): AsyncGenerator<GrantBatch> {
  const server = await readServer(connections)
  const databases = new Map<string, Access>()
  const byDatabase = Map.groupBy(scopes, ({ reading }) => reading)
  let count = 0
  for (const [database, own] of byDatabase) {
    const access = await attemptReading(() => readAccess(connections, database))
    if (access instanceof SourceFailure) yield* reportUnread(own, access)
    else {
      databases.set(database, access)
      count += access.principals.size + access.members.length
      if (count > PRINCIPALS_MAX) {
        throw new SourceFailure(
          'too_large',
          `The server has more than ${PRINCIPALS_MAX} principals`,
        )
      }
    }
  }
  const all = new Map([...databases].map(([name, { principals }]) => [name, principals]))
  const names = new PrincipalNames(all)
  for (const [database, access] of databases) {
    yield* toAdministratorBatches(
      listAdministrators(database, access, names, server.administrators),
    )
    yield* toGrantBatches(listFixedGrants(database, access, names))
    yield* toMemberBatches(listMembers(database, access, names))
    yield* readPermissions(connections, names, byDatabase.get(database) ?? [], {
      database,
      because: server.because ?? findHidden(access),
    })
  }
  yield* toAdministratorBatches(server.administrators.map(({ grantee }) => grantee))
  if (databases.size === byDatabase.size) yield { membership: {} }
}

function* reportUnread(scopes: readonly Scope[], failure: SourceFailure): Generator<GrantBatch> {
  yield* toOutcomeBatches(listInner(scopes).map(({ path }) => toUnreadOutcome(path, failure)))
}

// The database itself proves nothing about schemas that were not read.
function listInner(scopes: readonly Scope[]): Scope[] {
  return scopes.filter(({ path }) => path.length > 1)
}

/** The access to all databases of a server. */
interface ServerAccess {
  administrators: readonly { grantee: Grantee; sid: string | undefined }[]
  /** Why others may have access to all databases. */
  because?: string
}

// A server of one database has administrators only as owners of databases.
async function readServer({ flavour, pool }: TdsConnections): Promise<ServerAccess> {
  if (flavour.isWorkspace) return { administrators: [], because: WORKSPACE_LIMIT }
  if (flavour.isOneDatabase || !flavour.hasPrivilegeCheck) return { administrators: [] }
  return await pool.use(undefined, async (connection) => {
    const [row] = await connection.query(visibilityStatement(undefined))
    if (row?.[0] !== 1) return { administrators: [], because: HIDDEN_SERVER }
    const rows = await connection.query(serverStatement())
    const administrators = rows.map(([name, type, sid]) => ({
      grantee: { kind: parseKind(String(type)), name: String(name) },
      sid: asText(sid),
    }))
    return { administrators }
  })
}

async function readAccess(connections: TdsConnections, database: string): Promise<Access> {
  return await connections.pool.use(database, async (connection) => {
    await requireVisible(connection, database)
    const rows = await connection.query(principalsStatement(database))
    const members = await connection.query(membersStatement(database))
    return {
      principals: new Map(rows.map((row) => [Number(row[0]), toPrincipal(row)])),
      members: members.map(([role, member]) => [Number(role), Number(member)] as const),
    }
  })
}

async function requireVisible(connection: TdsConnection, database: string): Promise<void> {
  if (!connection.flavour.hasPrivilegeCheck) throw new SourceFailure('permission', NO_CHECK)
  const [row] = await connection.query(visibilityStatement(database)).catch((error: unknown) => {
    if (!isUnsupported(error)) throw error
    throw new SourceFailure('permission', NO_CHECK, { cause: error })
  })
  if (row?.[0] === 1 && row[1] === 0) return
  const message = `The permissions of ${database} are not all visible. Grant VIEW DEFINITION on the database`
  throw new SourceFailure('permission', message)
}

function toPrincipal([id, name, type, sid, isFixed]: TdsRow): Principal {
  return {
    id: Number(id),
    name: String(name),
    kind: parseKind(String(type)),
    sid: asText(sid) ?? null,
    isFixedRole: isFixed === 1,
  }
}

function findHidden({ principals }: Access): string | undefined {
  return principals.values().some(({ kind }) => kind === 'group') ? HIDDEN_GROUPS : undefined
}

function listAdministrators(
  database: string,
  { principals }: Access,
  names: PrincipalNames,
  administrators: ServerAccess['administrators'],
): Grantee[] {
  const sids = new Set(administrators.flatMap(({ sid }) => sid ?? []))
  const users = [...principals.values()].filter(({ sid }) => sid !== null && sids.has(sid))
  const own = users.flatMap(({ id }) => names.getGrantee(database, id) ?? [])
  return [DBO, ...own]
}

function listFixedGrants(
  database: string,
  { principals }: Access,
  names: PrincipalNames,
): SourceGrant[] {
  return [...principals.values()].flatMap(({ id, name, isFixedRole }) => {
    const role = isFixedRole ? FIXED_ROLES.get(name) : undefined
    const grantee = names.getGrantee(database, id)
    if (role === undefined || grantee === undefined) return []
    return role.permissions.flatMap((permission) =>
      toGrants({ path: [database], grantee, permission, state: role.isDenied ? 'D' : 'G' }),
    )
  })
}

function listMembers(database: string, { members }: Access, names: PrincipalNames): SourceMember[] {
  return members.flatMap(([roleId, memberId]) => {
    const role = names.getGrantee(database, roleId)
    if (role === undefined) return []
    return names
      .listGrantees(database, memberId)
      .map((member) => ({ role, member, isInherited: true, isSettable: false }))
  })
}

async function* readPermissions(
  { pool }: TdsConnections,
  names: PrincipalNames,
  scopes: readonly Scope[],
  { database, because }: { database: string; because: string | undefined },
): AsyncGenerator<GrantBatch> {
  const inner = listInner(scopes)
  const schemas = inner.flatMap(({ path }) => path.slice(1, 2))
  const statement = permissionsStatement(database, schemas)
  const paths = inner.map(({ path }) => path)
  const batches = pool.read(database, async function* read(connection) {
    yield* readRows(connection.stream(statement), database, names)
    yield* toOutcomeBatches(paths.map((path) => toWholeOutcome(path, because)))
  })
  yield* guardReading(paths, batches)
}

async function* readRows(
  pages: AsyncIterable<readonly TdsRow[]>,
  database: string,
  names: PrincipalNames,
): AsyncGenerator<GrantBatch> {
  let grants: SourceGrant[] = []
  for await (const rows of groupAdjacent(pages, isOfOne, ROWS_OF_OBJECT_MAX)) {
    grants.push(...toGrantsOfOne(rows, database, names))
    if (grants.length < GRANTS_MAX) continue
    yield* toGrantBatches(grants)
    grants = []
  }
  yield* toGrantBatches(grants)
}

// The rows of one object and grantee.
function isOfOne([id, schema, object]: TdsRow, first: TdsRow): boolean {
  return id === first[0] && schema === first[1] && object === first[2]
}

function toGrantsOfOne(
  rows: readonly TdsRow[],
  database: string,
  names: PrincipalNames,
): SourceGrant[] {
  const [id, schema, object] = rows[0] ?? []
  const granteeId = Number(id)
  if (names.isOwner(granteeId)) return []
  const path = [database, asText(schema), asText(object)].filter((part) => part !== undefined)
  // A permission for a column wins over the denial for its table.
  const hasColumn = rows.some(
    ([, , , permission, state, column]) =>
      permission === 'SELECT' && state !== 'D' && asText(column) !== undefined,
  )
  const byPermission = Map.groupBy(rows, ([, , , permission, state]) =>
    JSON.stringify([permission, state]),
  )
  return [...byPermission.values()].flatMap((some) => {
    const [, , , permission, state] = some[0] ?? []
    const columns = some.flatMap(([, , , , , column]) => asText(column) ?? [])
    const isWhole = columns.length < some.length
    if (permission === 'SELECT' && state === 'D' && isWhole && hasColumn) return []
    return names.listGrantees(database, granteeId).flatMap((grantee) =>
      toGrants({
        path,
        grantee,
        permission: String(permission),
        state: String(state),
        ...(isWhole ? {} : { columns }),
      }),
    )
  })
}

/** A permission as the catalog has it. */
interface Permission {
  path: readonly string[]
  grantee: Grantee
  permission: string
  /** D = denied, W = may be granted to others. */
  state: string
  columns?: readonly string[]
}

function toGrants({ permission, state, ...where }: Permission): SourceGrant[] {
  if (state.trim() === 'D') {
    const denied = DENIALS.get(permission) ?? []
    return denied.map((privilege) => ({
      ...where,
      privilege,
      effect: privilege === 'SELECT' ? 'deny' : 'deny_write',
      withGrant: false,
    }))
  }
  const effects = EFFECTS.get(permission) ?? []
  const withGrant = state.trim() === 'W'
  return effects.map((effect) => ({ ...where, privilege: permission, effect, withGrant }))
}
