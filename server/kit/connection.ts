import { DatabaseError } from 'pg'
import type { Pool, PoolClient, QueryResult } from 'pg'

/** The store cannot answer now: away, restarting, or too slow. Callers answer 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Limits of one connection pool. */
export interface PoolLimits {
  /** Connections at most. */
  connectionsMax: number
  /** Statements that may wait for a connection; one more is refused at once. */
  waitingMax: number
  /** How long a statement waits for a connection. */
  connectTimeoutMs: number
  /** How long one statement may run. */
  queryTimeoutMs: number
}

/** Lends a connection of a pool. Errors: StoreUnavailable, at once when too many wait already. */
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

/** Sends statements, each prepared once a connection. */
export interface Statements {
  /** Errors: StoreUnavailable, and the store's own when it refuses the statement. */
  send(client: PoolClient, text: string, values: readonly unknown[]): Promise<QueryResult>
}

const STATEMENT_NAMES_MAX = 1000

/**
 * Gives every distinct statement text a short name, so that the server parses it once a connection.
 * Past the limit a text gets no name: it is then parsed at each use, which is slower but right.
 */
export function newStatements(): Statements {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= STATEMENT_NAMES_MAX) return undefined
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
  return {
    async send(client, text, values) {
      const name = nameOf(text)
      const named = name === undefined ? {} : { name }
      try {
        return await client.query({ text, values: [...values], ...named })
      } catch (error) {
        throw unavailability(error) ?? error
      }
    },
  }
}

// Class 40 is a statement that was in another's way, by a deadlock say: it was rolled back, and the
// same again may well succeed.
const UNAVAILABLE_CODE =
  /^(?:ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOST|ENET|EAI_|08|40|57P0|53|58|57014|25P03)/

const UNAVAILABLE_MESSAGE =
  /timeout|Connection terminated|not queryable|Client was closed|connection error/i

function unavailability(error: unknown): StoreUnavailable | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const away =
    code === undefined ? UNAVAILABLE_MESSAGE.test(error.message) : UNAVAILABLE_CODE.test(code)
  return away ? new StoreUnavailable('the store did not answer', { cause: error }) : undefined
}

/** The violated constraint's name when the store refused a statement for it, otherwise undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined
  return error.code?.startsWith('23') === true ? (error.constraint ?? '') : undefined
}
