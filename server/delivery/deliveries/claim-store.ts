import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { DeliveryTarget, OutgoingDelivery } from './delivery.ts'
import type { Claimed, ClaimedLane, ClaimRequest, Lane } from './lane.ts'

const NO_TARGET: DeliveryTarget = {
  organizationId: '00000000-0000-0000-0000-000000000000',
  channel: '',
  target: '',
}

/**
 * Claims due lanes for the time of a lease. Receivers are looked at in turn, a limited number each time, so that the
 * backlog of one costs the others nothing. Organizations share the free places of the process equally, and leave some to
 * one that has nothing yet. Skips locked lanes: two workers never have the same one.
 */
export async function claimLanes(
  db: Database,
  clock: Clock,
  request: ClaimRequest,
): Promise<Claimed> {
  const { claim, after = NO_TARGET, targetsMax, lanesMax } = request
  const { rows } = await sql<DeliveryTarget & { subject: string | null; ordinal: number }>`
    with recursive scanned as (${scanTargets(after, targetsMax)}),
    present as materialized (select ${clock.now} as instant),
    ready as materialized (${selectReady(request)}),
    due as (${selectDueLanes()} order by ready.ordinal limit ${lanesMax}),
    claimed as (
      update delivery_lane as lane
      set due_at = present.instant + make_interval(secs => due.lease_ms / 1000.0), claim = ${claim}::uuid
      from due
      cross join present
      where ${isSameLane('due')}
      returning lane.organization_id, lane.channel, lane.target, lane.subject, due.ordinal
    )
    select organization_id as "organizationId", channel, target, subject, ordinal
    from claimed
    union all
    (
      select organization_id, channel, target, null, ordinal
      from scanned
      order by ordinal desc
      limit 1
    )
    order by ordinal
  `.execute(db)
  const claimed = rows.filter(({ subject }) => subject !== null)
  const lanes = claimed.flatMap(({ organizationId, channel, target, subject }) =>
    subject === null ? [] : [{ organizationId, channel, target, subject, claim }],
  )
  // Receivers that found no place are the first ones the next time.
  if (lanes.length === lanesMax) return { lanes, last: claimed.at(-1) }
  const end = rows.find(({ subject }) => subject === null)
  return { lanes, last: end?.ordinal === targetsMax ? end : undefined }
}

// One lookup in the key for each receiver, however many lanes it has.
function scanTargets(after: DeliveryTarget, targetsMax: number): RawBuilder<unknown> {
  return sql`
      (
        select organization_id, channel, target, 1 as ordinal
        from delivery_lane
        where (organization_id, channel, target)
          > (${after.organizationId}::uuid, ${after.channel}, ${after.target})
        order by organization_id, channel, target
        limit 1
      )
      union all
      (
        select next.organization_id, next.channel, next.target, scanned.ordinal + 1
        from scanned
        cross join lateral (
          select organization_id, channel, target
          from delivery_lane
          where (organization_id, channel, target)
            > (scanned.organization_id, scanned.channel, scanned.target)
          order by organization_id, channel, target
          limit 1
        ) as next
        where scanned.ordinal < ${targetsMax}
      )`
}

/** An organization has at most this many times as many lanes as there are free places. */
const HELD_PER_FREE_MAX = 3

// The receivers with due lanes, of organizations that may have more.
function selectReady({ channels, limits, held, lanesMax }: ClaimRequest): RawBuilder<unknown> {
  return sql`
      select scanned.*, known.lease_ms, coalesce(own.lanes_max, known.lanes_max) as lanes_max,
        ${HELD_PER_FREE_MAX * lanesMax}::integer - coalesce(holder.lanes_count, 0) as left_count,
        count(*) over (partition by scanned.organization_id) as receivers_count
      from present
      cross join scanned
      join unnest(
        ${channels.map(({ kind }) => kind)}::text[],
        ${channels.map(({ leaseMs }) => leaseMs)}::integer[],
        ${channels.map(({ lanesMax: max }) => max)}::integer[]
      ) as known (kind, lease_ms, lanes_max) on known.kind = scanned.channel
      left join unnest(
        ${limits.map(({ organizationId }) => organizationId)}::uuid[],
        ${limits.map(({ channel }) => channel)}::text[],
        ${limits.map(({ target }) => target)}::text[],
        ${limits.map(({ lanesMax: max }) => max)}::integer[]
      ) as own (organization_id, channel, target, lanes_max)
        on own.organization_id = scanned.organization_id
        and own.channel = scanned.channel
        and own.target = scanned.target
      left join unnest(
        ${held.map(({ organizationId }) => organizationId)}::uuid[],
        ${held.map(({ lanesCount }) => lanesCount)}::integer[]
      ) as holder (organization_id, lanes_count)
        on holder.organization_id = scanned.organization_id
      where coalesce(own.lanes_max, known.lanes_max) > 0
        and coalesce(holder.lanes_count, 0) < ${HELD_PER_FREE_MAX * lanesMax}::integer
        and exists (
          select
          from delivery_lane
          where organization_id = scanned.organization_id
            and channel = scanned.channel
            and target = scanned.target
            and due_at <= present.instant
          offset 0
        )`
}

