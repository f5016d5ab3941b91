import { sql, type RawBuilder } from 'kysely'
import { type EventName, newEvents } from '../events/event.ts'
import { recordEvents } from '../events/record.ts'
import {
  firstInstant,
  firstVersion,
  nextUpdatedAt,
  recordDeletion,
  recordRevision,
} from '../history/record.ts'
import type { ChangeMetadata } from '../history/revision.ts'
import type { Clock, Instant } from '../kit/clock.ts'
import { recordEntry, recordRemoval, recordWords } from '../search/record.ts'
import type { Database } from '../tables.ts'
import type { AssetRow, StoredAsset } from './asset.ts'

// Selects a StoredAsset for each row of `asset`. Instants in JSON are formatted explicitly, because
// JSON has the store's format.
const KNOWN = sql`
  asset.external_id as id, asset.document, asset.document_json as "documentJson",
  asset.media_type as "mediaType", asset.digest, asset.version,
  coalesce(asset.owner, annotated.external_id, fallback.external_id) as owner,
  case when asset.integration_id is not null then json_build_object(
    'integrationExternalId', integration.external_id,
    'runId', asset.run_id,
    'isDeleted', asset.deleted_at is not null,
    'description', annotation.description,
    'owner', annotated.external_id,
    'tags', annotation.tags,
    'statistic', case when statistic.asset_id is not null then json_build_object(
      'rowCount', statistic.row_count,
      'sizeBytes', statistic.size_bytes,
      'changedAt', to_char(statistic.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    ) end
  ) end as ingestion`

// Looked up by key, one asset at a time: right after a first run the store has no statistics, and
// would read these tables completely for each of a thousand assets.
const JOINS = sql`
  left join lateral (
    select external_id, owner_team_id
    from integration
    where organization_id = asset.organization_id
      and id = asset.integration_id
    limit 1
  ) as integration on true
  left join lateral (
    select external_id
    from team
    where organization_id = asset.organization_id
      and id = integration.owner_team_id
    limit 1
  ) as fallback on true
  left join lateral (
    select description, owner_team_id, tags
    from asset_annotation
    where organization_id = asset.organization_id
      and asset_id = asset.external_id
    limit 1
  ) as annotation on true
  left join lateral (
    select external_id
    from team
    where organization_id = asset.organization_id
      and id = annotation.owner_team_id
    limit 1
  ) as annotated on true
  left join lateral (
    select asset_id, row_count, size_bytes, changed_at
    from asset_statistic
    where organization_id = asset.organization_id
      and asset_id = asset.external_id
    limit 1
  ) as statistic on true`

