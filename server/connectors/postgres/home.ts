import { SourceFailure } from '../connector.ts'
import { ConnectionPool } from '../sql/connection-pool.ts'
import type { PostgresSetup } from './configuration.ts'
import { connect, type PostgresConnection } from './connection.ts'
import { isDatabaseFailure } from './failure.ts'

// Databases of new servers: of CockroachDB, Redshift and PostgreSQL.
const USUAL_NAMES = ['defaultdb', 'dev', 'template1']

/**
 * Connects to a database that can list all others: one that the configuration names, or one that
 * nearly every server has. Errors: SourceFailure.
 */
export async function connectHome(connecting: PostgresSetup): Promise<PostgresConnection> {
  const { database, user } = connecting.configuration
  const named = database.filter((glob) => !/[*?]/.test(glob))
  let failure: SourceFailure | undefined
  for (const candidate of new Set([...named, 'postgres', user, ...USUAL_NAMES])) {
    try {
      return await connect(connecting, candidate)
    } catch (error) {
      if (!(error instanceof SourceFailure) || !isDatabaseFailure(error)) throw error
      // The configured database comes first, and its error is the relevant one.
      failure ??= error
    }
  }
  throw failure ?? new SourceFailure('protocol', 'No database to connect to.')
}

/** The connections of a session. */
export type PostgresConnections = ConnectionPool<PostgresConnection>

/**
 * Creates the connections of a session, without one. One stays open for the next request for its database, so that a
 * source with one database needs one log-in.
 */
export function newConnections(connecting: PostgresSetup): PostgresConnections {
  return new ConnectionPool({
    connect: (database) =>
      database === undefined ? connectHome(connecting) : connect(connecting, database),
    canRead: (connection, database = connection.database) => connection.database === database,
    idleMax: 1,
  })
}
