import { appendStarts, RUN_ENTRY_COLUMNS } from './run-record.ts'
import { sql } from 'kysely'
import { moveSchedules, type ScheduleMove } from '../integrations/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { RUN_CHANNEL } from './run-store.ts'
import { LOG_DAYS } from '../integrations/run.ts'

/** The result for a due schedule: a run, or none because one is in progress. */
export interface DueRun {
  organizationId: string
  integrationId: string
  runId: string | null
}

/**
 * Advances due schedules and starts their runs in one statement. One of several processes advances
 * a schedule; if a run is in progress, its log records the skipped run.
 */
export async function startDueRuns(
  db: Database,
  clock: Clock,
  moves: readonly (ScheduleMove & { runId: string })[],
): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    with moved as (${moveSchedules(moves)}
    ),
    started as (
      insert into ingestion_run (
        organization_id, id, integration_id, kind, status, phase, principal, forced, started_at,
        progressed_at
      )
      select moved.organization_id, move.run_id, moved.id, 'ingest', 'RUNNING', 'waiting', 'system',
        false, now.instant, now.instant
      from moved
      join unnest(
        ${moves.map(({ integrationId }) => integrationId)}::uuid[],
        ${moves.map(({ runId }) => runId)}::uuid[]
      ) as move (id, run_id) on move.id = moved.id
      cross join (select ${clock.now} as instant) as now
      on conflict (organization_id, integration_id) where status = 'RUNNING' do nothing
      returning ${RUN_ENTRY_COLUMNS}, ingestion_run.started_at
    ),
    recorded as (${appendStarts({ at: sql`run.started_at` }, 'started')}
    ),
    logged as (
      insert into ingestion_log_line (organization_id, run_id, at, level, text)
      select running.organization_id, running.id, ${clock.now}, 'warn',
        'The schedule was due at ' || to_char(moved.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
          || ' while this run was in progress: no other run was started.'
      from moved
      join ingestion_run as running on running.organization_id = moved.organization_id
        and running.integration_id = moved.id
        and running.status = 'RUNNING'
    )
    select moved.organization_id as "organizationId", moved.id as "integrationId",
      started.id as "runId", pg_notify(${RUN_CHANNEL}, started.id::text) is null as notified
    from moved
    left join started on started.organization_id = moved.organization_id
      and started.integration_id = moved.id
  `.execute(db)
  return rows
}

/** Deletes expired log lines. */
export async function deleteOldLogLines(db: Database, clock: Clock): Promise<void> {
  await sql`
    delete from ingestion_log_line
    where at < ${clock.now} - make_interval(days => ${LOG_DAYS})
  `.execute(db)
}
