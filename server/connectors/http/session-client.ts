import { openHttpClient } from '../../platform/kit/http-client.ts'
import { SourceFailure, type Setup } from '../connector.ts'
import type { Credentials } from './credentials.ts'
import { newJsonClient, type JsonClient, type JsonClientOptions } from './json-client.ts'
import {
  newTransport,
  sleep,
  type Transport,
  type TransportOptions,
  type Wait,
} from './transport.ts'

/** The time in which a request that starts a statement may still return its id after the session has ended. */
const START_MS_MAX = 1000

/** The time limit of a request that cancels a statement. */
export const CANCEL_MS_MAX = 1500

/** The client of one session with a source. */
export interface SessionClient {
  setup: Setup
  wait: Wait
  client: JsonClient
  /**
   * The client for requests that start a statement: they go on for a moment after the session has ended,
   * because only a statement with a known id can be cancelled.
   */
  starter: JsonClient
  /** Aborts when the run ends or the session closes. */
  signal: AbortSignal
  /** Records a statement that runs at the source, until the returned function is called. */
  begin(): () => void
  /**
   * Creates a client whose requests end with another signal, such as the one that cancels a statement. It
   * shares connections and credentials.
   */
  newClient(signal: AbortSignal): JsonClient
  /** Ends all requests, and waits until the running statements are cancelled. */
  close(): Promise<void>
}

/** The peculiarities of a source, and its credentials. */
interface SessionClientOptions
  extends TransportOptions, Omit<JsonClientOptions, 'transport' | 'credentials'> {
  connectionsMax: number
  /** Creates the credentials, whose tokens are requested through the transport. */
  newCredentials(transport: Transport): Credentials
}

/** Opens the client of a session; the first request authenticates. Errors: those of newCredentials. */
export async function openSessionClient(
  setup: Setup,
  { connectionsMax, newCredentials, ...options }: SessionClientOptions,
  startMsMax = START_MS_MAX,
): Promise<SessionClient> {
  const http = await openHttpClient(setup.dialer, { connectionsMax })
  const statements = new Set<Promise<void>>()
  const ends = newEnds(setup.signal, startMsMax)
  const open = (signal: AbortSignal): Transport => newTransport(http, { ...setup, signal }, options)
  try {
    // A token may be needed to cancel a statement, also one that started at the last moment.
    const credentials = newCredentials(open(ends.last))
    const newClient = (signal: AbortSignal): JsonClient =>
      newJsonClient({ ...options, transport: open(signal), credentials })
    const starter = newClient(ends.late)
    return {
      setup,
      wait: options.wait ?? sleep,
      client: newClient(ends.signal),
      starter: {
        async ask(request, shape) {
          ends.assertOpen()
          return await starter.ask(request, shape)
        },
      },
      signal: ends.signal,
      begin() {
        const { promise, resolve } = Promise.withResolvers<void>()
        statements.add(promise)
        return () => {
          statements.delete(promise)
          resolve()
        }
      },
      newClient,
      async close() {
        ends.end()
        await Promise.all(statements)
        ends.release()
        http.close()
      },
    }
  } catch (error) {
    ends.release()
    http.close()
    throw error
  }
}

function newFailure(): SourceFailure {
  return new SourceFailure('cancelled', 'The session has ended')
}

/**
 * The signals of a session: `signal` aborts when the run or the session ends, `late` when statements may no longer
 * start, and `last` when they may no longer be cancelled.
 */
function newEnds(
  runSignal: AbortSignal,
  startMsMax: number,
): {
  signal: AbortSignal
  late: AbortSignal
  last: AbortSignal
  assertOpen(): void
  end(): void
  release(): void
} {
  const closing = new AbortController()
  const late = new AbortController()
  const last = new AbortController()
  const signal = AbortSignal.any([runSignal, closing.signal])
  const timers: NodeJS.Timeout[] = []
  const abortAfter = (controller: AbortController, delayMs: number): void =>
    void timers.push(setTimeout(() => controller.abort(signal.reason), delayMs))
  const onEnd = (): void => {
    abortAfter(late, startMsMax)
    abortAfter(last, startMsMax + CANCEL_MS_MAX)
  }
  if (signal.aborted) for (const each of [late, last]) each.abort(signal.reason)
  else signal.addEventListener('abort', onEnd, { once: true })
  return {
    signal,
    late: late.signal,
    last: last.signal,
    assertOpen() {
      if (signal.aborted) throw newFailure()
    },
    end: () => closing.abort(newFailure()),
    release() {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', onEnd)
    },
  }
}
