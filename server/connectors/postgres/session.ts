import type { Batch, Scope, Setup, SourceSession } from '../connector.ts'
import { POSTGRES_LISTING } from './catalog.ts'
import { readSetup } from './configuration.ts'
import { readFlatDatabase } from './flat-reading.ts'
import { askVersion, readFlavour, setPlatform } from './flavour.ts'
import { readGrants } from './grants.ts'
import { measureTable } from './measure.ts'
import type { MeasuredTable } from '../measure.ts'
import { newConnections } from './home.ts'
import { listScopes } from './listing.ts'
import { readDatabase } from './reading.ts'

/** Opens a session with PostgreSQL or a product with its protocol. Errors: SourceFailure. */
export async function openSession(setup: Setup): Promise<SourceSession> {
  const connecting = readSetup(setup)
  const connections = newConnections(connecting)
  // Logging in proves that the source can be reached.
  const home = await connections.lend()
  const { dialect, platform } = readFlavour(await askVersion(home))
  await connections.giveBack(home)
  const read = (scopes: readonly Scope[]): AsyncIterable<Batch> =>
    dialect === undefined
      ? readDatabase(connecting, scopes, connections)
      : readFlatDatabase(connecting, scopes, connections, dialect)
  const readAccess = dialect === undefined ? readGrants : dialect.readGrants
  return {
    scopes: () => listScopes(connecting, connections, dialect ?? POSTGRES_LISTING),
    read: (scopes) => (platform === undefined ? read(scopes) : setPlatform(read(scopes), platform)),
    ...(readAccess !== undefined && {
      grants: (scopes: readonly Scope[]) => readAccess(connecting, scopes, connections),
    }),
    ...(dialect === undefined && {
      measure: (table: MeasuredTable) => measureTable(connecting, connections, table),
    }),
    close: () => connections.close(),
  }
}
