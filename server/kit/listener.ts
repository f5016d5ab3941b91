import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'

const RETRY_MS = 2000
const LEAVE_MS_MAX = 1000

/** Listens to a channel of the database. */
export interface Listener {
  stop(): Promise<void>
}

/**
 * Calls back for every message on a channel, over its own connection, which is reopened when it breaks.
 * Messages in between are missed, so listeners must also poll.
 */
export function listenTo(
  connection: ClientConfig,
  channel: string,
  hear: (message: string) => void,
  onError: (error: unknown) => void,
): Listener {
  const stopped = new AbortController()
  let client: Client | undefined
  const listenOnce = async (): Promise<void> => {
    client = new Client({ ...connection, connectionTimeoutMillis: 5000, keepAlive: true })
    const ended = new Promise<void>((end) => client?.once('end', end))
    client.on('error', onError)
    client.on('notification', ({ payload }) => hear(payload ?? ''))
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
      // A store that does not answer does not take leave either.
      await Promise.race([
        ended,
        sleep(LEAVE_MS_MAX, undefined, { signal: late.signal }).catch(() => undefined),
      ])
      late.abort()
    },
  }
}

/**
 * Calls back for what a look at the store finds, again and again with a pause in between: the way to
 * hear of something where LISTEN does not work, behind a pooler.
 */
export function pollFor(
  look: () => Promise<readonly string[]>,
  pauseMs: number,
  hear: (message: string) => void,
  onError: (error: unknown) => void,
): Listener {
  const stopped = new AbortController()
  const polling = (async () => {
    while (!stopped.signal.aborted) {
      try {
        for (const message of await look()) hear(message)
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
