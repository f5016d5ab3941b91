import { sql, type RawBuilder } from 'kysely'
import { NEW_ID } from '../../platform/kit/uuid.ts'
import type { DeliveryTarget } from './delivery.ts'

/**
 * SQL fragment, `queued as (…), lanes as (…)`, that enqueues deliveries in the statement that decides about them. It
 * reads a named result with organization_id, channel, target, subject, topic, event_id and payload, in the order of
 * `ordinal`. The result `queued` has the columns id and target.
 *
 * The deliveries of a subject must be enqueued in one transaction after the other, as followers of the feed do: their
 * order is that of insertion.
 */
export function enqueueDeliveries(from: string): RawBuilder<unknown> {
  return sql`
    queued as (
      insert into delivery (
        organization_id, id, channel, target, subject, topic, event_id, payload
      )
      select
        organization_id, ${NEW_ID}, channel, target, subject, topic, event_id, payload
      from ${sql.table(from)}
      order by ordinal
      returning organization_id, id, channel, target, subject
    ),
    ${openLanes('queued', 'unchanged')}`
}

/**
 * SQL fragment, `lanes as (…)`, that makes pending deliveries claimable. It reads a named result with organization_id,
 * channel, target and subject. `due` is when a lane is due that existed: as before, or now unless a worker has it.
 *
 * The row of a lane is locked even if it exists: a worker removes an empty lane only while it holds that lock, so it
 * either sees the new deliveries or is followed by a new lane. Lanes are locked in the order of their key.
 */
export function openLanes(from: string, due: 'unchanged' | 'now'): RawBuilder<unknown> {
  const dueAt =
    due === 'now'
      ? sql`case when delivery_lane.claim is null then excluded.due_at else delivery_lane.due_at end`
      : sql`delivery_lane.due_at`
  return sql`
    lanes as (
      insert into delivery_lane (organization_id, channel, target, subject, due_at)
      select organization_id, channel, target, subject, clock_timestamp()
      from ${sql.table(from)}
      group by organization_id, channel, target, subject
      order by organization_id, channel, target, subject
      on conflict (organization_id, channel, target, subject)
      do update set due_at = ${dueAt}
    )`
}

/** The maximum number of lanes of a receiver that become due at once; the others do so at their next attempts. */
const HASTENED_MAX = 10_000

/**
 * SQL fragment, `hastened as (…)`, that makes the lanes of a receiver due soon which wait for their next attempts, if the
 * given result has a row: of a receiver that was disabled or removed, so that its channel cancels what is left.
 */
export function hastenLanes(
  { organizationId, channel, target }: DeliveryTarget,
  afterMs: number,
  when: string,
): RawBuilder<unknown> {
  const dueAt = sql`clock_timestamp() + make_interval(secs => ${afterMs / 1000})`
  return sql`
    hastened as (
      update delivery_lane as lane
      set due_at = ${dueAt}
      from (
        select organization_id, channel, target, subject
        from delivery_lane
        where organization_id = ${organizationId}
          and channel = ${channel}
          and target = ${target}
          and claim is null
          and due_at > ${dueAt}
          and exists (select from ${sql.table(when)})
        order by organization_id, channel, target, subject
        limit ${HASTENED_MAX}
        for update
      ) as waiting
      where lane.organization_id = waiting.organization_id
        and lane.channel = waiting.channel
        and lane.target = waiting.target
        and lane.subject = waiting.subject
    )`
}
