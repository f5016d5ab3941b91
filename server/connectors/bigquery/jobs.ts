import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SourceFailure } from '../connector.ts'
import type { JsonClient } from '../http/json-client.ts'
import { PageTokens } from '../http/pages.ts'
import { runRemoteStatement } from '../http/remote-statement.ts'
import { queryAnswer } from './answers.ts'
import { toQueryFailure, type BigQueryError } from './bigquery-error.ts'
import { requestResource, type Warehouse } from './warehouse.ts'

/** A query of the metadata of one project in one location. */
export interface MetadataQuery {
  sql: string
  /** The project that is read, and billed unless another one is configured. */
  project: string
  /** The location in which the query runs: `EU`. */
  location: string
  /** The value of `@datasets`. */
  datasets: readonly string[]
  /** The subject of an error: `the columns of shop in EU`. */
  what: string
}

/** A row, with the values as texts. */
export type QueryRow = readonly (string | null)[]

// The first answer comes soon, even if the query is still running: only with its id can it be cancelled.
const FIRST_WAIT_MS = 500
// Further answers come when the query is complete, or after this time.
const NEXT_WAIT_MS = '10000'
const POLL_MS = { first: 200, max: 200 }
const ROWS_PER_PAGE = 10_000
const GIGABYTE = 1_000_000_000

/**
 * Runs a query and yields its rows, page by page. If it ends early, the job is cancelled. Errors: those of
 * JsonClient, and SourceFailure permission, too_large, protocol.
 */
export async function* runQuery(
  warehouse: Warehouse,
  query: MetadataQuery,
): AsyncGenerator<readonly QueryRow[]> {
  const billingProject = getBillingProject(warehouse, query)
  const request = newQueryRequest(warehouse, query)
  const askForResult = async (
    client: JsonClient,
    job: QueryJob | undefined,
    more: Readonly<Record<string, string>>,
  ): Promise<QueryAnswer> => {
    if (job === undefined) throw new SourceFailure('protocol', 'BigQuery returned no job')
    return await request(client, ['queries', job.id], { ...job.results, ...more })
  }
  const run = await runRemoteStatement(warehouse, {
    what: query.what,
    noun: 'query',
    pollMs: POLL_MS,
    async start(starter) {
      const answer = await request(starter, ['queries'], {}, toBody(warehouse, query))
      return { answer, handle: toJob(answer, query) }
    },
    getResult: (answer) => (answer.jobComplete ? answer : undefined),
    poll: (client, job) => askForResult(client, job, { timeoutMs: NEXT_WAIT_MS }),
    cancel: async (client, job) => {
      if (job === undefined) return
      const address = ['projects', billingProject, 'jobs', job.id, 'cancel']
      const access = { client, configuration: warehouse.configuration }
      const { location } = job.results
      await requestResource(access, address, { location }, z.object({}), {})
    },
  })
  let answer = run.result
  assertSuccess(answer, query, billingProject)
  const tokens = new PageTokens(`The result of ${query.what}`)
  for (;;) {
    yield (answer.rows ?? []).map(({ f }) => f.map(({ v }) => v ?? null))
    tokens.follow(answer.pageToken)
    if (tokens.next === '') return
    answer = await askForResult(warehouse.client, run.handle, { pageToken: tokens.next })
  }
}

interface QueryJob {
  id: string
  /** The parameters of requests for its result. */
  results: { location: string; maxResults: string }
}

function toJob({ jobReference }: QueryAnswer, query: MetadataQuery): QueryJob | undefined {
  const { jobId, location } = jobReference ?? {}
  if (jobId === undefined) return undefined
  const results = { location: location || query.location, maxResults: String(ROWS_PER_PAGE) }
  return { id: jobId, results }
}

type QueryAnswer = z.infer<typeof queryAnswer>

/** Creates the function that sends requests about a query. */
function newQueryRequest(warehouse: Warehouse, query: MetadataQuery) {
  const { configuration } = warehouse
  const billingProject = getBillingProject(warehouse, query)
  return async (
    client: JsonClient,
    path: readonly string[],
    parameters: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<QueryAnswer> => {
    const address = ['projects', billingProject, ...path]
    const access = { client, configuration }
    const result = await requestResource(access, address, parameters, queryAnswer, body)
    if ('error' in result) throw toQueryFailure(result.error, query.what, billingProject)
    return result.value
  }
}

/** Checks that a query may run, without running it. Errors: those of runQuery. */
export async function dryRunQuery(warehouse: Warehouse, query: MetadataQuery): Promise<void> {
  const billingProject = getBillingProject(warehouse, query)
  const body = { ...toBody(warehouse, query), dryRun: true }
  const address = ['projects', billingProject, 'queries']
  const result = await requestResource(warehouse, address, {}, z.object({}), body)
  if ('error' in result) throw toQueryFailure(result.error, query.what, billingProject)
}

/** Returns the project that runs a query. */
export function getBillingProject(
  { configuration }: Warehouse,
  { project }: Pick<MetadataQuery, 'project'>,
): string {
  return configuration.billingProject ?? project
}

function toBody({ configuration }: Warehouse, query: MetadataQuery): object {
  const { sql, location, datasets } = query
  const parameter = {
    name: 'datasets',
    parameterType: { type: 'ARRAY', arrayType: { type: 'STRING' } },
    parameterValue: { arrayValues: datasets.map((value) => ({ value })) },
  }
  return {
    query: sql,
    useLegacySql: false,
    location,
    parameterMode: 'NAMED',
    queryParameters: [parameter],
    timeoutMs: FIRST_WAIT_MS,
    maxResults: ROWS_PER_PAGE,
    maximumBytesBilled: String(configuration.maximumGigabytesBilled * GIGABYTE),
    labels: { tool: 'portbook' },
    // A repeated request with the same id does not start another job.
    requestId: randomUUID(),
  }
}

// A complete query has a schema, even without rows. Its list of errors may also contain warnings.
function assertSuccess(
  { schema, errors }: z.infer<typeof queryAnswer>,
  { what }: MetadataQuery,
  billingProject: string,
): void {
  if ((schema?.fields ?? []).length > 0) return
  const { reason, message } = errors?.[0] ?? {}
  const error: BigQueryError = {
    status: reason === 'accessDenied' ? 403 : 400,
    reason: reason ?? '',
    detail: message ?? '',
  }
  throw toQueryFailure(error, what, billingProject)
}
