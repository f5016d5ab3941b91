import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import type { Claim } from './claim.ts'
import type { MissingScope } from './ledger.ts'
import { GRACE_DAYS } from '../integrations/run.ts'

// Scopes that the source no longer lists, and tables that it may hide: their assets are kept for a grace period.

/** The missing paths of a run, each as a JSON list. */
export interface MissingPaths {
  missing: readonly string[]
  /** Scopes that were not read completely: the records of their tables stay. */
  unread: readonly string[]
  /** Tables that a person keeps: their grace period begins again. */
  kept: readonly string[]
}

/** Records the paths that are missing now, and deletes the records of those listed again. */
export async function recordMissing(
  db: Database,
  clock: Clock,
  { organizationId, integrationId }: Claim,
  { missing, unread, kept }: MissingPaths,
): Promise<MissingScope[]> {
  await sql`
    delete from missing_scope
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and not scope = any(${missing}::text[])
      and not exists (
        select from unnest(${unread}::text[]) as unread (path)
        where starts_with(scope, left(unread.path, -1) || ',')
      )
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
