import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'

const RETRY_MS = 2000
const CLOSE_MS_MAX = 1000

/** A subscription to messages. */
export interface Listener {
  stop(): Promise<void>
}

/**
 * Calls back for every message on a channel of the database. It uses a dedicated connection and reconnects when
 * that is lost. Messages sent in between are missed, so listeners must also poll.
 */
export function listenTo(
  connection: ClientConfig,
  channel: string,
  onMessage: (message: string) => void,
  onError: (error: unknown) => void,
): Listener {
  const stopped = new AbortController()
  let client: Client | undefined
  const listenOnce = async (): Promise<void> => {
    client = new Client({ ...connection, connectionTimeoutMillis: 5000, keepAlive: true })
    const ended = new Promise<void>((end) => client?.once('end', end))
    client.on('error', onError)
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
    await ended
  }
  const listening = (async () => {
    while (!stopped.signal.aborted) {
      await listenOnce().catch(onError)
      await sleep(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      const late = new AbortController()
      const ended = Promise.all([client?.end().catch(() => undefined), listening])
      // An unresponsive database does not confirm the end of the connection either.
      await Promise.race([
        ended,
        sleep(CLOSE_MS_MAX, undefined, { signal: late.signal }).catch(() => undefined),
      ])
      late.abort()
    },
  }
}

/**
 * Polls the database, and calls back for each message. It replaces LISTEN, which does not work behind a pooler.
 */
export function pollFor(
  poll: () => Promise<readonly string[]>,
  pauseMs: number,
  onMessage: (message: string) => void,
  onError: (error: unknown) => void,
): Listener {
  const stopped = new AbortController()
  const polling = (async () => {
    while (!stopped.signal.aborted) {
      try {
        for (const message of await poll()) onMessage(message)
      } catch (error) {
        onError(error)
      }
      await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await polling
    },
  }
}
