import { omitEmpty } from '../asset-parts.ts'
import { pass, reject, runCheck, warn } from '../checks.ts'
import { SourceFailure, type Finding, type Setup } from '../connector.ts'
import { TURN_OFF_TITLE, VERIFY_HINT } from '../fields.ts'
import { nameFilter } from '../filter.ts'
import type { DatabaseRow } from './catalog.ts'
import { databaseFilter, readSetup, systemNames, type PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import { isRowError, isWithoutTls } from './failure.ts'
import type { ListingStatements } from './flat-dialect.ts'
import { POSTGRES_LISTING } from './catalog.ts'
import { askVersion, readFlavour, type PostgresFlavour } from './flavour.ts'
import { connectHome } from './home.ts'
import { listDatabases, listSchemas } from './listing.ts'

const TURN_OFF = { title: TURN_OFF_TITLE, field: 'sslMode', value: 'disable' }
const NAMES_SHOWN = 10
/** The oldest supported release. */
const VERSION_NUMBER_MIN = 120_000

/** The server: its version number, whether it is a standby, the extensions of this database. */
type ServerRow = [number, boolean, string[]]

const SERVER = `
select
  pg_catalog.current_setting('server_version_num')::int, pg_catalog.pg_is_in_recovery(),
  array(select extname::text from pg_catalog.pg_extension)`

/** Checks the source, see Connector.check, with at most seven statements. */
export async function checkSource(setup: Setup): Promise<Finding[]> {
  const { address, configuration } = readSetup(setup)
  const what = `Connect to ${address} as ${configuration.user}`
  return await runCheck({
    setup,
    open: async (bounded) => await connectHome(readSetup(bounded)),
    async *steps(connection, bounded) {
      yield pass(what)
      yield* checkContents(readSetup(bounded), connection)
    },
    explain(error, { isLate, isOpen }) {
      if (setup.signal.aborted || !(error instanceof SourceFailure)) throw error
      const hint = isLate ? 'No answer within 10 s.' : error.message
      const finding = reject(isOpen ? 'Read the system catalogs' : what, hint)
      return isWithoutTls(error) ? { ...finding, fix: TURN_OFF } : finding
    },
  })
}

async function* checkContents(
  connecting: PostgresSetup,
  connection: PostgresConnection,
): AsyncGenerator<Finding> {
  yield describeEncryption(connecting)
  const version = await askVersion(connection)
  const flavour = readFlavour(version)
  yield await describeServer(connection, version, flavour)
  const statements = flavour.dialect ?? POSTGRES_LISTING
  yield* listDatabaseFindings(connecting, await listDatabases(connecting, connection, statements))
  yield* checkSchemas(connecting, connection, statements)
  yield* checkStatistics(connecting, connection, flavour)
}

/** Checks whether the user may see row counts, if the product hides them from some users. */
async function* checkStatistics(
  connecting: PostgresSetup,
  connection: PostgresConnection,
  { dialect }: PostgresFlavour,
): AsyncGenerator<Finding> {
  if (dialect?.statistics === undefined) return
  const { view, statement } = dialect.statistics
  try {
    const statements = [dialect.begin(connecting), `${statement} limit 1`, 'commit'].join(';')
    await connection.query('try statistics', statements)
  } catch (error) {
    if (!isRowError(error)) throw connection.failure(error)
    const { user } = connecting.configuration
    const what = `${user} may not read ${view}, so row counts and sizes are unknown`
    yield warn(what, `grant select on ${view} to ${quote(user)}`)
  }
}

async function describeServer(
  connection: PostgresConnection,
  version: string,
  { name, isSupported, dialect, hint }: PostgresFlavour,
): Promise<Finding> {
  if (!isSupported || dialect !== undefined) {
    const state = isSupported ? 'ok' : 'error'
    return { state, what: `${name}: ${version}`, ...omitEmpty({ hint }) }
  }
  const [row] = await connection
    .query<ServerRow>('ask settings', SERVER)
    .catch((error: unknown) => {
      throw connection.failure(error)
    })
  const [number = 0, isStandby = false, extensions = []] = row ?? []
  const timescale = extensions.includes('timescaledb') ? ' with TimescaleDB' : ''
  const what = `${name}${timescale}${isStandby ? ', a standby' : ''}: ${version}`
  if (number < VERSION_NUMBER_MIN) {
    return reject(what, 'Versions before PostgreSQL 12 are not supported.')
  }
  return hint === undefined ? pass(what) : warn(what, hint)
}

function describeEncryption({ configuration: { sslMode, ca } }: PostgresSetup): Finding {
  if (sslMode === 'disable') return warn('The connection is not encrypted', VERIFY_HINT)
  return sslMode === 'require' && ca === undefined
    ? warn(
        'The connection is encrypted, but the certificate of the server is not checked',
        VERIFY_HINT,
      )
    : pass('The connection is encrypted and the certificate is valid')
}

function* listDatabaseFindings(
  connecting: PostgresSetup,
  rows: readonly DatabaseRow[],
): Generator<Finding> {
  const { database, user } = connecting.configuration
  const isWanted = databaseFilter(connecting)
  const included = rows.filter(([name]) => isWanted(name))
  const readable = included.filter(([, , , , mayConnect]) => mayConnect).map(([name]) => name)
  const denied = included.filter(([, , , , mayConnect]) => !mayConnect).map(([name]) => name)
  const existing = new Set(rows.map(([name]) => name))
  const noneHint = 'The settings and the filters exclude every database.'
  const state = readable.length > 0 ? 'ok' : 'error'
  const hint = included.length === 0 ? { hint: noneHint } : {}
  yield { state, what: `Databases to read: ${shorten(readable)}`, ...hint }
  for (const name of database) {
    if (/[*?]/.test(name) || existing.has(name)) continue
    yield reject(`No database is named ${name}`, 'Check its spelling, in upper and lower case.')
  }
  for (const name of denied) {
    const what = `${user} has no CONNECT privilege on ${name}, so it is not read`
    const grant = `grant connect on database ${quote(name)} to ${quote(user)}`
    yield readable.length > 0 ? warn(what, grant) : reject(what, grant)
  }
}

async function* checkSchemas(
  connecting: PostgresSetup,
  home: PostgresConnection,
  statements: ListingStatements,
): AsyncGenerator<Finding> {
  const { hideInaccessible, user } = connecting.configuration
  // Only a run connects to every database.
  if (!databaseFilter(connecting)(home.database)) return
  const rows = await listSchemas(connecting, home, statements)
  const isWanted = nameFilter(connecting.setup.filters, 'schema', systemNames.schema)
  const included = rows.filter(([name]) => isWanted(name))
  const inaccessible = included.filter(([, , , , mayUse]) => !mayUse).map(([name]) => name)
  const what = `Schemas to read in ${home.database}: ${shorten(included.map(([name]) => name))}`
  yield { state: included.length > 0 ? 'ok' : 'error', what }
  if (inaccessible.length === 0) return
  const effect =
    hideInaccessible || statements.isUsageRequired
      ? 'so their tables are not read'
      : 'but the definitions of their tables are read'
  const names = inaccessible.slice(0, NAMES_SHOWN).map(quote).join(', ')
  yield warn(
    `${user} has no USAGE privilege on ${shorten(inaccessible)}, ${effect}`,
    `grant usage on schema ${names} to ${quote(user)}`,
  )
}

function shorten(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const listed = names.slice(0, NAMES_SHOWN).join(', ')
  return names.length > NAMES_SHOWN ? `${listed} and ${names.length - NAMES_SHOWN} more` : listed
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
