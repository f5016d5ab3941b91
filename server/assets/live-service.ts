import type { Database } from '../tables.ts'
import * as store from './live-store.ts'
import type { LiveAssets } from './live-store.ts'

/** Returns the number of an integration's tables in the catalog, and their scopes. */
export async function describeLive(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<LiveAssets> {
  return await store.describeLive(db, organizationId, integrationId)
}
