import { sql } from 'kysely'
import type { Database } from '../platform/tables.ts'

/** The data products whose agreements are moved. */
export interface MovedProducts {
  organizationId: string
  productIds: readonly string[]
}

/**
 * Moves agreements to the teams that own the data products on one of their sides: those of some products, or undefined =
 * of all organizations. Returns their number, at most `limit`. It locks the products, so that none gets another owner in
 * the meantime. Skip locked: it waits for no request, and two processes never move one agreement.
 */
export async function moveToOwners(
  db: Database,
  side: 'provider' | 'consumer',
  products: MovedProducts | undefined,
  limit: number,
): Promise<number> {
  const team = sql.ref(`${side}_team`)
  const among =
    products === undefined
      ? sql`true`
      : sql`product.organization_id = ${products.organizationId}
          and product.external_id = any (${products.productIds}::text[])`
  const { rows } = await sql`
    with misplaced as materialized (
      select agreement.organization_id, agreement.external_id, team.external_id as team
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      join access_agreement as agreement on agreement.organization_id = product.organization_id
        and agreement.${sql.ref(`${side}_product`)} = product.external_id
        and agreement.${team} is distinct from team.external_id
      where ${among}
      limit ${limit}
      for share of product skip locked
      for update of agreement skip locked
    )
    update access_agreement as agreement
    set ${team} = misplaced.team
    from misplaced
    where agreement.organization_id = misplaced.organization_id
      and agreement.external_id = misplaced.external_id
    returning agreement.external_id
  `.execute(db)
  return rows.length
}
