import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreUnavailable, type PoolLimits } from './connection.ts'

/**
 * Limits how long the statements of one request wait for the store together. Each has a limit of its
 * own, but a request that sends several, or waits for its turn behind others that do, would add these
 * up.
 */
const requests = new AsyncLocalStorage<RequestWait>()

// A request that has used up its time still gets this much for each further statement: enough for a
// store that answers, and a request whose turn came late is not refused for that.
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
 * Waits for the store, for what is left of the request's time; outside of a request without a limit.
 * Errors: StoreUnavailable past the limit, although the work goes on; and those of `work`.
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
    // What goes on after the answer is no longer part of the request.
    if (this.#hasEnded || requestTimeoutMs === undefined) return work()
    const leftMs = requestTimeoutMs - this.#timeWaited()
    // The limits of the statement itself are lower: nothing more needs to watch it.
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
