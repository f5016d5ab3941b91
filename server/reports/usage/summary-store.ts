import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { oldestDay } from './record.ts'
import { CONSUMERS_MAX, type ProductUsage } from './usage.ts'

const PORTS_MAX = 100

/** Selects the usage of a data product by month and consumer: `period` and `counted`. */
function selectMonths(
  clock: Clock,
  organizationId: string,
  dataProductId: string,
): RawBuilder<unknown> {
  return sql`
    period as materialized (
      select to_char(${oldestDay(sql`now`)} at time zone 'UTC', 'YYYY-MM') as since,
        to_char(now at time zone 'UTC', 'YYYY-MM') as until,
        (${oldestDay(sql`now`)} at time zone 'UTC')::date as first_day
      from (select ${clock.now} as now) as instant
    ),
    counted as materialized (
      select month, consumer_digest, output_port, user_name, role, access_id, query_count as queries,
        row_count as rows,
        coalesce(
          nullif(user_name, ''), nullif('role:' || role, 'role:'),
          nullif('access:' || access_id, 'access:')
        ) as reader
      from usage_month
      where organization_id = ${organizationId}
        and data_product_id = ${dataProductId}
        and month >= (select first_day from period)
        and query_count > 0
    )`
}

// The last day of a consumer is one of its last month: each of them is looked up by the key of usage_day.
function selectLastDays(organizationId: string, dataProductId: string): RawBuilder<unknown> {
  return sql`
    last_use as materialized (
      select user_name, role, access_id, max(possible_day)::date as last_day
      from consumer
      join counted using (user_name, role, access_id)
      cross join generate_series(
        last_month::timestamp, last_month::timestamp + interval '1 month' - interval '1 day', interval '1 day'
      ) as possible_day
      where month = last_month
        and (
          select query_count + archived_query_count > 0
          from usage_day
          where usage_day.organization_id = ${organizationId}
            and usage_day.data_product_id = ${dataProductId}
            and usage_day.day = possible_day::date
            and usage_day.consumer_digest = counted.consumer_digest
        )
      group by user_name, role, access_id
    )`
}

const TOTALS = sql`
    month_total as (
      select month, sum(queries) as queries, sum(rows) as rows, count(distinct reader) as readers
      from counted
      group by month
    ),
    port_total as (
      select output_port, sum(queries) as queries, sum(rows) as rows,
        count(distinct reader) as readers
      from counted
      group by output_port
      order by queries desc, output_port
      limit ${PORTS_MAX}
    ),
    consumer_total as materialized (
      select user_name, role, access_id, sum(queries) as queries, sum(rows) as rows,
        max(month) as last_month
      from counted
      group by user_name, role, access_id
    ),
    consumer as (
      select *
      from consumer_total
      order by queries desc, user_name, role, access_id
      limit ${CONSUMERS_MAX}
    ),
    consumer_month as (
      select user_name, role, access_id, month, sum(counted.queries) as queries,
        sum(counted.rows) as rows
      from consumer
      join counted using (user_name, role, access_id)
      group by user_name, role, access_id, month
    )`

const MONTHS = sql`coalesce((
        select json_agg(
          json_build_object(
            'yearMonth', to_char(month, 'YYYY-MM'), 'queries', queries, 'rows', rows,
            'readers', readers
          )
          order by month
        )
        from month_total
      ), '[]')`

const PORTS = sql`coalesce((
        select json_agg(
          json_build_object(
            'name', nullif(output_port, ''), 'queries', queries, 'rows', rows, 'readers', readers
          )
          order by queries desc, output_port
        )
        from port_total
      ), '[]')`

const CONSUMERS = sql`coalesce((
        select json_agg(
          json_build_object(
            'user', nullif(user_name, ''), 'role', nullif(role, ''),
            'accessId', nullif(access_id, ''), 'queries', queries, 'rows', rows,
            'lastUsedOn', (
              select last_day
              from last_use
              where last_use.user_name = consumer.user_name
                and last_use.role = consumer.role
                and last_use.access_id = consumer.access_id
            ),
            'months', (
              select json_agg(
                json_build_object(
                  'yearMonth', to_char(month, 'YYYY-MM'), 'queries', consumer_month.queries,
                  'rows', consumer_month.rows
                )
                order by month
              )
              from consumer_month
              where consumer_month.user_name = consumer.user_name
                and consumer_month.role = consumer.role
                and consumer_month.access_id = consumer.access_id
            )
          )
          order by queries desc, user_name, role, access_id
        )
        from consumer
      ), '[]')`

/** The usage of a data product, before its consumers are named. */
type CountedUsage = Omit<ProductUsage, 'consumers'> & {
  consumers: Omit<ProductUsage['consumers'][number], 'consumer'>[]
}

/** Returns the counted usage of a data product, read in one snapshot. */
export async function findUsage(
  db: Database,
  clock: Clock,
  organizationId: string,
  dataProductId: string,
): Promise<CountedUsage> {
  const { rows } = await sql<CountedUsage>`
    with ${selectMonths(clock, organizationId, dataProductId)},
    ${TOTALS},
    ${selectLastDays(organizationId, dataProductId)}
    select since, until,
      (select count(*) from consumer_total) as "consumerCount",
      ${MONTHS} as months,
      ${PORTS} as "outputPorts",
      ${CONSUMERS} as consumers
    from period
  `.execute(db)
  const [usage] = rows
  if (usage === undefined) throw new Error('the usage of a data product has no row')
  return usage
}
