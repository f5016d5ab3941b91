import type { Setup, SourceSession } from '../connector.ts'
import type { Wait } from '../http/transport.ts'
import { bigQueryConfiguration } from './configuration.ts'
import { listScopes, type DatasetLocations } from './listing.ts'
import { readProject } from './region-reading.ts'
import { openWarehouse } from './warehouse.ts'

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = bigQueryConfiguration.parse(setup.configuration)
  const warehouse = await openWarehouse(configuration, setup, wait)
  const locations: DatasetLocations = new Map()
  return {
    scopes: () => listScopes(warehouse, locations),
    read: (scopes) => readProject(warehouse, locations, scopes),
    close: async () => warehouse.close(),
  }
}
