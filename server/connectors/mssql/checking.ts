import {
  checkService,
  describeCount,
  pass,
  reject,
  warn,
  warnOfPlatform,
  type Advice,
} from '../checks.ts'
import { SourceFailure, type Finding } from '../connector.ts'
import { TLS_FIELD_TITLE, TLS_TITLES, TURN_OFF_TITLE, VERIFY_HINT } from '../fields.ts'
import { nameFilter } from '../filter.ts'
import { systemNames, type TdsSetup } from './configuration.ts'
import { describeDatabase, listDatabases, type ListedDatabase } from './listing.ts'
import { openConnections, type TdsConnections } from './connections.ts'
import { quoteName } from './statements.ts'

/** With three statements before them, at most ten statements. */
const DATABASES_TRIED_MAX = 3
/** A further connection needs two statements. */
const CONNECTIONS_TRIED_MAX = 1
const STATEMENT_TIMEOUT_MS = 4000

/** Checks the source: connection, encryption, databases and what the account cannot see of them. */
export async function checkSource(connecting: TdsSetup): Promise<Finding[]> {
  const configuration = { ...connecting.configuration, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  const findings = await checkService({
    service: connecting.platform,
    setup: connecting.setup,
    open: async (setup) => await openConnections({ ...connecting, setup, configuration }),
    steps: async function* steps(connections) {
      yield* describeConnection(connecting, connections)
      yield* checkDatabases(connecting, connections)
    },
    advice: getAdvice(connecting),
  })
  return findings.map((finding) => withFix(finding))
}

function* describeConnection(
  { account, address, platform, configuration }: TdsSetup,
  { flavour }: TdsConnections,
): Generator<Finding> {
  yield pass(`Connect to ${address} as ${account}`)
  const what = `Server: ${flavour.title}`
  yield flavour.isFabric === (platform === 'Microsoft Fabric')
    ? pass(what)
    : warnOfPlatform(what, platform)
  switch (configuration.encryption) {
    case 'off':
      return yield warn('The connection is not encrypted', VERIFY_HINT)
    case 'require':
      return yield warn(
        'The connection is encrypted, but the certificate is not checked',
        VERIFY_HINT,
      )
    case 'verify':
      return yield pass('The connection is encrypted, and its certificate checked')
  }
}

async function* checkDatabases(
  connecting: TdsSetup,
  connections: TdsConnections,
): AsyncGenerator<Finding> {
  const { databases } = await listDatabases(connecting, connections)
  const isWanted = nameFilter(connecting.setup.filters, 'database', systemNames.database)
  const wanted = databases.filter(({ name }) => isWanted(name))
  const readable = wanted.filter(({ denial }) => denial === undefined)
  const names = readable.slice(0, DATABASES_TRIED_MAX).map(({ name }) => quoteName(name))
  const more = readable.length > names.length ? ', …' : ''
  yield readable.length === 0
    ? reject(
        'No database to read',
        `The filters exclude every database, or the account may open none. ${writeConnectGrant(connecting, connections, wanted[0]?.name)}`,
      )
    : pass(`${describeCount(readable.length, 'database')} to read: ${names.join(', ')}${more}`)
  const denied = wanted.filter(({ denial }) => denial !== undefined)
  for (const database of denied.slice(0, DATABASES_TRIED_MAX)) {
    yield toDenialFinding(connecting, connections, database)
  }
  const triedMax = connections.flavour.isOneDatabase ? CONNECTIONS_TRIED_MAX : DATABASES_TRIED_MAX
  for (const { name } of readable.slice(0, triedMax)) {
    yield await checkDatabase(connecting, connections, name)
  }
}

function toDenialFinding(
  connecting: TdsSetup,
  connections: TdsConnections,
  { name, denial = '' }: ListedDatabase,
): Finding {
  const grant = writeConnectGrant(connecting, connections, name)
  const hint = denial.includes('not online')
    ? 'It will be read when it is online. Its assets stay unchanged until then.'
    : `It will be absent. ${grant}`
  return warn(denial, hint)
}

/** Describes the schemas of one database; its failure affects only this database. */
async function checkDatabase(
  connecting: TdsSetup,
  connections: TdsConnections,
  name: string,
): Promise<Finding> {
  try {
    const { schemas } = await describeDatabase(connections, name)
    const hidden = schemas.filter((schema) => !schema.isVisible && !systemNames.schema(schema.name))
    if (hidden.length === 0) return pass(`All tables of ${quoteName(name)} are visible`)
    return warn(
      `Not all tables of ${quoteName(name)} are visible`,
      'Only tables with a permission are read, and the catalog does not delete them when they are gone. ' +
        writeDefinitionGrant(connecting, connections, name),
    )
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.kind === 'unreachable') throw error
    const grant = writeConnectGrant(connecting, connections, name)
    return warn(
      `${quoteName(name)} cannot be read: ${error.message}`,
      `It will be absent. ${grant}`,
    )
  }
}

/** Returns the statement that lets the account open a database. */
function writeConnectGrant(
  connecting: TdsSetup,
  { flavour }: TdsConnections,
  name: string | undefined,
): string {
  const user = getGrantee(connecting)
  if (flavour.isFabric) return 'Give the application the role Viewer in the workspace.'
  const database = name === undefined ? '' : `USE ${quoteName(name)}; `
  const origin =
    connecting.configuration.entra === undefined ? `FOR LOGIN ${user}` : 'FROM EXTERNAL PROVIDER'
  const single = `${database}CREATE USER ${user} ${origin}; GRANT CONNECT TO ${user};`
  if (flavour.isOneDatabase) return `Run in the database: ${single}`
  return `Run ${single} Or for all databases: GRANT CONNECT ANY DATABASE TO ${user};`
}

/** Returns the statement that shows all tables of a database without their data. */
function writeDefinitionGrant(
  connecting: TdsSetup,
  { flavour }: TdsConnections,
  name: string,
): string {
  const user = getGrantee(connecting)
  const single = `USE ${quoteName(name)}; GRANT VIEW DEFINITION TO ${user};`
  if (flavour.isOneDatabase) return `Run in ${quoteName(name)}: GRANT VIEW DEFINITION TO ${user};`
  return `Run ${single} Or for all databases: GRANT VIEW ANY DEFINITION TO ${user};`
}

// The user of an application has its display name, which is not configured.
function getGrantee({ account, configuration }: TdsSetup): string {
  return configuration.entra === undefined ? quoteName(account) : '[name of the application]'
}

function getAdvice({ configuration, address }: TdsSetup): Advice {
  const auth =
    configuration.entra === undefined
      ? 'Check user and password. On Azure SQL, also set the first database to one that the user may open.'
      : 'Check tenant, client id and client secret, and that the first database exists and has a user for the application.'
  return {
    auth,
    permission: auth,
    unreachable: ({ message }) =>
      message.includes('certificate')
        ? `Enter the certificate authority, or set ${TLS_FIELD_TITLE} to "${TLS_TITLES.require}".`
        : `Check host and port, and whether this server may connect to ${address}.`,
    protocol: ({ message }) =>
      message.includes('npm install')
        ? 'Ask the operator of this server to install it.'
        : 'Check that the address is the one of a SQL Server.',
    rate_limited: 'Try again later.',
    too_large: 'Try again.',
    crashed: 'Try again.',
    cancelled: 'Try again.',
  }
}

/** Adds the change of configuration that resolves a finding. */
function withFix(finding: Finding): Finding {
  if (!finding.what.includes('disagree about encryption')) return finding
  return { ...finding, fix: { title: TURN_OFF_TITLE, field: 'encryption', value: 'off' } }
}
