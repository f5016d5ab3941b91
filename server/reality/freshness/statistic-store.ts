import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** The days of which every value is kept; of older weeks the last one is. */
const DAYS_KEPT = 92

/** The days after which no value is kept: two years. */
const WEEKS_KEPT_DAYS = 730

/**
 * Begins the history of assets that are linked, or that data products name, with their current values, unless they have
 * one: it then does not begin with their next change.
 */
export async function beginHistories(
  db: Database,
  clock: Clock,
  organizationId: string,
  { assetIds, productIds }: { assetIds: readonly string[]; productIds: readonly string[] },
): Promise<void> {
  await sql`
    with requested as (
      select unnest(${assetIds}::text[]) as asset_id
      union
      select unnest(assets)
      from data_product
      where organization_id = ${organizationId}
        and external_id = any(${productIds}::text[])
    )
    insert into asset_statistic_day (
      organization_id, asset_id, day, row_count, size_bytes, changed_at
    )
    select statistic.organization_id, statistic.asset_id,
      ((select ${clock.now}) at time zone 'UTC')::date, statistic.row_count, statistic.size_bytes,
      statistic.changed_at
    from requested
    join asset_statistic as statistic on statistic.organization_id = ${organizationId}
      and statistic.asset_id = requested.asset_id
    where num_nonnulls(statistic.row_count, statistic.size_bytes, statistic.changed_at) > 0
      and not exists (
        select from asset_statistic_day as existing
        where existing.organization_id = ${organizationId}
          and existing.asset_id = requested.asset_id
      )
    on conflict do nothing
  `.execute(db)
}

/**
 * Deletes at most `limit` values that are older than two years, or older than 92 days and not the last of their week, in which
 * their asset has a later one. Returns their number.
 */
export async function deleteExpiredDays(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with today as materialized (select ((select ${clock.now}) at time zone 'UTC')::date as day),
    expired as (
      select old.organization_id, old.asset_id, old.day
      from asset_statistic_day as old
      where old.day < (select day - ${DAYS_KEPT}::integer from today)
        and (
          old.day < (select day - ${WEEKS_KEPT_DAYS}::integer from today)
          or exists (
            select from asset_statistic_day as later
            where later.organization_id = old.organization_id
              and later.asset_id = old.asset_id
              and later.day > old.day
              and later.day < date_trunc('week', old.day)::date + 7
          )
        )
      limit ${limit}
    )
    delete from asset_statistic_day
    using expired
    where asset_statistic_day.organization_id = expired.organization_id
      and asset_statistic_day.asset_id = expired.asset_id
      and asset_statistic_day.day = expired.day
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Deletes at most `limit` reports of pipelines about assets that were purged. Returns their number. */
export async function deleteOrphanedWrites(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from asset_write
    using (
      select written.organization_id, written.asset_id
      from asset_write as written
      where not exists (
        select from asset
        where asset.organization_id = written.organization_id
          and asset.external_id = written.asset_id
      )
      limit ${limit}
    ) as orphan
    where asset_write.organization_id = orphan.organization_id
      and asset_write.asset_id = orphan.asset_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
