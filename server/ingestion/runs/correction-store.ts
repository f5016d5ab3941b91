import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendDecision, RUN_ENTRY_COLUMNS } from './run-record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { UNDO_RUNS_MAX } from '../integrations/run.ts'

/** Checks whether a run can be undone: it is one of the last few that published changes. */
export async function isUndoable(
  db: Database,
  organizationId: string,
  integrationId: string,
  runId: string,
): Promise<boolean> {
  const { rows } = await sql<{ isUndoable: boolean }>`
    select exists (
      select
      from (
        select id
        from ingestion_run
        where organization_id = ${organizationId}
          and integration_id = ${integrationId}
          and status = 'SUCCESS'
          and kind <> 'preview'
        order by started_at desc, id desc
        limit ${UNDO_RUNS_MAX}
      ) as last
      where id = ${runId}
    ) as "isUndoable"
  `.execute(db)
  return rows[0]?.isUndoable ?? false
}

/** Decides about the deletes that a run holds. Returns false if they are not pending. */
export async function decideHeld(
  db: Database,
  {
    organizationId,
    integrationId,
    runId,
  }: Record<'organizationId' | 'integrationId' | 'runId', string>,
  decision: 'confirmed' | 'rejected',
  { at, ...actor }: ActivityActor & { at: RawBuilder<unknown> },
): Promise<boolean> {
  const isRejected = decision === 'rejected' ? sql`true` : sql`false`
  const { rows } = await sql`
    with decided as (
      update ingestion_run
      set held_state = ${decision}
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and id = ${runId}
        and held_state = 'pending'
      returning ${RUN_ENTRY_COLUMNS}
    ),
    -- The run that deletes the assets has the entry of a confirmation.
    rejected as (
      select *
      from decided
      where ${isRejected}
    ),
    recorded as (${appendDecision({ ...actor, action: 'deletes-rejected', at }, 'rejected')}
    )
    select id
    from decided
  `.execute(db)
  return rows.length > 0
}
