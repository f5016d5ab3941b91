import { SYSTEM, type ActivityActor } from '../../ledger/activity/entry.ts'
import { appendDecision, appendStarts, RUN_ENTRY_COLUMNS } from './run-record.ts'
import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { RUN_COLUMNS, type RunKind, type RunRow, type RunStatus } from '../integrations/run.ts'

/** A run to insert. */
export interface NewRun {
  organizationId: string
  id: string
  integrationId: string
  kind: RunKind
  principal: string
  /** Whether a person confirmed that an empty source is right. */
  forced: boolean
  /** The run that an undo or a confirmation refers to. */
  subjectRunId?: string
  /** The request that starts it; absent = none. */
  requestId?: string
}

/** The notification channel for runs that need attention. */
export const RUN_CHANNEL = 'portbook_run'

const COLUMNS = sql.join(RUN_COLUMNS.map((column) => sql.ref(`ingestion_run.${column}`)))

/**
 * Inserts a run as RUNNING and notifies the workers. Undefined = one is in progress: the index
 * admits one of concurrent inserts.
 */
export async function insertRun(
  db: Database,
  clock: Clock,
  run: NewRun,
): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    with inserted as (
      insert into ingestion_run (
        organization_id, id, integration_id, kind, status, phase, principal, forced,
        subject_run_id, started_at, progressed_at
      )
      select
        ${run.organizationId}::uuid, ${run.id}::uuid, ${run.integrationId}::uuid, ${run.kind},
        'RUNNING', 'waiting', ${run.principal}, ${run.forced}::boolean,
        ${run.subjectRunId ?? null}::uuid, now.instant, now.instant
      from (select ${clock.now} as instant) as now
      on conflict (organization_id, integration_id) where status = 'RUNNING' do nothing
      returning *
    ),
    recorded as (${appendStarts({ at: sql`run.started_at`, requestId: run.requestId }, 'inserted')}
    )
    select ${sql.join(RUN_COLUMNS.map((column) => sql.ref(column)))},
      pg_notify(${RUN_CHANNEL}, id::text) is null as notified
    from inserted
  `.execute(db)
  return rows[0]
}

/** Selects runs of an integration. */
export interface RunFilter {
  organizationId: string
  integrationId: string
  status?: RunStatus | undefined
  /** Undefined = all. */
  kind?: RunKind | undefined
  limit: number
}

/** Lists runs, newest first. */
export async function listRuns(db: Database, filter: RunFilter): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select ${COLUMNS}
    from ingestion_run
    where organization_id = ${filter.organizationId}
      and integration_id = ${filter.integrationId}
      and (${filter.status ?? null}::text is null or status = ${filter.status ?? null})
      and (${filter.kind ?? null}::text is null or kind = ${filter.kind ?? null})
    order by started_at desc, id desc
    limit ${filter.limit}
  `.execute(db)
  return rows
}

/** Finds a run of an integration. */
export async function findRun(
  db: Database,
  organizationId: string,
  integrationId: string,
  id: string,
): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select ${COLUMNS}
    from ingestion_run
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and id = ${id}
  `.execute(db)
  return rows[0]
}

/**
 * Requests the end of the run in progress, if any. A free run ends immediately; otherwise its
 * worker is notified and ends it. Returns the run's id.
 */
export async function cancelRun(
  db: Database,
  clock: Clock,
  organizationId: string,
  integrationId: string,
  actor: ActivityActor = SYSTEM,
): Promise<string | undefined> {
  const action = sql`case when run.status = 'CANCELLED' then 'cancelled' else 'cancel-requested' end`
  const decision = { ...actor, action, at: clock.now }
  const { rows } = await sql<{ id: string }>`
    with cancelled as (
      update ingestion_run
      set cancel_requested_at = coalesce(cancel_requested_at, now.instant),
        status = case when lease_until is null then 'CANCELLED' else status end,
        completed_at = case when lease_until is null then now.instant end,
        message = case when lease_until is not null then message
          when source_failures > 0 then 'Cancelled. Nothing was published.'
          else 'Cancelled before it began. Nothing was published.' end
      from (select ${clock.now} as instant) as now
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and status = 'RUNNING'
      returning ${RUN_ENTRY_COLUMNS}
    ),
    recorded as (${appendDecision(decision, 'cancelled')}
    )
    select id, pg_notify(${RUN_CHANNEL}, id::text) is null as notified
    from cancelled
  `.execute(db)
  return rows[0]?.id
}

/** Lists the ids of runs that wait for a worker or that their worker must end. */
export async function listWaitingRuns(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id
    from ingestion_run
    where status = 'RUNNING'
      and (lease_until is null or cancel_requested_at is not null)
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** A scope in a run's ledger. */
export interface ScopeRow {
  /** The native path. */
  scope: string[]
  kind: string
  state: string
  objects: number
  message: string | null
}

/** Lists the ledger of a run. */
export async function listScopes(
  db: Database,
  organizationId: string,
  runId: string,
): Promise<ScopeRow[]> {
  const { rows } = await sql<ScopeRow>`
    select scope::jsonb as scope, kind, state, object_count as objects, message
    from ingestion_scope
    where organization_id = ${organizationId}
      and run_id = ${runId}
    order by ingestion_scope.scope
  `.execute(db)
  return rows
}

/** A line of a run's log. */
export interface LogRow {
  at: string
  level: string
  text: string
}

/** Lists the log of a run, oldest line first. */
export async function listLogLines(
  db: Database,
  organizationId: string,
  runId: string,
): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select at, level, text
    from ingestion_log_line
    where organization_id = ${organizationId}
      and run_id = ${runId}
    order by line
  `.execute(db)
  return rows
}
