import { omitEmpty } from '../asset-parts.ts'
import { checkService, describeCount, pass, reject, warn, type Advice } from '../checks.ts'
import type { Finding, Setup, SourceFailure } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import { getAddress } from './account.ts'
import { listGrants } from './grants.ts'
import {
  snowflakeConfiguration,
  systemNames,
  type SnowflakeConfiguration,
} from './configuration.ts'
import { newDatabaseFilter } from './listing.ts'
import type { ResultRow } from './result-row.ts'
import { showObjects } from './show.ts'
import { quoteName, toStoredName } from './sql-text.ts'
import { openSnowflakeClient, SERVICE, type SnowflakeClient } from './statement-client.ts'
import { getErrorCode, isStatementFailure } from './statement-error.ts'

/** The number of databases tried for a table: at most ten statements in all. */
const DATABASES_TRIED_MAX = 2

/** The role and warehouse of the session, as statements name them. */
interface SessionNames {
  role: string
  warehouse: string
}

/** Tries an account with a handful of statements. */
export async function checkSource(setup: Setup): Promise<Finding[]> {
  const configuration = snowflakeConfiguration.parse(setup.configuration)
  const names = getConfiguredNames(configuration)
  return await checkService({
    service: SERVICE,
    setup,
    addresses: { urls: [getAddress(configuration)], place: 'server' },
    open: async (bounded) => await openSnowflakeClient(configuration, bounded),
    steps: async function* steps(client) {
      Object.assign(names, yield* checkConnection(client))
      yield* checkDatabases(client, names)
      yield* checkAccountUsage(client, names)
    },
    findAdvice: (failure) => findAdvice(failure, names),
    advice: getAdvice(configuration, names),
  })
}

function getConfiguredNames({ role, warehouse }: SnowflakeConfiguration): SessionNames {
  return { role: quoteIdentifier(role), warehouse: quoteIdentifier(warehouse) }
}

function quoteIdentifier(identifier: string | undefined): string {
  return identifier === undefined ? '…' : quoteName(toStoredName(identifier))
}

// This statement needs no warehouse.
async function* checkConnection(
  client: SnowflakeClient,
): AsyncGenerator<Finding, Partial<SessionNames>> {
  const sql =
    'select current_user() as user_name, current_role() as role_name, current_warehouse() as warehouse_name'
  const row = await getFirstRow(client, sql, 'the session')
  const [role, warehouse] = [row?.get('role_name'), row?.get('warehouse_name')]
  const user = row?.get('user_name') ?? 'The user'
  yield pass(`${user} is signed in with the role ${role ?? '(none)'}`)
  return omitEmpty({ role: role && quoteName(role), warehouse: warehouse && quoteName(warehouse) })
}

async function* checkDatabases(
  client: SnowflakeClient,
  names: SessionNames,
): AsyncGenerator<Finding> {
  const isIncluded = newDatabaseFilter(client)
  const included: string[] = []
  let count = 0
  const statement = { objects: 'DATABASES', within: [], what: 'its databases' } as const
  for await (const database of showObjects(client, statement)) {
    count += 1
    if (isIncluded(database)) included.push(database.require('name'))
  }
  const what = `Snowflake shows ${describeCount(count, 'database')}, ${included.length} of them included`
  yield included.length === 0
    ? reject(what, `Grant access: ${toGrants('<database>', names)}`)
    : pass(what)
  for (const database of included.slice(0, DATABASES_TRIED_MAX)) {
    if (yield* checkTables(client, database, names)) return
  }
}

/** Counts the tables of one database on the warehouse; returns false if the database shows none. */
async function* checkTables(
  client: SnowflakeClient,
  database: string,
  names: SessionNames,
): AsyncGenerator<Finding, boolean> {
  const hint = `It will be absent without: ${toGrants(database, names)}`
  const sql = `select table_schema, count(*) as tables from ${quoteName(database)}.information_schema.tables group by table_schema order by table_schema limit 1000`
  const isIncluded = nameFilter(client.setup.filters, 'schema', systemNames.schema)
  let count = 0
  try {
    for await (const rows of client.run({ sql, what: `the tables of ${database}` })) {
      for (const row of rows) {
        if (isIncluded(row.require('table_schema'))) count += row.getNumber('tables') ?? 0
      }
    }
  } catch (error) {
    if (!isStatementFailure(error)) throw error
    yield warn(error.message, hint)
    return false
  }
  const what = `The role sees ${describeCount(count, 'table')} and views in ${database}`
  yield count === 0 ? warn(what, hint) : pass(what)
  return count > 0
}

