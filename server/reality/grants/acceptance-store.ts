import { sql, type RawBuilder } from 'kysely'
import { appendActivity } from '../../ledger/activity/record.ts'
import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { isUnchanged, type NewAcceptance } from '../acceptance.ts'

/**
 * Accepts an open finding, or replaces its acceptance, with the entry of the activity, which has no name of the platform, in
 * one statement. Returns false if it was resolved or changed before.
 */
export async function acceptAccessFinding(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  id: string,
  accepted: NewAcceptance,
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with changed as (
      update grant_finding
      set accepted_until = ${accepted.until}, accepted_reason = ${accepted.reason}, accepted_by = ${metadata.principal},
        accepted_at = ${clock.now}
      where organization_id = ${metadata.organizationId}
        and id = ${id}
        and resolved_at is null
        and ${isUnchanged(accepted)}
      returning *
    ),
    recorded as (${appendEntry(metadata, 'access-finding-accepted', sql`changed.accepted_at`)}
    )
    select count(*)::integer as count
    from changed
  `.execute(db)
  return (rows[0]?.count ?? 0) > 0
}

/** Ends the acceptance of an open finding, with the entry of the activity in one statement. */
export async function endAccessAcceptance(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  id: string,
): Promise<void> {
  await sql`
    with former as materialized (
      select id, accepted_until, accepted_reason
      from grant_finding
      where organization_id = ${metadata.organizationId}
        and id = ${id}
        and accepted_until is not null
        and resolved_at is null
      for no key update
    ),
    ended as (
      update grant_finding as finding
      set accepted_until = null, accepted_reason = null, accepted_by = null, accepted_at = null
      from former
      where finding.organization_id = ${metadata.organizationId}
        and finding.id = former.id
      returning finding.*
    ),
    changed as (
      select ended.kind, ended.data_product_id, ended.output_port, former.accepted_until,
        former.accepted_reason
      from ended
      join former using (id)
    )
    ${appendEntry(metadata, 'access-acceptance-ended', clock.now)}
  `.execute(db)
}

// Reads the result `changed`.
function appendEntry(
  metadata: ChangeMetadata,
  action: string,
  at: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { organizationId } = metadata
  const entry = {
    kind: 'data-product',
    action,
    at,
    subject: sql`changed.data_product_id`,
    name: sql`product.name`,
    team: sql`owner.external_id`,
    details: sql`jsonb_build_object(
      'finding', changed.kind, 'outputPortId', changed.output_port, 'until', changed.accepted_until,
      'reason', changed.accepted_reason
    )`,
  } as const
  const from = sql`
    from changed
    join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = changed.data_product_id
    join team as owner on owner.organization_id = product.organization_id
      and owner.id = product.owner_team_id`
  return appendActivity(metadata, entry, from)
}
