import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** Finds the type of any live asset of an integration; undefined = no run has read one. */
export async function findAssetType(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ type: string }>`
    select type
    from asset
    where organization_id = ${organizationId}
      and integration_id = ${integrationId}
      and deleted_at is null
    limit 1
  `.execute(db)
  return rows[0]?.type
}
