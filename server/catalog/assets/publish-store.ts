import { sql, type RawBuilder } from 'kysely'
import { CONTAINER_KINDS } from '../../connectors/description.ts'
import { appendIngested } from '../../ledger/activity/record.ts'
import { appendEventOfEach } from '../../ledger/events/record.ts'
import { nextUpdatedAt, appendRevisions } from '../../ledger/history/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { recordPublished } from '../../documents/search/record.ts'
import type { Database } from '../../platform/tables.ts'
import type { Publication } from './change.ts'

// The statements of a publication, in their order, all in one transaction: readers see the assets
// either before or after it.

/** SQL: the kinds of assets that contain others. */
export const CONTAINERS = sql`array[${sql.join(CONTAINER_KINDS.map((kind) => sql.lit(kind)))}]`

/** The maximum number of assets that one statement writes. */
export const WRITE_ROWS_MAX = 5000

/** Selects the staged assets of a claim. */
export function selectStaged(
  { organizationId, runId, fence }: Publication,
  name = 'staged',
): RawBuilder<unknown> {
  return sql`${sql.ref(`${name}.organization_id`)} = ${organizationId}
      and ${sql.ref(`${name}.run_id`)} = ${runId}
      and ${sql.ref(`${name}.fence`)} = ${fence}`
}

/** Returns whether so many assets were created that the statistics of the asset table are about another table. */
export async function hasOutgrownStatistics(db: Database, createdCount: number): Promise<boolean> {
  const { rows } = await sql`
    select
    from pg_class
    where oid = 'asset'::regclass
      and reltuples < ${2 * createdCount}::integer
  `.execute(db)
  return rows.length > 0
}

/**
 * Analyzes the asset table after many writes: the planner would otherwise assume an empty table.
 * Inside a transaction, it waits for other analyses and makes them wait until its end.
 */
export async function analyzeAssets(db: Database): Promise<void> {
  await sql`
    analyze asset (
      organization_id, external_id, integration_id, path, scope, kind, source_id, parent_id, owner,
      deleted_at, name, source, created_at
    )
  `.execute(db)
}

/** Locks the assets that will change: concurrent annotations wait. */
export async function lockChanging(db: Database, publication: Publication): Promise<void> {
  await sql`
    with locked as materialized (
      select asset.external_id
      from asset
      join staged_asset as staged on asset.external_id = coalesce(staged.asset_id, staged.id)
      where ${selectStaged(publication)}
        and staged.document is not null
        and asset.organization_id = ${publication.organizationId}
      for no key update of asset
    )
    select count(*) from locked
  `.execute(db)
}

/** Plans the created, updated and revived assets in the change set of the run. */
export async function planWrites(db: Database, publication: Publication): Promise<void> {
  await sql`
    insert into asset_change (
      organization_id, run_id, asset_id, action, version_before, version_after, scope_before,
      path_before, path_after
    )
    select staged.organization_id, staged.run_id, coalesce(staged.asset_id, staged.id),
      case
        when existing.external_id is null then 'created'
        when existing.deleted_at is not null then 'revived'
        else 'updated'
      end,
      existing.version,
      -- Versions go on where those of a purged asset of the same id stopped.
      1 + coalesce(existing.version, (
        select max(version)
        from revision
        where revision.organization_id = staged.organization_id
          and revision.kind = 'asset'
          and revision.external_id = coalesce(staged.asset_id, staged.id)
      ), 0),
      existing.scope, existing.path, staged.path
    from staged_asset as staged
    left join asset as existing on existing.organization_id = staged.organization_id
      and existing.external_id = coalesce(staged.asset_id, staged.id)
    where ${selectStaged(publication)}
      and staged.document is not null
  `.execute(db)
}

/**
 * Writes the next planned assets, with their revisions, events and search entries, in one
 * statement. Returns the id of the last one; undefined if none was left.
 */
export async function writePlanned(
  db: Database,
  clock: Clock,
  publication: Publication,
  afterId: string,
): Promise<string | undefined> {
  const { organizationId, runId, principal } = publication
  const revision = {
    organizationId,
    kind: 'asset' as const,
    mediaType: 'application/json',
    format: 'ingested',
    principal,
    requestId: runId,
  }
  const { rows } = await sql<{ last: string | null }>`
    with planned as materialized (${plannedWrites(publication, afterId)}
    ),
    written as (${writtenAssets(publication, clock)}
    ),
    revised as (${appendRevisions(revision)}
    ),
    indexed as (${recordPublished(organizationId, publication.integrationId, publication.source)}
    ),
    reported as (
      select written.*,
        case when planned.action = 'updated' then 'AssetUpdatedEvent' else 'AssetCreatedEvent' end
          as event_name
      from written
      join planned on planned.planned_id = written.external_id
    ),
    recorded as (${appendIngested(revision)}
    ),
    events as (
      ${appendEventOfEach({ organizationId, kind: 'asset', principal }, { result: 'reported', timeColumn: 'updated_at' })}
    )
    select max(planned_id) as last
    from planned
  `.execute(db)
  return rows[0]?.last ?? undefined
}

