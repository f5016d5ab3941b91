import { sql, type RawBuilder } from 'kysely'
import { appendActivity, type NewEntry } from '../../ledger/activity/record.ts'

/** The columns of a run that its entries have, for `returning`. */
export const RUN_ENTRY_COLUMNS = sql`ingestion_run.organization_id, ingestion_run.id,
      ingestion_run.integration_id, ingestion_run.kind, ingestion_run.status, ingestion_run.principal,
      ingestion_run.assets_created, ingestion_run.assets_updated, ingestion_run.assets_deleted,
      ingestion_run.held_count`

/** SQL fragment: the entry of the start of each run in a result, in the statement that starts it. */
export function appendStarts(
  { at, requestId }: Pick<NewEntry, 'at'> & { requestId?: string | undefined },
  result: string,
): RawBuilder<unknown> {
  const start = { kind: 'ingestion-attempt', action: 'started', at, requestId } as const
  return appendRuns(start, result, sql`run.kind in ('ingest', 'preview')`)
}

/**
 * SQL fragment: the entry of the end of each run in a result, in the statement that ends it. Runs that changed assets
 * have another kind of entry than those that did not.
 */
export function appendEnds({ at }: Pick<NewEntry, 'at'>, result: string): RawBuilder<unknown> {
  const hasChanged = sql`(
        run.status = 'SUCCESS'
        and run.kind <> 'preview'
        and run.assets_created + run.assets_updated + run.assets_deleted > 0
      )`
  const kind = sql`case
        when ${hasChanged} or run.kind in ('undo', 'confirm') then 'ingestion-run'
        else 'ingestion-attempt'
      end`
  const action = sql`case
        when run.status = 'CANCELLED' then 'cancelled'
        when run.status <> 'SUCCESS' then 'failed'
        when run.kind = 'undo' then 'undone'
        when run.kind = 'confirm' then 'deletes-confirmed'
        when ${hasChanged} then 'ingested'
        else 'completed'
      end`
  return appendRuns({ kind, action, at }, result, sql`run.status <> 'RUNNING'`)
}

/** SQL fragment: the entry of a decision about a run in a result. */
export function appendDecision(
  decision: Pick<NewEntry, 'action' | 'at'> & { principal: string; requestId: string },
  result: string,
): RawBuilder<unknown> {
  return appendRuns({ kind: 'ingestion-run', ...decision }, result, sql`true`)
}

function appendRuns(
  entry: Pick<NewEntry, 'kind' | 'action' | 'at'> & {
    principal?: string | undefined
    requestId?: string | undefined
  },
  result: string,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const origin = {
    organizationId: sql`run.organization_id`,
    principal: entry.principal ?? sql`run.principal`,
    requestId: entry.requestId ?? sql`run.id`,
  }
  const facts = {
    subject: sql`run.id`,
    name: sql`integration.name`,
    team: sql`team.external_id`,
    details: sql`jsonb_build_object(
        'integration', integration.external_id, 'runKind', run.kind,
        'created', run.assets_created, 'updated', run.assets_updated,
        'deleted', run.assets_deleted, 'held', run.held_count
      )`,
  }
  const { kind, action, at } = entry
  return appendActivity(
    origin,
    { kind, action, at, ...facts },
    sql`from ${sql.table(result)} as run
    join integration on integration.organization_id = run.organization_id
      and integration.id = run.integration_id
    left join team on team.organization_id = integration.organization_id
      and team.id = integration.owner_team_id
    where ${condition}`,
  )
}
