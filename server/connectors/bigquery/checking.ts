import { checkService, describeCount, pass, reject, warn, type Advice } from '../checks.ts'
import { isPartialFailure, type Finding, type Setup } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import type { Wait } from '../http/transport.ts'
import { datasetsAnswer, listedTable, tableAnswer, tablesAnswer } from './answers.ts'
import { JOB_ROLE, METADATA_ROLE, toRequestFailure } from './bigquery-error.ts'
import { bigQueryConfiguration, parseProjects, systemNames } from './configuration.ts'
import { isQueryable, newViewQuery } from './information-schema.ts'
import { dryRunQuery, getBillingProject } from './jobs.ts'
import { parseServiceAccountKey } from './service-account.ts'
import { openWarehouse, requestResource, SERVICE, type Warehouse } from './warehouse.ts'

/** The numbers of projects and of their datasets that are tried: at most ten requests with the token and the query. */
const PROJECTS_TRIED_MAX = 2
const DATASETS_TRIED_MAX = 2

/** Tries the projects with a handful of requests; `wait` delays them. */
export async function checkSource(setup: Setup, wait?: Wait): Promise<Finding[]> {
  const configuration = bigQueryConfiguration.parse(setup.configuration)
  const { authentication, endpoint } = configuration
  return await checkService({
    service: SERVICE,
    setup,
    addresses: { urls: authentication === 'none' ? [] : [endpoint], place: 'endpoint' },
    open: async (bounded) => await openWarehouse(configuration, bounded, wait),
    steps: checkProjects,
    advice: ADVICE,
  })
}

async function* checkProjects(warehouse: Warehouse): AsyncGenerator<Finding> {
  const [first, ...others] = listProjects(warehouse).slice(0, PROJECTS_TRIED_MAX)
  if (first === undefined) {
    yield reject('The filters exclude all projects', 'Change the filters')
    return
  }
  const location = yield* checkProject(warehouse, first)
  if (location !== undefined) yield* checkQueries(warehouse, first, location)
  for (const project of others) yield* checkProject(warehouse, project)
}

function listProjects({ configuration, setup }: Warehouse): string[] {
  return parseProjects(configuration).filter(nameFilter(setup.filters, 'catalog'))
}

/** Reads a few tables of a project, and returns the location of a dataset. */
async function* checkProject(
  warehouse: Warehouse,
  project: string,
): AsyncGenerator<Finding, string | undefined> {
  const address = ['projects', project, 'datasets']
  const result = await requestResource(warehouse, address, { maxResults: '100' }, datasetsAnswer)
  const hint = describeGrant(warehouse, project, METADATA_ROLE)
  if ('error' in result) {
    yield reject(toRequestFailure(result.error, `the datasets of ${project}`).message, hint)
    return undefined
  }
  const datasets = result.value.datasets ?? []
  const names = datasets.map(({ datasetReference: { datasetId } }) => datasetId)
  const included = names.filter(nameFilter(warehouse.setup.filters, 'schema', systemNames.schema))
  const more = result.value.nextPageToken ? ' and more' : ''
  const what = `${SERVICE} shows ${describeCount(names.length, 'dataset')}${more} of ${project}, ${included.length} of them included`
  yield included.length === 0 && more === ''
    ? reject(what, `Check project id and filters. ${hint}`)
    : pass(what)
  for (const dataset of included.slice(0, DATASETS_TRIED_MAX)) {
    if (yield* checkTable(warehouse, [project, dataset])) break
  }
  const first = datasets.find(({ datasetReference: { datasetId } }) => datasetId === included[0])
  return first?.location ?? undefined
}

/** Tries a query without running it, which costs nothing. */
async function* checkQueries(
  warehouse: Warehouse,
  project: string,
  location: string,
): AsyncGenerator<Finding> {
  if (warehouse.configuration.method === 'rest' || !isQueryable(location)) return
  const query = newViewQuery('tables', { project, location, datasets: [] })
  try {
    await dryRunQuery(warehouse, query)
    yield pass(`The metadata of ${project} in ${location} can be queried`)
  } catch (error) {
    // Runs fall back to the REST API.
    if (!isPartialFailure(error)) throw error
    const grant = error.message.includes(JOB_ROLE)
      ? describeGrant(warehouse, getBillingProject(warehouse, query), JOB_ROLE)
      : describeGrant(warehouse, project, METADATA_ROLE)
    yield warn(error.message, `Runs use the REST API instead, with one request per table. ${grant}`)
  }
}

/** Reads one table of a dataset; returns false if it lists none. */
async function* checkTable(
  warehouse: Warehouse,
  [project, dataset]: readonly [string, string],
): AsyncGenerator<Finding, boolean> {
  const address = ['projects', project, 'datasets', dataset, 'tables']
  const name = `${project}.${dataset}`
  const hint = `It will be absent. ${describeGrant(warehouse, project, METADATA_ROLE)}`
  const listed = await requestResource(warehouse, address, { maxResults: '1' }, tablesAnswer)
  if ('error' in listed) {
    yield warn(toRequestFailure(listed.error, `the tables of ${name}`).message, hint)
    return false
  }
  const table = listedTable.safeParse(listed.value.tables?.[0]).data?.tableReference.tableId
  if (table === undefined) return false
  const read = await requestResource(warehouse, [...address, table], {}, tableAnswer)
  yield 'error' in read
    ? warn(toRequestFailure(read.error, `the columns of ${name}.${table}`).message, hint)
    : pass(`The tables of ${name} can be read`)
  return true
}

function describeGrant({ configuration, setup }: Warehouse, project: string, role: string): string {
  const isKnown = configuration.authentication === 'serviceAccount'
  const account = isKnown
    ? parseServiceAccountKey(setup.secrets['serviceAccountKey'] ?? '').client_email
    : '<account>'
  return `Grant the role: gcloud projects add-iam-policy-binding ${project} --member=serviceAccount:${account} --role=${role}`
}

const ADVICE: Advice = {
  auth: ({ message }) =>
    message.includes('token endpoint')
      ? 'Check that the key has not been deleted, that the service account is enabled, and that the clock of this server is right'
      : 'Create a key: gcloud iam service-accounts keys create key.json --iam-account=<account>',
  unreachable:
    'Check the endpoint, and whether this server may connect to it and to the token endpoint',
  permission: `Grant the role ${METADATA_ROLE}`,
  rate_limited: 'Try again later: the quota applies to all clients of the project',
  protocol: 'Check that the endpoint is that of BigQuery, without a path',
}
