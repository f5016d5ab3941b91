import { appendEnds, RUN_ENTRY_COLUMNS } from './run-record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { RUN_CHANNEL } from './run-store.ts'
import type { Claim, NewLogLine, Progress, RunEnd } from './claim.ts'
import { ATTEMPTS_MAX, LEASE_MS, RUN_MS_MAX, STALL_MS } from '../integrations/run.ts'

const LEASE = sql`make_interval(secs => ${LEASE_MS / 1000})`

/** Matches the run only while this claim is its last. */
export function matchesClaim(claim: Claim) {
  return sql`organization_id = ${claim.organizationId}
      and id = ${claim.runId}
      and fence = ${claim.fence}
      and status = 'RUNNING'`
}

function isFree(clock: Clock): RawBuilder<unknown> {
  return sql`(
          (lease_until is null or lease_until < ${clock.now})
          and cancel_requested_at is null
          and attempt < ${ATTEMPTS_MAX}
          and (not_before is null or not_before <= ${clock.now})
          and kind in ('ingest', 'preview')
        )`
}

/** The organizations whose runs are next. */
interface ClaimTurn {
  /** The organization whose run was claimed last; those after it are next, in the order of their ids. */
  after?: string
  /** The organizations whose runs must wait. */
  except?: readonly string[]
}

/**
 * Claims a free run. Organizations take turns: the one with the fewest runs under way is first, so that waiting runs of
 * one never delay the only run of another; of those with equally many, the next one; of its runs, the oldest. Skips
 * locked runs: two workers never claim the same run or wait for each other.
 */
export async function claimRun(
  db: Database,
  clock: Clock,
  { after, except = [] }: ClaimTurn = {},
): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    with turn as materialized (
      select organization_id, count(*) filter (where lease_until >= ${clock.now}) as under_way_count
      from ingestion_run
      where status = 'RUNNING'
        and organization_id <> all (${except}::uuid[])
      group by organization_id
      having bool_or(${isFree(clock)})
    ),
    free as (
      select run.organization_id, run.id
      from (
        select organization_id
        from turn
        order by under_way_count, organization_id <= ${after ?? null}::uuid, organization_id
      ) as turn
      -- In the order of the turns, until an organization has a run that is not locked.
      cross join lateral (
        select organization_id, id
        from ingestion_run
        where organization_id = turn.organization_id
          and status = 'RUNNING'
          and ${isFree(clock)}
        order by started_at, id
        limit 1
        for update skip locked
      ) as run
      limit 1
    )
    update ingestion_run as run
    set attempt = attempt + 1, fence = fence + 1, phase = 'checking',
      lease_until = ${clock.now} + ${LEASE}, progressed_at = ${clock.now}, not_before = null
    from free
    where run.organization_id = free.organization_id
      and run.id = free.id
    returning run.organization_id as "organizationId", run.id as "runId",
      run.integration_id as "integrationId", run.kind, run.principal, run.forced, run.attempt,
      run.source_failures as "sourceFailures", run.fence
  `.execute(db)
  return rows[0]
}

/**
 * Renews a lease. Undefined = the run was claimed by another worker, and this one must stop
 * writing.
 */
export async function beat(
  db: Database,
  clock: Clock,
  claim: Claim,
): Promise<{ isCancelled: boolean } | undefined> {
  const { rows } = await sql<{ isCancelled: boolean }>`
    update ingestion_run
    set lease_until = ${clock.now} + ${LEASE}
    where ${matchesClaim(claim)}
    returning cancel_requested_at is not null as "isCancelled"
  `.execute(db)
  return rows[0]
}

/** Updates the progress of a run. Returns false if the run was claimed by another worker. */
export async function updateProgress(
  db: Database,
  clock: Clock,
  claim: Claim,
  progress: Progress,
): Promise<boolean> {
  const { rows } = await sql`
    update ingestion_run
    set phase = ${progress.phase}, message = ${progress.message},
      assets_processed = ${progress.processedCount}, progressed_at = ${clock.now}
    where ${matchesClaim(claim)}
    returning id
  `.execute(db)
  return rows.length > 0
}

/**
 * Ends a run. Returns false if another worker claimed it, or if a run to be closed as SUCCESS was
 * cancelled: the surrounding transaction must not commit then.
 */
export async function closeRun(
  db: Database,
  clock: Clock,
  claim: Claim,
  { status, message, counts }: RunEnd,
): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update ingestion_run
      set status = ${status}, message = ${message}, completed_at = ${clock.now}, lease_until = null,
        assets_processed = ${counts.processed}, assets_created = ${counts.created},
        assets_updated = ${counts.updated}, assets_deleted = ${counts.deleted},
        held_count = ${counts.held},
        held_state = case when ${counts.held}::integer > 0 and kind = 'ingest' then 'pending' end
      where ${matchesClaim(claim)}
        and (${status} <> 'SUCCESS' or cancel_requested_at is null)
      returning ${RUN_ENTRY_COLUMNS}, ingestion_run.completed_at
    ),
    recorded as (${appendEnds({ at: sql`run.completed_at` }, 'ended')}
    )
    select id
    from ended
  `.execute(db)
  return rows.length > 0
}

