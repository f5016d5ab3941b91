import { setTimeout as wait } from 'node:timers/promises'
import { HttpFailure, type HttpAnswer, type HttpClient } from '../../kit/http-client.ts'
import { SourceFailure, type FailureKind, type Setup } from '../connector.ts'

/** Sends requests to a catalog, again where that may help, and no faster than the catalog asks. */
export interface Transport {
  /**
   * Answers with any status but 429 and 5xx. The headers are asked for before each try. Errors:
   * SourceFailure unreachable, rate_limited, too_large, protocol, cancelled.
   */
  send(asked: Asked): Promise<Answer>
}

/** The catalog was reached and failed itself, by a status from 500. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError'
}

/** One request. */
export interface Asked {
  method: 'GET' | 'POST'
  url: URL
  headers(): Promise<Readonly<Record<string, string>>>
  body?: string
}

/** An answer: of status 200 with a body in JSON, of others with whatever body. */
export interface Answer {
  status: number
  json: unknown
}

const TRIES_MAX = 3
const BACKOFF_MS = 200

/** How long a catalog may ask to wait at once, and for one request in all. */
const WAIT_MS_MAX = 60_000
const WAITS_MS_MAX = 300_000

/** Makes the transport of one session. */
export function newTransport(http: HttpClient, setup: Setup): Transport {
  // What one request is told holds for all: the catalog counts them together.
  let notBeforeMs = 0
  let hasAnswered = false
  return {
    async send(asked) {
      let waitsMs = 0
      for (let tries = 1; ;) {
        await pause(notBeforeMs - performance.now(), setup.signal)
        const outcome = await tryOnce(http, setup, asked)
        if ('status' in outcome) {
          hasAnswered = true
          return outcome
        }
        // The run tries a catalog that has never answered again later, without holding a worker.
        const isSilent = !hasAnswered && isTimeout(outcome.failure)
        if (outcome.again === 'never' || isSilent) throw outcome.failure
        setup.log('warn', `${asked.method} ${asked.url.pathname}: ${outcome.failure.message}`)
        if (outcome.again === 'later') {
          const waitMs = outcome.failure.retryAfterMs ?? backoffMs(waitsMs === 0 ? 2 : 4)
          waitsMs += Math.max(waitMs, BACKOFF_MS)
          if (waitMs > WAIT_MS_MAX || waitsMs > WAITS_MS_MAX) throw outcome.failure
          notBeforeMs = Math.max(notBeforeMs, performance.now() + waitMs)
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
  | Answer
  | {
      /** `soon`: it may have been an accident. `later`: the catalog asks to wait. */
      again: 'never' | 'soon' | 'later'
      failure: SourceFailure
    }

async function tryOnce(http: HttpClient, setup: Setup, asked: Asked): Promise<Outcome> {
  const { method, url, body } = asked
  const headers = await asked.headers()
  const startedAtMs = performance.now()
  try {
    const sent = body === undefined ? {} : { body }
    return judged(await http.send({ method, url, headers, ...sent, signal: setup.signal }))
  } catch (error) {
    return unanswered(error)
  } finally {
    setup.sent(`${method} ${url.pathname}`, performance.now() - startedAtMs)
  }
}

function judged({ status, headers, text }: HttpAnswer): Outcome {
  const retryAfter = headers['retry-after']
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    const retryAfterMs = waitMsOf(retryAfter, Date.now())
    const message = `The catalog asks for fewer requests (it answered ${status})`
    const more = retryAfterMs === undefined ? {} : { retryAfterMs }
    return { again: 'later', failure: new SourceFailure('rate_limited', message, more) }
  }
  if (status >= 500) {
    const message = `The catalog failed: it answered ${status}`
    const cause = new CatalogError(`status ${status}`)
    return { again: 'soon', failure: new SourceFailure('unreachable', message, { cause }) }
  }
  try {
    return { status, json: JSON.parse(text) }
  } catch (error) {
    if (status !== 200) return { status, json: undefined }
    const message = 'The catalog answered what is not JSON'
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

/** Half to one and a half of a time that doubles: those who failed together come back apart. */
function backoffMs(tries: number): number {
  return BACKOFF_MS * 2 ** (tries - 1) * (0.5 + Math.random())
}

/**
 * Reads `Retry-After` as milliseconds from now: RFC 9110, section 10.2.3, has seconds and dates.
 * Undefined = it says nothing.
 */
export function waitMsOf(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const atMs = Date.parse(retryAfter)
  return Number.isNaN(atMs) ? undefined : Math.max(atMs - nowMs, 0)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    throw new SourceFailure('cancelled', 'The request was cancelled', { cause: error })
  }
}
