import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { CONSUMER, countChanges, DAY, oldestDay } from './record.ts'
import { TERMINATOR, type SpanColumns } from './span.ts'

/**
 * Inserts or replaces spans and counts them, in one statement. A span that is sent again, also at the same time, is
 * counted once: `replaced` has the values of the row that this statement updated, even if another statement wrote it
 * after this one began. Spans and days are locked in the order of their keys, so statements do not deadlock.
 * Returns how many spans are too old or in the future; they are not stored.
 */
export async function upsertSpans(
  db: Database,
  clock: Clock,
  organizationId: string,
  columns: SpanColumns,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with instant as materialized (
      select ${clock.now} as now
    ),
    ${selectSent(columns)},
    ${writeSent(organizationId)},
    change (organization_id, data_product_id, day, ${CONSUMER}, queries, row_count) as (
      select ${organizationId}::uuid, data_product_id, day, ${CONSUMER}, 1, row_count
      from written
      union all
      select ${organizationId}::uuid, replaced[1], replaced[2]::date, replaced[3], replaced[4],
        replaced[5], replaced[6], -1, -replaced[7]::bigint
      from written
      where replaced is not null
    ),
    counted as (${countChanges({ archive: false })})
    select count(*)::integer as count
    from sent
    where started_at < ${oldestDay(sql`now`)}
      or started_at >= now + interval '1 day'
  `.execute(db)
  return rows[0]?.count ?? 0
}

// Selects the columns of a request as rows: `source` and `sent`.
function selectSent(columns: SpanColumns): RawBuilder<unknown> {
  return sql`
    source as materialized (
      select id, resource, scope, nullif(scope_name, '') as scope_name
      from unnest(
        ${split(columns.resources)}, ${split(columns.scopes)}, ${split(columns.scopeNames)}
      ) with ordinality as source (resource, scope, scope_name, id)
    ),
    sent as materialized (
      select sent.*, instant.now,
        'epoch'::timestamptz + start_time::bigint * interval '1 microsecond' as started_at
      from instant
      cross join unnest(
        ${split(columns.spanIds)}, ${split(columns.sources)}, ${split(columns.productIds)},
        ${split(columns.ports)}, ${split(columns.users)}, ${split(columns.roles)},
        ${split(columns.accessIds)}, ${split(columns.rowCounts)}, ${split(columns.startTimes)},
        ${split(columns.contractIds)}, ${split(columns.spans)}
      ) as sent (
        span_id, source_id, data_product_id, output_port, user_name, role, access_id, row_count,
        start_time, data_contract_id, span
      )
      where span <> ''
    )`
}

// Writes the rows of `sent`. A row that is equal to the stored one is not written.
function writeSent(organizationId: string): RawBuilder<unknown> {
  return sql`
    written as (
      insert into usage_span as existing (
        organization_id, span_id, data_product_id, output_port, user_name, role, access_id,
        row_count, started_at, received_at, data_contract_id, scope_name, resource, scope, span
      )
      select ${organizationId}::uuid, span_id, data_product_id, output_port, user_name, role,
        access_id, row_count::bigint, started_at, now, nullif(data_contract_id, ''), scope_name,
        resource, scope, span
      from sent
      join source on source.id = sent.source_id::bigint
      where started_at >= ${oldestDay(sql`now`)}
        and started_at < now + interval '1 day'
      order by span_id
      on conflict (organization_id, span_id) do update
      set replaced = array[
          existing.data_product_id, (existing.started_at at time zone 'UTC')::date::text,
          existing.output_port, existing.user_name, existing.role, existing.access_id,
          existing.row_count::text
        ],
        data_product_id = excluded.data_product_id, output_port = excluded.output_port,
        user_name = excluded.user_name, role = excluded.role, access_id = excluded.access_id,
        row_count = excluded.row_count, started_at = excluded.started_at,
        received_at = excluded.received_at, data_contract_id = excluded.data_contract_id,
        scope_name = excluded.scope_name, resource = excluded.resource, scope = excluded.scope,
        span = excluded.span
      where (existing.resource, existing.scope, existing.span)
        is distinct from (excluded.resource, excluded.scope, excluded.span)
      returning data_product_id, ${DAY} as day, ${CONSUMER}, row_count, replaced
    )`
}

// The last element follows the last terminator.
function split(column: string): RawBuilder<unknown> {
  return sql`string_to_array(${column}, ${TERMINATOR})`
}
