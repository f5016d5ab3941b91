import { StoreUnavailable } from './connection.ts'
import { countInRequest } from './request-wait.ts'

// A failure slower than this is treated as a database outage, and queued work fails with it.
const OUTAGE_THRESHOLD_MS = 500

/**
 * Creates a queue that runs tasks with the same key sequentially and tasks with different keys concurrently. It
 * prevents optimistic-lock conflicts within one process; across processes the database decides. If a task fails
 * because the database is unavailable, tasks waiting behind it fail immediately instead of each waiting for its
 * own timeout.
 */
export function keyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  const shared = new WeakSet<object>()

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now()
    try {
      return await work()
    } catch (error) {
      const isOutage = performance.now() - startedAtMs > OUTAGE_THRESHOLD_MS
      if (isOutage && error instanceof StoreUnavailable) shared.add(error)
      throw error
    }
  }

  return async (key, work) => {
    const before = last.get(key)
    const turn =
      before === undefined
        ? attempt(work)
        : countInRequest(before).then(
            () => attempt(work),
            (error: object) => {
              if (shared.has(error)) throw error
              return attempt(work)
            },
          )
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
