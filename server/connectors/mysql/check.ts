import { nameFilter } from '../filter.ts'
import type { Finding } from '../connector.ts'
import { TURN_OFF_TITLE, VERIFY_HINT } from '../fields.ts'
import { systemNames } from './configuration.ts'
import type { MysqlSetup } from './configuration.ts'
import { connect } from './connection.ts'
import type { MysqlConnection } from './connection.ts'
import { isWithoutTls, toFailure } from './failure.ts'
import { seesAllTables } from './reading.ts'
import { databasesStatement, hiddenViewsStatement, quoteName } from './statements.ts'

/** Ten statements in total: six before these, one after. */
const DATABASES_TRIED = 3
const NAMES_SHOWN = 10
/** A check takes at most ten seconds in total. */
const STATEMENT_TIMEOUT_MS = 4000
const CHECK_TIMEOUT_MS = 10_000
const TURN_OFF = { title: TURN_OFF_TITLE, field: 'ssl', value: 'off' }

/**
 * Checks the source: the connection, the platform, which databases are included, and what the user
 * cannot see of them. `title` is the expected platform. Never throws.
 */
export async function checkSource(given: MysqlSetup, title: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const { setup, configuration } = given
  const connecting = {
    ...given,
    setup: {
      ...setup,
      signal: AbortSignal.any([setup.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]),
    },
    configuration: { ...configuration, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  }
  const what = `Connect to ${given.address} as ${configuration.user}`
  let connection: MysqlConnection | undefined
  try {
    connection = await connect(connecting)
    findings.push({ state: 'ok', what })
    for await (const finding of look(connection, connecting, title)) findings.push(finding)
  } catch (error) {
    findings.push(
      toFinding(error, connecting, connection === undefined ? what : 'Read the catalog'),
    )
  } finally {
    await connection?.close()
  }
  return findings
}

async function* look(
  connection: MysqlConnection,
  connecting: MysqlSetup,
  title: string,
): AsyncGenerator<Finding> {
  yield flavourFinding(connection.flavour.title, title)
  yield await encryptionFinding(connection)
  const databases = await findDatabases(connection, connecting)
  yield databasesFinding(databases)
  const tried = databases.slice(0, DATABASES_TRIED)
  for (const database of tried) yield await sightFinding(connection, database)
  if (connecting.configuration.includeViews && tried.length > 0) {
    yield await viewsFinding(connection, tried)
  }
}

function flavourFinding(found: string, title: string): Finding {
  const what = `Server: ${found}`
  if (found.startsWith(title)) return { state: 'ok', what }
  const hint = `Its assets will have the types of ${title}. Choose the platform that the server runs.`
  return { state: 'warning', what, hint }
}

async function encryptionFinding(connection: MysqlConnection): Promise<Finding> {
  const [row] = await connection.query({
    name: 'encryption',
    text: `show session status like 'Ssl_version'`,
  })
  const version = row?.[1]
  if (typeof version === 'string' && version !== '')
    return { state: 'ok', what: `The connection is encrypted (${version})` }
  return {
    state: 'warning',
    what: 'The connection is not encrypted',
    hint: VERIFY_HINT,
  }
}

async function findDatabases(
  connection: MysqlConnection,
  { setup }: MysqlSetup,
): Promise<string[]> {
  const rows = await connection.query(databasesStatement())
  return rows
    .map(([name]) => String(name))
    .filter(nameFilter(setup.filters, 'database', systemNames.database))
    .toSorted()
}

function databasesFinding(databases: readonly string[]): Finding {
  const names = databases.slice(0, NAMES_SHOWN).map(quoteName).join(', ')
  const more = databases.length > NAMES_SHOWN ? ', …' : ''
  if (databases.length > 0) {
    return { state: 'ok', what: `Databases to read: ${databases.length} (${names}${more})` }
  }
  return {
    state: 'error',
    what: 'No database to read',
    hint: 'The filters exclude every database, or the user sees none. GRANT REFERENCES ON *.* shows the tables without their data.',
  }
}

async function sightFinding(connection: MysqlConnection, database: string): Promise<Finding> {
  const name = quoteName(database)
  if (await seesAllTables(connection, database)) {
    return { state: 'ok', what: `All tables of ${name} are visible` }
  }
  return {
    state: 'warning',
    what: `Not all tables of ${name} are visible`,
    hint:
      'Only tables with a privilege are read, and the catalog does not delete them when they are gone. ' +
      `GRANT REFERENCES ON ${name}.* (or ON *.*) shows all tables without their data.`,
  }
}

async function viewsFinding(
  connection: MysqlConnection,
  databases: readonly string[],
): Promise<Finding> {
  const rows = await connection.query(hiddenViewsStatement(databases))
  if (rows.length === 0) return { state: 'ok', what: 'The definitions of all views are visible' }
  const names = rows.map(([name]) => quoteName(String(name))).join(', ')
  return {
    state: 'warning',
    what: `Some definitions of views are hidden in ${names}`,
    // MariaDB shows them only to users who may also read the data.
    hint: 'GRANT SELECT, SHOW VIEW on the views shows them. The views are also read without their definitions.',
  }
}

function toFinding(
  error: unknown,
  { setup, configuration, address }: MysqlSetup,
  what: string,
): Finding {
  const { user, statementTimeoutMs } = configuration
  const isAborted = setup.signal.aborted
  const failure = toFailure(error, {
    address,
    user,
    statementTimeoutMs,
    isAborted,
    isEncrypted: configuration.ssl !== 'off',
  })
  const isLate = failure.kind === 'cancelled' || failure.kind === 'too_large'
  const hint = isLate ? `${address} did not answer in time.` : failure.message
  return { state: 'error', what, hint, ...(isWithoutTls(error) ? { fix: TURN_OFF } : {}) }
}
