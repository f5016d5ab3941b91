import { checkService, describeCount, pass, reject, warn } from '../checks.ts'
import type { Finding, Setup, SourceFailure } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import type { Wait } from '../http/transport.ts'
import { databasesAnswer, tablesAnswer } from './answers.ts'
import { toRequestFailure } from './aws-error.ts'
import { callGlue, openCatalog, SERVICE, type GlueCatalog } from './catalog.ts'
import { glueConfiguration, writePolicyStatement, type GlueConfiguration } from './configuration.ts'
import { requestTags, toTagFailure } from './tags.ts'

/** The number of databases tried for a table; with role, databases and tags at most ten requests. */
const DATABASES_TRIED_MAX = 3

/** Tries a catalog with a handful of requests; `wait` delays them. */
export async function checkSource(setup: Setup, wait?: Wait): Promise<Finding[]> {
  const configuration = glueConfiguration.parse(setup.configuration)
  const { endpoint, stsEndpoint, lakeFormationEndpoint } = configuration
  return await checkService({
    service: SERVICE,
    setup,
    addresses: {
      urls: [endpoint, stsEndpoint, lakeFormationEndpoint],
      place: 'endpoint',
      sent: 'Requests, and the credentials in them, are',
    },
    open: async (bounded) => await openCatalog(configuration, bounded, wait),
    steps: checkDatabases,
    advice: {
      auth: (failure) => getAuthHint(failure, configuration),
      unreachable: 'Check region and endpoint, and whether this server may connect to it',
      permission: describeGrants(configuration),
      rate_limited: 'Try again later: the quota applies to all clients of the account',
      protocol: 'Check the endpoint and the account id',
    },
  })
}

async function* checkDatabases(catalog: GlueCatalog): AsyncGenerator<Finding> {
  const { configuration, setup } = catalog
  const { region, catalogId, resourceLinks } = configuration
  const result = await callGlue(catalog, 'GetDatabases', { MaxResults: 100 }, databasesAnswer)
  if ('error' in result) throw toRequestFailure(SERVICE, result.error, 'its databases')
  const { DatabaseList: databases, NextToken: token } = result.value
  const names = databases
    .filter(({ TargetDatabase: target }) => target == null || resourceLinks === 'follow')
    .map(({ Name: name }) => name)
    .filter(nameFilter(setup.filters, 'database'))
  const more = token ? ' and more' : ''
  const what = `${SERVICE} shows ${describeCount(databases.length, 'database')}${more} of the account ${catalogId} in ${region}, ${names.length} of them included`
  yield names.length === 0 && more === ''
    ? reject(what, `Check region, account and filters. ${describeGrants(configuration)}`)
    : pass(what)
  for (const name of names.slice(0, DATABASES_TRIED_MAX)) {
    if (yield* checkTables(catalog, name)) break
  }
  const [first] = names
  if (configuration.includeTags && first !== undefined) yield await checkTags(catalog, first)
}

/** Lists tables of one database; returns false if it shows none. */
async function* checkTables(
  catalog: GlueCatalog,
  database: string,
): AsyncGenerator<Finding, boolean> {
  const input = { DatabaseName: database, MaxResults: 1 }
  const result = await callGlue(catalog, 'GetTables', input, tablesAnswer)
  if ('error' in result) {
    const failure = toRequestFailure(SERVICE, result.error, `the tables of ${database}`)
    yield warn(failure.message, `They will be absent. ${describeGrants(catalog.configuration)}`)
    return false
  }
  if (result.value.TableList.length === 0) return false
  yield pass(`The tables of ${database} can be read`)
  return true
}

async function checkTags(catalog: GlueCatalog, database: string): Promise<Finding> {
  const { configuration } = catalog
  const resource = { Database: { CatalogId: configuration.catalogId, Name: database } }
  const result = await requestTags(catalog, resource)
  if (!('error' in result)) return pass(`The tags of ${database} can be read`)
  const grant = `Or turn off "Include tags of Lake Formation". ${describeGrants(configuration)}`
  const { message } = toTagFailure(result.error, database)
  return reject(message, `Runs cannot read this database. ${grant}`)
}

function describeGrants(configuration: GlueConfiguration): string {
  const statement = writePolicyStatement(configuration)
  return (
    `Add this statement to the policy of the user or role: ${statement}. ` +
    'If Lake Formation manages the catalog, also grant DESCRIBE on the databases and on all their tables: it shows only what is granted'
  )
}

function getAuthHint(
  { message }: SourceFailure,
  { authentication, roleArn }: GlueConfiguration,
): string {
  if (message.includes('clock')) return 'Synchronize the clock of this server'
  if (message.includes('expired')) return 'Enter a new access key with its session token'
  if (authentication === 'role' && message.includes('assume')) {
    const statement = { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn }
    return (
      `Add this statement to the policy of the access key: ${JSON.stringify(statement)}. ` +
      'Check that the role trusts its account, and the external id'
    )
  }
  return 'Check access key id and secret access key, and the session token of a temporary key'
}
