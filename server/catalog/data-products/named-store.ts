import { sql } from 'kysely'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { Database } from '../../platform/tables.ts'

/** Lists the contracts for which the output ports of a stored product name assets. */
export async function listNamingContracts(
  db: Database,
  organizationId: string,
  id: string,
): Promise<string[]> {
  const rows = await readShort(
    db,
    sql<{ contractId: string }>`
    select distinct pair::jsonb ->> 0 as "contractId"
    from data_product
    cross join unnest(output_assets) as named (pair)
    where organization_id = ${organizationId}
      and external_id = ${id}
  `,
  )
  return rows.map(({ contractId }) => contractId)
}
