import { SourceFailure } from '../connector.ts'
import { toUrl } from '../http/address.ts'
import type { JsonResult } from '../http/json-client.ts'
import { runRemoteStatement } from '../http/remote-statement.ts'
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
  const { result: answer, handle } = await runRemoteStatement(workspace, {
    what,
    pollMs: POLL_MS,
    async start(starter) {
      const url = toUrl(workspace.url, 'api/2.0/sql/statements')
      const body = toBody(workspace, statement)
      const started = requireValue(await starter.ask({ url, body }, statementAnswer), what)
      return { answer: started, handle: `${url.href}/${started.statement_id}` }
    },
    getResult: (polled) => (UNFINISHED.has(polled.status.state) ? undefined : polled),
    poll: async (client, url) =>
      requireValue(await client.ask({ url: new URL(url) }, statementAnswer), what),
    cancel: (client, url) => client.ask({ url: new URL(`${url}/cancel`), body: {} }, errorAnswer),
  })
  if (answer.status.state !== 'SUCCEEDED') throw toStatementFailure(answer.status.error, what)
  if (answer.manifest?.truncated === true) {
    throw new SourceFailure('too_large', `The SQL warehouse returned only a part of ${what}`)
  }
  let chunk = answer.result
  while (chunk != null) {
    yield chunk.data_array ?? []
    if (chunk.next_chunk_index == null) return
    const chunkUrl = new URL(`${handle}/result/chunks/${chunk.next_chunk_index}`)
    const next = requireValue(await workspace.client.ask({ url: chunkUrl }, chunkAnswer), what)
    const isNext = next.next_chunk_index !== chunk.next_chunk_index
    if (!isNext) throw new SourceFailure('protocol', `The result of ${what} does not end`)
    chunk = next
  }
}

const UNFINISHED = new Set(['PENDING', 'RUNNING'])

/** Returns the value of an answer. Errors: SourceFailure if the request was rejected. */
function requireValue<T>(result: JsonResult<T>, what: string): T {
  if ('status' in result) throw toRejection(result.status, result.body, what)
  return result.value
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
