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
import { Pool, TypeOverrides, types as pgTypes } from 'pg'
import type { ClientBase, ClientConfig, PoolClient } from 'pg'
import { borrow, newStatements, StoreUnavailable } from './connection.ts'
import type { PoolLimits, Statements } from './connection.ts'
import { newShortReads, SHORT_READ, type ShortReads } from './short-reads.ts'

/** A pool that every statement of the process goes through, and the query builder on top of it. */
export interface OpenDatabase<Tables> {
  db: Kysely<Tables>
  pool: Pool
  close(): Promise<void>
}

const IDLE_TIMEOUT_MS = 30_000

// Against one page of many that are read in their order.
const RANDOM_PAGE_COST_MAX = 1.1

// Timestamps stay text: a JavaScript Date would cut the microseconds that order history. The store
// leaves out zeros at the end; all have six digits here, so that they sort as texts.
function textOfInstant(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/\+00(?::?00)?$/, '').split('.')
  return `${whole.replace(' ', 'T')}.${fraction.padEnd(6, '0')}Z`
}

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
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    // The pool waits for this promise, although its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: prepareSession,
    // Short reads are sent before the answers to those before them; all else waits its turn.
    pipeline: true,
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

// A connection is lent only once its session speaks UTC, whatever the server's own time zone, and
// plans for memory and solid state: to a server that counts with turning disks, as it does unless
// somebody told it, reading a whole table looks cheaper than an index.
async function prepareSession(client: ClientBase): Promise<void> {
  await client.query(`
    select set_config('TimeZone', 'UTC', false),
      set_config(
        'random_page_cost',
        least(current_setting('random_page_cost')::float8, ${RANDOM_PAGE_COST_MAX})::text,
        false
      )`)
}

async function run(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement))
}

/** Kysely's own PostgreSQL driver prepares nothing and lends a timed-out connection again. */
function poolDriver(pool: Pool, limits: PoolLimits): Driver {
  const statements = newStatements()
  const shortReads = newShortReads(pool, limits, statements)
  const borrowed = new WeakMap<DatabaseConnection, Loan>()
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      const loan = new Loan(() => borrow(pool, limits), statements, shortReads)
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

/**
 * A connection for one statement or one transaction. It is borrowed when it is first needed: a short
 * read outside of a transaction goes with others and needs none of its own.
 */
class Loan implements DatabaseConnection {
  readonly #borrow: () => Promise<PoolClient>
  readonly #statements: Statements
  readonly #shortReads: ShortReads
  #client: PoolClient | undefined
  #broken: StoreUnavailable | undefined

  constructor(borrow: () => Promise<PoolClient>, statements: Statements, shortReads: ShortReads) {
    this.#borrow = borrow
    this.#statements = statements
    this.#shortReads = shortReads
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#client === undefined && text.startsWith(SHORT_READ)) {
      return resultOf(await this.#shortReads.read(text, parameters))
    }
    this.#client ??= await this.#borrow()
    try {
      return resultOf(await this.#statements.send(this.#client, text, parameters))
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#broken ??= error
      throw error
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
    this.#client?.release(this.#broken)
  }
}

function resultOf<R>({ rows, rowCount }: { rows: R[]; rowCount: number | null }): QueryResult<R> {
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
