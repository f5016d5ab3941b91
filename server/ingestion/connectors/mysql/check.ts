import { nameFilter } from '../../filter.ts'
import type { Finding } from '../connector.ts'
import { systemNames } from './configuration.ts'
import type { MysqlSetup } from './configuration.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import { toFailure } from './failure.ts'
import { seesAllTables } from './reading.ts'
import { databasesStatement, hiddenViewsStatement, quoted } from './statements.ts'

/** Ten statements in all: six before these, one after. */
const DATABASES_TRIED = 3
const NAMES_SHOWN = 10
/** A source has ten seconds in all. */
const STATEMENT_TIMEOUT_MS = 4000
const CHECK_TIMEOUT_MS = 10_000

/**
 * Tries the source: the connection, what answers, which databases come in, and what the user is not
 * shown of them. `title` is what the source should be. Errors: none.
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
  const what = `connect to ${given.address} as ${configuration.user}`
  let connection: Connection | undefined
  try {
    connection = await connect(connecting)
    findings.push({ ok: true, what })
    for await (const finding of look(connection, connecting, title)) findings.push(finding)
  } catch (error) {
    findings.push(findingOf(error, connecting, connection === undefined ? what : 'look around'))
  } finally {
    await connection?.close()
  }
  return findings
}

async function* look(
  connection: Connection,
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
  const hint = `Its assets will be named after ${title}; there is a source of its own for it.`
  return { ok: true, what: `server: ${found}`, ...(found.startsWith(title) ? {} : { hint }) }
}

async function encryptionFinding(connection: Connection): Promise<Finding> {
  const [row] = await connection.query({
    name: 'encryption',
    text: `show session status like 'Ssl_version'`,
  })
  const version = row?.[1]
  if (typeof version === 'string' && version !== '') return { ok: true, what: version }
  return {
    ok: true,
    what: 'the connection is not encrypted',
    hint: 'Set the TLS mode to required, or to verify with the CA of the server.',
  }
}

async function findDatabases(connection: Connection, { setup }: MysqlSetup): Promise<string[]> {
  const rows = await connection.query(databasesStatement())
  return rows
    .map(([name]) => String(name))
    .filter(nameFilter(setup.filters, 'database', systemNames.database))
    .toSorted()
}

function databasesFinding(databases: readonly string[]): Finding {
  const names = databases.slice(0, NAMES_SHOWN).map(quoted).join(', ')
  const more = databases.length > NAMES_SHOWN ? ', …' : ''
  if (databases.length > 0) {
    return { ok: true, what: `databases that come in: ${databases.length} (${names}${more})` }
  }
  return {
    ok: false,
    what: 'no database comes in',
    hint: 'The filters leave all out, or the user sees none: GRANT REFERENCES ON *.* shows it the tables, and no data.',
  }
}

async function sightFinding(connection: Connection, database: string): Promise<Finding> {
  const name = quoted(database)
  if (await seesAllTables(connection, database)) return { ok: true, what: `all tables of ${name}` }
  return {
    ok: false,
    what: `all tables of ${name}`,
    hint:
      'The user sees single tables at most: others are absent, and none is taken away when it is ' +
      `gone. GRANT REFERENCES ON ${name}.* (or ON *.*) shows it the tables, and no data.`,
  }
}

async function viewsFinding(
  connection: Connection,
  databases: readonly string[],
): Promise<Finding> {
  const rows = await connection.query(hiddenViewsStatement(databases))
  const what = 'texts of views'
  if (rows.length === 0) return { ok: true, what }
  const names = rows.map(([name]) => quoted(String(name))).join(', ')
  return {
    ok: true,
    what: `${what}: absent in ${names}`,
    // MariaDB shows them only to who may see the data as well.
    hint: 'GRANT SELECT, SHOW VIEW on the views shows them; the views come without them too.',
  }
}

function findingOf(
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
  return { ok: false, what, hint }
}
