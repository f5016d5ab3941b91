import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import {
  LEDGER_DAYS,
  type DeliveryAttempt,
  type DeliveryDetails,
  type DeliveryFilter,
  type DeliverySummary,
  type DeliveryTarget,
} from './delivery.ts'
import { openLanes } from './record.ts'

const SUMMARY_COLUMNS = sql`
      delivery.id, topic, subject, event_id as "eventId", state, attempt_count as attempts,
      created_at as "createdAt", ended_at as "endedAt", next_attempt_at as "nextAttemptAt",
      last.status as "lastStatus", last.error as "lastError"`

const LAST_ATTEMPT = sql`
    left join lateral (
      select status, error
      from delivery_attempt
      where organization_id = delivery.organization_id
        and delivery_id = delivery.id
      order by attempt desc
      limit 1
    ) as last on true`

/** Lists a page of the ledger of a receiver, the newest delivery first, and one more if there is a next page. */
export async function listDeliveries(
  db: Database,
  target: DeliveryTarget,
  filter: DeliveryFilter,
  range: { offset: number; limit: number },
): Promise<DeliverySummary[]> {
  const { rows } = await sql<DeliverySummary>`
    with page as materialized (
      select *
      from delivery
      where ${matches(target, filter)}
      order by sequence desc
      offset ${range.offset}
      limit ${range.limit}
    )
    select ${SUMMARY_COLUMNS}
    from page as delivery
    ${LAST_ATTEMPT}
    order by sequence desc
  `.execute(db)
  return rows
}

/** Finds a delivery with its payload, without its attempts. */
export async function findDelivery(
  db: Database,
  target: DeliveryTarget,
  id: string,
): Promise<Omit<DeliveryDetails, 'attemptList'> | undefined> {
  const { rows } = await sql<Omit<DeliveryDetails, 'attemptList'>>`
    select ${SUMMARY_COLUMNS}, payload
    from delivery
    ${LAST_ATTEMPT}
    where ${matches(target, {})}
      and delivery.id = ${id}::uuid
  `.execute(db)
  return rows[0]
}

/** Lists the attempts of a delivery, the first one first. */
export async function listAttempts(
  db: Database,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryAttempt[]> {
  const { rows } = await sql<DeliveryAttempt>`
    select attempted_at as at, duration_ms as "durationMs", status, error, response
    from delivery_attempt
    where organization_id = ${organizationId}
      and delivery_id = ${deliveryId}::uuid
    order by attempt
  `.execute(db)
  return rows
}

/**
 * Sends deliveries again that have ended, and pending ones now instead of later: one, or the first ones that match a
 * filter. Returns their number.
 */
export async function replayDeliveries(
  db: Database,
  clock: Clock,
  target: DeliveryTarget,
  chosen: { id: string } | { filter: DeliveryFilter; limit: number },
): Promise<number> {
  const isOne = 'id' in chosen
  const { rows } = await sql<{ count: number }>`
    with chosen as (
      select organization_id, id
      from delivery
      where ${matches(target, isOne ? {} : chosen.filter)}
        and (state <> 'pending' or next_attempt_at is not null)
        ${isOne ? sql`and id = ${chosen.id}::uuid` : sql``}
      order by sequence
      limit ${isOne ? 1 : chosen.limit}
      for update
    ),
    replayed as (
      update delivery
      set state = 'pending', queued_at = ${clock.now}, next_attempt_at = null, ended_at = null,
        earlier_attempt_count = attempt_count
      from chosen
      where delivery.organization_id = chosen.organization_id
        and delivery.id = chosen.id
      returning delivery.organization_id, delivery.channel, delivery.target, delivery.subject
    ),
    ${openLanes('replayed', 'now')}
    select count(*)::integer as count
    from replayed
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes deliveries that ended before the time of the ledger, at most `limit`. Returns their number. */
export async function deleteEndedDeliveries(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from delivery
    where (organization_id, id) in (
      select organization_id, id
      from delivery
      where ended_at < (select ${clock.now} - make_interval(days => ${LEDGER_DAYS}))
      order by ended_at
      limit ${limit}
      for update skip locked
    )
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

function matches(
  { organizationId, channel, target }: DeliveryTarget,
  { state, from, until }: DeliveryFilter,
): RawBuilder<unknown> {
  const conditions = [
    sql`delivery.organization_id = ${organizationId}`,
    sql`delivery.channel = ${channel}`,
    sql`delivery.target = ${target}`,
    ...(state === undefined ? [] : [sql`delivery.state = ${state}`]),
    ...(from === undefined ? [] : [sql`delivery.created_at >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`delivery.created_at < ${until}::timestamptz`]),
  ]
  return sql.join(conditions, sql` and `)
}
