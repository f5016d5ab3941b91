import { StoreUnavailable } from './connection.ts'
import { countedInRequest } from './request-wait.ts'

// What fails sooner was a mishap of its own; what fails later waited for a store that is away.
const SLOW_FAILURE_MS = 500

/**
 * Makes a queue in which work on one key runs one at a time, in order of arrival, while work on
 * different keys runs side by side. It keeps writers of one process from losing races to each
 * other; between processes the store decides. When a turn waited for a store that is away, those
 * behind it fail with it: each of them would wait as long again, one after the other.
 */
export function keyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  const shared = new WeakSet<object>()

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now()
    try {
      return await work()
    } catch (error) {
      const slow = performance.now() - startedAtMs > SLOW_FAILURE_MS
      if (slow && error instanceof StoreUnavailable) shared.add(error)
      throw error
    }
  }

  return async (key, work) => {
    const before = last.get(key)
    const turn =
      before === undefined
        ? attempt(work)
        : countedInRequest(before).then(
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
