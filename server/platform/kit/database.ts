import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { Pool, TypeOverrides, types as pgTypes } from 'pg'
import type { ClientConfig, PoolClient } from 'pg'
import { newBorrowing, type PoolLimits } from './connection.ts'
import { isChange } from './statement-kind.ts'
import {
  isConnectionLost,
  newPoolBusy,
  StoreUnavailable,
  toUnknownOutcome,
} from './store-errors.ts'
import { newStoreHealth, type StoreHealth } from './store-health.ts'
import { DIRECT, type Pooling } from './pooler.ts'
import { noteChange, RequestLate, withinRequest } from './request-wait.ts'
import { BEGIN, beginStatement, prepareSession, type PoolUse } from './session.ts'
import { isShortRead, newShortReads, type ShortReads } from './short-reads.ts'
import { traceStatement } from './statement-trace.ts'
import { newStatements, type Statement, type Statements } from './statements.ts'
import { getSpan } from './tracing.ts'

/** The connection pool of a process and the query builder on top of it. */
export interface OpenDatabase<Tables> {
  db: Kysely<Tables>
  pool: Pool
  health: StoreHealth
  close(): Promise<void>
}

const IDLE_TIMEOUT_MS = 30_000

// Timestamps stay text: a JavaScript Date would drop the microseconds that order the history. PostgreSQL
// omits trailing zeros; they are padded to six digits to sort as text.
function toIsoInstant(text: string): string {
  if (text.endsWith('+00')) {
    const [whole = '', fraction = ''] = text.slice(0, -3).split('.')
    return `${whole.replace(' ', 'T')}.${fraction.padEnd(6, '0')}Z`
  }
  // Behind a pooler the time zone of the session may not be UTC.
  const instant = Temporal.Instant.from(text.replace(' ', 'T'))
  return instant.toString({ fractionalSecondDigits: 6 })
}

const types = new TypeOverrides()
types.setTypeParser(pgTypes.builtins.INT8, Number)
types.setTypeParser(pgTypes.builtins.DATE, (text) => text)
types.setTypeParser(pgTypes.builtins.TIMESTAMPTZ, toIsoInstant)

/** Options for a pooler between a pool and its server, and for processes with several pools. */
export interface PoolOptions {
  /** The session state that the pooler preserves; a direct connection by default. */
  pooling?: Pooling | undefined
  /** The health of the database, which the pools of a process share; a separate one by default. */
  health?: StoreHealth | undefined
  /** The statements that it runs; those of requests by default. */
  use?: PoolUse | undefined
  /** Called once if a pooler turns out to lose prepared statements; the pool then stops preparing them. */
  onLostStatement?: (error: unknown) => void
}

/**
 * Opens a pool with UTC sessions, bounded waiting and prepared statements. Behind a pooler that changes
 * backends, settings are made in each transaction instead of each session.
 */
export function openDatabase<Tables>(
  connection: ClientConfig,
  limits: PoolLimits,
  onIdleError: (error: Error) => void,
  {
    pooling = DIRECT,
    use = 'requests',
    health = newStoreHealth(),
    onLostStatement = () => undefined,
  }: PoolOptions = {},
): OpenDatabase<Tables> {
  const pool = new Pool({
    ...connection,
    types,
    max: limits.connectionsMax,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    query_timeout: limits.queryTimeoutMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...(pooling.mode === 'transaction'
      ? {}
      : {
          // The pool waits for this promise, although its types do not show it.
          // oxlint-disable-next-line typescript/no-misused-promises
          onConnect: (client) => prepareSession(client, use),
        }),
    // Short reads are sent without waiting for earlier results; all other statements wait.
    pipeline: true,
  })
  // Without these listeners a lost connection would end the process. The loss of an idle connection is
  // reported here, unless the pool is closing; the loss of a borrowed one fails its next statement.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError(error)
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  const statements = newStatements(!pooling.keepsPreparedStatements, onLostStatement)
  const borrowFresh = newBorrowing(pool, health)
  const shortReads = newShortReads(borrowFresh, statements)
  const begin = beginStatement(pooling, use)
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () =>
        poolDriver({ pool, limits, statements, shortReads, begin, health, borrow: borrowFresh }),
      createIntrospector: (introspected) => new PostgresIntrospector(introspected),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return { db, pool, health, close: () => db.destroy() }
}

/** The state that the connections of a pool share. */
interface Lender {
  pool: Pool
  limits: PoolLimits
  statements: Statements
  shortReads: ShortReads
  begin: string
  health: StoreHealth
  borrow(): Promise<PoolClient>
}

/**
 * Creates the driver of a pool. Kysely's own PostgreSQL driver does not prepare statements and reuses
 * connections that timed out.
 */
