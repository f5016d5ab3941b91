import { sql } from 'kysely'
import type { Clock } from '../platform/kit/clock.ts'
import { GONE_MS } from '../platform/processes/process.ts'
import type { Database } from '../platform/tables.ts'
import {
  WAITING_COUNTED_MAX,
  type ActivityState,
  type ChannelState,
  type FollowerState,
  type JobState,
  type ProcessCount,
  type RunsState,
  type TableSize,
} from './installation-state.ts'

// These statements are sent every few seconds, over all organizations. Each looks rows up by an index, or reads a table
// that stays small: none becomes slower as the history grows.

/**
 * Lists the followers of the feed with their lags. Events that are not settled yet count, because a transaction that stays
 * open delays the feed.
 */
export async function listFollowerStates(db: Database, clock: Clock): Promise<FollowerState[]> {
  // One lookup of the next event for each follower and organization.
  const { rows } = await sql<FollowerState>`
    select feed_follower.name as follower,
      coalesce(extract(epoch from ${clock.now} - min(next.time)), 0)::float8 as "lagSeconds"
    from feed_follower
    cross join organization
    left join feed_cursor as handled on handled.organization_id = organization.id
      and handled.follower = feed_follower.name
    left join lateral (
      select time
      from event
      where event.organization_id = organization.id
        and (event.epoch, event.transaction_id, event.position) > (
          coalesce(handled.epoch, feed_follower.epoch),
          coalesce(handled.transaction_id, feed_follower.transaction_id),
          coalesce(handled.position, 0)
        )
      order by event.epoch, event.transaction_id, event.position
      limit 1
    ) as next on true
    group by feed_follower.name
    order by feed_follower.name
  `.execute(db)
  return rows
}

/** Lists channels with their waiting deliveries. */
export async function listChannelStates(
  db: Database,
  clock: Clock,
  channels: readonly string[],
): Promise<ChannelState[]> {
  const { rows } = await sql<ChannelState>`
    select asked.channel, waiting.count as "waitingCount",
      coalesce(extract(epoch from ${clock.now} - oldest.queued_at), 0)::float8 as "oldestSeconds"
    from unnest(${channels}::text[]) as asked (channel)
    cross join lateral (
      select count(*) as count
      from (
        select
        from delivery
        where delivery.channel = asked.channel
          and state = 'pending'
        order by queued_at
        limit ${WAITING_COUNTED_MAX}
      ) as counted
    ) as waiting
    left join lateral (
      select queued_at
      from delivery
      where delivery.channel = asked.channel
        and state = 'pending'
      order by queued_at
      limit 1
    ) as oldest on true
    order by asked.channel
  `.execute(db)
  return rows
}

/** Returns the runs that have not ended, of which each integration has at most one. */
export async function findRunsState(db: Database, clock: Clock): Promise<RunsState> {
  const { rows } = await sql<RunsState>`
    select
      count(*) filter (where is_held) as "runningCount",
      count(*) filter (where not is_held and free_since > now) as "postponedCount",
      count(*) filter (where not is_held and free_since <= now) as "waitingCount",
      greatest(
        coalesce(extract(epoch from max(now) - min(free_since) filter (where not is_held)), 0), 0
      )::float8 as "oldestWaitingSeconds"
    from (
      select now, coalesce(lease_until >= now, false) as is_held,
        -- A run is free from its start, after a delay, or when its worker has died.
        greatest(started_at, not_before, lease_until) as free_since
      from ingestion_run
      cross join (select ${clock.now} as now) as clock
      where status = 'RUNNING'
    ) as run
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}

/** Returns the age of the oldest entry of the activity without a seal. */
export async function findActivityState(db: Database, clock: Clock): Promise<ActivityState> {
  // One lookup of the next entry for each organization.
  const { rows } = await sql<ActivityState>`
    select coalesce(extract(epoch from ${clock.now} - min(next.at)), 0)::float8 as "unsealedSeconds"
    from organization
    left join activity_sealing as sealing on sealing.organization_id = organization.id
    cross join lateral (
      select at
      from activity_entry
      where activity_entry.organization_id = organization.id
        and (activity_entry.epoch, activity_entry.transaction_id, activity_entry.position) > (
          coalesce(sealing.epoch, -1), coalesce(sealing.transaction_id, '0'),
          coalesce(sealing.position, 0)
        )
      order by activity_entry.epoch, activity_entry.transaction_id, activity_entry.position
      limit 1
    ) as next
  `.execute(db)
  return rows[0] ?? { unsealedSeconds: 0 }
}

/** Counts the running processes by role and version. */
export async function listProcessCounts(db: Database, clock: Clock): Promise<ProcessCount[]> {
  const { rows } = await sql<ProcessCount>`
    select role, version, count(*) as count
    from process
    where beat_at > ${clock.now} - make_interval(secs => ${GONE_MS / 1000})
    group by role, version
    order by role, version
  `.execute(db)
  return rows
}

/** Lists the jobs with their last successes. */
export async function listJobs(db: Database): Promise<Omit<JobState, 'lateAfterSeconds'>[]> {
  const { rows } = await sql<Omit<JobState, 'lateAfterSeconds'>>`
    select name as job,
      extract(epoch from coalesce(succeeded_at, created_at))::float8 as "succeededAtSeconds"
    from job
    order by name
  `.execute(db)
  return rows
}

/** Lists the tables of Portbook with their sizes, the largest first. */
export async function listTableSizes(db: Database): Promise<TableSize[]> {
  // A table that is dropped in the meantime has no size.
  const { rows } = await sql<TableSize>`
    select relname::text as table, coalesce(pg_total_relation_size(oid), 0) as bytes
    from pg_class
    where relnamespace = current_schema()::regnamespace
      and relkind = 'r'
    order by 2 desc, 1
  `.execute(db)
  return rows
}