// Each organization gets an equal share, and so does each of its receivers. Afterwards, an organization still has at most
// `HELD_PER_FREE_MAX` times as many lanes as there are free places.
function selectDueLanes(): RawBuilder<unknown> {
  return sql`
      select lane.organization_id, lane.channel, lane.target, lane.subject, ready.lease_ms,
        ready.ordinal
      from present
      cross join ready
      cross join (
        select 1 + ${HELD_PER_FREE_MAX}::integer * count(distinct organization_id) as count
        from ready
      ) as share
      cross join lateral (
        select *
        from delivery_lane
        where organization_id = ready.organization_id
          and channel = ready.channel
          and target = ready.target
          and due_at <= present.instant
        order by due_at
        limit least(
          ready.lanes_max,
          greatest(1, ready.left_count / (share.count * ready.receivers_count))
        )
        for update skip locked
      ) as lane`
}

/** Lists the next pending deliveries of lanes, in their order, each lane up to a number and a size. */
export async function listNextDeliveries(
  db: Database,
  lanes: readonly Lane[],
  limit: { deliveriesMax: number; bytesMax: number },
): Promise<OutgoingDelivery[]> {
  const { rows } = await sql<OutgoingDelivery>`
    select
      lane.organization_id as "organizationId", lane.channel, lane.target, lane.subject, next.id,
      next.topic, next.event_id as "eventId", next.payload,
      next.attempt_count - next.earlier_attempt_count as "attemptCount"
    from ${unnestLanes(lanes)} as lane
    cross join lateral (
      select
        first.*, row_number() over place as position,
        sum(octet_length(payload)) over place as bytes
      from (
        select id, topic, event_id, payload, attempt_count, earlier_attempt_count, sequence
        from delivery
        where organization_id = lane.organization_id
          and channel = lane.channel
          and target = lane.target
          and subject = lane.subject
          and state = 'pending'
        order by sequence
        limit ${limit.deliveriesMax}
      ) as first
      window place as (order by sequence)
    ) as next
    where next.position = 1
      or next.bytes <= ${limit.bytesMax}
    order by lane.organization_id, lane.channel, lane.target, lane.subject, next.position
  `.execute(db)
  return rows
}

/** Locks the lanes that are still claimed as given, until the end of the transaction. */
export async function lockLanes(
  transaction: Database,
  lanes: readonly ClaimedLane[],
): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    select
      lane.organization_id as "organizationId", lane.channel, lane.target, lane.subject
    from delivery_lane as lane
    join ${unnestLanes(lanes)} as held on ${isSameLane('held')}
    where lane.claim = any (${[...new Set(lanes.map(({ claim }) => claim))]}::uuid[])
    order by lane.organization_id, lane.channel, lane.target, lane.subject
    for update of lane
  `.execute(transaction)
  return rows
}

/**
 * Returns locked lanes to the queue, where they are due when their next delivery is; removes those without pending
 * deliveries. Must be a statement after the one that locks them: only then it sees every delivery that was enqueued
 * before.
 */
export async function releaseLanes(
  transaction: Database,
  clock: Clock,
  lanes: readonly Lane[],
): Promise<void> {
  await sql`
    with next as (
      select held.*, first.id, first.next_attempt_at
      from ${unnestLanes(lanes)} as held
      left join lateral (
        select id, next_attempt_at
        from delivery
        where organization_id = held.organization_id
          and channel = held.channel
          and target = held.target
          and subject = held.subject
          and state = 'pending'
        order by sequence
        limit 1
      ) as first on true
    ),
    removed as (
      delete from delivery_lane as lane
      using next
      where ${isSameLane('next')}
        and next.id is null
    )
    update delivery_lane as lane
    set due_at = coalesce(next.next_attempt_at, ${clock.now}), claim = null
    from next
    where ${isSameLane('next')}
      and next.id is not null
  `.execute(transaction)
}

function unnestLanes(lanes: readonly Lane[]): RawBuilder<unknown> {
  return sql`(
      select *
      from unnest(
        ${lanes.map(({ organizationId }) => organizationId)}::uuid[],
        ${lanes.map(({ channel }) => channel)}::text[],
        ${lanes.map(({ target }) => target)}::text[],
        ${lanes.map(({ subject }) => subject)}::text[]
      ) as given (organization_id, channel, target, subject)
    )`
}

function isSameLane(other: string): RawBuilder<unknown> {
  const same = (column: string): RawBuilder<unknown> =>
    sql`${sql.ref(`lane.${column}`)} = ${sql.ref(`${other}.${column}`)}`
  const columns = ['organization_id', 'channel', 'target', 'subject']
  return sql.join(columns.map(same), sql` and `)
}
