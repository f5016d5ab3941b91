// What follows from the counts of days. Files of earlier versions do not have it.

/**
 * The SQL expression for the digest of a consumer, from the columns that name it. Names may be too long for an index, so
 * the digest identifies the consumer.
 */
export const CONSUMER_DIGEST = `md5(
        length(output_port) || ':' || output_port || length(user_name) || ':' || user_name
        || length(role) || ':' || role || access_id
      )`

/** The SQL statement that inserts the months of all counted days. There must be no months yet. */
export const INSERT_MONTHS = `
  insert into usage_month (
    organization_id, data_product_id, month, consumer_digest, output_port, user_name, role,
    access_id, query_count, row_count
  )
  select organization_id, data_product_id, date_trunc('month', day::timestamp)::date,
    consumer_digest, output_port, user_name, role, access_id,
    sum(query_count + archived_query_count), sum(row_count + archived_row_count)
  from usage_day
  where query_count + archived_query_count > 0
  group by 1, 2, 3, 4, 5, 6, 7, 8`
