import { z } from 'zod'
import { toGrantBatches, toMemberBatches, toOutcomeBatches, toWholeOutcome } from '../access.ts'
import type { Scope } from '../connector.ts'
import type { Grantee, GrantBatch, SourceGrant, SourceMember } from '../grant.ts'
import { toAccount, toGrantee } from './account.ts'
import type { MysqlConnection, Row } from './connection.ts'
import { chooseDatabaseRow, unescapePattern } from './database-pattern.ts'

/**
 * Grants are in tables of the database `mysql`: the information schema shows only one's own. Privileges on the whole server,
 * on databases (by patterns), tables and columns add up.
 */

/** The privileges that count, by their names in the sets of `tables_priv` and in the columns `…_priv` of other tables. */
const PRIVILEGES = ['Select', 'Insert', 'Update', 'Delete'] as const
const FLAGS = [...PRIVILEGES, 'Grant'].map((name) => `${name}_priv`).join(', ')

/** Reads the grants in scopes, then the memberships. Errors: the driver's. */
export async function* readGrants(
  connection: MysqlConnection,
  scopes: readonly Scope[],
): AsyncGenerator<GrantBatch> {
  const databases = new Set(scopes.flatMap(({ path }) => path.slice(0, 1)))
  const roles = await readAccounts(connection, databases)
  yield* toGrantBatches(roles.grants)
  yield { administrators: roles.administrators }
  yield* toGrantBatches(await readDatabaseGrants(connection, databases, roles.names))
  const passed = new Set<string>()
  yield* readTableGrants(connection, databases, roles.names, passed)
  yield* toGrantBatches(await readColumnGrants(connection, databases, roles.names, passed))
  const members = await readMembers(connection, roles.names)
  yield* toMemberBatches(members)
  yield* toOutcomeBatches(scopes.map(({ path }) => toWholeOutcome(path)))
  yield { membership: await explainMembership(connection) }
}

/** The accounts of a server. */
interface Accounts {
  /** The roles of MariaDB, by their accounts. */
  names: ReadonlySet<string>
  grants: SourceGrant[]
  administrators: Grantee[]
}

async function readAccounts(
  connection: MysqlConnection,
  databases: ReadonlySet<string>,
): Promise<Accounts> {
  const { isMariadb, hasPartialRevokes } = connection.flavour
  const own = isMariadb ? 'is_role' : hasPartialRevokes ? 'User_attributes' : 'null'
  const rows = await connection.query({
    name: 'accounts',
    text: `select User, Host, ${FLAGS}, Super_priv, ${own} from mysql.user`,
  })
  const names = new Set(
    isMariadb ? rows.filter((row) => row[8] === 'Y').map((row) => toAccount(row[0], row[1])) : [],
  )
  const toOwn = (row: Row): Grantee => toGrantee(row[0], row[1], names)
  const restricted = (row: Row): ReadonlyMap<string, ReadonlySet<string>> =>
    isMariadb ? new Map() : readRestrictions(row[8])
  return {
    names,
    administrators: rows.filter((row) => row[7] === 'Y').map(toOwn),
    grants: rows.flatMap((row) => {
      const without = restricted(row)
      const flags = row.slice(2, 7)
      if (without.size === 0) return toFlagGrants([], toOwn(row), flags)
      // A partial revoke takes privileges on a database out of those on the whole server.
      return [...databases].flatMap((database) =>
        toFlagGrants([database], toOwn(row), flags, '*.*').filter(
          ({ privilege }) => without.get(database)?.has(privilege) !== true,
        ),
      )
    }),
  }
}

const restrictions = z.object({
  Restrictions: z
    .array(z.object({ Database: z.string(), Privileges: z.array(z.string()) }))
    .default([]),
})

/** Reads the privileges that partial revokes exclude: `{"Restrictions": [{"Database": "a", "Privileges": ["SELECT"]}]}`. */
function readRestrictions(cell: unknown): Map<string, Set<string>> {
  if (typeof cell !== 'string' || cell === '') return new Map()
  const { Restrictions } = restrictions.parse(JSON.parse(cell))
  return new Map(
    Restrictions.map(({ Database, Privileges }) => [Database, new Set(Privileges)] as const),
  )
}

function toFlagGrants(
  path: readonly string[],
  grantee: Grantee,
  flags: Row,
  inheritedFrom?: string,
): SourceGrant[] {
  const withGrant = flags[PRIVILEGES.length] === 'Y'
  return PRIVILEGES.flatMap((name, at) =>
    flags[at] === 'Y'
      ? [
          {
            path,
            grantee,
            privilege: name.toUpperCase(),
            effect: name === 'Select' ? 'read' : 'write',
            withGrant,
            ...(inheritedFrom === undefined ? {} : { inheritedFrom }),
          },
        ]
      : [],
  )
}

