import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity } from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { DocumentReference } from '../../requests/http/document-list.ts'
import { selectPage } from '../../requests/http/paging.ts'
import { isWithin } from '../../requests/http/period.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { CONSUMER, countChanges, countMonths, DAY, oldestDay, splitColumn } from './record.ts'
import { SPAN_DAYS, type SpanFilter } from './span.ts'

/** A stored span, with its resource and scope, as JSON. */
export interface StoredSpan {
  resource: string
  scope: string
  span: string
}

/** The maximum number of spans that one statement deletes. */
export const DELETE_SPANS_MAX = 10_000

/**
 * Lists the teams that own data products, or the data products of stored spans, by external id. Data products that do
 * not exist are skipped. `spanIds` is a column of a request.
 */
export async function listOwners(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
  spanIds = '',
): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select distinct team.external_id as owner
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.external_id in (
        select unnest(${productIds}::text[])
        union
        select data_product_id
        from usage_span
        where organization_id = ${organizationId}
          and span_id = any(${splitColumn(spanIds)})
      )
    order by owner
  `.execute(db)
  return rows.map(({ owner }) => owner)
}

/** A page of spans, by its number or after the last span of another one. */
export interface SpanPage {
  page: number
  after: string | undefined
  size: number
}

/** Lists a page of the spans that match a filter, by id, and one more if there is a next page. */
export async function listSpans(
  db: Database,
  organizationId: string,
  filter: SpanFilter,
  { page, after, size }: SpanPage,
): Promise<DocumentReference<string>[]> {
  const { rows } = await sql<DocumentReference<string>>`
    select span_id as key,
      octet_length(resource) + octet_length(scope) + octet_length(span) as bytes
    from usage_span
    where ${matchFilter(organizationId, filter)}
      and ${after === undefined ? sql`true` : sql`span_id > ${after}`}
    order by span_id
    ${selectPage(page, size)}
  `.execute(db)
  return rows
}

/** Loads spans by their ids, in the order of the ids, without those that were deleted in the meantime. */
export async function loadSpans(
  db: Database,
  organizationId: string,
  spanIds: readonly string[],
): Promise<StoredSpan[]> {
  const { rows } = await sql<StoredSpan>`
    select resource, scope, span
    from usage_span
    where organization_id = ${organizationId}
      and span_id = any(${spanIds}::text[])
    order by span_id
  `.execute(db)
  return rows
}

function matchFilter(
  organizationId: string,
  { scopeName, dataProductId, dataContractId, spanId, ...period }: SpanFilter,
): RawBuilder<unknown> {
  const conditions = [sql`organization_id = ${organizationId}`, isWithin(sql`started_at`, period)]
  if (dataProductId !== undefined) conditions.push(sql`data_product_id = ${dataProductId}`)
  if (dataContractId !== undefined) conditions.push(sql`data_contract_id = ${dataContractId}`)
  if (scopeName !== undefined) conditions.push(sql`scope_name = ${scopeName}`)
  if (spanId !== undefined) conditions.push(sql`span_id = ${spanId}`)
  return sql.join(conditions, sql` and `)
}

/**
 * Deletes the next spans that match a filter and were received until an instant, and subtracts them from their days, in one statement. Spans are locked
 * in the order of their keys, like in an upsert. Returns their number.
 */
export async function deleteSpans(
  db: Database,
  clock: Clock,
  organizationId: string,
  filter: SpanFilter,
  { before, ...actor }: ActivityActor & { before: Instant },
): Promise<number> {
  const from = sql`from (
      select count(*)::integer as count, null::bigint as archived from deleted
    ) as total
    where total.count > 0`
  const { rows } = await sql<{ count: number }>`
    with matching as (
      select span_id
      from usage_span
      where ${matchFilter(organizationId, filter)}
        and received_at <= ${before}::timestamptz
      order by span_id
      limit ${DELETE_SPANS_MAX}
      for update
    ),
    deleted as (
      delete from usage_span using matching
      where organization_id = ${organizationId}
        and usage_span.span_id = matching.span_id
      returning organization_id, data_product_id, ${DAY} as day, ${CONSUMER}, row_count
    ),
    change as (
      select organization_id, data_product_id, day, ${CONSUMER}, -1 as queries,
        -row_count as row_count
      from deleted
    ),
    recorded as (${recordDeletedUsage(organizationId, actor, filter, from)}),
    ${countChanges({ now: clock.now, archive: false })}
    select count(*)::integer as count
    from deleted
  `.execute(db)
  return rows[0]?.count ?? 0
}

// `from` has the name `total`, with the deleted spans as `count` and the deleted archived queries as `archived`.
function recordDeletedUsage(
  organizationId: string,
  actor: ActivityActor,
  filter: SpanFilter,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const productId = filter.dataProductId
  const entry = {
    kind: 'usage',
    action: 'deleted',
    at: sql`clock_timestamp()`,
    subject: productId ?? '',
    name: productId ?? 'Usage',
    team: sql`(
      select owner.external_id
      from data_product
      join team as owner on owner.organization_id = data_product.organization_id
        and owner.id = data_product.owner_team_id
      where data_product.organization_id = ${organizationId}
        and data_product.external_id = ${productId ?? null}
    )`,
    details: sql`jsonb_strip_nulls(jsonb_build_object(
      'count', total.count, 'archivedQueries', total.archived,
      'filter', ${JSON.stringify(filter)}::jsonb
    ))`,
  } as const
  return appendActivity({ organizationId, ...actor }, entry, from)
}

/** Clears the archived counts of a data product, or of the whole organization. Stored spans remain counted. */
export async function clearArchive(
  db: Database,
  clock: Clock,
  organizationId: string,
  dataProductId: string | undefined,
  actor: ActivityActor,
): Promise<void> {
  const from = sql`from (
      select 0 as count, sum(-queries)::bigint as archived from change
    ) as total
    where total.archived > 0`
  await sql`
    with archived as materialized (
      select data_product_id, day, consumer_digest, ${CONSUMER}, archived_query_count,
        archived_row_count
      from usage_day
      where organization_id = ${organizationId}
        and ${dataProductId === undefined ? sql`true` : sql`data_product_id = ${dataProductId}`}
        and archived_query_count > 0
      order by organization_id, data_product_id, day, consumer_digest
      for update
    ),
    cleared as (
      update usage_day
      set archived_query_count = 0, archived_row_count = 0
      from archived
      where usage_day.organization_id = ${organizationId}
        and usage_day.data_product_id = archived.data_product_id
        and usage_day.day = archived.day
        and usage_day.consumer_digest = archived.consumer_digest
      returning usage_day.organization_id, archived.*
    ),
    change as (
      select organization_id, data_product_id, day, consumer_digest, ${CONSUMER},
        -archived_query_count as queries, -archived_row_count as row_count
      from cleared
    ),
    recorded as (${recordDeletedUsage(organizationId, actor, { dataProductId }, from)}),
    ${countMonths({ now: clock.now }, sql`change`)}
    select
  `.execute(db)
}

/**
 * Deletes the next spans of all organizations that were received too long ago, and archives their counts, in one
 * statement. Skip locked: a span that is being replaced stays. Returns their number.
 */
export async function archiveSpans(db: Database, clock: Clock): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with expired as (
      select organization_id, span_id
      from usage_span
      where received_at < (select ${clock.now} - make_interval(days => ${SPAN_DAYS}))
      limit ${DELETE_SPANS_MAX}
      for update skip locked
    ),
    deleted as (
      delete from usage_span as span using expired
      where span.organization_id = expired.organization_id
        and span.span_id = expired.span_id
      returning span.organization_id, data_product_id, ${DAY} as day, ${CONSUMER}, row_count
    ),
    change as (
      select organization_id, data_product_id, day, ${CONSUMER}, -1 as queries,
        -row_count as row_count
      from deleted
    ),
    ${countChanges({ now: clock.now, archive: true })}
    select count(*)::integer as count
    from deleted
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Deletes the days and months that count nothing, and those that are older than the counted months. Days of stored spans
 * stay. Skip locked: a row that is being changed may count something.
 */
export async function deleteOldCounts(db: Database, clock: Clock): Promise<void> {
  const firstDay = sql`(${oldestDay(clock.now)} at time zone 'UTC')::date`
  await sql`
    with old_day as (
      select organization_id, data_product_id, day, consumer_digest
      from usage_day
      where query_count = 0
        and (archived_query_count = 0 or day < ${firstDay})
      for update skip locked
    ),
    deleted_day as (
      delete from usage_day
      using old_day
      where usage_day.organization_id = old_day.organization_id
        and usage_day.data_product_id = old_day.data_product_id
        and usage_day.day = old_day.day
        and usage_day.consumer_digest = old_day.consumer_digest
    ),
    old_month as (
      select organization_id, data_product_id, month, consumer_digest
      from usage_month
      where query_count = 0
        or month < ${firstDay}
      for update skip locked
    )
    delete from usage_month
    using old_month
    where usage_month.organization_id = old_month.organization_id
      and usage_month.data_product_id = old_month.data_product_id
      and usage_month.month = old_month.month
      and usage_month.consumer_digest = old_month.consumer_digest
  `.execute(db)
}
