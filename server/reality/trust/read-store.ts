import { sql } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { StoredReasons, TrustSubjects } from './state-store.ts'
import type { TrustedKind } from './state.ts'

/** A data product, data contract or asset that exists, with its stored signals. */
export interface ReadRow {
  kind: Exclude<TrustedKind, 'output-port'>
  id: string
  readers: number
  /** Null or without signals = not stored. */
  reasons: StoredReasons | null
  /** The names of the output ports of a data product, of which any is requested; null = none is. */
  ports: string[][] | null
  now: Instant
}

/**
 * Reads the stored signals of resources in the order given, data products first: an entry of the index and a row of signals
 * for each. Those that do not exist are left out.
 */
export async function listStoredTrust(
  db: Database,
  clock: Clock,
  organizationId: string,
  { products, contracts, assets }: TrustSubjects,
  /** The data products whose ports are requested. */
  withPorts: readonly string[],
): Promise<ReadRow[]> {
  const requested = [
    ...toRequests('data-product', products),
    ...toRequests('data-contract', contracts),
    ...toRequests('asset', assets),
  ]
  if (requested.length === 0) return []
  const { rows } = await sql<ReadRow>`
    select given.kind, given.id, entry.readers, state.reasons,
      case when given.kind = 'data-product' and given.id = any(${withPorts}::text[]) then (
        select coalesce(jsonb_agg(item -> 'names' order by position), '[]')
        from jsonb_array_elements(entry.output_ports) with ordinality as port (item, position)
      ) end as ports,
      ${clock.now} as now
    from unnest(
      ${requested.map(({ kind }) => kind)}::text[], ${requested.map(({ id }) => id)}::text[]
    ) with ordinality as given (kind, id, ordinal)
    cross join lateral (
      select readers, output_ports
      from search_document
      where organization_id = ${organizationId}
        and kind = given.kind
        and external_id = given.id
      limit 1
    ) as entry
    left join lateral (
      select reasons
      from trust_state
      where organization_id = ${organizationId}
        and kind = given.kind
        and subject = given.id
      limit 1
    ) as state on true
    order by given.ordinal
  `.execute(db)
  return rows
}

function toRequests(kind: ReadRow['kind'], ids: readonly string[]) {
  return [...new Set(ids)].map((id) => ({ kind, id }))
}

/** Reads the stored signals of output ports, by their keys. */
export async function listStoredPorts(
  db: Database,
  organizationId: string,
  subjects: readonly string[],
): Promise<{ subject: string; reasons: StoredReasons }[]> {
  if (subjects.length === 0) return []
  const { rows } = await sql<{ subject: string; reasons: StoredReasons }>`
    select subject, reasons
    from trust_state
    where organization_id = ${organizationId}
      and kind = 'output-port'
      and subject = any(${subjects}::text[])
  `.execute(db)
  return rows
}
