import { sql, type RawBuilder } from 'kysely'
import { appendIngested, appendRemovalEntry } from '../../ledger/activity/record.ts'
import { appendEventOfEach } from '../../ledger/events/record.ts'
import { nextUpdatedAt, appendDeletion, appendRevisions } from '../../ledger/history/record.ts'
import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { recordRemoval } from '../../documents/search/record.ts'
import type { Database } from '../../platform/tables.ts'
import type { AssetRow } from './asset.ts'

/** The maximum number of assets that one statement deletes. */
const DELETE_ROWS_MAX = 10_000

/** The days for which an asset is kept after it is gone from its source. */
const KEPT_DAYS = 14

/**
 * Detaches ingested assets from their integration in one statement, without their search entries:
 * each gets the given document as a new version, and its integration, annotation and statistics are
 * removed.
 */
export async function freeAssets(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  rows: readonly AssetRow[],
): Promise<void> {
  const { organizationId, principal } = metadata
  const column = (of: (row: AssetRow) => string | null): RawBuilder<unknown> =>
    sql`${rows.map(of)}::text[]`
  const revision = { ...metadata, kind: 'asset' as const, mediaType: 'application/json' }
  const target = { result: 'reported', timeColumn: 'updated_at' } as const
  await sql`
    with freed as materialized (
      select *
      from unnest(
        ${column(({ externalId }) => externalId)}, ${column(({ document }) => document)},
        ${column(({ digest }) => digest)}, ${column(({ name }) => name)},
        ${column(({ type }) => type)}, ${column(({ source }) => source)},
        ${column(({ owner }) => owner)}, ${column(({ parentId }) => parentId)},
        ${column(({ describedPath }) => describedPath)}
      ) as given (id, document, digest, name, type, source, owner, parent_id, described_path)
    ),
    unannotated as (
      delete from asset_annotation using freed
      where organization_id = ${organizationId}
        and asset_id = freed.id
    ),
    unmeasured as (
      delete from asset_statistic using freed
      where organization_id = ${organizationId}
        and asset_id = freed.id
    ),
    written as (
      update asset
      set integration_id = null, path = null, scope = null, kind = null, source_id = null,
        run_id = null, document = freed.document, version = version + 1, digest = freed.digest,
        name = freed.name, type = freed.type, source = freed.source, owner = freed.owner,
        parent_id = freed.parent_id, described_path = freed.described_path,
        reality_version = version + 1,
        updated_at = ${nextUpdatedAt(clock.now)},
        updated_by = ${principal}
      from freed
      where organization_id = ${organizationId}
        and external_id = freed.id
      returning external_id, version, asset.document, asset.digest, created_at, updated_at,
        jsonb_build_object(
          'name', asset.name, 'type', asset.type, 'ownerId', asset.owner
        ) as facts
    ),
    revised as (${appendRevisions({ ...revision, format: 'asset' })}
    ),
    reported as (
      select *, 'AssetUpdatedEvent' as event_name
      from written
    ),
    recorded as (${appendIngested(metadata)}
    )
    ${appendEventOfEach({ organizationId, kind: 'asset', principal }, target)}
  `.execute(db)
}

/**
 * Deletes the next live assets of an integration, marks their last revisions, emits events and
 * removes them from search, in one statement. Returns their number.
 */
export async function deleteIngested(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  integrationId: string,
): Promise<number> {
  const { organizationId, principal } = metadata
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from asset
      where organization_id = ${organizationId}
        and external_id in (
          select external_id
          from asset
          where organization_id = ${organizationId}
            and integration_id = ${integrationId}
            and deleted_at is null
          limit ${DELETE_ROWS_MAX}
        )
      returning external_id, version, name, owner as team, 'AssetDeletedEvent' as event_name,
        ${nextUpdatedAt(clock.now)} as removed_at
    ),
    marked as (${appendDeletion(organizationId, 'asset', principal)}
    ),
    announced as (
      ${appendEventOfEach({ organizationId, kind: 'asset', principal }, { result: 'removed', timeColumn: 'removed_at' })}
    ),
    recorded as (${appendRemovalEntry(metadata, 'ingested-asset')}
    ),
    unindexed as (${recordRemoval(organizationId, 'asset')}
    )
    select count(*) as count
    from removed
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** A version of an ingested asset, and its deletion. */
interface HiddenAsset {
  organizationId: string
  principal: string
  requestId: string
  id: string
  version: number
}

/**
 * Deletes a version of a live ingested asset like a run that does not find it: the row and its annotation stay, and
 * the next run that reads the asset restores it. Returns false if another writer was first.
 */
export async function hideAsset(
  db: Database,
  clock: Clock,
  { organizationId, principal, requestId, id, version }: HiddenAsset,
): Promise<boolean> {
  const { rows } = await sql`
    with removed as (
      update asset
      set deleted_at = now.instant, updated_by = ${principal}
      from (select ${clock.now} as instant) as now
      where organization_id = ${organizationId}
        and external_id = ${id}
        and version = ${version}
        and integration_id is not null
        and deleted_at is null
      returning external_id, version, name, owner as team, deleted_at as removed_at,
        'AssetDeletedEvent' as event_name
    ),
    marked as (${appendDeletion(organizationId, 'asset', principal)}
    ),
    announced as (
      ${appendEventOfEach({ organizationId, kind: 'asset', principal }, { result: 'removed', timeColumn: 'removed_at' })}
    ),
    recorded as (${appendRemovalEntry({ organizationId, principal, requestId }, 'asset')}
    ),
    unindexed as (${recordRemoval(organizationId, 'asset')}
    )
    select external_id
    from removed
  `.execute(db)
  return rows.length > 0
}

/**
 * Purges the assets of an integration that are already gone; their events were emitted at that
 * time.
 */
export async function deleteGone(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<void> {
  await sql`
    delete from asset
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and deleted_at is not null
  `.execute(db)
}

/**
 * Purges assets of all organizations that are gone for longer than they are kept, and that no data
 * product names. Returns their ids by organization.
 */
export async function purgeGone(
  db: Database,
  clock: Clock,
): Promise<{ organizationId: string; ids: string[] }[]> {
  const { rows } = await sql<{ organizationId: string; ids: string[] }>`
    with purged as (
      delete from asset
      where deleted_at < (select ${clock.now} - make_interval(days => ${KEPT_DAYS}))
        and not exists (
          select
          from (select organization_id, unnest(assets) as asset_id from data_product) as named
          where named.organization_id = asset.organization_id
            and named.asset_id = asset.external_id
        )
      returning organization_id, external_id
    )
    select organization_id as "organizationId", array_agg(external_id) as ids
    from purged
    group by organization_id
  `.execute(db)
  return rows
}
