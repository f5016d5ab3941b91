import { sql, type RawBuilder } from 'kysely'
import { COUNTED_MONTHS, TERMINATOR } from './span.ts'
import { CONSUMER_DIGEST } from './usage.ts'

// The parts of statements that count usage.

/** The day on which a span started. */
export const DAY = sql`(started_at at time zone 'UTC')::date`

/** The columns that name a consumer of a data product. */
export const CONSUMER = sql`output_port, user_name, role, access_id`

/** Returns the first day that is counted, at midnight in UTC. */
export function oldestDay(now: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    date_trunc('month', ${now}, 'UTC') - make_interval(months => ${COUNTED_MONTHS - 1})
  )`
}

/** Splits a column of a request into an array. Its last element is empty: it follows the last terminator. */
export function splitColumn(column: string): RawBuilder<unknown> {
  return sql`string_to_array(${column}, ${TERMINATOR})`
}

interface CountOptions {
  /** The current time. Months that are no longer counted are left out: they were deleted. */
  now: RawBuilder<unknown>
}

/**
 * Adds the rows of `change` to their days and months, in the order of the keys: `counted_day` and `counted_month`. With
 * `archive`, what leaves the stored spans is kept as archived, so the months do not change.
 */
export function countChanges({
  now,
  archive,
}: CountOptions & { archive: boolean }): RawBuilder<unknown> {
  const dayChange = sql`
    day_change as materialized (
      select organization_id, data_product_id, day, ${sql.raw(CONSUMER_DIGEST)} as consumer_digest, ${CONSUMER},
        sum(queries) as queries, sum(row_count) as row_count
      from change
      group by organization_id, data_product_id, day, ${CONSUMER}
      having sum(queries) <> 0
        or sum(row_count) <> 0
    ),
    counted_day as (
      insert into usage_day as existing (
        organization_id, data_product_id, day, consumer_digest, ${CONSUMER}, query_count, row_count,
        archived_query_count, archived_row_count
      )
      select organization_id, data_product_id, day, consumer_digest, ${CONSUMER}, queries, row_count,
        ${archive ? sql`-queries, -row_count` : sql`0, 0`}
      from day_change
      order by organization_id, data_product_id, day, consumer_digest
      on conflict (organization_id, data_product_id, day, consumer_digest) do update
      set query_count = existing.query_count + excluded.query_count,
        row_count = existing.row_count + excluded.row_count,
        archived_query_count = existing.archived_query_count + excluded.archived_query_count,
        archived_row_count = existing.archived_row_count + excluded.archived_row_count
      returning 1
    )`
  return archive
    ? dayChange
    : sql`${dayChange},
    ${countMonths({ now }, sql`day_change cross join (select count(*) from counted_day) as after_days`)}`
}

/** Adds counts of days to their months, in the order of the keys: `counted_month`. */
export function countMonths({ now }: CountOptions, days: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    counted_month as (
      insert into usage_month as existing (
        organization_id, data_product_id, month, consumer_digest, ${CONSUMER}, query_count, row_count
      )
      -- The digest identifies the consumer.
      select organization_id, data_product_id, date_trunc('month', day::timestamp)::date as month,
        consumer_digest, min(output_port), min(user_name), min(role), min(access_id), sum(queries),
        sum(row_count)
      from ${days}
      where day >= (select (${oldestDay(now)} at time zone 'UTC')::date)
      group by organization_id, data_product_id, month, consumer_digest
      having sum(queries) <> 0
        or sum(row_count) <> 0
      order by organization_id, data_product_id, month, consumer_digest
      on conflict (organization_id, data_product_id, month, consumer_digest) do update
      set query_count = existing.query_count + excluded.query_count,
        row_count = existing.row_count + excluded.row_count
      returning 1
    )`
}
