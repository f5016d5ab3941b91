import { nameFilter } from '../filter.ts'
import { SourceFailure, type Finding, type Setup } from '../connector.ts'
import { describeCount, runCheck } from '../http/check.ts'
import { TLS_FIELD_TITLE, TLS_TITLES, TURN_OFF_TITLE, VERIFY_HINT } from '../fields.ts'
import { systemNames, type TdsSetup } from './configuration.ts'
import type { TdsConnections } from './connections.ts'
import { describeDatabase, listDatabases, type ListedDatabase } from './listing.ts'
import { openConnections } from './session.ts'
import { quoteName } from './statements.ts'

/** With three statements before them, at most ten statements. */
const DATABASES_TRIED_MAX = 3
/** A further connection needs two statements. */
const CONNECTIONS_TRIED_MAX = 1
const STATEMENT_TIMEOUT_MS = 4000

/** Checks the source: connection, encryption, databases and what the account cannot see of them. */
export async function checkSource(connecting: TdsSetup): Promise<Finding[]> {
  const { platform, setup } = connecting
  const steps = async (bounded: Setup, findings: Finding[]): Promise<void> => {
    const given = {
      ...connecting,
      setup: bounded,
      configuration: { ...connecting.configuration, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    }
    const { connections, tokens } = await openConnections(given)
    try {
      findings.push(...describeConnection(given, connections))
      await checkDatabases(given, connections, findings)
    } finally {
      await connections.close()
      tokens?.close()
    }
  }
  const findings = await runCheck(platform, setup, steps, (failure) => getHint(failure, connecting))
  return findings.map((finding) => withFix(finding))
}

function describeConnection(
  { account, address, platform, configuration }: TdsSetup,
  { flavour }: TdsConnections,
): Finding[] {
  const findings: Finding[] = [{ state: 'ok', what: `Connect to ${address} as ${account}` }]
  const what = `Server: ${flavour.title}`
  if (flavour.isFabric === (platform === 'Microsoft Fabric')) findings.push({ state: 'ok', what })
  else {
    const hint = `Its assets will have the types of ${platform}. Choose the platform that the server runs.`
    findings.push({ state: 'warning', what, hint })
  }
  if (configuration.encryption === 'off') {
    findings.push({ state: 'warning', what: 'The connection is not encrypted', hint: VERIFY_HINT })
  } else if (configuration.encryption === 'require') {
    const unverified = 'The connection is encrypted, but the certificate is not checked'
    findings.push({ state: 'warning', what: unverified, hint: VERIFY_HINT })
  } else {
    findings.push({ state: 'ok', what: 'The connection is encrypted, and its certificate checked' })
  }
  return findings
}

async function checkDatabases(
  connecting: TdsSetup,
  connections: TdsConnections,
  findings: Finding[],
): Promise<void> {
  const { databases } = await listDatabases(connecting, connections)
  const isWanted = nameFilter(connecting.setup.filters, 'database', systemNames.database)
  const wanted = databases.filter(({ name }) => isWanted(name))
  const readable = wanted.filter(({ denial }) => denial === undefined)
  const names = readable.slice(0, DATABASES_TRIED_MAX).map(({ name }) => quoteName(name))
  const more = readable.length > names.length ? ', …' : ''
  findings.push(
    readable.length === 0
      ? {
          state: 'error',
          what: 'No database to read',
          hint: `The filters exclude every database, or the account may open none. ${writeConnectGrant(connecting, connections, wanted[0]?.name)}`,
        }
      : {
          state: 'ok',
          what: `${describeCount(readable.length, 'database')} to read: ${names.join(', ')}${more}`,
        },
  )
  const denied = wanted.filter(({ denial }) => denial !== undefined)
  for (const database of denied.slice(0, DATABASES_TRIED_MAX)) {
    findings.push(toDenialFinding(connecting, connections, database))
  }
  const triedMax = connections.flavour.isOneDatabase ? CONNECTIONS_TRIED_MAX : DATABASES_TRIED_MAX
  for (const { name } of readable.slice(0, triedMax)) {
    findings.push(await checkDatabase(connecting, connections, name))
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
  return { state: 'warning', what: denial, hint }
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
    if (hidden.length === 0)
      return { state: 'ok', what: `All tables of ${quoteName(name)} are visible` }
    return {
      state: 'warning',
      what: `Not all tables of ${quoteName(name)} are visible`,
      hint:
        'Only tables with a permission are read, and the catalog does not delete them when they are gone. ' +
        writeDefinitionGrant(connecting, connections, name),
    }
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.kind === 'unreachable') throw error
    const grant = writeConnectGrant(connecting, connections, name)
    const what = `${quoteName(name)} cannot be read: ${error.message}`
    return { state: 'warning', what, hint: `It will be absent. ${grant}` }
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

function getHint(failure: SourceFailure, { configuration, address }: TdsSetup): string {
  switch (failure.kind) {
    case 'auth':
    case 'permission':
      return configuration.entra === undefined
        ? 'Check user and password. On Azure SQL, also set the first database to one that the user may open.'
        : 'Check tenant, client id and client secret, and that the first database exists and has a user for the application.'
    case 'unreachable':
      return failure.message.includes('certificate')
        ? `Enter the certificate authority, or set ${TLS_FIELD_TITLE} to "${TLS_TITLES.require}".`
        : `Check host and port, and whether this server may connect to ${address}.`
    case 'rate_limited':
      return 'Try again later.'
    case 'protocol':
      return failure.message.includes('npm install')
        ? 'Ask the operator of this server to install it.'
        : 'Check that the address is the one of a SQL Server.'
    case 'too_large':
    case 'crashed':
    case 'cancelled':
      return 'Try again.'
  }
}

/** Adds the change of configuration that resolves a finding. */
function withFix(finding: Finding): Finding {
  if (!finding.what.includes('disagree about encryption')) return finding
  return { ...finding, fix: { title: TURN_OFF_TITLE, field: 'encryption', value: 'off' } }
}
