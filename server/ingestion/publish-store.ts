import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import type { Claim } from './claim.ts'
import { GRACE_DAYS } from './run.ts'

/**
 * Notes which scopes the source no longer lists, and forgets those that it lists again. Returns those
 * that are missing for longer than the grace.
 */
export async function noteMissing(
  db: Database,
  clock: Clock,
  { organizationId, integrationId }: Claim,
  missing: readonly string[],
): Promise<string[]> {
  await sql`
    delete from missing_scope
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and not scope = any(${missing}::text[])
  `.execute(db)
  const { rows } = await sql<{ scope: string }>`
    with noted as (
      insert into missing_scope (organization_id, integration_id, scope, missing_since)
      select ${organizationId}::uuid, ${integrationId}::uuid, scope, ${clock.now}
      from unnest(${missing}::text[]) as missing (scope)
      on conflict do nothing
    )
    select scope
    from missing_scope
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and missing_since < ${clock.now} - make_interval(days => ${GRACE_DAYS})
  `.execute(db)
  return rows.map(({ scope }) => scope)
}

/** Ends the waiting of deletes that earlier runs held: this run has looked anew. */
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
