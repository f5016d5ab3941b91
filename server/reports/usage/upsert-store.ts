import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { CONSUMER, countChanges, DAY, oldestDay, splitColumn } from './record.ts'
import type { SpanColumns } from './span.ts'

/** The result of an upsert. */
export interface UpsertResult {
  /** The number of spans that are too old or in the future; they are not stored. */
  outdatedCount: number
  /** The data products of the stored spans that were replaced. */
  replacedProductIds: string[]
}

/**
 * Inserts or replaces spans and counts them, in one statement. A span that is sent again, also at the same time, is
 * counted once: `replaced` has the values of the row that this statement updated, even if another statement wrote it
 * after this one began. Spans and days are locked in the order of their keys, so statements do not deadlock.
 */
export async function upsertSpans(
  db: Database,
  clock: Clock,
  organizationId: string,
  columns: SpanColumns,
): Promise<UpsertResult> {
  const { rows } = await sql<UpsertResult>`
    with period as materialized (
      select now, ${oldestDay(sql`now`)} as oldest, now + interval '1 day' as newest
      from (select ${clock.now} as now) as instant
    ),
    ${writeSent(organizationId, columns)},
    change (organization_id, data_product_id, day, ${CONSUMER}, queries, row_count) as (
      select ${organizationId}::uuid, data_product_id, day, ${CONSUMER}, 1, row_count
      from written
      union all
      select ${organizationId}::uuid, replaced[1], replaced[2]::date, replaced[3], replaced[4],
        replaced[5], replaced[6], -1, -replaced[7]::bigint
      from written
      where replaced is not null
    ),
    ${countChanges({ now: clock.now, archive: false })}
    select count(*)::integer as "outdatedCount",
      array(select distinct replaced[1] from written where replaced is not null)
        as "replacedProductIds"
    from period, unnest(${splitColumn(columns.startTimes)}) as start_time
    where start_time <> ''
      and not ${IS_COUNTED}
  `.execute(db)
  return rows[0] ?? { outdatedCount: 0, replacedProductIds: [] }
}

const STARTED_AT = sql`'epoch'::timestamptz + start_time::bigint * interval '1 microsecond'`

const IS_COUNTED = sql`(${STARTED_AT} >= oldest and ${STARTED_AT} < newest)`

// Writes the spans of a request in the order of their columns. A row that is equal to the stored one is not written.
function writeSent(organizationId: string, columns: SpanColumns): RawBuilder<unknown> {
  return sql`
    source as materialized (
      select ${splitColumn(columns.resources)} as resources, ${splitColumn(columns.scopes)} as scopes,
        ${splitColumn(columns.scopeNames)} as scope_names
    ),
    written as (
      insert into usage_span as existing (
        organization_id, span_id, data_product_id, output_port, user_name, role, access_id,
        row_count, started_at, received_at, data_contract_id, scope_name, resource, scope, span
      )
      select ${organizationId}::uuid, span_id, data_product_id, output_port, user_name, role,
        access_id, row_count::bigint, started_at, now, nullif(data_contract_id, ''),
        nullif(scope_names[source_id::integer], ''), resources[source_id::integer],
        scopes[source_id::integer], span
      from period, source, ${unnestSpans(columns)}
      where started_at >= oldest
        and started_at < newest
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

// Offset 0: the time is computed once for each span.
function unnestSpans(columns: SpanColumns): RawBuilder<unknown> {
  return sql`(
        select *, ${STARTED_AT} as started_at
        from unnest(
        ${splitColumn(columns.spanIds)}, ${splitColumn(columns.sources)}, ${splitColumn(columns.productIds)},
        ${splitColumn(columns.ports)}, ${splitColumn(columns.users)}, ${splitColumn(columns.roles)},
        ${splitColumn(columns.accessIds)}, ${splitColumn(columns.rowCounts)}, ${splitColumn(columns.startTimes)},
        ${splitColumn(columns.contractIds)}, ${splitColumn(columns.spans)}
      ) as sent (
        span_id, source_id, data_product_id, output_port, user_name, role, access_id, row_count,
        start_time, data_contract_id, span
      )
        where span <> ''
        offset 0
      ) as sent`
}
