import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SourceFailure } from '../connector.ts'
import { PageTokens } from '../http/page-tokens.ts'
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
const FIRST_WAIT_MS = 1000
// Further answers come when the query is complete, or after this time.
const NEXT_WAIT_MS = '10000'
const POLL_MS = 200
const ROWS_PER_PAGE = 10_000
const CANCEL_TIMEOUT_MS = 2000
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
  const request = async (path: string[], parameters: Record<string, string>, body?: object) => {
    const address = ['projects', billingProject, ...path]
    const result = await requestResource(warehouse, address, parameters, queryAnswer, body)
    if ('error' in result) throw toQueryFailure(result.error, query.what, billingProject)
    return result.value
  }
  let answer = await request(['queries'], {}, toBody(warehouse, query))
  const { jobId, location } = answer.jobReference ?? {}
  const results = { location: location || query.location, maxResults: String(ROWS_PER_PAGE) }
  let isRunning = !answer.jobComplete
  try {
    while (!answer.jobComplete) {
      if (jobId === undefined) throw new SourceFailure('protocol', 'BigQuery returned no job')
      await warehouse.wait(POLL_MS, warehouse.setup.signal)
      answer = await request(['queries', jobId], { ...results, timeoutMs: NEXT_WAIT_MS })
    }
    isRunning = false
    assertSuccess(answer, query, billingProject)
    const tokens = new PageTokens(`The result of ${query.what}`)
    for (;;) {
      yield (answer.rows ?? []).map(({ f }) => f.map(({ v }) => v ?? null))
      tokens.follow(answer.pageToken)
      if (tokens.next === '') return
      if (jobId === undefined) throw new SourceFailure('protocol', 'BigQuery returned no job')
      answer = await request(['queries', jobId], { ...results, pageToken: tokens.next })
    }
  } finally {
    if (isRunning && jobId !== undefined) await cancel(warehouse, billingProject, jobId, results)
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
async function cancel(
  { newClient, configuration, setup }: Warehouse,
  billingProject: string,
  jobId: string,
  { location }: { location: string },
): Promise<void> {
  const client = newClient(AbortSignal.timeout(CANCEL_TIMEOUT_MS))
  const address = ['projects', billingProject, 'jobs', jobId, 'cancel']
  try {
    await requestResource({ client, configuration }, address, { location }, z.object({}), {})
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    setup.log('warn', `A query could not be cancelled: ${error.message}`)
  }
}
