import { sql } from 'kysely'
import type { Clock, Instant } from '../platform/kit/clock.ts'
import { GONE_MS, type ProcessRole, type ProcessState } from '../platform/processes/process.ts'
import type { Database } from '../platform/tables.ts'

/** A process of the installation, as its last beat described it. */
export interface ProcessRow {
  id: string
  version: string
  role: ProcessRole
  host: string
  state: ProcessState
  startedAt: Instant
  beatAt: Instant
  /** Whether three of its beats are missing. */
  isGone: boolean
}

/** Lists the processes, the longest running first. A process that stopped has no row. */
export async function listProcesses(db: Database, clock: Clock): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, version, role, host, state, started_at as "startedAt", beat_at as "beatAt",
      beat_at <= now - ${GONE_MS}::float8 * interval '1 millisecond' as "isGone"
    from process
    cross join (select ${clock.now} as now) as clock
    order by started_at, id
  `.execute(db)
  return rows
}

/** The results of a job, or of a command that records itself. */
export interface JobRow {
  name: string
  succeededAt: Instant | null
  /** The last failure, unless the job succeeded after it. */
  failedAt: Instant | null
  failureCode: string | null
  durationMs: number | null
  /** The time since its last success; without any, since the first process that would do it. */
  ageSeconds: number
}

/** Lists the results of the jobs. */
export async function listJobResults(db: Database, clock: Clock): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select name, succeeded_at as "succeededAt", duration_ms as "durationMs",
      case when has_failed then failed_at end as "failedAt",
      case when has_failed then failure_code end as "failureCode",
      extract(epoch from now - coalesce(succeeded_at, created_at))::float8 as "ageSeconds"
    from job
    cross join (select ${clock.now} as now) as clock
    cross join lateral (
      select coalesce(failed_at > coalesce(succeeded_at, '-infinity'), false) as has_failed
    ) as result
    order by name
  `.execute(db)
  return rows
}

/** Counts the sessions of the database server, by all programs, beside its limit. */
export async function countServerConnections(
  db: Database,
): Promise<{ count: number; max: number }> {
  const { rows } = await sql<{ count: number; max: number }>`
    select coalesce(sum(numbackends), 0)::integer as count,
      current_setting('max_connections')::integer as max
    from pg_stat_database
  `.execute(db)
  return rows[0] ?? { count: 0, max: 0 }
}
