import type { SourceFailure } from '../connector.ts'

/** A connection of a session with a database. */
export interface PooledConnection {
  /** False after it was closed, lost, or abandoned in the middle of an answer. */
  readonly isUsable: boolean
  /** Converts the driver's error to a failure. */
  failure(error: unknown): SourceFailure
  /** Closes the connection and stops its statement on the server. Never fails. */
  close(): Promise<void>
}

/** The rules of a pool. */
interface PoolRules<Connection> {
  /** Opens a connection, to a database or to the usual one. Errors: SourceFailure. */
  connect(database: string | undefined): Promise<Connection>
  /** Whether an unused connection can read a database; by default, all can. */
  canRead?(connection: Connection, database: string | undefined): boolean
  /** The number of unused connections that stay open. */
  idleMax: number
}

/**
 * The connections of one session. Concurrent readings use separate ones, so that none waits until the other is
 * consumed. A lost connection is replaced by the next request.
 */
export class ConnectionPool<Connection extends PooledConnection> {
  readonly #options: PoolRules<Connection>
  /** With those that are being closed: one may still be cancelling its statement. */
  readonly #open = new Set<Connection>()
  #idle: Connection[] = []

  constructor(options: PoolRules<Connection>, ...opened: readonly Connection[]) {
    this.#options = options
    for (const connection of opened) this.#open.add(connection)
    this.#idle.push(...opened)
  }

  /** Lends a connection that can read a database. Errors: SourceFailure. */
  async lend(database?: string): Promise<Connection> {
    const { connect, canRead = () => true } = this.#options
    const idle = this.#idle.findLast((each) => each.isUsable && canRead(each, database))
    if (idle !== undefined) {
      this.#idle = this.#idle.filter((connection) => connection !== idle)
      return idle
    }
    const connection = await connect(database)
    this.#open.add(connection)
    return connection
  }

  /** Takes a connection back, and closes those that are lost or not needed. */
  async giveBack(connection: Connection): Promise<void> {
    const all = [...this.#idle, connection]
    const kept = all.filter(({ isUsable }) => isUsable).slice(-this.#options.idleMax)
    const closed = all.filter((each) => !kept.includes(each))
    this.#idle = kept
    await Promise.all(closed.map((each) => each.close()))
    for (const each of closed) this.#open.delete(each)
  }

  /** Lends a connection for some statements. Errors: SourceFailure. */
  async use<T>(
    database: string | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.lend(database)
    try {
      return await work(connection)
    } catch (error) {
      throw connection.failure(error)
    } finally {
      await this.giveBack(connection)
    }
  }

  /** Lends a connection for a reading. Errors: SourceFailure. */
  async *read<T>(
    database: string | undefined,
    work: (connection: Connection) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const connection = await this.lend(database)
    try {
      yield* work(connection)
    } catch (error) {
      throw connection.failure(error)
    } finally {
      await this.giveBack(connection)
    }
  }

  /** Closes all connections, also lent ones; resolves when their statements are cancelled. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.close()))
  }
}
