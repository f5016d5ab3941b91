import { nameFilter } from '../filter.ts'
import { isPartialFailure, type Finding, type Setup, type SourceFailure } from '../connector.ts'
import { describeCount, runCheck } from '../http/check.ts'
import type { Wait } from '../http/transport.ts'
import { datasetsAnswer, listedTable, tableAnswer, tablesAnswer } from './answers.ts'
import { JOB_ROLE, METADATA_ROLE, toRequestFailure } from './bigquery-error.ts'
import {
  bigQueryConfiguration,
  parseProjects,
  systemNames,
  type BigQueryConfiguration,
} from './configuration.ts'
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
  const found = await runCheck(
    SERVICE,
    setup,
    async (bounded, findings) => {
      const warehouse = await openWarehouse(configuration, bounded, wait)
      try {
        const [first, ...others] = listProjects(warehouse).slice(0, PROJECTS_TRIED_MAX)
        if (first === undefined) {
          const what = 'The filters exclude all projects'
          findings.push({ state: 'error', what, hint: 'Change the filters' })
          return
        }
        const location = await checkProject(warehouse, first, findings)
        if (location !== undefined) await checkQueries(warehouse, first, location, findings)
        for (const project of others) await checkProject(warehouse, project, findings)
      } finally {
        await warehouse.close()
      }
    },
    getHint,
  )
  return [...clearTextFindings(configuration), ...found]
}

function listProjects({ configuration, setup }: Warehouse): string[] {
  return parseProjects(configuration).filter(nameFilter(setup.filters, 'catalog'))
}

function clearTextFindings({ authentication, endpoint }: BigQueryConfiguration): Finding[] {
  if (authentication === 'none' || !endpoint?.startsWith('http:')) return []
  const hint = 'Use https unless the network to the endpoint is private'
  return [{ state: 'warning', what: 'The credentials are sent without encryption', hint }]
}

/** Reads a few tables of a project, and returns the location of a dataset. */
async function checkProject(
  warehouse: Warehouse,
  project: string,
  findings: Finding[],
): Promise<string | undefined> {
  const address = ['projects', project, 'datasets']
  const result = await requestResource(warehouse, address, { maxResults: '100' }, datasetsAnswer)
  const hint = describeGrant(warehouse, project, METADATA_ROLE)
  if ('error' in result) {
    const what = toRequestFailure(result.error, `the datasets of ${project}`).message
    findings.push({ state: 'error', what, hint })
    return undefined
  }
  const datasets = result.value.datasets ?? []
  const names = datasets.map(({ datasetReference: { datasetId } }) => datasetId)
  const included = names.filter(nameFilter(warehouse.setup.filters, 'schema', systemNames.schema))
  const more = result.value.nextPageToken ? ' and more' : ''
  const isEmpty = included.length === 0 && more === ''
  findings.push({
    state: isEmpty ? 'error' : 'ok',
    what: `${SERVICE} shows ${describeCount(names.length, 'dataset')}${more} of ${project}, ${included.length} of them included`,
    ...(isEmpty ? { hint: `Check project id and filters. ${hint}` } : {}),
  })
  for (const dataset of included.slice(0, DATASETS_TRIED_MAX)) {
    if (await checkTable(warehouse, [project, dataset], findings)) break
  }
  const first = datasets.find(({ datasetReference: { datasetId } }) => datasetId === included[0])
  return first?.location ?? undefined
}

/** Tries a query without running it, which costs nothing. */
async function checkQueries(
  warehouse: Warehouse,
  project: string,
  location: string,
  findings: Finding[],
): Promise<void> {
  if (warehouse.configuration.method === 'rest' || !isQueryable(location)) return
  const query = newViewQuery('tables', { project, location, datasets: [] })
  const billingProject = getBillingProject(warehouse, query)
  try {
    await dryRunQuery(warehouse, query)
  } catch (error) {
    // Runs fall back to the REST API.
    if (!isPartialFailure(error)) throw error
    const grant = error.message.includes(JOB_ROLE)
      ? describeGrant(warehouse, billingProject, JOB_ROLE)
      : describeGrant(warehouse, project, METADATA_ROLE)
    const hint = `Runs use the REST API instead, with one request per table. ${grant}`
    findings.push({ state: 'warning', what: error.message, hint })
    return
  }
  const what = `The metadata of ${project} in ${location} can be queried`
  findings.push({ state: 'ok', what })
}

/** Reads one table of a dataset; returns false if it lists none. */
async function checkTable(
  warehouse: Warehouse,
  [project, dataset]: readonly [string, string],
  findings: Finding[],
): Promise<boolean> {
  const address = ['projects', project, 'datasets', dataset, 'tables']
  const name = `${project}.${dataset}`
  const hint = `It will be absent. ${describeGrant(warehouse, project, METADATA_ROLE)}`
  const listed = await requestResource(warehouse, address, { maxResults: '1' }, tablesAnswer)
  if ('error' in listed) {
    const what = toRequestFailure(listed.error, `the tables of ${name}`).message
    findings.push({ state: 'warning', what, hint })
    return false
  }
  const table = listedTable.safeParse(listed.value.tables?.[0]).data?.tableReference.tableId
  if (table === undefined) return false
  const read = await requestResource(warehouse, [...address, table], {}, tableAnswer)
  if ('error' in read) {
    const what = toRequestFailure(read.error, `the columns of ${name}.${table}`).message
    findings.push({ state: 'warning', what, hint })
    return true
  }
  findings.push({ state: 'ok', what: `The tables of ${name} can be read` })
  return true
}

function describeGrant({ configuration, setup }: Warehouse, project: string, role: string): string {
  const isKnown = configuration.authentication === 'serviceAccount'
  const account = isKnown
    ? parseServiceAccountKey(setup.secrets['serviceAccountKey'] ?? '').client_email
    : '<account>'
  return `Grant the role: gcloud projects add-iam-policy-binding ${project} --member=serviceAccount:${account} --role=${role}`
}

function getHint(failure: SourceFailure): string {
  switch (failure.kind) {
    case 'auth':
      return failure.message.includes('token endpoint')
        ? 'Check that the key has not been deleted, that the service account is enabled, and that the clock of this server is right'
        : 'Create a key: gcloud iam service-accounts keys create key.json --iam-account=<account>'
    case 'unreachable':
      return 'Check the endpoint, and whether this server may connect to it and to the token endpoint'
    case 'permission':
      return `Grant the role ${METADATA_ROLE}`
    case 'rate_limited':
      return 'Try again later: the quota applies to all clients of the project'
    case 'protocol':
      return 'Check that the endpoint is that of BigQuery, without a path'
    case 'too_large':
    case 'crashed':
    case 'cancelled':
      return 'Try again'
  }
}
