import type { Log } from '../../platform/kit/log.ts'

/** The setting that exempts a proxy from the limit of connections of one client. */
export const PROXIES_SETTING = 'PORTBOOK_TRUSTED_PROXIES'

/** The connections that were refused because their client has too many. */
export interface RefusedConnections {
  /** The client of the latest one. */
  client: string
  /** The time of the latest one, in ISO format. */
  at: string
  /** The number since the start of this process, of all clients. */
  count: number
}

/** Records refused connections. */
export interface RefusedClients {
  /** Records one, and logs its client at most once a minute. */
  record(client: string): void
  /** Returns the refused connections; undefined if there were none. */
  find(): RefusedConnections | undefined
}

const LOG_PERIOD_MS = 60_000

/** Creates the record of a process that has refused no connection. `readMs` is a clock that never jumps. */
export function newRefusedClients(
  log: Log,
  readMs: () => number = () => performance.now(),
): RefusedClients {
  let latest: RefusedConnections | undefined
  let loggedAtMs = Number.NEGATIVE_INFINITY
  return {
    record(client) {
      const count = (latest?.count ?? 0) + 1
      latest = { client, at: new Date().toISOString(), count }
      const nowMs = readMs()
      if (nowMs - loggedAtMs < LOG_PERIOD_MS) return
      loggedAtMs = nowMs
      log.warn(
        { client, count, setting: PROXIES_SETTING },
        `connections of a client were refused: it has too many. If it is a proxy, add it to ${PROXIES_SETTING}`,
      )
    },
    find: () => latest,
  }
}
