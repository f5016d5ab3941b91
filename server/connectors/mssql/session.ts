import type { SourceSession } from '../connector.ts'
import type { TdsSetup } from './configuration.ts'
import { openConnections } from './connections.ts'
import { readGrants } from './grants.ts'
import { listDatabases, listScopes } from './listing.ts'
import { readDatabase } from './reading.ts'

/** Opens a session for one run. Errors: SourceFailure. */
export async function openSession(connecting: TdsSetup): Promise<SourceSession> {
  const connections = await openConnections(connecting)
  let hiddenPaths: string[][] = []
  return {
    async *scopes() {
      const listing = await listDatabases(connecting, connections)
      // Any database that is missing from the listing may be hidden.
      hiddenPaths = listing.isComplete ? [] : [[]]
      yield* listScopes(connecting, connections, listing, hiddenPaths)
    },
    hiddenPaths: () => hiddenPaths,
    read: (scopes) =>
      connections.pool.read(scopes[0]?.reading, (connection) =>
        readDatabase(connection, connecting, scopes),
      ),
    grants: (scopes) => readGrants(connections, scopes),
    close: async () => await connections.close(),
  }
}
