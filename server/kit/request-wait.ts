import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreUnavailable, type PoolLimits } from './connection.ts'

/**
 * Limits the total time that the statements of a request wait for the database. Each statement has its own
 * limit, but a request with several statements, or one that waits for others, would add these up.
 */
const requests = new AsyncLocalStorage<RequestWait>()

// The time for each further statement of a request past its limit: enough for a working database, so that a
// request is not rejected because its turn came late.
const STATEMENT_MIN_MS = 450

type WaitLimits = Pick<PoolLimits, 'connectTimeoutMs' | 'queryTimeoutMs' | 'requestTimeoutMs'>

/** Answers a request: all that `answer` waits for the store counts together. */
export async function asOneRequest<T>(answer: () => Promise<T>): Promise<T> {
  const request = new RequestWait()
  try {
    return await requests.run(request, answer)
  } finally {
    request.end()
  }
}

/**
 * Waits for the database within the remaining time of the request; without a limit outside of requests.
 * Errors: StoreUnavailable past the limit, although the work continues; and those of `work`.
 */
export function withinRequest<T>(limits: WaitLimits, work: () => Promise<T>): Promise<T> {
  const request = requests.getStore()
  return request === undefined ? work() : request.limit(limits, work)
}

/** Waits for others that use the store. The time counts, but has no limit here. */
export async function countedInRequest<T>(others: Promise<T>): Promise<T> {
  const request = requests.getStore()
  return request === undefined ? await others : await request.count(() => others)
}

/** The time in which a request waited for the store, counted once however much it waited for. */
class RequestWait {
  #waitedMs = 0
  #pending = 0
  #pendingSinceMs = 0
  #hasEnded = false

  limit<T>(
    { connectTimeoutMs, queryTimeoutMs, requestTimeoutMs }: WaitLimits,
    work: () => Promise<T>,
  ): Promise<T> {
    // Work after the response is not part of the request.
    if (this.#hasEnded || requestTimeoutMs === undefined) return work()
    const leftMs = requestTimeoutMs - this.#timeWaited()
    // The limits of the statement are lower, so no further timer is needed.
    if (leftMs >= connectTimeoutMs + queryTimeoutMs) return this.count(work)
    return this.count(() => endedAfter(Math.max(leftMs, STATEMENT_MIN_MS), work))
  }

  async count<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pending === 0) this.#pendingSinceMs = performance.now()
    this.#pending += 1
    try {
      return await work()
    } finally {
      this.#pending -= 1
      if (this.#pending === 0) this.#waitedMs += performance.now() - this.#pendingSinceMs
    }
  }

  end(): void {
    this.#hasEnded = true
  }

  #timeWaited(): number {
    if (this.#pending === 0) return this.#waitedMs
    return this.#waitedMs + performance.now() - this.#pendingSinceMs
  }
}

async function endedAfter<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new StoreUnavailable('the request waited too long for the store'))
  }, milliseconds)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
