import { Writable } from 'node:stream'
import type { Pool, PoolClient } from 'pg'
import { toConnectionFailure } from './store-errors.ts'
import type { StoreHealth } from './store-health.ts'

/** The limits of a connection pool. */
export interface PoolLimits {
  /** The maximum number of connections. */
  connectionsMax: number
  /** The time that a statement may wait for a connection. */
  connectTimeoutMs: number
  /** The time that a statement may run. */
  queryTimeoutMs: number
  /**
   * The total time that the statements of one request may wait for connections and results; undefined =
   * only the limits per statement apply.
   */
  requestTimeoutMs?: number
}

/**
 * Creates the function that borrows a connection from a pool. Connections to a server that may have been replaced are
 * closed first. Requests are limited by their slots, authentication by the limits of admission. Errors:
 * StoreUnavailable.
 */
export function newBorrowing(pool: Pool, health: StoreHealth): () => Promise<PoolClient> {
  const openedAtMs = new WeakMap<PoolClient, number>()
  pool.on('connect', (client) => openedAtMs.set(client, performance.now()))
  return async () => {
    for (;;) {
      const client = await borrow(pool)
      if (!health.isStale(openedAtMs.get(client) ?? 0)) return client
      client.release(true)
    }
  }
}

async function borrow(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw toConnectionFailure(error)
  }
}

/** Sends all statements that `send` sends over a connection in one packet. */
export function inOnePacket<T>(client: PoolClient, send: () => T): T {
  const socket = getSocket(client)
  socket?.cork()
  try {
    return send()
  } finally {
    socket?.uncork()
  }
}

// The driver does not guarantee access to its socket. Without it each statement is a separate packet, with the
// same results.
function getSocket(client: PoolClient): Writable | undefined {
  const connection: unknown = Reflect.get(client, 'connection')
  if (typeof connection !== 'object' || connection === null) return undefined
  const stream: unknown = Reflect.get(connection, 'stream')
  return stream instanceof Writable ? stream : undefined
}
