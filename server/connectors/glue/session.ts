import type { Setup, SourceSession } from '../connector.ts'
import { readScopes } from '../http/read-scopes.ts'
import type { Wait } from '../http/transport.ts'
import { openCatalog } from './catalog.ts'
import { glueConfiguration } from './configuration.ts'
import { listScopes } from './listing.ts'
import { proveTables } from './proving.ts'
import { readDatabase } from './reading.ts'

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = glueConfiguration.parse(setup.configuration)
  const catalog = await openCatalog(configuration, setup, wait)
  return {
    scopes: () => listScopes(catalog),
    read: (scopes) => readScopes(scopes, (scope) => readDatabase(catalog, scope)),
    prove: async (tables) => await proveTables(catalog, tables),
    close: async () => catalog.close(),
  }
}
