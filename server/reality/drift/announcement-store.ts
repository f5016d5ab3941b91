import { sql } from 'kysely'
import { isUnaccepted } from '../../ledger/drift/record.ts'
import type { ListedEvent } from '../../ledger/events/record.ts'
import { appendListedEvents } from '../../ledger/events/record.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** The breaking findings of a contract on a server without an acceptance. */
export interface OpenBreaking {
  contractId: string
  server: string
  isProduction: boolean
  count: number
  since: Instant
  /** The oldest ones. */
  first: { model: string; field: string; aspect: string; promised: string; actual: string }[]
}

const FIRST_MAX = 5

/** Counts the breaking findings of contracts without an acceptance, by server. */
export async function listOpenBreaking(
  db: Database,
  clock: Clock,
  organizationId: string,
  contractIds: readonly string[],
): Promise<OpenBreaking[]> {
  const { rows } = await sql<OpenBreaking>`
    select contract_id as "contractId", server, bool_or(is_production) as "isProduction",
      count(*)::integer as count, min(first_seen_at) as since,
      to_jsonb((array_agg(
        jsonb_build_object(
          'model', model, 'field', field, 'aspect', aspect, 'promised', promised, 'actual', actual
        )
        order by first_seen_at, model, field, aspect
      ))[1:${sql.lit(FIRST_MAX)}]) as first
    from drift_finding as finding
    where finding.organization_id = ${organizationId}
      and finding.contract_id = any(${contractIds}::text[])
      and finding.resolved_at is null
      and finding.level = 'breaking'
      and ${isUnaccepted(clock.now)}
    group by contract_id, server
  `.execute(db)
  return rows
}

/** Records events of contracts, with the versions that they have now. Contracts that do not exist have none. */
export async function insertEvents(
  db: Database,
  clock: Clock,
  { organizationId, principal }: { organizationId: string; principal: string },
  events: readonly ListedEvent[],
): Promise<void> {
  const subjects = [...new Set(events.map(({ subject }) => subject))]
  await sql`
    with written as materialized (
      select organization_id, external_id, version, ${clock.now} as updated_at
      from data_contract
      where organization_id = ${organizationId}
        and external_id = any(${subjects}::text[])
    )
    ${appendListedEvents({ kind: 'data-contract', principal }, events, { result: 'written', timeColumn: 'updated_at' })}
  `.execute(db)
}
