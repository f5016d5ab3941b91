import { lockReality } from '../../ledger/promises/lock.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import type { AffectedPromise } from './link.ts'
import * as store from './link-store.ts'

/**
 * Decides again about the links that a change may affect. Returns the promises whose comparison with an asset may have another
 * result now.
 */
export async function relink(
  db: Database,
  _clock: Clock,
  change: RealityChange,
): Promise<AffectedPromise[]> {
  const { organizationId } = change
  const isOfAssets = change.kind === 'assets' || change.kind === 'run'
  if (isOfAssets) await lockReality(db, organizationId, 'shared')
  return await store.listAffected(db, change)
}
