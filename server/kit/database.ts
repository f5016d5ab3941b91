import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { DatabaseError, Pool, TypeOverrides, types as pgTypes } from 'pg'
import type { ClientBase, ClientConfig, PoolClient } from 'pg'

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

/** A pool that every statement of the process goes through, and the query builder on top of it. */
export interface OpenDatabase<Tables> {
  db: Kysely<Tables>
  pool: Pool
  close(): Promise<void>
}

const STATEMENT_NAMES_MAX = 1000
const IDLE_TIMEOUT_MS = 30_000

// Timestamps stay text: a JavaScript Date would cut the microseconds that order history.
const textOfInstant = (text: string): string => text.replace(' ', 'T').replace(/\+00(:?00)?$/, 'Z')

const types = new TypeOverrides()
types.setTypeParser(pgTypes.builtins.INT8, Number)
types.setTypeParser(pgTypes.builtins.DATE, (text) => text)
types.setTypeParser(pgTypes.builtins.TIMESTAMPTZ, textOfInstant)

/** Opens a pool with UTC sessions, bounded waiting and prepared statements. */
export function openDatabase<Tables>(
  connection: ClientConfig,
  limits: PoolLimits,
  onIdleError: (error: Error) => void,
): OpenDatabase<Tables> {
  const pool = new Pool({
    ...connection,
    types,
    max: limits.connectionsMax,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    query_timeout: limits.queryTimeoutMs,
    // Closing the one connection of the embedded store, whose session goes on without it, would
    // leave behind all that it prepared.
    idleTimeoutMillis: limits.connectionsMax === 1 ? 0 : IDLE_TIMEOUT_MS,
    // The pool waits for this promise, although its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: inUtc,
  })
  // Without these listeners a connection that dies would end the process: one that is idle, and one
  // that is lent, whose death its next statement tells. That connections end with the pool is no
  // news.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError(error)
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => poolDriver(pool, limits),
      createIntrospector: (introspected) => new PostgresIntrospector(introspected),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return { db, pool, close: () => db.destroy() }
}

// A connection is lent only once its session speaks UTC, whatever the server's own time zone.
async function inUtc(client: ClientBase): Promise<void> {
  await client.query("set time zone 'UTC'")
}

async function run(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement))
}

/** Kysely's own PostgreSQL driver prepares nothing and lends a timed-out connection again. */
function poolDriver(pool: Pool, limits: PoolLimits): Driver {
  const nameOf = statementNames()
  const borrowed = new WeakMap<DatabaseConnection, Loan>()
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      const loan = new Loan(await borrow(pool, limits), nameOf)
      borrowed.set(loan, loan)
      return loan
    },
    beginTransaction: (connection) => run(connection, 'begin'),
    commitTransaction: (connection) => run(connection, 'commit'),
    async rollbackTransaction(connection) {
      // A broken connection is closed, which rolls back: nobody waits for an answer of it again.
      if (borrowed.get(connection)?.isBroken !== true) await run(connection, 'rollback')
    },
    async releaseConnection(connection) {
      borrowed.get(connection)?.giveBack()
    },
    destroy: () => pool.end(),
  }
}

async function borrow(pool: Pool, limits: PoolLimits): Promise<PoolClient> {
  if (pool.waitingCount >= limits.waitingMax) {
    throw new StoreUnavailable('too many statements wait for a connection')
  }
  try {
    return await pool.connect()
  } catch (error) {
    throw new StoreUnavailable('no connection to the store', { cause: error })
  }
}

/** One connection, lent to one statement or one transaction. */
class Loan implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #nameOf: (text: string) => string | undefined
  #broken: Error | undefined

  constructor(client: PoolClient, nameOf: (text: string) => string | undefined) {
    this.#client = client
    this.#nameOf = nameOf
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const name = this.#nameOf(text)
    const values = [...parameters]
    const config =
      name === undefined ? { text, values } : { text, values, name: prefixOf(this.#client) + name }
    try {
      const { rows, rowCount } = await this.#client.query(config)
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      const unavailable = unavailability(error)
      this.#broken ??= unavailable
      throw unavailable ?? error
    }
  }

  get isBroken(): boolean {
    return this.#broken !== undefined
  }

  streamQuery(): never {
    throw new TypeError('rows are read in pages here, never by a cursor')
  }

  // A connection that timed out still runs its statement: it is closed, never lent again.
  giveBack(): void {
    this.#client.release(this.#broken)
  }
}

/**
 * Gives every distinct statement text a short name, so that the server parses it once a connection.
 * Past the limit a text gets no name: it is then parsed at each use, which is slower but right.
 */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= STATEMENT_NAMES_MAX) return undefined
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
}

let borrowedEver = 0
const prefixes = new WeakMap<PoolClient, string>()

// The embedded store runs every connection in one session, where a statement's name outlives the
// connection that prepared it; a prefix of the connection keeps a later one from meeting it.
function prefixOf(client: PoolClient): string {
  const known = prefixes.get(client)
  if (known !== undefined) return known
  const prefix = `c${process.pid.toString(36)}_${(borrowedEver += 1)}_`
  prefixes.set(client, prefix)
  return prefix
}

const UNAVAILABLE_CODE =
  /^(?:ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOST|ENET|EAI_|08|57P0|53|58|57014|25P03)/

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
