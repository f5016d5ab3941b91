import { sql } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { ListedDocument, SignalTimes } from './signal.ts'

/** The stored signals of a document. */
interface StoredSignals extends ListedDocument {
  /** Null = nothing is stored. */
  signals: SignalTimes | null
  now: Instant
}

/** Reads the stored signals of documents, a row for each. Those of ports are not read. */
export async function listStoredSignals(
  db: Database,
  clock: Clock,
  organizationId: string,
  documents: readonly ListedDocument[],
): Promise<StoredSignals[]> {
  const { rows } = await sql<StoredSignals>`
    select given.kind, given.id, state.reasons as signals, ${clock.now} as now
    from unnest(
      ${documents.map(({ kind }) => kind)}::text[], ${documents.map(({ id }) => id)}::text[]
    ) as given (kind, id)
    left join lateral (
      select reasons
      from trust_state
      where organization_id = ${organizationId}
        and kind = given.kind
        and subject = given.id
      limit 1
    ) as state on true
  `.execute(db)
  return rows
}
