import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../platform/errors.ts'
import { hasChanged } from '../../platform/kit/request-wait.ts'
import { isConflict, isLostRead } from '../../platform/kit/store-errors.ts'
import type { Services } from './endpoint.ts'
import { newStoreProblem } from './store-problem.ts'

// Decides whether this process may write, and handles a database that was changed in the meantime.

const SCHEMA_RETRY_SECONDS = 30
const CONFLICT_REPEATS_MAX = 3
const CONFLICT_DELAY_MS = 10

/** Rejects a request that writes while the store accepts no writes. Errors: schema_newer, schema_older, store_full. */
export function requireWritable(services: Services): void {
  requireSameSchema(services)
  if (!services.isDiskFull()) return
  throw newStoreProblem('store_full')
}

/** Rejects a request that needs the schema of this program. Errors: schema_newer, schema_older. */
function requireSameSchema({ guard }: Services, cause?: unknown): void {
  const { version, firstWriter } = guard.schema()
  if (version === 'same') return
  const retryAfterSeconds = SCHEMA_RETRY_SECONDS
  if (version === 'newer') {
    const writer = firstWriter === null ? 'the new version' : `version ${firstWriter} or newer`
    throw new ApiError(
      'schema_newer',
      `This process is older than the store's schema and accepts no writes. Start ${writer}.`,
      { retryAfterSeconds, cause },
    )
  }
  throw new ApiError(
    'schema_older',
    'The store was restored with an older schema. Restart this process, which migrates it.',
    { retryAfterSeconds, cause },
  )
}

/** The properties of a request that decide whether it may be repeated. */
interface Repeatable {
  /** Whether the request only reads. */
  isRead: boolean
}

/**
 * Calls `answer`, and repeats it if the database has rolled it back: after a conflict with another transaction, if
 * the server was restarted or replaced, and, for requests that only read, if the connection was lost. A request that
 * has changed anything is never repeated. Errors: those of `answer`, and schema_newer or schema_older instead of a
 * statement that another schema rejects.
 */
export async function answerOnStore<Answer>(
  services: Services,
  { isRead }: Repeatable,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  let epochs = 0
  let conflicts = 0
  for (;;) {
    try {
      return await (isRead ? repeatLostRead(answer) : answer())
    } catch (error) {
      if (error instanceof ApiError || hasChanged()) throw error
      if (epochs === 0 && (await services.guard.recover(error))) {
        epochs += 1
        continue
      }
      requireSameSchema(services, error)
      if (!isConflict(error) || conflicts === CONFLICT_REPEATS_MAX) throw error
      conflicts += 1
      // Requests that met once would otherwise meet again.
      await sleep(Math.random() * CONFLICT_DELAY_MS * 2 ** conflicts)
    }
  }
}

/** Calls `read`, and once more if its connection was lost. Errors: those of `read`. */
export async function repeatLostRead<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isLostRead(error) || hasChanged()) throw error
    return await read()
  }
}

/**
 * Answers whether this process answers reads, and whether it accepts writes; with `for=writes`, it is only ready if it
 * accepts writes. Reads are answered on a database that accepts no writes: if no process were ready then, a load
 * balancer would end them.
 *
 * Errors: query_invalid, schema_newer, schema_older, store_read_only, store_full, StoreUnavailable.
 */
export async function answerReadiness(
  services: Services,
  search: URLSearchParams,
): Promise<Response> {
  const purpose = search.get('for')
  if (purpose !== null && purpose !== 'writes') {
    throw new ApiError('query_invalid', 'The query parameter for must be "writes", or absent.')
  }
  const reason = await services.guard.findObstacle(services.db)
  requireSameSchema(services)
  if (purpose === 'writes' && reason !== undefined) throw newStoreProblem(reason)
  const body = { status: 'ready', writable: reason === undefined, reason }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}