// The names of databases are patterns. The server uses one row for an account and a database, the most specific one.
async function readDatabaseGrants(
  connection: MysqlConnection,
  databases: ReadonlySet<string>,
  roles: ReadonlySet<string>,
): Promise<SourceGrant[]> {
  const rows = await connection.query({
    name: 'grants on databases',
    text: `select User, Host, Db, ${FLAGS} from mysql.db`,
  })
  const byAccount = Map.groupBy(rows, ([user, host]) => toAccount(user, host))
  return [...byAccount.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const grantee = toGrantee(first[0], first[1], roles)
    const patterns = own.map((row) => String(row[2]))
    return [...databases].flatMap((database) => {
      const at = chooseDatabaseRow(patterns, database)
      const row = at === undefined ? undefined : own[at]
      if (row === undefined) return []
      const pattern = String(row[2])
      const from = unescapePattern(pattern) === database ? undefined : pattern
      return toFlagGrants([database], grantee, row.slice(3), from)
    })
  })
}

// Adds the keys of accounts and tables with the grant option to `passed`: it is also that of their columns.
async function* readTableGrants(
  connection: MysqlConnection,
  databases: ReadonlySet<string>,
  roles: ReadonlySet<string>,
  passed: Set<string>,
): AsyncGenerator<GrantBatch> {
  const rows = connection.stream({
    name: 'grants on tables',
    text: 'select User, Host, Db, Table_name, Table_priv from mysql.tables_priv',
  })
  for await (const page of rows) {
    const own = page.filter((row) => databases.has(String(row[2])))
    for (const row of own) if (parseSet(row[4]).has('Grant')) passed.add(toTableKey(row))
    yield* toGrantBatches(own.flatMap((row) => toTableGrants(row, roles)))
  }
}

function toTableKey([user, host, database, table]: Row): string {
  return JSON.stringify([user, host, database, table])
}

function toTableGrants(
  [user, host, database, table, cell]: Row,
  roles: ReadonlySet<string>,
): SourceGrant[] {
  const names = parseSet(cell)
  return PRIVILEGES.filter((name) => names.has(name)).map((name) => ({
    path: [String(database), String(table)],
    grantee: toGrantee(user, host, roles),
    privilege: name.toUpperCase(),
    effect: name === 'Select' ? 'read' : 'write',
    withGrant: names.has('Grant'),
  }))
}

async function readColumnGrants(
  connection: MysqlConnection,
  databases: ReadonlySet<string>,
  roles: ReadonlySet<string>,
  passed: ReadonlySet<string>,
): Promise<SourceGrant[]> {
  const rows = await connection.query({
    name: 'grants on columns',
    text: 'select User, Host, Db, Table_name, Column_name, Column_priv from mysql.columns_priv',
  })
  const columns = new Map<string, { grant: SourceGrant; names: string[] }>()
  for (const row of rows) {
    const [user, host, database, table, column, cell] = row
    if (!databases.has(String(database))) continue
    for (const name of PRIVILEGES.filter((one) => parseSet(cell).has(one))) {
      const key = JSON.stringify([user, host, database, table, name])
      const known = columns.get(key)
      if (known !== undefined) {
        known.names.push(String(column))
        continue
      }
      const grant: SourceGrant = {
        path: [String(database), String(table)],
        grantee: toGrantee(user, host, roles),
        privilege: name.toUpperCase(),
        effect: name === 'Select' ? 'read' : 'write',
        withGrant: passed.has(toTableKey(row)),
      }
      columns.set(key, { grant, names: [String(column)] })
    }
  }
  return [...columns.values()].map(({ grant, names }) => ({ ...grant, columns: names }))
}

function parseSet(cell: unknown): Set<string> {
  return new Set(typeof cell === 'string' ? cell.split(',') : [])
}

async function readMembers(
  connection: MysqlConnection,
  roles: ReadonlySet<string>,
): Promise<SourceMember[]> {
  const { isMariadb, hasRoles } = connection.flavour
  if (!hasRoles) return []
  const rows = await connection.query({
    name: 'members of roles',
    text: isMariadb
      ? `select Role, '', User, Host from mysql.roles_mapping`
      : 'select FROM_USER, FROM_HOST, TO_USER, TO_HOST from mysql.role_edges',
  })
  return rows.map(([role, roleHost, member, memberHost]) => ({
    role: toGrantee(role, roleHost, roles),
    member: toGrantee(member, memberHost, roles),
    isInherited: true,
    isSettable: true,
  }))
}

// Mandatory roles are granted to every account without a row in the tables.
async function explainMembership(connection: MysqlConnection): Promise<{ message?: string }> {
  const { isMariadb, hasRoles } = connection.flavour
  if (isMariadb || !hasRoles) return {}
  const [row] = await connection.query({
    name: 'mandatory roles',
    text: 'select @@global.mandatory_roles',
  })
  return row?.[0] === '' || row?.[0] === null
    ? {}
    : { message: 'The server has mandatory roles, which are granted to every account.' }
}
