import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SourceFailure } from '../connector.ts'
import type { JsonClient } from '../http/json-client.ts'
import { PageTokens } from '../http/page-tokens.ts'
import { CANCEL_MS_MAX } from '../http/session-client.ts'
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
const POLL_MS = 200
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
  const isOver = warehouse.begin()
  let { answer, job } = await runToEnd(warehouse, query).finally(isOver)
  assertSuccess(answer, query, billingProject)
  const tokens = new PageTokens(`The result of ${query.what}`)
  for (;;) {
    yield (answer.rows ?? []).map(({ f }) => f.map(({ v }) => v ?? null))
    tokens.follow(answer.pageToken)
    if (tokens.next === '') return
    if (job === undefined) throw new SourceFailure('protocol', 'BigQuery returned no job')
    const parameters = { ...job.results, pageToken: tokens.next }
    answer = await request(warehouse.client, ['queries', job.id], parameters)
  }
}

interface QueryJob {
  id: string
  /** The parameters of requests for its result. */
  results: { location: string; maxResults: string }
}

/** Waits for the end of a query, and cancels its job if the session ends. Errors: those of runQuery. */
async function runToEnd(
  warehouse: Warehouse,
  query: MetadataQuery,
): Promise<{ answer: QueryAnswer; job: QueryJob | undefined }> {
  const request = newQueryRequest(warehouse, query)
  let answer = await request(warehouse.starter, ['queries'], {}, toBody(warehouse, query))
  const { jobId, location } = answer.jobReference ?? {}
  const results = { location: location || query.location, maxResults: String(ROWS_PER_PAGE) }
  const job = jobId === undefined ? undefined : { id: jobId, results }
  let isRunning = !answer.jobComplete
  try {
    while (!answer.jobComplete) {
      if (job === undefined) throw new SourceFailure('protocol', 'BigQuery returned no job')
      await warehouse.wait(POLL_MS, warehouse.signal)
      const parameters = { ...results, timeoutMs: NEXT_WAIT_MS }
      answer = await request(warehouse.client, ['queries', job.id], parameters)
    }
    isRunning = false
    return { answer, job }
  } finally {
    if (isRunning && job !== undefined) await cancel(warehouse, query, job)
  }
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

// The run has ended, so its own signal may have aborted. A failure changes nothing: the query ends by itself.
async function cancel(warehouse: Warehouse, query: MetadataQuery, job: QueryJob): Promise<void> {
  const { newClient, configuration, setup } = warehouse
  const access = { client: newClient(AbortSignal.timeout(CANCEL_MS_MAX)), configuration }
  const address = ['projects', getBillingProject(warehouse, query), 'jobs', job.id, 'cancel']
  const { location } = job.results
  try {
    await requestResource(access, address, { location }, z.object({}), {})
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    setup.log('warn', `A query could not be cancelled: ${error.message}`)
  }
}
