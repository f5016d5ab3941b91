import { RESTORE, sqlCheck, type Check } from './check.ts'

const KEY = 'organization_id, data_product_id, day, output_port, user_name, role, access_id'

/** Checks that the counts of usage are those of the stored spans. */
export const USAGE_CHECK: Check = sqlCheck(
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
