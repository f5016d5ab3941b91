import type { Clock } from '../../platform/kit/clock.ts'
import { planForSets } from '../../platform/kit/planning.ts'
import { reindexAssets } from '../../documents/search/rebuild-service.ts'
import type { Database } from '../../platform/tables.ts'
import { deletePlanned } from './delete-store.ts'
import { deferPaths } from './rename-store.ts'
import { countChanges } from './publish-service.ts'
import type { AssetChange, ChangeCounts } from './change.ts'
import * as store from './undo-store.ts'
import type { Correction } from './undo-store.ts'

/**
 * Undoes the changes of a run, except those that were changed since. Runs in the caller's
 * transaction. Returns the counts, and the number of changes that remain because later ones depend
 * on them.
 */
export async function undoPublished(
  db: Database,
  clock: Clock,
  correction: Correction,
  undoneRunId: string,
): Promise<{ counts: ChangeCounts; leftCount: number }> {
  const { organizationId, runId } = correction
  await planForSets(db)
  await deferPaths(db)
  await store.planUndo(db, correction, undoneRunId)
  await store.restorePlanned(db, clock, correction, undoneRunId)
  await reindexRestored(db, organizationId, runId)
  await deletePlanned(db, clock, correction)
  const published = await store.countPublished(db, organizationId, undoneRunId)
  const undone = await store.countPublished(db, organizationId, runId)
  const counts = await countChanges(db, organizationId, runId)
  return { counts, leftCount: published - undone }
}

const RESTORED_AT_ONCE = 500

async function reindexRestored(db: Database, organizationId: string, runId: string): Promise<void> {
  let afterId = ''
  for (;;) {
    const page = { afterId, limit: RESTORED_AT_ONCE }
    const changes = await store.listChanges(db, organizationId, runId, page)
    const last = changes.at(-1)
    if (last === undefined) return
    const restored = changes.filter(({ action }) => action === 'updated' || action === 'revived')
    await reindexAssets(
      db,
      organizationId,
      restored.map(({ assetId }) => assetId),
    )
    afterId = last.assetId
  }
}

/** Deletes the assets that a run held, if they are unchanged. Runs in the caller's transaction. */
export async function deleteHeld(
  db: Database,
  clock: Clock,
  correction: Correction,
  heldRunId: string,
): Promise<ChangeCounts> {
  await planForSets(db)
  await store.planHeld(db, correction, heldRunId)
  await deletePlanned(db, clock, correction)
  return await countChanges(db, correction.organizationId, correction.runId)
}

/** Lists a page of a run's change set. */
export async function listChanges(
  db: Database,
  organizationId: string,
  runId: string,
  page: { afterId: string; limit: number },
): Promise<AssetChange[]> {
  return await store.listChanges(db, organizationId, runId, page)
}
