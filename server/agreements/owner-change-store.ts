import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/**
 * Moves the agreements of data products to the teams that own them now. The statement that changes the owner moves those
 * that it sees; this also moves one that was requested at the same moment.
 */
export async function moveToOwners(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
): Promise<void> {
  await sql`
    with owner as materialized (
      select product.external_id as product, team.external_id as team
      from data_product as product
      join team on team.organization_id = product.organization_id
        and team.id = product.owner_team_id
      where product.organization_id = ${organizationId}
        and product.external_id = any (${productIds}::text[])
    ),
    misplaced as (
      select agreement.external_id, owner.team as provider_team, null as consumer_team
      from owner
      join access_agreement as agreement on agreement.organization_id = ${organizationId}
        and agreement.provider_product = owner.product
        and agreement.provider_team <> owner.team
      union all
      select agreement.external_id, null, owner.team
      from owner
      join access_agreement as agreement on agreement.organization_id = ${organizationId}
        and agreement.consumer_product = owner.product
        and agreement.consumer_team is distinct from owner.team
    )
    update access_agreement as agreement
    set provider_team = coalesce(moved.provider_team, agreement.provider_team),
      consumer_team = coalesce(moved.consumer_team, agreement.consumer_team)
    from (
      select external_id, max(provider_team) as provider_team, max(consumer_team) as consumer_team
      from misplaced
      group by external_id
    ) as moved
    where agreement.organization_id = ${organizationId}
      and agreement.external_id = moved.external_id
  `.execute(db)
}
