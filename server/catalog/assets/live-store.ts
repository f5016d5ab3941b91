import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Publication } from './change.ts'
import { selectStaged, CONTAINERS } from './publish-store.ts'

/**
 * The age from which a version is ignored: rights at the source may have changed what it shows of an
 * unchanged asset.
 */
const AGE_DAYS_MAX = 7

/** The maximum number of versions that a reading keeps in memory. */
const VERSIONS_MAX = 200_000

/** Selects versions by integration, scopes and way of reading. */
export interface VersionsQuery {
  organizationId: string
  integrationId: string
  /** Native paths as JSON lists. */
  scopes: readonly string[]
  reading: string
}

/**
 * Lists the source versions of live assets, by path. An asset that differs from the one that was read,
 * for example after an undo, has none.
 */
export async function listSourceVersions(
  db: Database,
  clock: Clock,
  { organizationId, integrationId, scopes, reading }: VersionsQuery,
): Promise<{ path: string; version: string }[]> {
  const { rows } = await sql<{ path: string; version: string }>`
    select asset.path, known.source_version as version
    from asset
    join asset_source_version as known on known.organization_id = asset.organization_id
      and known.asset_id = asset.external_id
      and known.digest = asset.digest
    where asset.organization_id = ${organizationId}
      and asset.integration_id = ${integrationId}
      and asset.scope = any(${scopes}::text[])
      and asset.deleted_at is null
      and known.reading = ${reading}
      and known.read_at > ${clock.now} - make_interval(days => ${AGE_DAYS_MAX})
    limit ${VERSIONS_MAX}
  `.execute(db)
  return rows
}

/** Writes the source versions of the assets that a publication has read. */
export async function writeSourceVersions(
  db: Database,
  clock: Clock,
  publication: Publication,
): Promise<void> {
  await sql`
    insert into asset_source_version (
      organization_id, asset_id, source_version, digest, reading, read_at
    )
    select staged.organization_id, coalesce(staged.asset_id, staged.id), staged.source_version,
      staged.digest, ${publication.reading}, now.instant
    from staged_asset as staged
    cross join (select ${clock.now} as instant) as now
    where ${selectStaged(publication)}
      and staged.source_version is not null
      -- Assets that were not read keep their versions.
      and staged.digest <> ''
    on conflict (organization_id, asset_id) do update
    set source_version = excluded.source_version, digest = excluded.digest,
      reading = excluded.reading, read_at = excluded.read_at
  `.execute(db)
}

/** The live assets of an integration. */
export interface LiveAssets {
  /** The number of assets that are not containers. */
  tableCount: number
  /** Every scope with live assets: native paths as JSON lists. */
  scopes: string[]
}

/** Counts the live assets of an integration and lists their scopes. */
export async function describeLive(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<LiveAssets> {
  const { rows } = await sql<LiveAssets>`
    select
      coalesce(sum(tables), 0)::bigint as "tableCount",
      coalesce(array_agg(scope), '{}') as scopes
    from (
      select scope, count(*) filter (where kind <> all(${CONTAINERS})) as tables
      from asset
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and deleted_at is null
        and scope is not null
      group by scope
    ) as live
  `.execute(db)
  return rows[0] ?? { tableCount: 0, scopes: [] }
}
