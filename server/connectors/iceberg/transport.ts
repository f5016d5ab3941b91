import { setTimeout as wait } from 'node:timers/promises'
import { HttpFailure, type HttpAnswer, type HttpClient } from '../../kit/http-client.ts'
import { SourceFailure, type FailureKind, type Setup } from '../connector.ts'

/** Sends requests to a catalog, with retries, and no faster than the catalog allows. */
export interface Transport {
  /**
   * Returns answers with any status but 429 and 5xx. The headers are created before each attempt.
   * Errors: SourceFailure unreachable, rate_limited, too_large, protocol, cancelled.
   */
  send(request: CatalogRequest): Promise<CatalogAnswer>
}

/** The catalog was reached and failed with a status from 500. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError'
}

/** A request. */
export interface CatalogRequest {
  method: 'GET' | 'POST'
  url: URL
  headers(): Promise<Readonly<Record<string, string>>>
  body?: string
}

/** An answer: with status 200 its body is JSON, otherwise it is arbitrary. */
export interface CatalogAnswer {
  status: number
  json: unknown
}

const TRIES_MAX = 3
const BACKOFF_MS = 200

/** The maximum wait that a catalog may request at once, and for one request in total. */
const WAIT_MS_MAX = 60_000
const WAITS_MS_MAX = 300_000

/** Waits for a number of milliseconds. Errors: SourceFailure cancelled. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** Creates the transport of one session. */
export function newTransport(http: HttpClient, setup: Setup, pause: Wait = sleep): Transport {
  // A requested delay applies to all requests: the catalog counts them together.
  let notBeforeMs = 0
  let hasAnswered = false
  return {
    async send(request) {
      let waitsMs = 0
      for (let tries = 1; ;) {
        const waitMs = notBeforeMs - performance.now()
        if (waitMs > 0) await pause(waitMs, setup.signal)
        const outcome = await tryOnce(http, setup, request)
        if ('status' in outcome) {
          hasAnswered = true
          return outcome
        }
        // If a catalog has never answered, the run is retried later without holding a worker.
        const isSilent = !hasAnswered && isTimeout(outcome.failure)
        if (outcome.again === 'never' || isSilent) throw outcome.failure
        setup.log('warn', `${request.method} ${request.url.pathname}: ${outcome.failure.message}`)
        if (outcome.again === 'later') {
          const delayMs = outcome.failure.retryAfterMs ?? backoffMs(waitsMs === 0 ? 2 : 4)
          waitsMs += Math.max(delayMs, BACKOFF_MS)
          if (delayMs > WAIT_MS_MAX || waitsMs > WAITS_MS_MAX) throw outcome.failure
          notBeforeMs = Math.max(notBeforeMs, performance.now() + delayMs)
        } else {
          if (tries >= TRIES_MAX) throw outcome.failure
          await pause(backoffMs(tries), setup.signal)
          tries += 1
        }
      }
    },
  }
}

type Outcome =
  | CatalogAnswer
  | {
      /** `soon`: it may be a temporary error. `later`: the catalog requested a wait. */
      again: 'never' | 'soon' | 'later'
      failure: SourceFailure
    }

async function tryOnce(http: HttpClient, setup: Setup, request: CatalogRequest): Promise<Outcome> {
  const { method, url, body } = request
  const headers = await request.headers()
  const startedAtMs = performance.now()
  try {
    const sent = body === undefined ? {} : { body }
    return toOutcome(await http.send({ method, url, headers, ...sent, signal: setup.signal }))
  } catch (error) {
    return unanswered(error)
  } finally {
    setup.sent(`${method} ${url.pathname}`, performance.now() - startedAtMs)
  }
}

function toOutcome({ status, headers, text }: HttpAnswer): Outcome {
  const retryAfter = headers['retry-after']
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    const retryAfterMs = readRetryAfter(retryAfter, Date.now())
    const message = `The catalog asks for fewer requests (status ${status})`
    const more = retryAfterMs === undefined ? {} : { retryAfterMs }
    return { again: 'later', failure: new SourceFailure('rate_limited', message, more) }
  }
  if (status >= 500) {
    const message = `The catalog failed with status ${status}`
    const cause = new CatalogError(`status ${status}`)
    return { again: 'soon', failure: new SourceFailure('unreachable', message, { cause }) }
  }
  try {
    return { status, json: JSON.parse(text) }
  } catch (error) {
    if (status !== 200) return { status, json: undefined }
    const message = 'The catalog returned invalid JSON'
    const failure = new SourceFailure('protocol', message, { cause: error })
    return { again: 'soon', failure }
  }
}

const FAILURES: Record<HttpFailure['kind'], { kind: FailureKind; again: 'never' | 'soon' }> = {
  refused: { kind: 'unreachable', again: 'never' },
  certificate: { kind: 'unreachable', again: 'never' },
  redirect: { kind: 'protocol', again: 'never' },
  too_large: { kind: 'too_large', again: 'never' },
  cancelled: { kind: 'cancelled', again: 'never' },
  unreachable: { kind: 'unreachable', again: 'soon' },
  broken: { kind: 'unreachable', again: 'soon' },
  timeout: { kind: 'unreachable', again: 'soon' },
}

function isTimeout({ cause }: SourceFailure): boolean {
  return cause instanceof HttpFailure && cause.kind === 'timeout'
}

function unanswered(error: unknown): Outcome {
  if (!(error instanceof HttpFailure)) throw error
  const { kind, again } = FAILURES[error.kind]
  return { again, failure: new SourceFailure(kind, error.message, { cause: error }) }
}

/**
 * Doubles with each attempt, with jitter from a half to one and a half: concurrent failures retry
 * at different times.
 */
function backoffMs(tries: number): number {
  return BACKOFF_MS * 2 ** (tries - 1) * (0.5 + Math.random())
}

/**
 * Parses `Retry-After` to milliseconds from now: RFC 9110, section 10.2.3, defines seconds and
 * dates. Undefined = invalid.
 */
export function readRetryAfter(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const atMs = Date.parse(retryAfter)
  return Number.isNaN(atMs) ? undefined : Math.max(atMs - nowMs, 0)
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    throw new SourceFailure('cancelled', 'The request was cancelled', { cause: error })
  }
}
