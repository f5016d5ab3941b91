import { setTimeout as wait } from 'node:timers/promises'
import { HttpFailure, type HttpAnswer, type HttpClient } from '../../platform/kit/http-client.ts'
import { untilAborted } from '../../platform/kit/signals.ts'
import { SourceFailure, type FailureKind, type Setup } from '../connector.ts'

/** Sends requests to a source, with retries, and no faster than the source allows. */
export interface Transport {
  /**
   * Returns answers with any status but 429 and 5xx. The headers are created before each attempt.
   * Errors: SourceFailure unreachable, rate_limited, too_large, protocol, cancelled.
   */
  send(request: SourceRequest): Promise<SourceAnswer>
}

/** The source was reached and failed with a status from 500. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** A request. */
export interface SourceRequest {
  method: 'GET' | 'POST'
  url: URL
  /** The URL of all attempts but the first, for sources that must recognize a repeated request. */
  retryUrl?: URL | undefined
  headers(): Promise<Readonly<Record<string, string>>>
  body?: string
  /** Whether the source may compress its answer. */
  acceptsGzip?: boolean
}

/** An answer: with status 200 its body is JSON, otherwise it is arbitrary. */
export interface SourceAnswer {
  status: number
  json: unknown
  /** The entity tag: the source's version of the answer. */
  etag?: string
}

/** The peculiarities of a source. */
export interface TransportOptions {
  /** The subject of messages: `The catalog`. */
  service: string
  /** Recognizes a request for fewer requests without the status 429. */
  isThrottled?(answer: SourceAnswer): boolean
  wait?: Wait | undefined
}

const TRIES_MAX = 3
const BACKOFF_MS = 200

/** The maximum wait that a source may request at once, and for one request in total. */
const WAIT_MS_MAX = 60_000
const WAITS_MS_MAX = 300_000

/** Waits for a number of milliseconds. Errors: SourceFailure cancelled. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** Creates the transport of one session. */
export function newTransport(http: HttpClient, setup: Setup, options: TransportOptions): Transport {
  const pause = options.wait ?? sleep
  // A requested delay applies to all requests: the source counts them together.
  let notBeforeMs = 0
  let hasAnswered = false
  return {
    async send(request) {
      let waitsMs = 0
      let attempt = request
      for (let tries = 1; ;) {
        const waitMs = notBeforeMs - performance.now()
        if (waitMs > 0) await pause(waitMs, setup.signal)
        const outcome = await tryOnce(http, setup, attempt, options)
        attempt = { ...request, url: request.retryUrl ?? request.url }
        if ('status' in outcome) {
          hasAnswered = true
          return outcome
        }
        // If a source has never answered, the run is retried later without holding a worker.
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
  | SourceAnswer
  | {
      /** `soon`: it may be a temporary error. `later`: the source requested a wait. */
      again: 'never' | 'soon' | 'later'
      failure: SourceFailure
    }

async function tryOnce(
  http: HttpClient,
  setup: Setup,
  request: SourceRequest,
  options: TransportOptions,
): Promise<Outcome> {
  const { method, url, body, acceptsGzip = false } = request
  const headers = await getHeaders(request, setup.signal)
  const startedAtMs = performance.now()
  try {
    const sent = body === undefined ? {} : { body }
    const { signal } = setup
    return toOutcome(
      await http.send({ method, url, headers, ...sent, acceptsGzip, signal }),
      options,
    )
  } catch (error) {
    return unanswered(error)
  } finally {
    setup.sent(`${method} ${url.pathname}`, performance.now() - startedAtMs)
  }
}

// A token that others wait for may take longer than this request.
async function getHeaders(
  request: SourceRequest,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  try {
    return await untilAborted(request.headers(), signal)
  } catch (error) {
    if (!signal.aborted || error instanceof SourceFailure) throw error
    throw new SourceFailure('cancelled', 'The request was cancelled', { cause: error })
  }
}

function toOutcome(answer: HttpAnswer, options: TransportOptions): Outcome {
  const { status, headers } = answer
  const { service, isThrottled = () => false } = options
  const retryAfter = headers['retry-after']
  const isBusy = status === 429 || (status === 503 && retryAfter !== undefined)
  const readable = isBusy ? { status, json: undefined } : parseAnswer(answer)
  if (isBusy || (status !== 200 && isThrottled({ status, json: readable?.json }))) {
    const retryAfterMs = readRetryAfter(retryAfter, Date.now())
    const message = `${service} asks for fewer requests (status ${status})`
    const more = retryAfterMs === undefined ? {} : { retryAfterMs }
    return { again: 'later', failure: new SourceFailure('rate_limited', message, more) }
  }
  if (status >= 500) {
    const message = `${service} failed with status ${status}`
    const cause = new ServiceError(`status ${status}`)
    return { again: 'soon', failure: new SourceFailure('unreachable', message, { cause }) }
  }
  if (readable !== undefined) return readable
  const message = `${service} returned invalid JSON`
  return { again: 'soon', failure: new SourceFailure('protocol', message) }
}

// Undefined = a successful answer with invalid JSON.
function parseAnswer({ status, text, headers: { etag } }: HttpAnswer): SourceAnswer | undefined {
  try {
    return { status, json: JSON.parse(text), ...(etag === undefined ? {} : { etag }) }
  } catch {
    return status >= 200 && status < 300 ? undefined : { status, json: undefined }
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

/** Waits, unless the signal aborts. Errors: SourceFailure cancelled. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    throw new SourceFailure('cancelled', 'The request was cancelled', { cause: error })
  }
}
