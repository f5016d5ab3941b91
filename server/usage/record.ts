import { sql, type RawBuilder } from 'kysely'
import { COUNTED_MONTHS, TERMINATOR } from './span.ts'

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

/**
 * Adds the rows of `change` to their days, in the order of the keys. With `archive`, what leaves the stored spans is
 * kept as archived.
 */
export function countChanges({ archive }: { archive: boolean }): RawBuilder<unknown> {
  return sql`
      insert into usage_day as existing (
        organization_id, data_product_id, day, ${CONSUMER}, query_count, row_count,
        archived_query_count, archived_row_count
      )
      select organization_id, data_product_id, day, ${CONSUMER}, sum(queries), sum(row_count),
        ${archive ? sql`-sum(queries), -sum(row_count)` : sql`0, 0`}
      from change
      group by organization_id, data_product_id, day, ${CONSUMER}
      having sum(queries) <> 0
        or sum(row_count) <> 0
      order by organization_id, data_product_id, day, ${CONSUMER}
      on conflict (organization_id, data_product_id, day, consumer_digest) do update
      set query_count = existing.query_count + excluded.query_count,
        row_count = existing.row_count + excluded.row_count,
        archived_query_count = existing.archived_query_count + excluded.archived_query_count,
        archived_row_count = existing.archived_row_count + excluded.archived_row_count
      returning 1`
}
