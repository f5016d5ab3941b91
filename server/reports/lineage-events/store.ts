import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendAssetWrites } from '../../ledger/freshness/record.ts'
import { appendActivity } from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { DocumentReference } from '../../requests/http/document-list.ts'
import { selectPage } from '../../requests/http/paging.ts'
import { isWithin, type Period } from '../../requests/http/period.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { InsertRow } from '../../platform/kit/grouped-inserts.ts'
import type { Database } from '../../platform/tables.ts'
import type { LineageEvent } from './lineage-event.ts'

/** An event to store: its columns, and the text that was sent. */
export interface NewLineageEvent extends InsertRow {
  columns: Readonly<LineageEvent & { organizationId: string; id: string; principal: string }> &
    InsertRow['columns']
}

/** The filters of events; an event must match all of them. */
export interface LineageEventFilter extends Period {
  jobNamespace?: string | undefined
  jobName?: string | undefined
  runId?: string | undefined
  eventType?: string | undefined
  productId?: string | undefined
}

/** The key of an event of an organization. */
export interface LineageEventKey {
  receivedAt: Instant
  id: string
}

// JSON contains no control characters except white space, so this one separates texts without escaping them.
const SEPARATOR = '\u0001'

/**
 * Inserts events of any organizations in one statement, with the same time of arrival. Their texts are one value,
 * because the driver is slow with large arrays.
 */
export async function insertEvents(
  db: Database,
  clock: Clock,
  events: readonly InsertRow[],
): Promise<void> {
  await sql`
    with inserted as (
      insert into lineage_event (
        organization_id, received_at, id, document, kind, event_type, event_at, run_id,
        job_namespace, job_name, product_id, output_port, input_assets, output_assets, principal
      )
      select
        "organizationId", arrival.instant, id, document, kind, "eventType", "eventAt", "runId",
        "jobNamespace", "jobName", "productId", "outputPort", "inputAssets", "outputAssets", principal
      from (select ${clock.now} as instant) as arrival
      cross join rows from (
        json_to_recordset(${JSON.stringify(events.map(({ columns }) => columns))}::json) as (
          "organizationId" uuid, id uuid, kind text, "eventType" text, "eventAt" timestamptz,
          "runId" text, "jobNamespace" text, "jobName" text, "productId" text, "outputPort" text,
          "inputAssets" text[], "outputAssets" text[], principal text
        ),
        unnest(string_to_array(${events.map(({ document }) => document).join(SEPARATOR)}, ${SEPARATOR}))
      ) as event (
        "organizationId", id, kind, "eventType", "eventAt", "runId", "jobNamespace", "jobName",
        "productId", "outputPort", "inputAssets", "outputAssets", principal, document
      )
    returning organization_id, received_at, event_type, event_at, output_assets
    )
    ${appendAssetWrites('inserted')}
  `.execute(db)
}

/** Lists a page of events, newest first, and one more if there is a next page. */
export async function listEvents(
  db: Database,
  organizationId: string,
  filter: LineageEventFilter,
  { page, elementsMax }: { page: number; elementsMax: number },
): Promise<DocumentReference<LineageEventKey>[]> {
  const { rows } = await sql<LineageEventKey & { bytes: number }>`
    select received_at as "receivedAt", id, octet_length(document) as bytes
    from lineage_event
    where ${matches(organizationId, filter)}
    order by received_at desc, id desc
    ${selectPage(page, elementsMax)}
  `.execute(db)
  return rows.map(({ bytes, ...key }) => ({ key, bytes }))
}

/** Loads events in the given order, without those that were deleted in the meantime. */
export async function loadEvents(
  db: Database,
  organizationId: string,
  keys: readonly LineageEventKey[],
): Promise<string[]> {
  const { rows } = await sql<{ document: string }>`
    select document
    from unnest(
      ${keys.map(({ receivedAt }) => receivedAt)}::timestamptz[], ${keys.map(({ id }) => id)}::uuid[]
    ) with ordinality as requested (received_at, id, ordinal)
    join lineage_event as stored on stored.organization_id = ${organizationId}
      and stored.received_at = requested.received_at
      and stored.id = requested.id
    order by requested.ordinal
  `.execute(db)
  return rows.map(({ document }) => document)
}

/** Deletes at most `limit` events that arrived before an instant. Returns their number. */
export async function deleteEvents(
  db: Database,
  organizationId: string,
  filter: LineageEventFilter,
  { before, limit, ...actor }: ActivityActor & { before: Instant; limit: number },
): Promise<number> {
  const entry = {
    kind: 'lineage-event',
    action: 'deleted',
    at: sql`clock_timestamp()`,
    subject: filter.runId ?? filter.jobName ?? '',
    name: filter.jobName ?? 'Lineage events',
    details: sql`jsonb_build_object('count', counted.count)`,
  } as const
  const from = sql`from counted where counted.count > 0`
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from lineage_event
      where organization_id = ${organizationId}
        and (received_at, id) in (
          select received_at, id
          from lineage_event
          where ${matches(organizationId, filter)}
            and received_at <= ${before}::timestamptz
          limit ${limit}
        )
      returning id
    ),
    counted as (
      select count(*)::integer as count
      from removed
    ),
    recorded as (${appendActivity({ organizationId, ...actor }, entry, from)}
    )
    select count
    from counted
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Deletes expired events of each organization, at most `limit`. They are at the beginning of its part of the primary
 * key, so no other index is needed. Returns their number.
 */
export async function deleteExpiredEvents(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with expired as (
      select event.organization_id, event.received_at, event.id
      from organization
      cross join (select ${clock.now} - interval '90 days' as instant) as expiry
      cross join lateral (
        select organization_id, received_at, id
        from lineage_event
        where organization_id = organization.id
          and received_at < expiry.instant
        order by received_at
        limit ${limit}
      ) as event
      limit ${limit}
    )
    delete from lineage_event
    using expired
    where lineage_event.organization_id = expired.organization_id
      and lineage_event.received_at = expired.received_at
      and lineage_event.id = expired.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

// The indexes contain the beginnings of long texts.
function matches(organizationId: string, filter: LineageEventFilter): RawBuilder<unknown> {
  const { jobNamespace, jobName, runId, eventType, productId } = filter
  const conditions = [
    sql`organization_id = ${organizationId}`,
    runId !== undefined && sql`left(run_id, 100) = left(${runId}, 100) and run_id = ${runId}`,
    jobName !== undefined &&
      sql`left(job_name, 200) = left(${jobName}, 200) and job_name = ${jobName}`,
    jobNamespace !== undefined && sql`job_namespace = ${jobNamespace}`,
    eventType !== undefined && sql`event_type = ${eventType}`,
    productId !== undefined && sql`product_id = ${productId}`,
    isWithin(sql`coalesce(event_at, received_at)`, filter),
  ].filter((condition) => typeof condition === 'object')
  return sql.join(conditions, sql` and `)
}
