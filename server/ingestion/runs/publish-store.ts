import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { Claim } from './claim.ts'
import { selectRejectedDeletes } from './rejected-record.ts'

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
  const { organizationId, runId } = claim
  const { rows } = await sql<{ isRejected: boolean }>`
    select coalesce(bool_and(rejected.asset_id is not null), false) as "isRejected"
    from asset_change as held
    left join (${selectRejectedDeletes(claim)}
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
