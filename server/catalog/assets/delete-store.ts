import { sql } from 'kysely'
import { appendRemovalEntry } from '../../ledger/activity/record.ts'
import { appendEventOfEach } from '../../ledger/events/record.ts'
import { appendDeletion } from '../../ledger/history/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { recordRemoval } from '../../documents/search/record.ts'
import type { Database } from '../../platform/tables.ts'
import type { DeleteExtent, HoldReason, Publication, ScopeVerdicts } from './change.ts'
import { CONTAINERS, selectStaged, WRITE_ROWS_MAX } from './publish-store.ts'

// The deletes of a publication: planned, checked by the delete guard, held or executed.

/**
 * Plans the deletes: unseen live assets in scopes that prove their absence, and those in excluded
 * scopes, which are held.
 */
export async function planDeletes(
  db: Database,
  publication: Publication,
  { proven, filtered }: ScopeVerdicts,
): Promise<void> {
  const { organizationId, integrationId, runId } = publication
  await sql`
    insert into asset_change (
      organization_id, run_id, asset_id, action, held_because, version_before, scope_before,
      path_before
    )
    select asset.organization_id, ${runId}::uuid, asset.external_id, 'deleted',
      case when asset.scope = any(${filtered}::text[]) then 'filter' end,
      asset.version, asset.scope, asset.path
    from asset
    where asset.organization_id = ${organizationId}
      and asset.integration_id = ${integrationId}
      and asset.deleted_at is null
      and asset.scope = any(${[...proven, ...filtered]}::text[])
      and not exists (
        select from staged_asset as staged
        where ${selectStaged(publication)}
          and staged.path = asset.path
      )
    -- What was renamed is in the change set already.
    on conflict do nothing
  `.execute(db)
}

/** A planned delete. */
interface PlannedDelete {
  id: string
  /** A native path as a JSON list. */
  path: string
  kind: string
}

/** Lists the next planned deletes that are not held, sorted by id. */
export async function listPlannedDeletes(
  db: Database,
  { organizationId, runId }: Publication,
  afterId: string,
): Promise<PlannedDelete[]> {
  const { rows } = await sql<PlannedDelete>`
    select change.asset_id as id, change.path_before as path, asset.kind
    from asset_change as change
    join asset on asset.organization_id = change.organization_id
      and asset.external_id = change.asset_id
    where change.organization_id = ${organizationId}
      and change.run_id = ${runId}
      and change.action = 'deleted'
      and change.held_because is null
      and change.asset_id > ${afterId}
    order by change.asset_id
    limit ${WRITE_ROWS_MAX}
  `.execute(db)
  return rows
}

/** Holds planned deletes: those with the given ids, or all that are not held yet. */
export async function holdDeletes(
  db: Database,
  { organizationId, runId }: Publication,
  because: HoldReason,
  ids?: readonly string[],
): Promise<void> {
  await sql`
    update asset_change
    set held_because = ${because}
    where organization_id = ${organizationId}
      and run_id = ${runId}
      and action = 'deleted'
      and held_because is null
      and (${ids === undefined}::boolean or asset_id = any(${ids ?? []}::text[]))
  `.execute(db)
}

/** Counts the planned deletes that are not held, and the assets of the integration. */
export async function measureDeletes(
  db: Database,
  { organizationId, integrationId, runId }: Publication,
): Promise<DeleteExtent> {
  const { rows } = await sql<DeleteExtent>`
    with doomed as (
      select asset_id, scope_before
      from asset_change
      where organization_id = ${organizationId}
        and run_id = ${runId}
        and action = 'deleted'
        and held_because is null
    ),
    live as (
      select asset.external_id, asset.scope, asset.kind = any(${CONTAINERS}) as is_container,
        doomed.asset_id is not null as is_doomed
      from asset
      left join doomed on doomed.asset_id = asset.external_id
      where asset.organization_id = ${organizationId}
        and asset.integration_id = ${integrationId}
        and asset.deleted_at is null
        and exists (select from doomed)
    )
    select
      (select count(*) from doomed) as deleted,
      (select count(*) from live) as live,
      (select count(*) from live where not is_container and is_doomed) as "deletedTables",
      (select count(*) from live where not is_container) as "liveTables",
      coalesce((
        select max(tables)
        from (
          select count(*) as tables
          from live
          where not is_container
          group by scope
          having bool_and(is_doomed)
        ) as whole
      ), 0) as "largestWholeScope"
  `.execute(db)
  const none = { deleted: 0, live: 0, deletedTables: 0, liveTables: 0, largestWholeScope: 0 }
  return rows[0] ?? none
}

/**
 * Executes the planned deletes of a change set that are not held: hides the assets, marks their
 * revisions, emits events and removes them from search.
 */
export async function deletePlanned(
  db: Database,
  clock: Clock,
  { organizationId, runId, principal }: Pick<Publication, 'organizationId' | 'runId' | 'principal'>,
): Promise<void> {
  await sql`
    with removed as (
      update asset
      set deleted_at = now.instant, run_id = ${runId}::uuid, updated_by = ${principal}
      from asset_change as change, (select ${clock.now} as instant) as now
      where asset.organization_id = ${organizationId}
        and change.organization_id = ${organizationId}
        and change.run_id = ${runId}
        and change.action = 'deleted'
        and change.held_because is null
        and asset.external_id = change.asset_id
        and asset.deleted_at is null
      returning asset.external_id, asset.version, asset.name, asset.owner as team,
        asset.deleted_at as removed_at, 'AssetDeletedEvent' as event_name
    ),
    marked as (${appendDeletion(organizationId, 'asset', principal)}
    ),
    recorded as (
      ${appendRemovalEntry({ organizationId, principal, requestId: runId }, 'ingested-asset')}
    ),
    unindexed as (${recordRemoval(organizationId, 'asset')}
    )
    ${appendEventOfEach({ organizationId, kind: 'asset', principal }, { result: 'removed', timeColumn: 'removed_at' })}
  `.execute(db)
}

/** Counts the changes of a change set. */
export async function countChanges(
  db: Database,
  organizationId: string,
  runId: string,
): Promise<{ action: string; because: HoldReason | null; count: number }[]> {
  const { rows } = await sql<{ action: string; because: HoldReason | null; count: number }>`
    select action, held_because as because, count(*) as count
    from asset_change
    where organization_id = ${organizationId}
      and run_id = ${runId}
    group by action, held_because
  `.execute(db)
  return rows
}
