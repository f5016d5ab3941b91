import type { z } from 'zod'
import { SourceFailure } from '../connector.ts'
import { toUrl } from '../http/address.ts'
import { CANCEL_MS_MAX } from '../http/session-client.ts'
import { chunkAnswer, errorAnswer, statementAnswer } from './answers.ts'
import type { Workspace } from './workspace.ts'

/** A statement for the SQL warehouse. */
export interface WarehouseStatement {
  sql: string
  /** Values of `:name` in the statement. */
  parameters: Readonly<Record<string, string>>
  /** The subject of an error: `the keys of main.sales`. */
  what: string
}

// The server answers at once: only with its id can a statement be cancelled.
const SERVER_WAIT = '0s'
const POLL_MS = { first: 50, max: 5000 }

/**
 * Runs a statement with the Statement Execution API and yields its rows, chunk by chunk. If it ends early,
 * the statement is cancelled. Errors: those of JsonClient, and SourceFailure permission, too_large, protocol.
 */
export async function* runStatement(
  workspace: Workspace,
  statement: WarehouseStatement,
): AsyncGenerator<readonly (readonly (string | null)[])[]> {
  const { what } = statement
  const isOver = workspace.begin()
  const { address, answer } = await runToEnd(workspace, statement).finally(isOver)
  if (answer.status.state !== 'SUCCEEDED') throw toStatementFailure(answer.status.error, what)
  if (answer.manifest?.truncated === true) {
    throw new SourceFailure('too_large', `The SQL warehouse returned only a part of ${what}`)
  }
  let chunk = answer.result
  while (chunk != null) {
    yield chunk.data_array ?? []
    if (chunk.next_chunk_index == null) return
    const chunkUrl = new URL(`${address.href}/result/chunks/${chunk.next_chunk_index}`)
    const next = await workspace.client.ask({ url: chunkUrl }, chunkAnswer)
    if ('status' in next) throw toRejection(next.status, next.body, what)
    const isNext = next.value.next_chunk_index !== chunk.next_chunk_index
    if (!isNext) throw new SourceFailure('protocol', `The result of ${what} does not end`)
    chunk = next.value
  }
}

/** Waits for the end of a statement, and cancels it if the session ends. Errors: SourceFailure. */
async function runToEnd(
  workspace: Workspace,
  statement: WarehouseStatement,
): Promise<{ address: URL; answer: z.infer<typeof statementAnswer> }> {
  const { client, starter, signal } = workspace
  const { what } = statement
  const url = toUrl(workspace.url, 'api/2.0/sql/statements')
  const result = await starter.ask({ url, body: toBody(workspace, statement) }, statementAnswer)
  if ('status' in result) throw toRejection(result.status, result.body, what)
  let answer = result.value
  const address = toUrl(workspace.url, `api/2.0/sql/statements/${answer.statement_id}`)
  let isRunning = true
  try {
    for (let waitMs = POLL_MS.first; isUnfinished(answer.status.state); waitMs *= 2) {
      await workspace.wait(Math.min(waitMs, POLL_MS.max), signal)
      const polled = await client.ask({ url: address }, statementAnswer)
      if ('status' in polled) throw toRejection(polled.status, polled.body, what)
      answer = polled.value
    }
    isRunning = false
    return { address, answer }
  } finally {
    if (isRunning) await cancel(workspace, address)
  }
}

function toBody({ configuration }: Workspace, { sql, parameters }: WarehouseStatement): unknown {
  return {
    warehouse_id: configuration.warehouseId,
    statement: sql,
    parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    wait_timeout: SERVER_WAIT,
    format: 'JSON_ARRAY',
    disposition: 'INLINE',
  }
}

function isUnfinished(state: string): boolean {
  return state === 'PENDING' || state === 'RUNNING'
}

// The run has ended, so its own signal may have aborted. A failure changes nothing: statements time out.
async function cancel(workspace: Workspace, address: URL): Promise<void> {
  const client = workspace.newClient(AbortSignal.timeout(CANCEL_MS_MAX))
  try {
    await client.ask({ url: new URL(`${address.href}/cancel`), body: {} }, errorAnswer)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    workspace.setup.log('warn', `A statement could not be cancelled: ${error.message}`)
  }
}

function toRejection(status: number, body: unknown, what: string): SourceFailure {
  if (status === 403 || status === 404) {
    const message = `The SQL warehouse cannot be used to read ${what}`
    return new SourceFailure('permission', message, { cause: new Error(describe(body)) })
  }
  const message = `The SQL warehouse did not accept the statement for ${what} (status ${status})`
  return new SourceFailure('protocol', message, { cause: new Error(describe(body)) })
}

const NO_PRIVILEGE =
  /INSUFFICIENT_PERMISSIONS|PERMISSION_DENIED|NO_SUCH_CATALOG|(CATALOG|SCHEMA|TABLE_OR_VIEW)_NOT_FOUND/

function toStatementFailure(error: unknown, what: string): SourceFailure {
  const text = describe(error)
  const cause = new Error(text)
  if (/byte limit exceeded/i.test(text)) {
    const message = `The SQL warehouse returns at most 25 MiB, and ${what} are larger`
    return new SourceFailure('too_large', message, { cause })
  }
  if (NO_PRIVILEGE.test(text)) {
    return new SourceFailure('permission', `The account may not read ${what}`, { cause })
  }
  return new SourceFailure('protocol', `The statement for ${what} failed`, { cause })
}

function describe(body: unknown): string {
  const { error_code: code, message } = errorAnswer.safeParse(body).data ?? {}
  return [code, message].filter(Boolean).join(': ')
}
