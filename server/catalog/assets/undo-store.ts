import { sql } from 'kysely'
import { appendIngested } from '../../ledger/activity/record.ts'
import { appendEventOfEach } from '../../ledger/events/record.ts'
import { nextUpdatedAt, appendRevisions } from '../../ledger/history/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { AssetChange, Publication } from './change.ts'
import { selectRevisionFacts } from './publish-store.ts'

/** A change of assets without reading a source. */
export type Correction = Pick<
  Publication,
  'organizationId' | 'integrationId' | 'runId' | 'principal'
>

/**
 * Plans the undo of a run, only for assets that have not changed since: created assets are deleted,
 * deleted ones restored, updated ones reverted.
 */
export async function planUndo(
  db: Database,
  { organizationId, integrationId, runId }: Correction,
  undoneRunId: string,
): Promise<void> {
  await sql`
    insert into asset_change (
      organization_id, run_id, asset_id, action, version_before, version_after, scope_before,
      path_before, path_after
    )
    select change.organization_id, ${runId}::uuid, change.asset_id,
      case change.action when 'updated' then 'updated' when 'deleted' then 'revived' else 'deleted' end,
      asset.version,
      case when change.action in ('updated', 'deleted') then asset.version + 1 end,
      asset.scope, asset.path,
      case when change.action in ('updated', 'deleted') then change.path_before end
    from asset_change as change
    join asset on asset.organization_id = change.organization_id
      and asset.external_id = change.asset_id
      and asset.integration_id = ${integrationId}
      -- No other run has changed it since.
      and asset.run_id = change.run_id
      and (asset.deleted_at is not null) = (change.action = 'deleted')
    where change.organization_id = ${organizationId}
      and change.run_id = ${undoneRunId}
      and change.held_because is null
      -- A path that something else has taken since stays its own.
      and not exists (
        select from asset as other
        where other.organization_id = change.organization_id
          and other.integration_id = ${integrationId}
          and other.path = change.path_before
          and other.external_id <> change.asset_id
          and not exists (
            select from asset_change as moved
            where moved.organization_id = change.organization_id
              and moved.run_id = change.run_id
              and moved.asset_id = other.external_id
          )
      )
  `.execute(db)
}

/** Counts the changes of a run. */
export async function countPublished(
  db: Database,
  organizationId: string,
  runId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from asset_change
    where organization_id = ${organizationId}
      and run_id = ${runId}
      and held_because is null
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Plans the deletes that a run held, for assets that have not changed since. */
export async function planHeld(
  db: Database,
  { organizationId, integrationId, runId }: Correction,
  heldRunId: string,
): Promise<void> {
  await sql`
    insert into asset_change (
      organization_id, run_id, asset_id, action, version_before, scope_before, path_before
    )
    select change.organization_id, ${runId}::uuid, change.asset_id, 'deleted', asset.version,
      asset.scope, asset.path
    from asset_change as change
    join asset on asset.organization_id = change.organization_id
      and asset.external_id = change.asset_id
      and asset.integration_id = ${integrationId}
      -- A version made by an annotation does not show that the source still has the asset.
      and asset.path = change.path_before
      and asset.deleted_at is null
    where change.organization_id = ${organizationId}
      and change.run_id = ${heldRunId}
      and change.held_because is not null
  `.execute(db)
}

/** Restores the versions of a planned undo in one statement. */
export async function restorePlanned(
  db: Database,
  clock: Clock,
  { organizationId, integrationId, runId, principal }: Correction,
  undoneRunId: string,
): Promise<void> {
  const revision = {
    organizationId,
    kind: 'asset' as const,
    mediaType: 'application/json',
    format: 'ingested',
    principal,
    requestId: runId,
  }
  await sql`
    with planned as materialized (
      select change.asset_id, change.action, former.document, former.digest, former.facts
      from asset_change as change
      join asset_change as undone on undone.organization_id = change.organization_id
        and undone.run_id = ${undoneRunId}
        and undone.asset_id = change.asset_id
      join revision as former on former.organization_id = change.organization_id
        and former.kind = 'asset'
        and former.external_id = change.asset_id
        and former.version = undone.version_before
      where change.organization_id = ${organizationId}
        and change.run_id = ${runId}
        and change.action in ('updated', 'revived')
    ),
    written as (
      update asset
      set document = planned.document, digest = planned.digest,
        name = planned.facts->>'name', type = planned.facts->>'type',
        path = planned.facts->>'path', scope = planned.facts->>'scope',
        kind = planned.facts->>'kind', source_id = planned.facts->>'sourceId',
        parent_id = planned.facts->>'parentId',
        version = asset.version + 1, run_id = ${runId}::uuid, deleted_at = null,
        updated_by = ${principal},
        updated_at = ${nextUpdatedAt(sql`now.instant`, sql`asset.updated_at`)}
      from planned
      cross join (select ${clock.now} as instant) as now
      where asset.organization_id = ${organizationId}
        and asset.integration_id = ${integrationId}
        and asset.external_id = planned.asset_id
      returning asset.external_id, asset.version, asset.document, asset.digest, asset.created_at,
        asset.updated_at, planned.action, ${selectRevisionFacts('asset')} as facts
    ),
    revised as (${appendRevisions(revision)}
    ),
    reported as (
      select written.*,
        case when action = 'updated' then 'AssetUpdatedEvent' else 'AssetCreatedEvent' end
          as event_name
      from written
    ),
    recorded as (${appendIngested(revision)}
    )
    ${appendEventOfEach({ organizationId, kind: 'asset', principal }, { result: 'reported', timeColumn: 'updated_at' })}
  `.execute(db)
}

/** Lists a page of a change set, sorted by asset id. */
export async function listChanges(
  db: Database,
  organizationId: string,
  runId: string,
  page: { afterId: string; limit: number },
): Promise<AssetChange[]> {
  const { rows } = await sql<AssetChange>`
    select asset_id as "assetId", action, held_because as "heldBecause",
      path_before::jsonb as "pathBefore", path_after::jsonb as "pathAfter",
      version_before as "versionBefore", version_after as "versionAfter"
    from asset_change
    where organization_id = ${organizationId}
      and run_id = ${runId}
      and asset_id > ${page.afterId}
    order by asset_id
    limit ${page.limit}
  `.execute(db)
  return rows
}
