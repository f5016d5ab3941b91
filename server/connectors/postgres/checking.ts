import { nameFilter } from '../filter.ts'
import { SourceFailure } from '../connector.ts'
import type { Finding } from '../connector.ts'
import type { DatabaseRow } from './catalog.ts'
import { databaseFilter, readSetup, systemNames } from './configuration.ts'
import type { PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import { isRowError, isWithoutTls } from './failure.ts'
import type { ListingStatements } from './flat-dialect.ts'
import { POSTGRES_LISTING } from './catalog.ts'
import { askVersion, readFlavour, type PostgresFlavour } from './flavour.ts'
import { connectHome } from './home.ts'
import { listDatabases, listSchemas } from './listing.ts'
import type { Setup } from '../connector.ts'
import { TURN_OFF_TITLE, VERIFY_HINT } from '../fields.ts'

const TIMEOUT_MS = 10_000
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
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = AbortSignal.any([setup.signal, timeout])
  const connecting = readSetup({ ...setup, signal })
  const what = `Connect to ${connecting.address} as ${connecting.configuration.user}`
  const findings: Finding[] = []
  let connection: PostgresConnection | undefined
  try {
    connection = await connectHome(connecting)
    findings.push({ state: 'ok', what })
    for await (const batch of findAll(connecting, connection)) findings.push(...batch)
  } catch (error) {
    if (setup.signal.aborted || !(error instanceof SourceFailure)) throw error
    const late = `No answer within ${TIMEOUT_MS / 1000} s.`
    const subject = connection === undefined ? what : 'Read the system catalogs'
    findings.push({
      state: 'error',
      what: subject,
      hint: timeout.aborted ? late : error.message,
      ...(isWithoutTls(error) ? { fix: TURN_OFF } : {}),
    })
  } finally {
    await connection?.close()
  }
  return findings
}

/** Yields findings one by one, so that those before a failure are reported. */
async function* findAll(
  connecting: PostgresSetup,
  connection: PostgresConnection,
): AsyncGenerator<Finding[]> {
  yield findEncryption(connecting)
  const version = await askVersion(connection)
  const flavour = readFlavour(version)
  yield [await findServer(connection, version, flavour)]
  const statements = flavour.dialect ?? POSTGRES_LISTING
  yield findDatabases(connecting, await listDatabases(connecting, connection, statements))
  yield await findSchemas(connecting, connection, statements)
  yield await findStatistics(connecting, connection, flavour)
}

/** Checks whether the user may see row counts, if the product hides them from some users. */
async function findStatistics(
  connecting: PostgresSetup,
  connection: PostgresConnection,
  { dialect }: PostgresFlavour,
): Promise<Finding[]> {
  if (dialect?.statistics === undefined) return []
  const { view, statement } = dialect.statistics
  try {
    const statements = [dialect.begin(connecting), `${statement} limit 1`, 'commit'].join(';')
    await connection.query('try statistics', statements)
    return []
  } catch (error) {
    if (!isRowError(error)) throw connection.failure(error)
    const { user } = connecting.configuration
    const what = `${user} may not read ${view}, so row counts and sizes are unknown`
    return [{ state: 'warning', what, hint: `grant select on ${view} to ${quote(user)}` }]
  }
}

async function findServer(
  connection: PostgresConnection,
  version: string,
  { name, isSupported, dialect, hint }: PostgresFlavour,
): Promise<Finding> {
  if (!isSupported || dialect !== undefined) {
    const state = isSupported ? 'ok' : 'error'
    return { state, what: `${name}: ${version}`, ...(hint === undefined ? {} : { hint }) }
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
    return { state: 'error', what, hint: 'Versions before PostgreSQL 12 are not supported.' }
  }
  return hint === undefined ? { state: 'ok', what } : { state: 'warning', what, hint }
}

function findEncryption({ configuration: { sslMode, ca } }: PostgresSetup): Finding[] {
  if (sslMode === 'disable') {
    return [{ state: 'warning', what: 'The connection is not encrypted', hint: VERIFY_HINT }]
  }
  if (sslMode === 'require' && ca === undefined) {
    const what = 'The connection is encrypted, but the certificate of the server is not checked'
    return [{ state: 'warning', what, hint: VERIFY_HINT }]
  }
  return [{ state: 'ok', what: 'The connection is encrypted and the certificate is valid' }]
}

function findDatabases(connecting: PostgresSetup, rows: readonly DatabaseRow[]): Finding[] {
  const { database, user } = connecting.configuration
  const isWanted = databaseFilter(connecting)
  const included = rows.filter(([name]) => isWanted(name))
  const readable = included.filter(([, , , , mayConnect]) => mayConnect).map(([name]) => name)
  const denied = included.filter(([, , , , mayConnect]) => !mayConnect).map(([name]) => name)
  const existing = new Set(rows.map(([name]) => name))
  const missing = database.filter((name) => !/[*?]/.test(name) && !existing.has(name))
  const noneHint = 'The settings and the filters exclude every database.'
  return [
    {
      state: readable.length > 0 ? 'ok' : 'error',
      what: `Databases to read: ${shorten(readable)}`,
      ...(included.length === 0 ? { hint: noneHint } : {}),
    },
    ...missing.map((name) => ({
      state: 'error' as const,
      what: `No database is named ${name}`,
      hint: 'Check its spelling, in upper and lower case.',
    })),
    ...denied.map((name) => ({
      state: readable.length > 0 ? ('warning' as const) : ('error' as const),
      what: `${user} has no CONNECT privilege on ${name}, so it is not read`,
      hint: `grant connect on database ${quote(name)} to ${quote(user)}`,
    })),
  ]
}

async function findSchemas(
  connecting: PostgresSetup,
  home: PostgresConnection,
  statements: ListingStatements,
): Promise<Finding[]> {
  const { hideInaccessible, user } = connecting.configuration
  // Only a run connects to every database.
  if (!databaseFilter(connecting)(home.database)) return []
  const rows = await listSchemas(connecting, home, statements)
  const isWanted = nameFilter(connecting.setup.filters, 'schema', systemNames.schema)
  const included = rows.filter(([name]) => isWanted(name))
  const inaccessible = included.filter(([, , , , mayUse]) => !mayUse).map(([name]) => name)
  const what = `Schemas to read in ${home.database}: ${shorten(included.map(([name]) => name))}`
  const findings: Finding[] = [{ state: included.length > 0 ? 'ok' : 'error', what }]
  if (inaccessible.length > 0) {
    const effect =
      hideInaccessible || statements.isUsageRequired
        ? 'so their tables are not read'
        : 'but the definitions of their tables are read'
    const names = inaccessible.slice(0, NAMES_SHOWN).map(quote).join(', ')
    findings.push({
      state: 'warning',
      what: `${user} has no USAGE privilege on ${shorten(inaccessible)}, ${effect}`,
      hint: `grant usage on schema ${names} to ${quote(user)}`,
    })
  }
  return findings
}

function shorten(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const listed = names.slice(0, NAMES_SHOWN).join(', ')
  return names.length > NAMES_SHOWN ? `${listed} and ${names.length - NAMES_SHOWN} more` : listed
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
