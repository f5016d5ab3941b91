import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { NamedConsumer, ProductUsage } from './usage.ts'

type Consumer = ProductUsage['consumers'][number]

/**
 * Names the consumers of a data product by what they are in the catalog, in their order; null = nothing in the catalog
 * matches. The agreement that usage names decides, then the e-mail address of a member, then the only consumer whose
 * active agreement grants the role.
 */
export async function nameConsumers(
  db: Database,
  organizationId: string,
  dataProductId: string,
  consumers: readonly Pick<Consumer, 'user' | 'role' | 'accessId'>[],
): Promise<(NamedConsumer | null)[]> {
  if (consumers.length === 0) return []
  const { rows } = await sql<{ consumer: NamedConsumer | null }>`
    with given as materialized (
      select user_name, role, access_id, ordinal
      from unnest(
        ${consumers.map(({ user }) => user)}::text[],
        ${consumers.map(({ role }) => role)}::text[],
        ${consumers.map(({ accessId }) => accessId)}::text[]
      ) with ordinality as listed (user_name, role, access_id, ordinal)
    ),
    granted as materialized (${selectGranted(organizationId, dataProductId)})
    select case
        when found.product_name is not null then json_build_object(
          'kind', 'data-product', 'id', found.product_id, 'name', found.product_name
        )
        when found.user_name is not null then json_build_object(
          'kind', 'user', 'id', found.user_id, 'name', found.user_name
        )
        when found.team_name is not null then json_build_object(
          'kind', 'team', 'id', found.team_id, 'name', found.team_name
        )
      end as consumer
    from given
    left join access_agreement as agreement on agreement.organization_id = ${organizationId}
      and agreement.external_id = given.access_id
      and agreement.provider_product = ${dataProductId}
    left join user_account as account on agreement.external_id is null
      and account.email_key = lower(given.user_name)
    left join organization_member as owner on owner.organization_id = ${organizationId}
      and owner.user_id = account.id
    left join granted on agreement.external_id is null
      and owner.user_id is null
      and granted.granted_role = given.role
    left join organization_member as member on member.organization_id = ${organizationId}
      and member.user_id = coalesce(agreement.consumer_user, owner.user_id, granted.consumer_user)
    left join user_account as person on person.id = member.user_id
    left join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = coalesce(agreement.consumer_product, granted.consumer_product)
    left join team on team.organization_id = ${organizationId}
      and team.external_id = coalesce(agreement.consumer_team, granted.consumer_team)
    cross join lateral (
      select product.external_id as product_id, product.name as product_name,
        person.id as user_id, person.name as user_name, team.external_id as team_id,
        team.name as team_name
    ) as found
    order by given.ordinal
  `.execute(db)
  return rows.map(({ consumer }) => consumer)
}

// The roles that active agreements on the data product grant to one consumer only.
function selectGranted(organizationId: string, dataProductId: string): RawBuilder<unknown> {
  return sql`
      select granted_role, min(consumer_type) as consumer_type, min(consumer_team) as consumer_team,
        min(consumer_user::text)::uuid as consumer_user, min(consumer_product) as consumer_product
      from access_agreement
      cross join lateral unnest(roles) as granted_role
      where organization_id = ${organizationId}
        and held_product = ${dataProductId}
        and state = 'active'
        and granted_role in (select role from given)
      group by granted_role
      having count(
        distinct coalesce(consumer_product, consumer_user::text, consumer_team)
      ) = 1`
}
