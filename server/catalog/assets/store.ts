import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { StoredAsset } from './asset.ts'

// Selects a StoredAsset for each row of `asset`. Instants in JSON are formatted explicitly, because
// JSON has the store's format.
const KNOWN = sql`
  asset.external_id as id, asset.document, asset.document_json as "documentJson",
  asset.media_type as "mediaType", asset.digest, asset.version,
  asset.described_path as "describedPath",
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

/** An asset with the tags that are assigned to it. */
export type AssetWithTags = StoredAsset & { assignedTags: string[] }

/** Finds an asset with its assigned tags, also one that is gone from its source but still kept. */
export async function findAsset(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<AssetWithTags | undefined> {
  const { rows } = await sql<AssetWithTags>`
    select ${KNOWN}, array(
      select tag_id
      from asset_tag
      where organization_id = asset.organization_id
        and asset_id = asset.external_id
      order by tag_id
    ) as "assignedTags"
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

/** A data product that names an asset. */
interface AssetUser {
  id: string
  name: string
  ownerId: string
  ownerName: string
}

/** The maximum number of returned users of an asset. */
const USERS_MAX = 1000

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
