import { sql } from 'kysely'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { appendIntegrations } from './activity-record.ts'

/** An integration with the fields that a worker needs. */
export interface RunnableIntegration {
  externalId: string
  source: string
  /** The connector's fields and the filters. */
  configuration: unknown
}

/** Finds an integration by its internal id. */
export async function findRunnable(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<RunnableIntegration | undefined> {
  return await db
    .selectFrom('integration')
    .select(['external_id as externalId', 'source', 'configuration'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', integrationId)
    .executeTakeFirst()
}

/** Resets the count of rejected log-ins after a source accepted the credentials. */
export async function resetAuthenticationFailures(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<void> {
  await sql`
    update integration
    set authentication_failure_count = 0
    where organization_id = ${organizationId}
      and id = ${integrationId}
      and authentication_failure_count > 0
  `.execute(db)
}

/**
 * Counts a rejected log-in of a run; the schedule is paused after too many in a row. Returns
 * whether it is paused now.
 */
export async function countAuthenticationFailure(
  db: Database,
  clock: Clock,
  organizationId: string,
  integrationId: string,
  failuresMax: number,
): Promise<boolean> {
  const entry = {
    action: 'paused',
    at: clock.now,
    details: sql`jsonb_build_object('reason', paused_because)`,
  } as const
  // Further failures of a paused schedule do not pause it again.
  const from = sql`from integration where authentication_failure_count = ${failuresMax}::integer`
  const { rows } = await sql<{ isPaused: boolean }>`
    with integration as (
      update integration
      set authentication_failure_count = authentication_failure_count + 1,
        next_due_at = case when authentication_failure_count + 1 >= ${failuresMax} then null else next_due_at end,
        paused_because = case
          when authentication_failure_count + 1 >= ${failuresMax}
            then 'The source refused the credentials ' || (authentication_failure_count + 1)
              || ' times in a row, the last time at '
              || to_char(${clock.now} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
              || '. Set new credentials, or enable the schedule again.'
          else paused_because
        end
      where organization_id = ${organizationId}
        and id = ${integrationId}
      returning *
    ),
    recorded as (${appendIntegrations({ organizationId, ...SYSTEM }, entry, from)})
    select paused_because is not null as "isPaused" from integration
  `.execute(db)
  return rows[0]?.isPaused ?? false
}

/** A due schedule. */
export interface DueSchedule {
  organizationId: string
  integrationId: string
  expression: string
  timeZone: string
  /** The time at which it was due, and the current time. */
  dueAt: string
  now: string
}

/**
 * Lists due schedules, the longest waiting one of each organization first, so that many of one do not delay those of
 * others.
 */
export async function listDue(db: Database, clock: Clock, limit: number): Promise<DueSchedule[]> {
  const { rows } = await sql<DueSchedule>`
    select organization_id as "organizationId", id as "integrationId",
      schedule_expression as expression, schedule_time_zone as "timeZone", next_due_at as "dueAt",
      now.instant as now
    from integration
    cross join (select ${clock.now} as instant) as now
    where next_due_at <= now.instant
      and enabled
      and paused_because is null
      and schedule_expression is not null
    order by row_number() over (partition by organization_id order by next_due_at), next_due_at
    limit ${limit}
  `.execute(db)
  return rows
}
