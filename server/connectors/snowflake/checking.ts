import { nameFilter } from '../filter.ts'
import type { Finding, Setup, SourceFailure } from '../connector.ts'
import { describeCount, runCheck } from '../http/check.ts'
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
  const found = await runCheck(
    SERVICE,
    setup,
    async (bounded, findings) => {
      const client = await openSnowflakeClient(configuration, bounded)
      try {
        Object.assign(names, await checkConnection(client, findings))
        await checkDatabases(client, names, findings)
        await checkAccountUsage(client, names, findings)
      } finally {
        await client.close()
      }
    },
    (failure) => getHint(failure, configuration, names),
  )
  return [...clearTextFindings(configuration), ...found]
}

function clearTextFindings(configuration: SnowflakeConfiguration): Finding[] {
  if (!getAddress(configuration).startsWith('http:')) return []
  const hint = 'Use https unless the network to the server is private'
  return [{ state: 'warning', what: 'The credentials are sent without encryption', hint }]
}

function getConfiguredNames({ role, warehouse }: SnowflakeConfiguration): SessionNames {
  return { role: quoteIdentifier(role), warehouse: quoteIdentifier(warehouse) }
}

function quoteIdentifier(identifier: string | undefined): string {
  return identifier === undefined ? '…' : quoteName(toStoredName(identifier))
}

// This statement needs no warehouse.
async function checkConnection(
  client: SnowflakeClient,
  findings: Finding[],
): Promise<Partial<SessionNames>> {
  const sql =
    'select current_user() as user_name, current_role() as role_name, current_warehouse() as warehouse_name'
  const row = await getFirstRow(client, sql, 'the session')
  const [role, warehouse] = [row?.get('role_name'), row?.get('warehouse_name')]
  const user = row?.get('user_name') ?? 'The user'
  findings.push({ state: 'ok', what: `${user} is signed in with the role ${role ?? '(none)'}` })
  return {
    ...(role ? { role: quoteName(role) } : {}),
    ...(warehouse ? { warehouse: quoteName(warehouse) } : {}),
  }
}

async function checkDatabases(
  client: SnowflakeClient,
  names: SessionNames,
  findings: Finding[],
): Promise<void> {
  const isIncluded = newDatabaseFilter(client)
  const included: string[] = []
  let count = 0
  const statement = { objects: 'DATABASES', within: [], what: 'its databases' } as const
  for await (const database of showObjects(client, statement)) {
    count += 1
    if (isIncluded(database)) included.push(database.require('name'))
  }
  const isEmpty = included.length === 0
  findings.push({
    state: isEmpty ? 'error' : 'ok',
    what: `Snowflake shows ${describeCount(count, 'database')}, ${included.length} of them included`,
    ...(isEmpty ? { hint: `Grant access: ${toGrants('<database>', names)}` } : {}),
  })
  for (const database of included.slice(0, DATABASES_TRIED_MAX)) {
    if (await checkTables(client, database, names, findings)) return
  }
}

/** Counts the tables of one database on the warehouse; returns false if the database shows none. */
async function checkTables(
  client: SnowflakeClient,
  database: string,
  names: SessionNames,
  findings: Finding[],
): Promise<boolean> {
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
    findings.push({ state: 'warning', what: error.message, hint })
    return false
  }
  const what = `The role sees ${describeCount(count, 'table')} and views in ${database}`
  findings.push(count === 0 ? { state: 'warning', what, hint } : { state: 'ok', what })
  return count > 0
}

async function checkAccountUsage(
  client: SnowflakeClient,
  { role }: SessionNames,
  findings: Finding[],
): Promise<void> {
  const { includeTags, includeViews, readsFrom } = client.configuration
  const isRead = readsFrom === 'account_usage'
  const subjects = [
    { name: 'tags', views: includeTags ? ['tag_references'] : [] },
    { name: 'tables and columns', views: isRead ? ['tables', 'columns'] : [] },
    { name: 'texts of views', views: isRead && includeViews ? ['views'] : [] },
  ]
  for (const { name, views } of subjects.filter(({ views }) => views.length > 0)) {
    const parts = views.map(
      (view) => `(select 1 as one from snowflake.account_usage.${view} limit 1)`,
    )
    try {
      await getFirstRow(client, parts.join(' union all '), `the ${name} in ACCOUNT_USAGE`)
      findings.push({ state: 'ok', what: `The ${name} in ACCOUNT_USAGE can be read` })
    } catch (error) {
      if (!isStatementFailure(error)) throw error
      const grants = ['OBJECT_VIEWER', 'GOVERNANCE_VIEWER'].map(
        (databaseRole) => `GRANT DATABASE ROLE SNOWFLAKE.${databaseRole} TO ROLE ${role}`,
      )
      const hint = `Grant the roles: ${grants.join('; ')}`
      findings.push({ state: 'error', what: error.message, hint })
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

function getHint(
  failure: SourceFailure,
  { authentication, account }: SnowflakeConfiguration,
  { role, warehouse }: SessionNames,
): string {
  const grant = `GRANT USAGE ON WAREHOUSE ${warehouse} TO ROLE ${role}`
  switch (getErrorCode(failure)) {
    case '000606':
      return `Enter a warehouse that exists, and allow the role to use it: ${grant}`
    case '390189':
    case '390201':
      return `Check role and warehouse, grant the role to the user, and allow it to use the warehouse: ${grant}`
    case '390422':
      return 'Add the address of this server to the network policy of the user or account'
    case undefined:
      break
    default:
      if (failure.kind === 'protocol') return 'Try again, or look at the query history of Snowflake'
  }
  switch (failure.kind) {
    case 'auth':
      if (/network policy/.test(failure.message)) {
        return 'Add the address of this server to the network policy of the user or account'
      }
      return failure.message.includes('no Snowflake account')
        ? `Check the account identifier ${account}: Snowflake shows it under Account › View account details`
        : AUTH_HINTS[authentication]
    case 'unreachable':
      return `Check the account identifier ${account}, and whether this server may connect to Snowflake`
    case 'permission':
      return `Grant the privileges: ${toGrants('<database>', { role, warehouse })}`
    case 'rate_limited':
      return 'Try again later'
    case 'protocol':
      return 'Check that the address is that of a Snowflake account'
    case 'too_large':
    case 'crashed':
    case 'cancelled':
      return 'Try again'
  }
}
