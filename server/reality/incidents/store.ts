import { sql } from 'kysely'
import type {
  IncidentCause,
  IncidentKind,
  IncidentOrigin,
  IncidentPlace,
} from '../../ledger/incidents/incident.ts'
import * as record from '../../ledger/incidents/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/**
 * Opens the incidents of causes, in one statement with their events and entries. Open ones get new facts. Returns the
 * number of incidents that opened, or opened again.
 */
export async function openIncidents(
  db: Database,
  clock: Clock,
  origin: IncidentOrigin,
  kind: IncidentKind,
  causes: readonly IncidentCause[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with cause as materialized (
      select listed.contract_id, listed.server, listed.severity, listed.facts, ${clock.now} as at
      from json_to_recordset(${JSON.stringify(causes)}::json) as given (
        "contractId" text, server text, severity text, facts jsonb
      )
      cross join lateral (select given."contractId" as contract_id, given.server, given.severity, given.facts) as listed
    ),
    ${record.openIncidents(origin, kind)}
    select count(*)::integer as count
    from changed
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Resolves the open incidents of a kind at places, in one statement with their events and entries. Returns their
 * number.
 */
export async function resolveIncidents(
  db: Database,
  clock: Clock,
  origin: IncidentOrigin,
  kind: IncidentKind,
  places: readonly (IncidentPlace & { because: string })[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with cause as materialized (
      select "contractId" as contract_id, server, because, ${clock.now} as at
      from json_to_recordset(${JSON.stringify(places)}::json) as given (
        "contractId" text, server text, because text
      )
    ),
    ${record.resolveIncidents(origin, kind)}
    select count(*)::integer as count
    from changed
  `.execute(db)
  return rows[0]?.count ?? 0
}