function poolDriver(lender: Lender): Driver {
  const borrowed = new WeakMap<DatabaseConnection, Loan>()
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      const loan = new Loan(lender)
      borrowed.set(loan, loan)
      return loan
    },
    beginTransaction: async (connection) => borrowed.get(connection)?.begin(),
    commitTransaction: async (connection) => borrowed.get(connection)?.commit(),
    async rollbackTransaction(connection) {
      const loan = borrowed.get(connection)
      // A broken connection is closed, which rolls back; a rollback would only wait for another timeout.
      if (loan?.isBroken !== true) await loan?.run('rollback')
    },
    async releaseConnection(connection) {
      borrowed.get(connection)?.release()
    },
    destroy: () => lender.pool.end(),
  }
}

/**
 * A connection for one statement or one transaction. It is borrowed when first needed: a short read outside a
 * transaction is sent together with others and needs no connection by itself.
 */
class Loan implements DatabaseConnection {
  readonly #lender: Lender
  #client: PoolClient | undefined
  #isInTransaction = false
  /** Whether the transaction changes data. */
  #hasChanges = false
  #broken: Error | undefined

  constructor(lender: Lender) {
    this.#lender = lender
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return traced(query.sql, () => this.#execute<R>(query))
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql: text, parameters: values } = query
    const { shortReads, statements, begin } = this.#lender
    if (this.#client === undefined && isShortRead(query)) {
      try {
        return toQueryResult(await this.#waitFor(() => shortReads.read(text, values)))
      } catch (error) {
        throw this.#explainLate(error)
      }
    }
    const own = begin === BEGIN ? 'none' : { begin }
    const statement: Statement = { text, values, transaction: this.#isInTransaction ? 'open' : own }
    const send = (client: PoolClient) => statements.send(client, statement)
    const isChanging = isChange(text)
    if (!this.#isInTransaction) return toQueryResult(await this.#useFinally(isChanging, send))
    this.#hasChanges ||= isChanging
    return toQueryResult(await this.#use(send))
  }

  /** Begins a transaction, which lasts until the loan is released. */
  async begin(): Promise<void> {
    this.#isInTransaction = true
    await this.run(this.#lender.begin)
  }

  /** Runs a statement that controls a transaction. */
  async run(text: string): Promise<void> {
    await traced(text, () => this.#use((client) => this.#lender.statements.run(client, text)))
  }

  /** Commits the transaction. Errors: those of `run`, with an unknown outcome if it changes data. */
  async commit(): Promise<void> {
    const send = (client: PoolClient) => this.#lender.statements.run(client, 'commit')
    await traced('commit', () => this.#useFinally(this.#hasChanges, send))
  }

  /**
   * Sends the last statement of a transaction, or one outside of any. Once it was sent, only an answer of the server
   * shows whether a change was saved.
   */
  async #useFinally<T>(isChanging: boolean, send: (client: PoolClient) => Promise<T>): Promise<T> {
    this.#client ??= await this.#borrow()
    try {
      const result = await this.#use(send)
      if (isChanging) this.#noteChange()
      return result
    } catch (error) {
      const isKnown = !(error instanceof StoreUnavailable) || error.rule.isRolledBack
      if (!isChanging || isKnown) throw error
      noteChange()
      this.#lender.health.lostOutcome()
      throw toUnknownOutcome(error)
    }
  }

  #noteChange(): void {
    this.#lender.health.changed()
    noteChange()
  }

  async #use<T>(send: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = (this.#client ??= await this.#borrow())
    try {
      return await this.#waitFor(() => send(client))
    } catch (error) {
      if (isConnectionLost(error)) this.#broken ??= error
      throw error
    }
  }

  async #borrow(): Promise<PoolClient> {
    const lent = this.#lender.borrow()
    try {
      return await this.#waitFor(() => lent)
    } catch (error) {
      // A connection that arrives too late is returned to the pool.
      void lent.then((client) => client.release()).catch(() => undefined)
      throw this.#explainLate(error)
    }
  }

  // Waiting for other statements is not an outage.
  #explainLate(error: unknown): unknown {
    const { pool, limits } = this.#lender
    const isBusy = pool.waitingCount > 0 && pool.totalCount >= limits.connectionsMax
    return isBusy && error instanceof RequestLate ? newPoolBusy(error) : error
  }

  /**
   * Waits for a connection or a result, at most as long as the request may. Every failure of the database is recorded
   * here, also if the request has given up before.
   */
  #waitFor<T>(work: () => Promise<T>): Promise<T> {
    const { limits, health } = this.#lender
    return withinRequest(limits, async () => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof StoreUnavailable) health.failed(error)
        throw error
      }
    })
  }

  get isBroken(): boolean {
    return this.#broken !== undefined
  }

  streamQuery(): never {
    throw new TypeError('Cursors are not supported. Read rows in pages instead.')
  }

  // A connection that timed out still runs its statement, so it is closed instead of reused.
  release(): void {
    this.#client?.release(this.#broken)
  }
}

// Waiting for a connection and for other statements is part of a statement.
function traced<T>(text: string, work: () => Promise<T>): Promise<T> {
  const span = getSpan()
  return span === undefined ? work() : traceStatement(span, text, work)
}

function toQueryResult<R>({
  rows,
  rowCount,
}: {
  rows: R[]
  rowCount: number | null
}): QueryResult<R> {
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
