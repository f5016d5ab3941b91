import { sql } from 'kysely'
import type { Database } from '../tables.ts'
import type { Claim } from './claim.ts'

/** Closes pending deletes of earlier runs: this run has checked the source again. */
export async function supersedeHeld(db: Database, claim: Claim): Promise<void> {
  await sql`
    update ingestion_run
    set held_state = 'superseded'
    where organization_id = ${claim.organizationId}
      and integration_id = ${claim.integrationId}
      and held_state = 'pending'
      and id <> ${claim.runId}
  `.execute(db)
}

/**
 * Checks whether a person has already rejected all deletes of a run: the previous ingestion held
 * each of them, for an asset with the same path, and was rejected.
 */
export async function wasHeldRejected(db: Database, claim: Claim): Promise<boolean> {
  const { organizationId, integrationId, runId } = claim
  const { rows } = await sql<{ isRejected: boolean }>`
    select coalesce(bool_and(rejected.asset_id is not null), false) as "isRejected"
    from asset_change as held
    left join (
      select former.asset_id, former.path_before
      from (
        select id, held_state
        from ingestion_run
        where organization_id = ${organizationId}
          and integration_id = ${integrationId}
          and kind = 'ingest'
          and status = 'SUCCESS'
        order by started_at desc, id desc
        limit 1
      ) as last
      join asset_change as former on former.organization_id = ${organizationId}
        and former.run_id = last.id
        and former.held_because is not null
      where last.held_state = 'rejected'
    ) as rejected on rejected.asset_id = held.asset_id
      and rejected.path_before = held.path_before
    where held.organization_id = ${organizationId}
      and held.run_id = ${runId}
      and held.held_because is not null
  `.execute(db)
  return rows[0]?.isRejected ?? false
}

/** Rejects the deletes that a run holds, because they were rejected before. */
export async function rejectHeldAgain(
  db: Database,
  { organizationId, runId }: Claim,
): Promise<void> {
  await sql`
    update ingestion_run
    set held_state = 'rejected'
    where organization_id = ${organizationId}
      and id = ${runId}
      and held_state = 'pending'
  `.execute(db)
}