// Separate materialized parts, so that each asset is found by its key and the few containers are
// read once: otherwise every batch of a publication would read all staged rows.
function plannedWrites(publication: Publication, afterId: string): RawBuilder<unknown> {
  return sql`
      with container as materialized (
        select id, coalesce(asset_id, id) as final_id
        from staged_asset as staged
        where ${selectStaged(publication)}
          and kind = any(${CONTAINERS})
      ),
      found as materialized (
        select change.asset_id as planned_id, change.action, change.version_after, staged.*
        from (
          select asset_id, action, version_after, path_after
          from asset_change
          where organization_id = ${publication.organizationId}
            and run_id = ${publication.runId}
            and action <> 'deleted'
            and asset_id > ${afterId}
          order by asset_id
          limit ${WRITE_ROWS_MAX}
        ) as change
        cross join lateral (
          select *
          from staged_asset as staged
          where ${selectStaged(publication)}
            and staged.path = change.path_after
          offset 0
        ) as staged
      )
      select found.*,
        case
          -- A container inside of another may be shown without it.
          when container.id is null and found.kind = any(${CONTAINERS}) and not exists (
            select from asset as existing
            where existing.organization_id = found.organization_id
              and existing.external_id = found.parent_id
          ) then null
          else coalesce(container.final_id, found.parent_id)
        end as final_parent_id
      from found
      left join container on container.id = found.parent_id`
}

function writtenAssets(publication: Publication, clock: Clock): RawBuilder<unknown> {
  const { organizationId, integrationId, runId, principal, source } = publication
  return sql`
      insert into asset (
        organization_id, external_id, integration_id, path, scope, kind, source_id, document,
        media_type, version, digest, name, type, source, parent_id, run_id, created_at,
        updated_at, updated_by
      )
      select ${organizationId}::uuid, planned_id, ${integrationId}::uuid, path, scope, kind,
        source_id,
        '{"id":' || to_json(planned_id)::text
          || case when final_parent_id is null then '' else
            ',"relationships":[{"relationshipType":"parent","assetId":' || to_json(final_parent_id)::text || '}]'
          end
          || ',' || substr(document, 2),
        'application/json', version_after, digest, name, type, ${source}, final_parent_id,
        ${runId}::uuid, now.instant, now.instant, ${principal}
      from planned
      cross join (select ${clock.now} as instant) as now
      on conflict (organization_id, external_id) do update
      set path = excluded.path, scope = excluded.scope, kind = excluded.kind,
        source_id = excluded.source_id, document = excluded.document, version = excluded.version,
        digest = excluded.digest, name = excluded.name, type = excluded.type,
        parent_id = excluded.parent_id, run_id = excluded.run_id,
        deleted_at = null, updated_by = excluded.updated_by,
        updated_at = ${nextUpdatedAt(sql`excluded.updated_at`, sql`asset.updated_at`)}
      returning external_id, version, document, digest, created_at, updated_at, ${selectRevisionFacts('asset')} as facts`
}

// Quotes in the document's strings are escaped, so this only matches its own fields.
const ADDRESS = String.raw`"host":"([^"\\]|\\.)*","port":[0-9]+`

/** Counts the updates of a publication that changed only the host and port of the source. */
export async function countMoved(
  db: Database,
  { organizationId, runId }: Publication,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from asset_change as change
    join revision as old on old.organization_id = change.organization_id
      and old.kind = 'asset'
      and old.external_id = change.asset_id
      and old.version = change.version_before
    join revision as new on new.organization_id = change.organization_id
      and new.kind = 'asset'
      and new.external_id = change.asset_id
      and new.version = change.version_after
    where change.organization_id = ${organizationId}
      and change.run_id = ${runId}
      and change.action = 'updated'
      and new.document <> old.document
      and regexp_replace(new.document, ${ADDRESS}, '') = regexp_replace(old.document, ${ADDRESS}, '')
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Returns the data that a revision of an ingested asset stores in addition to its document, for an undo.
 */
export function selectRevisionFacts(table: string): RawBuilder<unknown> {
  const of = (column: string): RawBuilder<unknown> => sql.ref(`${table}.${column}`)
  return sql`jsonb_build_object(
    'name', ${of('name')}, 'type', ${of('type')}, 'path', ${of('path')}, 'scope', ${of('scope')},
    'kind', ${of('kind')}, 'sourceId', ${of('source_id')}, 'parentId', ${of('parent_id')}
  )`
}
