import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './live-store.ts'
import { type LiveAssets, listSourceVersions, type VersionsQuery } from './live-store.ts'

/** Returns the number of an integration's tables in the catalog, and their scopes. */
export async function describeLive(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<LiveAssets> {
  return await store.describeLive(db, organizationId, integrationId)
}

/** Returns the versions of an integration's live assets at their source, by path as a JSON list. */
export async function getKnownVersions(
  db: Database,
  clock: Clock,
  query: VersionsQuery,
): Promise<Map<string, string>> {
  const known = await listSourceVersions(db, clock, query)
  return new Map(known.map(({ path, version }) => [path, version]))
}
