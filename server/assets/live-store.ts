import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/** What an integration has in the catalog. */
export interface LiveAssets {
  /** Assets that are no containers. */
  tableCount: number
  /** Every scope that has live assets: native paths as JSON lists. */
  scopes: string[]
}

/** Describes the live assets of an integration. */
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
      select scope, count(*) filter (where kind not in ('database', 'schema', 'namespace')) as tables
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
