import type { Database } from '../tables.ts'
import * as store from './live-store.ts'
import type { LiveAssets } from './live-store.ts'

/** Describes what an integration has in the catalog: its tables, and the scopes that they are in. */
export async function describeLive(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<LiveAssets> {
  return await store.describeLive(db, organizationId, integrationId)
}
