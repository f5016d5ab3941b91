import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Publication } from './change.ts'
import { selectStaged } from './publish-store.ts'

/**
 * Writes changed statistics, which are not a change of the asset, and the values of the day for assets that contracts or data
 * products name.
 *
 * A count of changes proves one between this reading and the one before if it is higher, or if the platform began to count
 * again and has counted since: after a reset, or for another object under the same name. A new count of 0 proves nothing.
 */
export async function writeStatistics(
  db: Database,
  clock: Clock,
  publication: Publication,
): Promise<void> {
  const { organizationId } = publication
  await sql`
    with reading as materialized (${selectReading(clock, publication)}
    ),
    changed as materialized (${selectChanged(publication)}
    ),
    written as (
      insert into asset_statistic (
        organization_id, asset_id, row_count, size_bytes, changed_at, changed_means, change_count,
        counted_id, count_changed_at, count_changed_after, measured_at
      )
      select ${organizationId}::uuid, asset_id, row_count, size_bytes, changed_at, changed_means,
        change_count, case when change_count is not null then counted_id end,
        case count_means when 'changed' then instant when 'same' then count_changed_at end,
        case count_means when 'changed' then last_started_at when 'same' then count_changed_after end,
        instant
      from changed
      cross join reading
      on conflict (organization_id, asset_id) do update
      set row_count = excluded.row_count, size_bytes = excluded.size_bytes,
        changed_at = excluded.changed_at, changed_means = excluded.changed_means,
        change_count = excluded.change_count, counted_id = excluded.counted_id,
        count_changed_at = excluded.count_changed_at,
        count_changed_after = excluded.count_changed_after, measured_at = excluded.measured_at
    )
    insert into asset_statistic_day (
      organization_id, asset_id, day, row_count, size_bytes, changed_at
    )
    select ${organizationId}::uuid, asset_id, (instant at time zone 'UTC')::date, row_count, size_bytes,
      changed_at
    from changed
    cross join reading
    where is_visible
      and num_nonnulls(row_count, size_bytes, changed_at) > 0
      and asset_id in (
        select link.asset_id
        from asset_link as link
        where link.organization_id = ${organizationId}
          and link.asset_id is not null
        union all
        select unnest(product.assets)
        from data_product as product
        where product.organization_id = ${organizationId}
      )
    on conflict (organization_id, asset_id, day) do update
    set row_count = excluded.row_count, size_bytes = excluded.size_bytes,
      changed_at = excluded.changed_at
  `.execute(db)
}

// The time of this reading, and the start of the one before.
function selectReading(
  clock: Clock,
  { organizationId, integrationId, runId }: Publication,
): RawBuilder<unknown> {
  return sql`
      select ${clock.now} as instant, (
        select started_at
        from ingestion_run
        where organization_id = ${organizationId}
          and integration_id = ${integrationId}
          and kind = 'ingest'
          and status = 'SUCCESS'
          and id <> ${runId}
        order by started_at desc, id desc
        limit 1
      ) as last_started_at`
}

function selectChanged(publication: Publication): RawBuilder<unknown> {
  return sql`
      select coalesce(staged.asset_id, staged.id) as asset_id, staged.row_count, staged.size_bytes,
        staged.changed_at, staged.changed_means, staged.change_count, staged.source_id as counted_id,
        case
          when staged.change_count is null or existing.change_count is null then 'unknown'
          when staged.source_id is not distinct from existing.counted_id
            and staged.change_count = existing.change_count then 'same'
          when staged.change_count = 0 then 'unknown'
          else 'changed'
        end as count_means,
        existing.count_changed_at, existing.count_changed_after,
        (staged.row_count, staged.size_bytes, staged.changed_at)
          is distinct from (existing.row_count, existing.size_bytes, existing.changed_at) as is_visible
      from staged_asset as staged
      left join asset_statistic as existing on existing.organization_id = staged.organization_id
        and existing.asset_id = coalesce(staged.asset_id, staged.id)
      where ${selectStaged(publication)}
        -- Assets that were not read may have no new statistics.
        and (
          staged.digest <> ''
          or num_nonnulls(staged.row_count, staged.size_bytes, staged.changed_at) > 0
        )
        and (staged.row_count, staged.size_bytes, staged.changed_at, staged.changed_means,
            staged.change_count, case when staged.change_count is not null then staged.source_id end)
          is distinct from (existing.row_count, existing.size_bytes, existing.changed_at,
            existing.changed_means, existing.change_count, existing.counted_id)`
}
