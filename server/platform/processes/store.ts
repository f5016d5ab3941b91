import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { BEAT_MS, FORGOTTEN_MS, GONE_MS, type NewProcess, type ProcessState } from './process.ts'

type Sql = RawBuilder<unknown>

/** A beat of a process. */
interface Beat extends NewProcess {
  state: ProcessState
  /** The time since its start. */
  uptimeMs: number
  /** The jobs that it takes over if no other process does them. */
  offered: readonly OfferedJob[]
  /** The runs of its jobs that no beat has recorded yet. */
  reports: readonly JobReport[]
}

/** A job that a process would do. */
interface OfferedJob {
  name: string
  periodMs: number
}

/** The last run of a job that a process holds. */
export interface JobReport {
  name: string
  /** The time since the run began. */
  startedAgoMs: number
  /** Undefined = it is under way. */
  ended?: {
    agoMs: number
    /** Undefined = it succeeded. */
    failureCode: string | undefined
  }
}

/** The answer to a beat. */
interface BeatAnswer {
  /** The number of other processes that are there and not only serving. */
  otherWorkingCount: number
  /** The jobs that the process holds until GONE_MS after it sent the beat. */
  held: readonly HeldJob[]
}

/** A job that a process holds. */
export interface HeldJob {
  name: string
  /** The time until its next run, according to its last one. */
  dueInMs: number
}

/**
 * Records a beat, takes over jobs that no process does, and records runs of jobs: one statement, so that an idle process
 * costs one small transaction. A job has one holder: of two processes that take it over at the same time, the second one
 * finds another claim than it read. Reports about jobs that the process has lost are dropped.
 */
export async function recordBeat(db: Database, clock: Clock, beat: Beat): Promise<BeatAnswer> {
  const id = sql`${beat.id}::uuid`
  const { rows } = await sql<BeatAnswer>`
    with time as materialized (select ${clock.now} as now),
    ${upsertedProcess(id, beat)},
    ${presentProcesses(id)},
    ${givenJobs(beat)},
    ${addedJobs(id)},
    ${changedJobs(id)},
    held as (
      select * from added
      union all
      select * from changed where process_id = ${id}
      union all
      select *
      from job
      where process_id = (select id from lasting)
        and not exists (select from changed where changed.name = job.name)
    )
    select
      (
        select count(*)
        from present
        where id <> ${id} and role <> 'serving' and state = 'running'
      ) as "otherWorkingCount",
      coalesce(
        (
          select jsonb_agg(jsonb_build_object('name', held.name, 'dueInMs', ${DUE_IN_MS}))
          from held
          join offered on offered.name = held.name
          cross join time
        ),
        '[]'
      ) as held
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a statement returned no row')
  return row
}

const upsertedProcess = (id: Sql, { version, schemaVersion, role, host, state, uptimeMs }: Beat) =>
  sql`
    beating as (
      insert into process (id, version, schema_version, role, host, state, started_at, beat_at)
      select ${id}, ${version}, ${schemaVersion}, ${role}, ${host}, ${state},
        now - ${toInterval(sql`${uptimeMs}`)}, now
      from time
      on conflict (id) do update set state = excluded.state, beat_at = excluded.beat_at
    )`

// A process that returns late competes for its own jobs. Its statement ends before others can take them over.
const presentProcesses = (id: Sql) => sql`
    present as materialized (
      select process.id, process.role, process.state
      from process
      cross join time
      where process.beat_at > time.now - ${toInterval(sql`${GONE_MS}`)}
    ),
    lasting as materialized (
      select process.id
      from process
      cross join time
      where process.id = ${id}
        and process.beat_at > time.now - ${toInterval(sql`${GONE_MS - BEAT_MS}`)}
    )`

function givenJobs({ offered, reports }: Beat): Sql {
  const ended = reports.map((report) => ({
    ...report,
    endedAgoMs: report.ended?.agoMs ?? null,
    failureCode: report.ended?.failureCode ?? null,
  }))
  return sql`
    offered as (
      select name, "periodMs"
      from jsonb_to_recordset(${JSON.stringify(offered)}::jsonb)
        as offered (name text, "periodMs" float8)
    ),
    report as (
      select *
      from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as report
        (name text, "startedAgoMs" float8, "endedAgoMs" float8, "failureCode" text)
    ),
    seen as materialized (select name, claim_count from job)`
}

const addedJobs = (id: Sql) => sql`
    added as (
      insert into job (name, process_id, created_at)
      select offered.name, ${id}, time.now
      from offered
      cross join time
      where not exists (select from seen where seen.name = offered.name)
      on conflict (name) do nothing
      returning *
    )`

const changedJobs = (id: Sql) => sql`
    changed as (
      update job
      set process_id = case when offered.name is null then null else ${id} end,
        claim_count = job.claim_count
          + case when job.process_id = (select id from lasting) then 0 else 1 end,
        started_at = coalesce(time.now - ${toInterval(sql`report."startedAgoMs"`)}, started_at),
        succeeded_at = case
          when report."failureCode" is null
          then coalesce(time.now - ${toInterval(sql`report."endedAgoMs"`)}, succeeded_at)
          else succeeded_at
        end,
        failed_at = case
          when report."failureCode" is not null
          then time.now - ${toInterval(sql`report."endedAgoMs"`)}
          else failed_at
        end,
        failure_code = coalesce(report."failureCode", failure_code),
        duration_ms = coalesce(
          (report."startedAgoMs" - report."endedAgoMs")::integer, duration_ms
        )
      from seen
      left join offered on offered.name = seen.name
      left join report on report.name = seen.name
      cross join time
      where job.name = seen.name
        and job.claim_count = seen.claim_count
        and case
          when job.process_id = (select id from lasting)
            then report.name is not null or offered.name is null
          when job.process_id = ${id} then true
          else offered.name is not null
            and not exists (select from present where present.id = job.process_id)
        end
      returning job.*
    )`

// A run that began and did not end was that of a process that was killed. A job that never ran waits for its period, like
// after each start of the only process.
const DUE_IN_MS = sql`
  case
    when held.started_at > coalesce(greatest(held.succeeded_at, held.failed_at), '-infinity') then 0
    else greatest(0, offered."periodMs" - extract(epoch from
      time.now - coalesce(greatest(held.succeeded_at, held.failed_at), held.created_at)) * 1000)
  end::integer`

/** Deletes the row of a process that stops, so that others take over its jobs. */
export async function deleteProcess(db: Database, id: string): Promise<void> {
  await sql`delete from process where id = ${id}::uuid`.execute(db)
}

/** Deletes the rows of processes that have been gone for an hour. */
export async function deleteGoneProcesses(db: Database, clock: Clock): Promise<void> {
  await sql`
    delete from process
    where beat_at < (select ${clock.now}) - ${toInterval(sql`${FORGOTTEN_MS}`)}
  `.execute(db)
}

/** Records the success of a command that is not an upkeep job. */
export async function recordCommand(
  db: Database,
  clock: Clock,
  { name, durationMs }: { name: string; durationMs: number },
): Promise<void> {
  await sql`
    insert into job (name, created_at, started_at, succeeded_at, duration_ms)
    select ${name}, now, now - ${toInterval(sql`${durationMs}`)}, now, ${durationMs}::float8::integer
    from (select ${clock.now} as now) as time
    on conflict (name) do update
    set started_at = excluded.started_at, succeeded_at = excluded.succeeded_at,
      duration_ms = excluded.duration_ms
  `.execute(db)
}

function toInterval(milliseconds: Sql): Sql {
  return sql`(${milliseconds})::float8 * interval '1 millisecond'`
}
