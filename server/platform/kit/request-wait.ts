import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolLimits } from './connection.ts'
import { StoreUnavailable } from './store-errors.ts'

/**
 * Limits the total time that the statements of one request wait for the database. Each statement has a limit, but
 * these would add up for a request that sends several or is queued behind others.
 */
const requests = new AsyncLocalStorage<RequestWait>()

/** The total time that the statements of a request wait for the database, before `STATEMENT_MIN_MS`. */
export const REQUEST_TIMEOUT_MS = 2450

// A request that has used up its time still gets this much for each further statement. It is enough for a
// responsive database, so a request that was queued for long does not fail.
const STATEMENT_MIN_MS = 450

/** An error of a request that used up the time for which it may wait for the database. */
export class RequestLate extends StoreUnavailable {}

type WaitLimits = Pick<PoolLimits, 'connectTimeoutMs' | 'queryTimeoutMs' | 'requestTimeoutMs'>

/** Runs `answer` as one request: the total time that it waits for the database is limited. */
export async function asOneRequest<T>(answer: () => Promise<T>): Promise<T> {
  const request = new RequestWait()
  try {
    return await requests.run(request, answer)
  } finally {
    request.end()
  }
}

/**
 * Waits for work on the database for at most the remaining time of the request; without a limit outside a request.
 * Errors: StoreUnavailable after the limit, although the work continues; and those of `work`.
 */
export function withinRequest<T>(limits: WaitLimits, work: () => Promise<T>): Promise<T> {
  const request = requests.getStore()
  return request === undefined ? work() : request.limit(limits, work)
}

/** Records that the current request has changed the database, or may have. */
export function noteChange(): void {
  requests.getStore()?.noteChange()
}

/** Returns whether the current request has changed the database, or may have: it must not be repeated. */
export function hasChanged(): boolean {
  return requests.getStore()?.hasChanged === true
}

/** Waits for other users of the database. The time counts, but is not limited here. */
export async function countInRequest<T>(others: Promise<T>): Promise<T> {
  const request = requests.getStore()
  return request === undefined ? await others : await request.count(() => others)
}

/**
 * Waits for a look-up that requests share, for at most the remaining time of the current one. Errors: StoreUnavailable
 * after the limit, although the look-up continues; and those of the look-up.
 */
export function shareInRequest<T>(lookup: Promise<T>): Promise<T> {
  const request = requests.getStore()
  return request === undefined ? lookup : request.share(lookup)
}

/** The time that a request has waited for the database; concurrent waits count once. */
class RequestWait {
  #waitedMs = 0
  #pending = 0
  #pendingSinceMs = 0
  #hasEnded = false
  #hasChanged = false

  limit<T>(
    { connectTimeoutMs, queryTimeoutMs, requestTimeoutMs }: WaitLimits,
    work: () => Promise<T>,
  ): Promise<T> {
    // Work that continues after the answer is no longer part of the request.
    if (this.#hasEnded || requestTimeoutMs === undefined) return work()
    const leftMs = requestTimeoutMs - this.#timeWaited()
    // The limits of the statement itself are lower, so no further timer is needed.
    if (leftMs >= connectTimeoutMs + queryTimeoutMs) return this.count(work)
    return this.count(() => withTimeout(Math.max(leftMs, STATEMENT_MIN_MS), work))
  }

  share<T>(lookup: Promise<T>): Promise<T> {
    const leftMs = Math.max(REQUEST_TIMEOUT_MS - this.#timeWaited(), STATEMENT_MIN_MS)
    return this.count(() => withTimeout(leftMs, () => lookup))
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

  get hasChanged(): boolean {
    return this.#hasChanged
  }

  noteChange(): void {
    this.#hasChanged = true
  }

  end(): void {
    this.#hasEnded = true
  }

  #timeWaited(): number {
    if (this.#pending === 0) return this.#waitedMs
    return this.#waitedMs + performance.now() - this.#pendingSinceMs
  }
}

async function withTimeout<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new RequestLate('the request waited too long for the database'))
  }, milliseconds)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
