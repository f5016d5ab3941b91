import { Writable } from 'node:stream'
import { DatabaseError } from 'pg'
import type { Pool, PoolClient } from 'pg'

/** An error of a database that is down, restarting or too slow. Callers respond with 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The limits of a connection pool. */
export interface PoolLimits {
  /** The maximum number of connections. */
  connectionsMax: number
  /** The maximum number of statements waiting for a connection; one more is rejected immediately. */
  waitingMax: number
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

/** Borrows a connection from a pool. Errors: StoreUnavailable, immediately if too many statements wait already. */
export async function borrow(pool: Pool, limits: PoolLimits): Promise<PoolClient> {
  if (pool.waitingCount >= limits.waitingMax) {
    throw new StoreUnavailable('too many statements are waiting for a connection')
  }
  try {
    return await pool.connect()
  } catch (error) {
    throw new StoreUnavailable('cannot connect to the database', { cause: error })
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

// Class 40 is a conflict with another transaction, such as a deadlock: the statement was rolled back, and a retry
// may succeed.
const UNAVAILABLE_CODE =
  /^(?:ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOST|ENET|EAI_|08|40|57P0|53|58|57014|25P03)/

const UNAVAILABLE_MESSAGE =
  /timeout|Connection terminated|not queryable|Client was closed|connection error/i

/** Converts a driver error to a StoreUnavailable. Returns undefined if the database responded. */
export function unavailability(error: unknown): StoreUnavailable | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const away =
    code === undefined ? UNAVAILABLE_MESSAGE.test(error.message) : UNAVAILABLE_CODE.test(code)
  return away ? new StoreUnavailable('the database did not respond', { cause: error }) : undefined
}

/** Returns the name of the constraint that a statement violated, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined
  return error.code?.startsWith('23') === true ? (error.constraint ?? '') : undefined
}