async function* checkAccountUsage(
  client: SnowflakeClient,
  { role }: SessionNames,
): AsyncGenerator<Finding> {
  const { includeTags, includeViews, readsFrom } = client.configuration
  const isRead = readsFrom === 'account_usage'
  const subjects = [
    { name: 'tags', views: includeTags ? ['tag_references'] : [] },
    { name: 'tables and columns', views: isRead ? ['tables', 'columns'] : [] },
    { name: 'texts of views', views: isRead && includeViews ? ['views'] : [] },
  ]
  const grants = ['OBJECT_VIEWER', 'GOVERNANCE_VIEWER'].map(
    (databaseRole) => `GRANT DATABASE ROLE SNOWFLAKE.${databaseRole} TO ROLE ${role}`,
  )
  for (const { name, views } of subjects.filter(({ views }) => views.length > 0)) {
    const parts = views.map(
      (view) => `(select 1 as one from snowflake.account_usage.${view} limit 1)`,
    )
    try {
      await getFirstRow(client, parts.join(' union all '), `the ${name} in ACCOUNT_USAGE`)
      yield pass(`The ${name} in ACCOUNT_USAGE can be read`)
    } catch (error) {
      if (!isStatementFailure(error)) throw error
      yield reject(error.message, `Grant the roles: ${grants.join('; ')}`)
    }
  }
}

async function getFirstRow(
  client: SnowflakeClient,
  sql: string,
  what: string,
): Promise<ResultRow | undefined> {
  let first: ResultRow | undefined
  for await (const rows of client.run({ sql, what })) first ??= rows[0]
  return first
}

/** Returns the smallest grants for the metadata of a database, without its data. */
function toGrants(database: string, { role }: SessionNames): string {
  return [...listGrants(database, role), 'then the same with FUTURE instead of ALL'].join('; ')
}

const AUTH_HINTS = {
  keyPair:
    'Check that the user has this public key (DESCRIBE USER shows its fingerprint), that the key was not rotated, that account and user are right, and that the clock of this server is right',
  token:
    'Check that the token has not expired, that it belongs to this account, and that a network policy applies to its user',
  oauth:
    'Check client id, secret and scope, that a security integration of Snowflake accepts tokens of this identity provider, and the account locator if the account identifier names an organization',
} as const

const NETWORK_POLICY = 'Add the address of this server to the network policy of the user or account'

function toWarehouseGrant({ role, warehouse }: SessionNames): string {
  return `GRANT USAGE ON WAREHOUSE ${warehouse} TO ROLE ${role}`
}

/** Returns the advice for an error that Snowflake reported by its code. */
function findAdvice(failure: SourceFailure, names: SessionNames): string | undefined {
  const code = getErrorCode(failure) ?? ''
  switch (code) {
    case '000606':
      return `Enter a warehouse that exists, and allow the role to use it: ${toWarehouseGrant(names)}`
    case '390189':
    case '390201':
      return `Check role and warehouse, grant the role to the user, and allow it to use the warehouse: ${toWarehouseGrant(names)}`
    case '390422':
      return NETWORK_POLICY
    default:
      return code !== '' && failure.kind === 'protocol'
        ? 'Try again, or look at the query history of Snowflake'
        : undefined
  }
}

function getAdvice(
  { authentication, account }: SnowflakeConfiguration,
  names: SessionNames,
): Advice {
  return {
    auth({ message }) {
      if (/network policy/.test(message)) return NETWORK_POLICY
      return message.includes('no Snowflake account')
        ? `Check the account identifier ${account}: Snowflake shows it under Account › View account details`
        : AUTH_HINTS[authentication]
    },
    unreachable: `Check the account identifier ${account}, and whether this server may connect to Snowflake`,
    // Their names are known only after the check has begun.
    permission: () => `Grant the privileges: ${toGrants('<database>', names)}`,
    protocol: 'Check that the address is that of a Snowflake account',
  }
}
