import { sql } from 'kysely'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { Database } from '../../platform/tables.ts'

/** Finds the external id of the team that owns a data product; undefined if the product does not exist. */
export async function findProductOwner(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<string | undefined> {
  const rows = await readShort(
    db,
    sql<{ owner: string }>`
      select team.external_id as owner
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      where product.organization_id = ${organizationId}
        and product.external_id = ${productId}
    `,
  )
  return rows[0]?.owner
}

/** Finds the external ids of the teams that own data products, by product. Products that do not exist are skipped. */
export async function findProductOwners(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; owner: string }>`
    select product.external_id as id, team.external_id as owner
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.external_id = any(${productIds}::text[])
  `.execute(db)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}