/** Finds an asset, also one that is gone from its source but still kept. */
export async function findAsset(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<StoredAsset | undefined> {
  const { rows } = await sql<StoredAsset>`
    select ${KNOWN}
    from asset
    ${JOINS}
    where asset.organization_id = ${organizationId}
      and asset.external_id = ${externalId}
  `.execute(db)
  return rows[0]
}

/** Loads live assets by their ids, in the given order; deleted ones are omitted. */
export async function loadAssets(
  db: Database,
  organizationId: string,
  externalIds: readonly string[],
): Promise<StoredAsset[]> {
  const { rows } = await sql<StoredAsset>`
    select ${KNOWN}
    from unnest(${externalIds}::text[]) with ordinality as requested (external_id, ordinal)
    cross join lateral (
      select *
      from asset
      where organization_id = ${organizationId}
        and external_id = requested.external_id
        and deleted_at is null
      limit 1
    ) as asset
    ${JOINS}
    order by requested.ordinal
  `.execute(db)
  return rows
}

/** Loads the next live assets of an integration, sorted by native path; fewer if they are large. */
export async function loadIngested(
  db: Database,
  organizationId: string,
  integrationId: string,
  after: { path: string; rowsMax: number; bytesMax: number },
): Promise<(StoredAsset & { path: string })[]> {
  const { rows } = await sql<StoredAsset & { path: string }>`
    with page as (
      select external_id, path, octet_length(document) as bytes
      from asset
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and deleted_at is null
        and path > ${after.path}
      order by path
      limit ${after.rowsMax}
    ),
    sized as (
      select external_id, row_number() over place as ordinal, sum(bytes) over place as bytes
      from page
      window place as (order by path)
    )
    select ${KNOWN}, asset.path
    from sized
    cross join lateral (
      select *
      from asset
      where organization_id = ${organizationId}
        and external_id = sized.external_id
      limit 1
    ) as asset
    ${JOINS}
    where sized.bytes <= ${after.bytesMax} or sized.ordinal = 1
    order by sized.ordinal
  `.execute(db)
  return rows
}

/** Finds the internal id of a team by its external id; undefined = unknown team. */
export async function findTeamId(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `.execute(db)
  return rows[0]?.id
}

/** A data product that names an asset. */
export interface AssetUser {
  id: string
  name: string
  ownerId: string
  ownerName: string
}

/** The maximum number of returned users of an asset. */
export const USERS_MAX = 1000

/** Lists the data products that name an asset, by id. */
export async function listUsers(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<AssetUser[]> {
  const { rows } = await sql<AssetUser>`
    select
      product.external_id as id, product.name, team.external_id as "ownerId",
      team.name as "ownerName"
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.assets @> array[${externalId}::text]
    order by product.external_id
    limit ${USERS_MAX}
  `.execute(db)
  return rows
}

/**
 * Inserts an asset with its first revision, its event and its search entry, in one statement.
 * Returns false if another writer was first: nothing was written then.
 */
export async function insertAsset(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  row: AssetRow,
): Promise<boolean> {
  const { organizationId, principal } = metadata
  const { externalId } = row
  const instant: RawBuilder<Instant> = firstInstant(clock, organizationId, 'asset', externalId)
  const write = sql`
    insert into asset (
      organization_id, external_id, document, media_type, document_json, version, digest, name,
      type, source, owner, parent_id, created_at, updated_at, updated_by
    )
    select
      ${organizationId}::uuid, ${externalId}, ${row.document}, ${row.mediaType},
      ${row.documentJson}, ${firstVersion(organizationId, 'asset', externalId)}, ${row.digest},
      ${row.name}, ${row.type}, ${row.source}, ${row.owner}, ${row.parentId},
      now.instant, now.instant, ${principal}
    from (select ${instant} as instant) as now
    on conflict (organization_id, external_id) do nothing
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeAsset(db, write, metadata, row, 'AssetCreatedEvent')
}

/**
 * Replaces a version of an asset that was PUT with the next one, with its revision, its event and
 * its search entry, in one statement. Returns false if that version is no longer the current one:
 * nothing was written then.
 */
export async function updateAsset(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  row: AssetRow,
  version: number,
): Promise<boolean> {
  const write = sql`
    update asset
    set document = ${row.document}, media_type = ${row.mediaType},
      document_json = ${row.documentJson}, version = version + 1, digest = ${row.digest},
      name = ${row.name}, type = ${row.type}, source = ${row.source}, owner = ${row.owner},
      parent_id = ${row.parentId},
      updated_at = ${nextUpdatedAt(clock.now)},
      updated_by = ${metadata.principal}
    where organization_id = ${metadata.organizationId}
      and external_id = ${row.externalId}
      and version = ${version}
      and integration_id is null
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeAsset(db, write, metadata, row, 'AssetUpdatedEvent')
}

async function writeAsset(
  db: Database,
  write: RawBuilder<unknown>,
  metadata: ChangeMetadata,
  row: AssetRow,
  event: EventName,
): Promise<boolean> {
  const facts = { name: row.name, type: row.type, ownerId: row.owner }
  const revision = { ...metadata, mediaType: row.mediaType, facts, level: 'none', format: 'asset' }
  const target = { result: 'written', timeColumn: 'updated_at' } as const
  const teamId = sql`(
        select id
        from team
        where organization_id = ${metadata.organizationId}
          and external_id = ${row.owner}
      )`
  const { rows } = await sql`
    with written as (${write}
    ),
    revised as (${recordRevision({ ...revision, kind: 'asset' })}
    ),
    announced as (${recordEvents({ ...metadata, kind: 'asset' }, newEvents([{ name: event }]), target)}
    ),
    indexed as (${recordEntry(metadata.organizationId, row.entry, { teamId })}
    ),
    vocabulary as (${recordWords(metadata.organizationId, row.entry)}
    )
    select version from written
  `.execute(db)
  return rows.length > 0
}

/**
 * Deletes a version of an asset that was PUT, marks its last revision, emits an event and removes
 * it from search, in one statement. Returns false if that version is no longer the current one.
 */
export async function deleteAsset(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  externalId: string,
  version: number,
): Promise<boolean> {
  const { organizationId, principal } = metadata
  const target = { result: 'removed', timeColumn: 'removed_at' } as const
  const { rows } = await sql`
    with removed as (
      delete from asset
      where organization_id = ${organizationId}
        and external_id = ${externalId}
        and version = ${version}
        and integration_id is null
      returning external_id, version,
        ${nextUpdatedAt(clock.now)} as removed_at
    ),
    marked as (${recordDeletion(organizationId, 'asset', principal)}
    ),
    announced as (
      ${recordEvents({ ...metadata, kind: 'asset' }, newEvents([{ name: 'AssetDeletedEvent' }]), target)}
    ),
    unindexed as (${recordRemoval(organizationId, 'asset')}
    )
    select version from removed
  `.execute(db)
  return rows.length > 0
}
