import type { Actor } from '../activity/entry.ts'
import { recordActivity } from '../activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { CONSUMER, countChanges, DAY, oldestDay, splitColumn } from './record.ts'
import { SPAN_DAYS, type SpanFilter } from './span.ts'

/** A stored span, with its resource and scope, as JSON. */
export interface StoredSpan {
  spanId: string
  resource: string
  scope: string
  span: string
  /** Whether another matching span follows the page. */
  hasMore: boolean
}

/** The maximum number of spans that one statement deletes. */
export const DELETE_SPANS_MAX = 10_000

/** The maximum size of a page of spans; its last span may exceed it. */
const PAGE_BYTES_MAX = 4 * 1024 * 1024

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

/** Lists a page of the spans that match a filter, by id. A page ends early at 4 MiB. */
export async function listSpans(
  db: Database,
  organizationId: string,
  filter: SpanFilter,
  page: { after: string | undefined; limit: number },
): Promise<StoredSpan[]> {
  const { rows } = await sql<StoredSpan>`
    with page as (
      select *, octet_length(resource) + octet_length(scope) + octet_length(span) as bytes
      from usage_span
      where ${matchFilter(organizationId, filter)}
        and ${page.after === undefined ? sql`true` : sql`span_id > ${page.after}`}
      order by span_id
      limit ${page.limit + 1}
    ),
    measured as (
      select *, row_number() over in_order as position, sum(bytes) over in_order as bytes_so_far
      from page
      window in_order as (order by span_id rows unbounded preceding)
    ),
    shown as (
      select *
      from measured
      where position <= ${page.limit}
        and bytes_so_far - bytes < ${PAGE_BYTES_MAX}
    )
    select span_id as "spanId", resource, scope, span,
      (select count(*) from page) > (select count(*) from shown) as "hasMore"
    from shown
    order by span_id
  `.execute(db)
  return rows
}

function matchFilter(
  organizationId: string,
  { scopeName, dataProductId, dataContractId, spanId }: SpanFilter,
): RawBuilder<unknown> {
  const conditions = [sql`organization_id = ${organizationId}`]
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
  organizationId: string,
  filter: SpanFilter,
  { before, ...actor }: Actor & { before: Instant },
): Promise<number> {
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
    details: sql`jsonb_build_object('count', total.count)`,
  } as const
  const from = sql`from (select count(*)::integer as count from deleted) as total where total.count > 0`
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
    counted as (${countChanges({ archive: false })}),
    recorded as (${recordActivity({ organizationId, ...actor }, entry, from)})
    select count(*)::integer as count
    from deleted
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Clears the archived counts of a data product, or of the whole organization. Stored spans remain counted. */
export async function clearArchive(
  db: Database,
  organizationId: string,
  dataProductId: string | undefined,
): Promise<void> {
  await sql`
    update usage_day
    set archived_query_count = 0, archived_row_count = 0
    where organization_id = ${organizationId}
      and ${dataProductId === undefined ? sql`true` : sql`data_product_id = ${dataProductId}`}
      and archived_query_count > 0
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
      where received_at < ${clock.now} - make_interval(days => ${SPAN_DAYS})
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
    counted as (${countChanges({ archive: true })})
    select count(*)::integer as count
    from deleted
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes the days without a stored span that count nothing, or that are older than the counted months. */
export async function deleteOldDays(db: Database, clock: Clock): Promise<void> {
  await sql`
    delete from usage_day
    where query_count = 0
      and (archived_query_count = 0 or day < (${oldestDay(clock.now)} at time zone 'UTC')::date)
  `.execute(db)
}
