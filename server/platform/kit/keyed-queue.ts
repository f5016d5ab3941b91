import { StoreUnavailable, toUnsent } from './store-errors.ts'
import { countInRequest } from './request-wait.ts'

// A failure slower than this is treated as a database outage, and queued work fails with it.
const OUTAGE_THRESHOLD_MS = 500

/** Runs work of one key one at a time, or up to `width` at a time. */
export type Serialize = <T>(key: string, work: () => Promise<T>, width?: number) => Promise<T>

/**
 * Creates a queue that runs tasks with the same key sequentially and tasks with different keys concurrently. With a
 * `width` above 1, a key has that many sequences, and a task joins the shortest. It prevents optimistic-lock conflicts within one process; across processes the database decides. If a task fails
 * because the database is unavailable, tasks waiting behind it fail immediately instead of each waiting for its
 * own timeout.
 */
export function keyedQueue(): Serialize {
  const last = new Map<string, Promise<unknown>>()
  const lengths = new Map<string, number>()
  const shared = new WeakSet<object>()

  const getLength = (sequence: string): number => lengths.get(sequence) ?? 0

  function findShortest(key: string, width: number): string {
    const sequences = Array.from({ length: width }, (_, at) => (at === 0 ? key : `${key}\0${at}`))
    return sequences.reduce((one, other) => (getLength(other) < getLength(one) ? other : one))
  }

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

  return async (key, work, width = 1) => {
    const sequence = findShortest(key, width)
    const before = last.get(sequence)
    const turn =
      before === undefined
        ? attempt(work)
        : countInRequest(before).then(
            () => attempt(work),
            (error: object) => {
              if (error instanceof StoreUnavailable && shared.has(error)) {
                const unsent = toUnsent(error)
                shared.add(unsent)
                throw unsent
              }
              return attempt(work)
            },
          )
    last.set(sequence, turn)
    lengths.set(sequence, getLength(sequence) + 1)
    try {
      return await turn
    } finally {
      const length = getLength(sequence) - 1
      if (length === 0) lengths.delete(sequence)
      else lengths.set(sequence, length)
      if (last.get(sequence) === turn) last.delete(sequence)
    }
  }
}
