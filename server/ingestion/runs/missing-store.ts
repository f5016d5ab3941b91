import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Claim } from './claim.ts'
import type { MissingScope } from './ledger.ts'
import { GRACE_DAYS } from '../integrations/run.ts'

// Scopes that the source no longer lists, and tables that it may hide: their assets are kept for a grace period.

/** The missing paths of a run, each as a JSON list. */
interface MissingPaths {
  missing: readonly string[]
  /** Tables that are held until a person decides: their grace period begins again. */
  kept: readonly string[]
  /** Checks whether the run could not read what holds a path: its record stays. */
  isUnread(path: string): boolean
}

/**
 * Records the paths that are missing now, and deletes the records of those listed again. A grace period consists of
 * complete listings: the time in which a path could not be read is added to its end.
 */
export async function recordMissing(
  db: Database,
  clock: Clock,
  claim: Claim,
  { missing, kept, isUnread }: MissingPaths,
): Promise<MissingScope[]> {
  const { organizationId, integrationId } = claim
  const unread = (await listRecorded(db, claim)).filter(isUnread)
  await postponeEnds(db, clock, claim, unread)
  await sql`
    delete from missing_scope
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and not scope = any(${[...missing, ...unread]}::text[])
  `.execute(db)
  await sql`
    insert into missing_scope (organization_id, integration_id, scope, missing_since)
    select ${organizationId}::uuid, ${integrationId}::uuid, scope, ${clock.now}
    from unnest(${missing}::text[]) as missing (scope)
    on conflict (organization_id, integration_id, scope) do update
    set missing_since = excluded.missing_since
    where missing_scope.scope = any(${kept}::text[])
  `.execute(db)
  const { rows } = await sql<MissingScope>`
    select scope, missing_since as since, ends.until, ends.until < ${clock.now} as "isExpired"
    from missing_scope
    cross join lateral (select missing_since + make_interval(days => ${GRACE_DAYS}) as until) as ends
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
    order by missing_since, scope
  `.execute(db)
  return rows
}

async function listRecorded(
  db: Database,
  { organizationId, integrationId }: Claim,
): Promise<string[]> {
  const { rows } = await sql<{ scope: string }>`
    select scope
    from missing_scope
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
  `.execute(db)
  return rows.map(({ scope }) => scope)
}

/**
 * Postpones the ends of grace periods by the time since the last successful listing: to now for unread paths, and for
 * others to the last listing that failed in between.
 */
async function postponeEnds(
  db: Database,
  clock: Clock,
  { organizationId, integrationId }: Claim,
  unread: readonly string[],
): Promise<void> {
  const listings = sql`
    organization_id = ${organizationId}
    and integration_id = ${integrationId}
    and kind in ('ingest', 'preview')`
  await sql`
    with last as (
      select started_at, completed_at
      from ingestion_run
      where ${listings}
        and status = 'SUCCESS'
      order by started_at desc, id desc
      limit 1
    ),
    failed as (
      select max(completed_at) as completed_at
      from ingestion_run
      where ${listings}
        and status in ('FAILED', 'CANCELLED')
        and started_at > (select started_at from last)
    )
    update missing_scope
    set missing_since = missing_since + greatest(
      case when scope = any(${unread}::text[]) then ${clock.now} else failed.completed_at end
        - last.completed_at,
      interval '0'
    )
    from last, failed
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and (scope = any(${unread}::text[]) or failed.completed_at is not null)
  `.execute(db)
}

/**
 * Returns those of the scopes that still have live assets after a run has planned its changes:
 * assets renamed together with their scope have left it, also in a preview, which only plans.
 */
export async function listInhabited(
  db: Database,
  { organizationId, integrationId, runId }: Claim,
  scopes: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ scope: string }>`
    select distinct asset.scope
    from asset
    where asset.organization_id = ${organizationId}
      and asset.integration_id = ${integrationId}
      and asset.scope = any(${scopes}::text[])
      and asset.deleted_at is null
      and not exists (
        select from asset_change as change
        where change.organization_id = asset.organization_id
          and change.run_id = ${runId}
          and change.asset_id = asset.external_id
          and change.action = 'updated'
      )
  `.execute(db)
  return rows.map(({ scope }) => scope)
}
