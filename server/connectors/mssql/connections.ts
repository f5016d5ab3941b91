import { connect, type TdsAccess, type TdsConnection } from './connection.ts'
import type { MssqlFlavour } from './flavour.ts'

/** The number of unused connections that stay open. */
const IDLE_MAX = 2

/** The connections of one session. Concurrent readings use separate ones. */
export class TdsConnections {
  readonly flavour: MssqlFlavour
  readonly #access: TdsAccess
  readonly #open = new Set<TdsConnection>()
  #idle: TdsConnection[]

  constructor(access: TdsAccess, first: TdsConnection) {
    this.flavour = first.flavour
    this.#access = access
    this.#open.add(first)
    this.#idle = [first]
  }

  /**
   * Lends a connection that can read a database; without a name, one that lists databases. Errors:
   * SourceFailure.
   */
  async lend(database?: string): Promise<TdsConnection> {
    // Such a server cannot change the database of a connection.
    const needed = this.flavour.isOneDatabase ? database : undefined
    const idle = this.#idle.findLast(
      (connection) =>
        connection.isUsable && (needed === undefined || connection.database === needed),
    )
    if (idle !== undefined) {
      this.#idle = this.#idle.filter((connection) => connection !== idle)
      return idle
    }
    const connection = await connect(this.#access, needed)
    this.#open.add(connection)
    return connection
  }

  /** Takes a connection back, or closes it if it is lost or not needed. */
  async giveBack(connection: TdsConnection): Promise<void> {
    const kept = [...this.#idle, connection].filter(({ isUsable }) => isUsable).slice(-IDLE_MAX)
    const closed = [...this.#idle, connection].filter((each) => !kept.includes(each))
    this.#idle = kept
    await Promise.all(closed.map((each) => each.close()))
    // Until then, the end of the session waits for them: one may still be cancelling its statement.
    for (const each of closed) this.#open.delete(each)
  }

  /** Closes all connections, and the client of the tokens. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.close()))
    this.#access.tokens?.close()
  }
}
