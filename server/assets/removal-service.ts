import { readAsset } from '../../formats/asset/read.ts'
import { readStored } from '../http/document.ts'
import type { Clock } from '../kit/clock.ts'
import { disableCompilation } from '../kit/planning.ts'
import { reindexAssets } from '../search/rebuild-service.ts'
import type { Database } from '../tables.ts'
import { mergedOf, rowOf, type AssetRow, type KnownAsset } from './asset.ts'
import * as removals from './removal-store.ts'
import * as store from './store.ts'

/** Whose assets are released, and by whom. */
export interface Release extends store.ChangeOrigin {
  integrationId: string
}

// What is in memory at a time.
const FREED_ROWS_MAX = 500
const FREED_BYTES_MAX = 8 * 1024 * 1024

/**
 * Parts an integration that is about to be deleted from its live assets. `keep`: they become assets
 * like those that were PUT, with what people added and the owner of the integration in their
 * documents. `delete`: they are deleted, each with its event, also those that a data product names.
 * What was gone from the source already is forgotten. It belongs into the transaction that deletes
 * the integration; nothing may ingest for it meanwhile. Returns how many live ones there were.
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
 * Forgets assets that have been gone from their source for 14 days, unless a data product names them.
 * Returns how many.
 */
export async function purgeAssets(db: Database, clock: Clock): Promise<number> {
  return await removals.purgeGone(db, clock)
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
    await removals.freeAssets(db, clock, release, page.map(freedOf))
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

// The text is the catalog's own, so it is not judged as one that was sent: it may be larger, say.
function freedOf(known: KnownAsset): AssetRow {
  const document = JSON.stringify(mergedOf(known))
  const source = readStored({ document, mediaType: 'application/json' })
  const reading = readAsset(source, { id: known.id, strict: false, isAccepted: true })
  if (!reading.ok) throw new Error(`the asset ${known.id} is not readable any more`)
  return rowOf(source, reading)
}
