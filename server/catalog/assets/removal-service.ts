import { readAsset } from '../../../formats/asset/read.ts'
import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import { readStored } from '../../requests/http/document.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { disableCompilation } from '../../platform/kit/planning.ts'
import { reindexAssets } from '../../documents/search/rebuild-service.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { mergeAsset, toAssetRow, type AssetRow, type StoredAsset } from './asset.ts'
import * as removals from './removal-store.ts'
import * as store from './store.ts'

/** The integration whose assets are released, and the principal. */
interface Release extends ChangeMetadata {
  integrationId: string
}

// The maximum number of rows in memory.
const FREED_ROWS_MAX = 500
const FREED_BYTES_MAX = 8 * 1024 * 1024

/**
 * Detaches an integration that is about to be deleted from its live assets. `keep`: they become
 * assets like those that were PUT, with the annotation and the integration's owner in their
 * documents. `delete`: they are deleted, each with an event, also those that a data product names.
 * Assets already gone from the source are purged. Must run in the transaction that deletes the
 * integration; no run may be in progress. Returns the number of live assets.
 */
export async function releaseAssets(
  db: Database,
  clock: Clock,
  release: Release,
  fate: 'keep' | 'delete',
): Promise<number> {
  await disableCompilation(db)
  const count = await (fate === 'keep' ? keepAll : deleteAll)(db, clock, release)
  await removals.deleteGone(db, release.organizationId, release.integrationId)
  return count
}

/**
 * Purges assets that have been gone from their source for 14 days, unless a data product names
 * them. Returns their number.
 */
export async function purgeAssets(
  db: Database,
  clock: Clock,
  settleReality: SettleReality,
): Promise<number> {
  return await db.transaction().execute(async (db) => {
    const purged = await removals.purgeGone(db, clock)
    for (const { organizationId, ids } of purged) {
      await settleReality(db, clock, { organizationId, ...SYSTEM, kind: 'assets', ids })
    }
    return purged.reduce((count, { ids }) => count + ids.length, 0)
  })
}

async function keepAll(db: Database, clock: Clock, release: Release): Promise<number> {
  const { organizationId, integrationId } = release
  let count = 0
  let path = ''
  for (;;) {
    const after = { path, rowsMax: FREED_ROWS_MAX, bytesMax: FREED_BYTES_MAX }
    const page = await store.loadIngested(db, organizationId, integrationId, after)
    const last = page.at(-1)
    if (last === undefined) return count
    await removals.freeAssets(db, clock, release, page.map(toFreedRow))
    await reindexAssets(
      db,
      organizationId,
      page.map(({ id }) => id),
    )
    count += page.length
    path = last.path
  }
}

async function deleteAll(db: Database, clock: Clock, release: Release): Promise<number> {
  let count = 0
  for (;;) {
    const deleted = await removals.deleteIngested(db, clock, release, release.integrationId)
    if (deleted === 0) return count
    count += deleted
  }
}

// The catalog wrote this text, so the limits for sent documents do not apply.
function toFreedRow(existing: StoredAsset): AssetRow {
  const document = JSON.stringify(mergeAsset(existing))
  const source = readStored({ document, mediaType: 'application/json' })
  const reading = readAsset(source, { id: existing.id, strict: false, isAccepted: true })
  if (!reading.ok) throw new Error(`the stored asset ${existing.id} cannot be read`)
  return toAssetRow(source, reading)
}
