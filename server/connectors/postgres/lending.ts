import type { PostgresSetup } from './configuration.ts'
import { connect } from './connection.ts'
import type { PostgresConnection } from './connection.ts'
import { connectHome } from './home.ts'

/**
 * Lends the connections of a session. A returned connection is kept for the next request for its
 * database, so that a source with one database needs one log-in; of several databases only one
 * stays open.
 */
export interface PostgresConnections {
  /**
   * Lends a connection to a database; undefined = to one that can list all. Errors: SourceFailure.
   */
  lend(database?: string): Promise<PostgresConnection>
  /** Takes back an idle connection. */
  giveBack(connection: PostgresConnection): Promise<void>
  /** Closes all connections, including lent ones; resolves when their statements are cancelled. */
  close(): Promise<void>
}

/** Creates the lender of a session, without a connection. */
export function newConnections(connecting: PostgresSetup): PostgresConnections {
  const lent = new Set<PostgresConnection>()
  let idle: PostgresConnection | undefined
  const takeIdle = (): PostgresConnection | undefined => {
    const connection = idle
    idle = undefined
    return connection
  }
  const open = (database: string | undefined): Promise<PostgresConnection> =>
    database === undefined ? connectHome(connecting) : connect(connecting, database)
  return {
    async lend(database) {
      const isFit = idle?.isOpen === true && (database ?? idle.database) === idle.database
      const connection = (isFit ? takeIdle() : undefined) ?? (await open(database))
      lent.add(connection)
      return connection
    },
    async giveBack(connection) {
      lent.delete(connection)
      const former = takeIdle()
      idle = connection
      await former?.close()
    },
    async close() {
      const connections = [takeIdle(), ...lent]
      lent.clear()
      await Promise.all(connections.flatMap((connection) => connection?.close() ?? []))
    },
  }
}
