import { sql } from 'kysely'
import { CONTAINERS } from './publish-store.ts'
import type { Database } from '../../platform/tables.ts'

/** The live assets of an integration. */
export interface LiveAssets {
  /** The number of assets that are not containers. */
  tableCount: number
  /** Every scope with live assets: native paths as JSON lists. */
  scopes: string[]
}

/** Counts the live assets of an integration and lists their scopes. */
export async function describeLive(
  db: Database,
  organizationId: string,
  integrationId: string,
): Promise<LiveAssets> {
  const { rows } = await sql<LiveAssets>`
    select
      coalesce(sum(tables), 0)::bigint as "tableCount",
      coalesce(array_agg(scope), '{}') as scopes
    from (
      select scope, count(*) filter (where kind <> all(${CONTAINERS})) as tables
      from asset
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and deleted_at is null
        and scope is not null
      group by scope
    ) as live
  `.execute(db)
  return rows[0] ?? { tableCount: 0, scopes: [] }
}
