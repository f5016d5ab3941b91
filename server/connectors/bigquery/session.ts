import type { Setup, SourceSession } from '../connector.ts'
import type { Wait } from '../http/transport.ts'
import { bigQueryConfiguration } from './configuration.ts'
import { listScopes } from './listing.ts'
import { readProject } from './region-reading.ts'
import { openWarehouse } from './warehouse.ts'

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = bigQueryConfiguration.parse(setup.configuration)
  const warehouse = await openWarehouse(configuration, setup, wait)
  return {
    scopes: () => listScopes(warehouse),
    read: (scopes) => readProject(warehouse, scopes),
    close: async () => await warehouse.close(),
  }
}
