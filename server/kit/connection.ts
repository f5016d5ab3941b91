import { Writable } from 'node:stream'
import { DatabaseError } from 'pg'
import type { Pool, PoolClient } from 'pg'

/** The store cannot answer now: away, restarting, or too slow. Callers answer 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Limits of one connection pool. */
export interface PoolLimits {
  /** Connections at most. */
  connectionsMax: number
  /** The number of statements that may wait for a connection; more are rejected immediately. */
  waitingMax: number
  /** The time that a statement waits for a connection. */
  connectTimeoutMs: number
  /** The time that a statement may run. */
  queryTimeoutMs: number
  /**
   * The total time that the statements of one request wait for connections and results; undefined if only the
   * limits of each statement apply.
   */
  requestTimeoutMs?: number
}

/** Borrows a connection from a pool. Errors: StoreUnavailable, immediately if too many are waiting. */
export async function borrow(pool: Pool, limits: PoolLimits): Promise<PoolClient> {
  if (pool.waitingCount >= limits.waitingMax) {
    throw new StoreUnavailable('too many statements wait for a connection')
  }
  try {
    return await pool.connect()
  } catch (error) {
    throw new StoreUnavailable('no connection to the store', { cause: error })
  }
}

/** Lets the statements that `send` sends over a connection leave in one packet. */
export function inOnePacket<T>(client: PoolClient, send: () => T): T {
  const socket = socketOf(client)
  socket?.cork()
  try {
    return send()
  } finally {
    socket?.uncork()
  }
}

// The driver does not promise to expose its socket. Without it each statement is a packet, and the
// results are the same.
function socketOf(client: PoolClient): Writable | undefined {
  const connection: unknown = Reflect.get(client, 'connection')
  if (typeof connection !== 'object' || connection === null) return undefined
  const stream: unknown = Reflect.get(connection, 'stream')
  return stream instanceof Writable ? stream : undefined
}

// Class 40: the statement was rolled back because of another one, for example by a deadlock, and may succeed
// when repeated.
const UNAVAILABLE_CODE =
  /^(?:ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOST|ENET|EAI_|08|40|57P0|53|58|57014|25P03)/

const UNAVAILABLE_MESSAGE =
  /timeout|Connection terminated|not queryable|Client was closed|connection error/i

/** Converts an error of the driver to StoreUnavailable; undefined if the database answered. */
export function unavailability(error: unknown): StoreUnavailable | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const away =
    code === undefined ? UNAVAILABLE_MESSAGE.test(error.message) : UNAVAILABLE_CODE.test(code)
  return away ? new StoreUnavailable('the store did not answer', { cause: error }) : undefined
}

/** Returns the name of the violated constraint; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined
  return error.code?.startsWith('23') === true ? (error.constraint ?? '') : undefined
}
