import type { PostgresSetup } from './configuration.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import { connectHome } from './home.ts'

/**
 * Lends the connections of a session. One that is given back is kept for the next who asks for its
 * database, so that a source of one database sees one log-in; of many databases only one stays open.
 */
export interface Connections {
  /** Lends a connection to a database; undefined: to one from which all can be seen. Errors: SourceFailure. */
  lend(database?: string): Promise<Connection>
  /** Takes back a connection that has nothing left to do. */
  giveBack(connection: Connection): Promise<void>
  /** Closes all connections, also lent ones; resolves when what ran on them is cancelled. */
  close(): Promise<void>
}

/** Makes the lender of a session, which has no connection yet. */
export function newConnections(connecting: PostgresSetup): Connections {
  const lent = new Set<Connection>()
  let idle: Connection | undefined
  const takeIdle = (): Connection | undefined => {
    const connection = idle
    idle = undefined
    return connection
  }
  const open = (database: string | undefined): Promise<Connection> =>
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
