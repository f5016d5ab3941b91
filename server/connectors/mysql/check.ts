import { pass, reject, runCheck, warn, warnOfPlatform } from '../checks.ts'
import type { Finding, Setup } from '../connector.ts'
import { TURN_OFF_TITLE, VERIFY_HINT } from '../fields.ts'
import { nameFilter } from '../filter.ts'
import { systemNames, type MysqlSetup } from './configuration.ts'
import { connect, toConnectionFailure, type MysqlConnection } from './connection.ts'
import { isWithoutTls } from './failure.ts'
import { seesAllTables } from './reading.ts'
import { databasesStatement, hiddenViewsStatement, quoteName } from './statements.ts'

/** Ten statements in total: six before these, one after. */
const DATABASES_TRIED = 3
const NAMES_SHOWN = 10
const STATEMENT_TIMEOUT_MS = 4000
const TURN_OFF = { title: TURN_OFF_TITLE, field: 'ssl', value: 'off' }

/**
 * Checks the source: the connection, the platform, which databases are included, and what the user
 * cannot see of them. `title` is the expected platform. Never throws.
 */
export async function checkSource(given: MysqlSetup, title: string): Promise<Finding[]> {
  const configuration = { ...given.configuration, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  const what = `Connect to ${given.address} as ${configuration.user}`
  const toConnecting = (setup: Setup): MysqlSetup => ({ ...given, setup, configuration })
  return await runCheck({
    setup: given.setup,
    open: async (bounded) => await connect(toConnecting(bounded)),
    async *steps(connection, bounded) {
      yield pass(what)
      yield* checkContents(connection, toConnecting(bounded), title)
    },
    explain: (error, { isOpen, isLate }) =>
      toFinding(error, toConnecting(given.setup), isOpen ? 'Read the catalog' : what, isLate),
  })
}

async function* checkContents(
  connection: MysqlConnection,
  connecting: MysqlSetup,
  title: string,
): AsyncGenerator<Finding> {
  const server = `Server: ${connection.flavour.title}`
  yield connection.flavour.title.startsWith(title) ? pass(server) : warnOfPlatform(server, title)
  yield await encryptionFinding(connection)
  const databases = await findDatabases(connection, connecting)
  yield databasesFinding(databases)
  const tried = databases.slice(0, DATABASES_TRIED)
  for (const database of tried) yield await sightFinding(connection, database)
  if (connecting.configuration.includeViews && tried.length > 0) {
    yield await viewsFinding(connection, tried)
  }
}

async function encryptionFinding(connection: MysqlConnection): Promise<Finding> {
  const [row] = await connection.query({
    name: 'encryption',
    text: `show session status like 'Ssl_version'`,
  })
  const version = row?.[1]
  return typeof version === 'string' && version !== ''
    ? pass(`The connection is encrypted (${version})`)
    : warn('The connection is not encrypted', VERIFY_HINT)
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
    return pass(`Databases to read: ${databases.length} (${names}${more})`)
  }
  return reject(
    'No database to read',
    'The filters exclude every database, or the user sees none. GRANT REFERENCES ON *.* shows the tables without their data.',
  )
}

async function sightFinding(connection: MysqlConnection, database: string): Promise<Finding> {
  const name = quoteName(database)
  if (await seesAllTables(connection, database)) return pass(`All tables of ${name} are visible`)
  return warn(
    `Not all tables of ${name} are visible`,
    'Only tables with a privilege are read, and the catalog does not delete them when they are gone. ' +
      `GRANT REFERENCES ON ${name}.* (or ON *.*) shows all tables without their data.`,
  )
}

async function viewsFinding(
  connection: MysqlConnection,
  databases: readonly string[],
): Promise<Finding> {
  const rows = await connection.query(hiddenViewsStatement(databases))
  if (rows.length === 0) return pass('The definitions of all views are visible')
  const names = rows.map(([name]) => quoteName(String(name))).join(', ')
  // MariaDB shows them only to users who may also read the data.
  return warn(
    `Some definitions of views are hidden in ${names}`,
    'GRANT SELECT, SHOW VIEW on the views shows them. The views are also read without their definitions.',
  )
}

function toFinding(error: unknown, connecting: MysqlSetup, what: string, isLate: boolean): Finding {
  const failure = toConnectionFailure(error, connecting)
  const isSlow = isLate || failure.kind === 'cancelled' || failure.kind === 'too_large'
  const hint = isSlow ? `${connecting.address} did not answer in time.` : failure.message
  return { ...reject(what, hint), ...(isWithoutTls(error) ? { fix: TURN_OFF } : {}) }
}
