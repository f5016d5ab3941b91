import { COUNTED_MONTHS } from '../../reports/usage/span.ts'
import { RESTORE, sqlCheck, type Check } from './check.ts'

const KEY = 'organization_id, data_product_id, day, output_port, user_name, role, access_id'

/** Checks that the counts of days are those of the stored spans. */
export const USAGE_DAY_CHECK: Check = sqlCheck(
  { name: 'every day of usage counts its stored spans', repair: RESTORE },
  `select organization_id,
     format(
       'data product "%s" on %s: %s queries with %s rows are counted instead of %s with %s',
       data_product_id, day, coalesce(counted.query_count, 0), coalesce(counted.row_count, 0),
       coalesce(stored.query_count, 0), coalesce(stored.row_count, 0)
     ) as finding
   from usage_day as counted
   full join (
     select organization_id, data_product_id, (started_at at time zone 'UTC')::date as day,
       output_port, user_name, role, access_id, count(*) as query_count,
       sum(row_count) as row_count
     from usage_span
     group by 1, 2, 3, 4, 5, 6, 7
   ) as stored using (${KEY})
   where (coalesce(counted.query_count, 0), coalesce(counted.row_count, 0))
     is distinct from (coalesce(stored.query_count, 0), coalesce(stored.row_count, 0))`,
)

// Older months are deleted, while the days of their stored spans stay.
const FIRST_MONTH = `(
     date_trunc('month', now(), 'UTC') - make_interval(months => ${COUNTED_MONTHS - 1})
   )`

/** Checks that the counts of the counted months are those of their days. */
export const USAGE_MONTH_CHECK: Check = sqlCheck(
  { name: 'every month of usage counts its days', repair: RESTORE },
  `select organization_id,
     format(
       'data product "%s" in the month from %s: %s queries with %s rows are counted instead of %s with %s',
       data_product_id, month, coalesce(counted.query_count, 0), coalesce(counted.row_count, 0),
       coalesce(days.query_count, 0), coalesce(days.row_count, 0)
     ) as finding
   from usage_month as counted
   full join (
     select organization_id, data_product_id, date_trunc('month', day::timestamp)::date as month,
       consumer_digest, output_port, user_name, role, access_id,
       sum(query_count + archived_query_count) as query_count,
       sum(row_count + archived_row_count) as row_count
     from usage_day
     group by 1, 2, 3, 4, 5, 6, 7, 8
   ) as days using (
     organization_id, data_product_id, month, consumer_digest, output_port, user_name, role, access_id
   )
   where (coalesce(counted.query_count, 0), coalesce(counted.row_count, 0))
     is distinct from (coalesce(days.query_count, 0), coalesce(days.row_count, 0))
     and month >= (${FIRST_MONTH} at time zone 'UTC')::date`,
)
