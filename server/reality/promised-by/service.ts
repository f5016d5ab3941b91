import type { Caller } from '../../requests/access/caller.ts'
import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { PROMISES_MAX, type AssetPromise } from './promised-by.ts'
import { listPromisesOfAsset } from './store.ts'

/** Lists the promises that an asset keeps. Errors: not_found. */
export async function listAssetPromises(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organizationId }: Caller,
  assetId: string,
): Promise<{ promises: AssetPromise[]; hasMore: boolean }> {
  const max = PROMISES_MAX + 1
  const promises = await listPromisesOfAsset(db, { organizationId, assetId, clock, max })
  if (promises === undefined) throw notFound()
  return { promises: promises.slice(0, PROMISES_MAX), hasMore: promises.length > PROMISES_MAX }
}
