import { sql, type RawBuilder } from 'kysely'
import { appendActivity, selectTeam } from '../../ledger/activity/record.ts'
import type { ChangeMetadata } from '../../ledger/history/revision.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { isUnchanged, type NewAcceptance } from '../acceptance.ts'

/**
 * Accepts an open finding, or replaces its acceptance, with the entry of the activity in one statement. Returns false if
 * it was resolved or changed before.
 */
export async function acceptFinding(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  id: string,
  accepted: NewAcceptance,
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with changed as (
      update drift_finding
      set accepted_until = ${accepted.until}, accepted_reason = ${accepted.reason}, accepted_by = ${metadata.principal},
        accepted_at = ${clock.now}
      where organization_id = ${metadata.organizationId}
        and id = ${id}
        and resolved_at is null
        and ${isUnchanged(accepted)}
      returning *
    ),
    recorded as (${appendEntry(metadata, 'difference-accepted', sql`accepted_at`)}
    )
    select count(*)::integer as count
    from changed
  `.execute(db)
  return (rows[0]?.count ?? 0) > 0
}

/**
 * Ends the acceptances of open findings, with the entries of the activity in one statement. Nothing happens to those that are
 * not accepted, and with `isExpired` to those whose acceptance has not ended by time: it may have been renewed.
 */
export async function endAcceptances(
  db: Database,
  clock: Clock,
  metadata: ChangeMetadata,
  ids: readonly string[],
  { isExpired }: { isExpired: boolean },
): Promise<void> {
  await sql`
    with former as materialized (
      select id, accepted_until, accepted_reason
      from drift_finding
      where organization_id = ${metadata.organizationId}
        and id = any(${ids}::uuid[])
        and ${isExpired ? sql`accepted_until <= ${clock.now}` : sql`accepted_until is not null`}
        and resolved_at is null
      order by id
      for no key update
    ),
    ended as (
      update drift_finding as finding
      set accepted_until = null, accepted_reason = null, accepted_by = null, accepted_at = null
      from former
      where finding.organization_id = ${metadata.organizationId}
        and finding.id = former.id
      returning finding.*
    ),
    changed as (
      select ended.contract_id, ended.server, ended.model, ended.field, ended.aspect,
        former.accepted_until, former.accepted_reason
      from ended
      join former using (id)
    )
    ${appendEntry(metadata, 'acceptance-ended', clock.now)}
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
    kind: 'data-contract',
    action,
    at,
    subject: sql`changed.contract_id`,
    name: sql`coalesce(contract.name, changed.contract_id)`,
    team: selectTeam(organizationId, sql`contract.owner_team_id`),
    details: sql`jsonb_build_object(
      'server', changed.server, 'model', changed.model, 'field', changed.field,
      'aspect', changed.aspect, 'until', changed.accepted_until, 'reason', changed.accepted_reason
    )`,
  } as const
  return appendActivity(
    metadata,
    entry,
    sql`from changed
    left join data_contract as contract on contract.organization_id = ${organizationId}
      and contract.external_id = changed.contract_id`,
  )
}

/** An open finding whose acceptance has ended by time, with its promise. */
export interface ExpiredAcceptance extends PromiseKey {
  organizationId: string
  id: string
}

/** Lists open findings whose acceptance has ended by time, of all organizations, the earliest first. */
export async function listExpired(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<ExpiredAcceptance[]> {
  const { rows } = await sql<ExpiredAcceptance>`
    select organization_id as "organizationId", id, contract_id as "contractId", server, model
    from drift_finding
    where accepted_until is not null
      and resolved_at is null
      and accepted_until <= ${clock.now}
    order by accepted_until, id
    limit ${limit}
  `.execute(db)
  return rows
}
