import { nameFilter } from '../../filter.ts'
import { SourceFailure } from '../connector.ts'
import type { Finding } from '../connector.ts'
import type { DatabaseRow } from './catalog.ts'
import { databaseFilter, readSetup, systemNames } from './configuration.ts'
import type { PostgresSetup } from './configuration.ts'
import type { Connection } from './connection.ts'
import { readFlavour } from './flavour.ts'
import { connectHome } from './home.ts'
import { listDatabases, listSchemas } from './listing.ts'
import type { Setup } from '../connector.ts'

const TIMEOUT_MS = 10_000
const NAMES_SHOWN = 10
/** The oldest release that the statements of catalog.ts are written for. */
const VERSION_NUMBER_MIN = 120_000

/** About the server: version(), its number, whether it is a standby, extensions of this database. */
type ServerRow = [string, number, boolean, string[]]

const SERVER = `
select
  pg_catalog.version(), pg_catalog.current_setting('server_version_num')::int,
  pg_catalog.pg_is_in_recovery(),
  array(select extname::text from pg_catalog.pg_extension)`

/** Tries the source: see Connector.check. Five statements. */
export async function checkSource(setup: Setup): Promise<Finding[]> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = AbortSignal.any([setup.signal, timeout])
  const connecting = readSetup({ ...setup, signal })
  const what = `connect to ${connecting.address} as ${connecting.configuration.user}`
  const findings: Finding[] = []
  let connection: Connection | undefined
  try {
    connection = await connectHome(connecting)
    findings.push({ ok: true, what })
    for await (const found of findAll(connecting, connection)) findings.push(...found)
  } catch (error) {
    if (setup.signal.aborted || !(error instanceof SourceFailure)) throw error
    const late = `There was no answer within ${TIMEOUT_MS / 1000} s.`
    const subject = connection === undefined ? what : 'read the system catalogs'
    findings.push({ ok: false, what: subject, hint: timeout.aborted ? late : error.message })
  } finally {
    await connection?.close()
  }
  return findings
}

/** Finds one thing after the other, so that what comes before a failure is still told. */
async function* findAll(
  connecting: PostgresSetup,
  connection: Connection,
): AsyncGenerator<Finding[]> {
  yield findEncryption(connecting)
  yield await findServer(connection)
  yield findDatabases(connecting, await listDatabases(connecting, connection))
  yield await findSchemas(connecting, connection)
}

async function findServer(connection: Connection): Promise<Finding[]> {
  const [row] = await connection.query<ServerRow>('ask version', SERVER).catch((error: unknown) => {
    throw connection.failure(error)
  })
  if (row === undefined) return []
  const [version, number, isStandby, extensions] = row
  const { name, isServed, hint } = readFlavour(version, extensions)
  const isOld = isServed && number < VERSION_NUMBER_MIN
  const standby = isStandby ? ', a standby' : ''
  return [
    {
      ok: isServed && !isOld,
      what: `${name}${standby}: ${version}`,
      ...(hint === undefined ? {} : { hint }),
      ...(isOld ? { hint: 'Versions before PostgreSQL 12 are not served.' } : {}),
    },
  ]
}

function findEncryption({ configuration: { sslMode, ca } }: PostgresSetup): Finding[] {
  if (sslMode === 'disable') {
    return [{ ok: true, what: 'not encrypted', hint: 'Choose the TLS mode verify-full.' }]
  }
  if (sslMode === 'require' && ca === undefined) {
    const hint = 'Choose the TLS mode verify-full, so that no one can pose as the server.'
    return [{ ok: true, what: 'encrypted, to a server that did not prove who it is', hint }]
  }
  return [{ ok: true, what: 'encrypted, to a server that proved who it is' }]
}

function findDatabases(connecting: PostgresSetup, rows: readonly DatabaseRow[]): Finding[] {
  const { database, user } = connecting.configuration
  const isWanted = databaseFilter(connecting)
  const wanted = rows.filter(([name]) => isWanted(name))
  const readable = wanted.filter(([, , , , mayConnect]) => mayConnect).map(([name]) => name)
  const denied = wanted.filter(([, , , , mayConnect]) => !mayConnect).map(([name]) => name)
  const existing = new Set(rows.map(([name]) => name))
  const missing = database.filter((name) => !/[*?]/.test(name) && !existing.has(name))
  const noneHint = 'No database is let through by the configuration and the filters.'
  return [
    {
      ok: readable.length > 0,
      what: `databases to read: ${shorten(readable)}`,
      ...(wanted.length === 0 ? { hint: noneHint } : {}),
    },
    ...missing.map((name) => ({
      ok: false,
      what: `there is no database ${name}`,
      hint: 'Its name is compared letter by letter.',
    })),
    ...denied.map((name) => ({
      ok: false,
      what: `${user} has no CONNECT privilege on ${name}, which will be absent`,
      hint: `grant connect on database ${quote(name)} to ${quote(user)}`,
    })),
  ]
}

async function findSchemas(connecting: PostgresSetup, home: Connection): Promise<Finding[]> {
  const { hideInaccessible, user } = connecting.configuration
  // Databases are looked into one by one only in a run.
  if (!databaseFilter(connecting)(home.database)) return []
  const rows = await listSchemas(connecting, home)
  const isWanted = nameFilter(connecting.setup.filters, 'schema', systemNames.schema)
  const wanted = rows.filter(([name]) => isWanted(name))
  const closed = wanted.filter(([, , , , mayUse]) => !mayUse).map(([name]) => name)
  const what = `schemas to read in ${home.database}: ${shorten(wanted.map(([name]) => name))}`
  const findings: Finding[] = [{ ok: wanted.length > 0, what }]
  if (closed.length > 0) {
    const missing = `${user} has no USAGE privilege on ${shorten(closed)}`
    findings.push(
      hideInaccessible
        ? { ok: false, what: `${missing}, which will be absent`, hint: 'grant usage on schema' }
        : { ok: true, what: `${missing}, whose definitions are read all the same` },
    )
  }
  return findings
}

function shorten(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const shown = names.slice(0, NAMES_SHOWN).join(', ')
  return names.length > NAMES_SHOWN ? `${shown} and ${names.length - NAMES_SHOWN} more` : shown
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
