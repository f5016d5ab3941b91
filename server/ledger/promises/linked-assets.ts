import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** Lists the assets that contracts are linked with. A write that ends promises also ends their links, so read them before it. */
export async function listLinkedAssets(
  db: Database,
  organizationId: string,
  contractIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ assetId: string }>`
    select distinct asset_id as "assetId"
    from asset_link
    where organization_id = ${organizationId}
      and contract_id = any(${contractIds}::text[])
      and asset_id is not null
    order by asset_id
  `.execute(db)
  return rows.map(({ assetId }) => assetId)
}
