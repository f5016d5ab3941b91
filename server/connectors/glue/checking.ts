import { nameFilter } from '../filter.ts'
import type { Finding, Setup, SourceFailure } from '../connector.ts'
import { describeCount, runCheck } from '../http/check.ts'
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
  const found = await runCheck(
    SERVICE,
    setup,
    async (bounded, findings) => {
      const catalog = await openCatalog(configuration, bounded, wait)
      try {
        await checkDatabases(catalog, findings)
      } finally {
        catalog.close()
      }
    },
    (failure) => getHint(failure, configuration),
  )
  return [...clearTextFindings(configuration), ...found]
}

function clearTextFindings(configuration: GlueConfiguration): Finding[] {
  const { endpoint, stsEndpoint, lakeFormationEndpoint } = configuration
  const endpoints = [endpoint, stsEndpoint, lakeFormationEndpoint]
  if (!endpoints.some((url) => url?.startsWith('http:'))) return []
  const what = 'Requests, and the credentials in them, are sent without encryption'
  const hint = 'Use https unless the network to the endpoint is private'
  return [{ state: 'warning', what, hint }]
}

async function checkDatabases(catalog: GlueCatalog, findings: Finding[]): Promise<void> {
  const { configuration, setup } = catalog
  const { region, catalogId, resourceLinks } = configuration
  const result = await callGlue(catalog, 'GetDatabases', { MaxResults: 100 }, databasesAnswer)
  if ('error' in result) throw toRequestFailure(SERVICE, result.error, 'its databases')
  const { DatabaseList: databases, NextToken: token } = result.value
  const isIncluded = nameFilter(setup.filters, 'database')
  const names = databases
    .filter(({ TargetDatabase: target }) => target == null || resourceLinks === 'follow')
    .map(({ Name: name }) => name)
    .filter(isIncluded)
  const more = token ? ' and more' : ''
  const isEmpty = names.length === 0 && more === ''
  findings.push({
    state: isEmpty ? 'error' : 'ok',
    what: `${SERVICE} shows ${describeCount(databases.length, 'database')}${more} of the account ${catalogId} in ${region}, ${names.length} of them included`,
    ...(isEmpty
      ? { hint: `Check region, account and filters. ${describeGrants(configuration)}` }
      : {}),
  })
  for (const name of names.slice(0, DATABASES_TRIED_MAX)) {
    if (await checkTables(catalog, name, findings)) break
  }
  const [first] = names
  if (configuration.includeTags && first !== undefined) await checkTags(catalog, first, findings)
}

/** Lists tables of one database; returns false if it shows none. */
async function checkTables(
  catalog: GlueCatalog,
  database: string,
  findings: Finding[],
): Promise<boolean> {
  const input = { DatabaseName: database, MaxResults: 1 }
  const result = await callGlue(catalog, 'GetTables', input, tablesAnswer)
  if ('error' in result) {
    const failure = toRequestFailure(SERVICE, result.error, `the tables of ${database}`)
    const hint = `They will be absent. ${describeGrants(catalog.configuration)}`
    findings.push({ state: 'warning', what: failure.message, hint })
    return false
  }
  if (result.value.TableList.length === 0) return false
  findings.push({ state: 'ok', what: `The tables of ${database} can be read` })
  return true
}

async function checkTags(
  catalog: GlueCatalog,
  database: string,
  findings: Finding[],
): Promise<void> {
  const { catalogId } = catalog.configuration
  const resource = { Database: { CatalogId: catalogId, Name: database } }
  const result = await requestTags(catalog, resource)
  if (!('error' in result)) {
    findings.push({ state: 'ok', what: `The tags of ${database} can be read` })
    return
  }
  const what = toTagFailure(result.error, database).message
  const grant = `Or turn off "Include tags of Lake Formation". ${describeGrants(catalog.configuration)}`
  findings.push({ state: 'error', what, hint: `Runs cannot read this database. ${grant}` })
}

function describeGrants(configuration: GlueConfiguration): string {
  const statement = writePolicyStatement(configuration)
  return (
    `Add this statement to the policy of the user or role: ${statement}. ` +
    'If Lake Formation manages the catalog, also grant DESCRIBE on the databases and on all their tables: it shows only what is granted'
  )
}

function getHint(failure: SourceFailure, configuration: GlueConfiguration): string {
  switch (failure.kind) {
    case 'auth':
      return getAuthHint(failure, configuration)
    case 'unreachable':
      return 'Check region and endpoint, and whether this server may connect to it'
    case 'permission':
      return describeGrants(configuration)
    case 'rate_limited':
      return 'Try again later: the quota applies to all clients of the account'
    case 'protocol':
      return 'Check the endpoint and the account id'
    case 'too_large':
    case 'crashed':
    case 'cancelled':
      return 'Try again'
  }
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