/** Releases a run, which any worker can then claim immediately; the attempt does not count. */
export async function releaseRun(db: Database, claim: Claim): Promise<void> {
  await sql`
    with released as (
      update ingestion_run
      set lease_until = null, attempt = attempt - 1, fence = fence + 1, phase = 'waiting'
      where ${matchesClaim(claim)}
      returning id
    )
    select pg_notify(${RUN_CHANNEL}, id::text)
    from released
  `.execute(db)
}

/**
 * Returns a run to the queue for later, because its source cannot be reached; the attempt does not
 * count. The time is appended to the message. A run that was cancelled in the meantime ends here:
 * returns whether it was.
 */
export async function postponeRun(
  db: Database,
  clock: Clock,
  claim: Claim,
  { message, delayMs }: { message: string; delayMs: number },
): Promise<boolean> {
  const { rows } = await sql<{ isCancelled: boolean }>`
    with postponed as (
    update ingestion_run
    set lease_until = null, attempt = attempt - 1, fence = fence + 1, phase = 'waiting',
      source_failures = source_failures + 1, not_before = later.instant,
      status = case when cancel_requested_at is null then status else 'CANCELLED' end,
      completed_at = case when cancel_requested_at is not null then now.instant end,
      message = case when cancel_requested_at is null
        then ${message}::text || to_char(later.instant at time zone 'UTC', ' "Next attempt at" HH24:MI:SS "UTC."')
        else 'Cancelled. Nothing was published.' end
    from (select ${clock.now} as instant) as now,
      lateral (select now.instant + make_interval(secs => ${delayMs / 1000}) as instant) as later
    where ${matchesClaim(claim)}
    returning ${RUN_ENTRY_COLUMNS}, ingestion_run.completed_at
    ),
    recorded as (${appendEnds({ at: sql`run.completed_at` }, 'postponed')}
    )
    select status = 'CANCELLED' as "isCancelled"
    from postponed
  `.execute(db)
  return rows[0]?.isCancelled === true
}

/** A run that was abandoned by its workers, and the state in which it was closed. */
interface ReapedRun {
  runId: string
  status: RunEnd['status']
  message: string
}

/**
 * Closes runs that no worker will end: cancelled ones that are free, those that failed in their
 * last attempt, those without progress, and those that take too long in total. Their fence is
 * incremented, so that late workers change nothing.
 */
export async function reapRuns(db: Database, clock: Clock): Promise<ReapedRun[]> {
  const { rows } = await sql<ReapedRun>`
    with doomed as (
      select run.organization_id, run.id,
        case
          when is_free and cancel_requested_at is not null
            then 'Cancelled. Nothing was published.'
          when is_free and attempt >= ${ATTEMPTS_MAX}
            then 'The worker stopped responding, ' || attempt || ' times. Nothing was published.'
          when started_at < now - make_interval(secs => ${RUN_MS_MAX / 1000}) and attempt = 0
            then 'No worker took the run within six hours. Is one running?'
          when started_at < now - make_interval(secs => ${RUN_MS_MAX / 1000})
            then 'The run took longer than six hours. Nothing was published.'
          when lease_until is not null and progressed_at < now - make_interval(secs => ${STALL_MS / 1000})
            then 'The run made no progress for 15 minutes. Nothing was published.'
        end as reason
      from (
        select ingestion_run.*, clock.now, (lease_until is null or lease_until < clock.now) as is_free
        from ingestion_run
        cross join (select ${clock.now} as now) as clock
        where status = 'RUNNING'
        for update of ingestion_run skip locked
      ) as run
    ),
    closed as (
      update ingestion_run
      set status = case when cancel_requested_at is null then 'FAILED' else 'CANCELLED' end,
        message = reason, completed_at = ${clock.now}, lease_until = null, fence = fence + 1
      from doomed
      where reason is not null
        and ingestion_run.organization_id = doomed.organization_id
        and ingestion_run.id = doomed.id
      returning ${RUN_ENTRY_COLUMNS}, ingestion_run.completed_at, ingestion_run.message
    ),
    recorded as (${appendEnds({ at: sql`run.completed_at` }, 'closed')}
    )
    select id as "runId", status, message
    from closed
  `.execute(db)
  return rows
}

/** Adds lines to the log of a run while the claim is valid. */
export async function insertLogLines(
  db: Database,
  claim: Claim,
  lines: readonly NewLogLine[],
): Promise<void> {
  await sql`
    insert into ingestion_log_line (organization_id, run_id, at, level, text)
    select ${claim.organizationId}::uuid, ${claim.runId}::uuid, added.at, added.level, added.text
    from unnest(
      ${lines.map(({ at }) => at)}::timestamptz[],
      ${lines.map(({ level }) => level)}::text[],
      ${lines.map(({ text }) => text)}::text[]
    ) with ordinality as added (at, level, text, ordinal)
    where exists (
      select from ingestion_run
      where organization_id = ${claim.organizationId}
        and id = ${claim.runId}
        and fence = ${claim.fence}
    )
    order by added.ordinal
  `.execute(db)
}
