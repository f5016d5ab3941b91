import { sql } from 'kysely'
import type { Database } from '../platform/tables.ts'
import type { ConsumerType } from './agreement.ts'

/** An agreement that is active or begins later, and that a data product is part of. */
export interface HeldAgreement {
  id: string
  port: string
  consumerType: ConsumerType
  /** The name of the consumer, or its id if it no longer exists. */
  consumerName: string
  /** The name of the data product that the data come from. */
  providerName: string
  /** Whether the data product is the consumer. */
  isConsumer: boolean
}

/** The maximum number of agreements in one answer. */
export const HELD_MAX = 20

/**
 * Lists the agreements that hold a data product, or only some of its output ports, by port and id; `asConsumer` includes
 * those in which it consumes.
 */
export async function listHeldAgreements(
  db: Database,
  organizationId: string,
  productId: string,
  { asConsumer, ports }: { asConsumer: boolean; ports?: readonly string[] },
): Promise<HeldAgreement[]> {
  const ofConsumer = sql`
      union all
      (
        select *, true as is_consumer
        from access_agreement
        where organization_id = ${organizationId}
          and held_consumer_product = ${productId}
        order by external_id
        limit ${HELD_MAX}
      )`
  const { rows } = await sql<HeldAgreement>`
    with held as (
      (
        select *, false as is_consumer
        from access_agreement
        where organization_id = ${organizationId}
          and held_product = ${productId}
          ${ports === undefined ? sql`` : sql`and output_port = any(${ports}::text[])`}
        order by output_port, external_id
        limit ${HELD_MAX}
      )
      ${asConsumer ? ofConsumer : sql``}
    )
    select held.external_id as id, held.output_port as port, held.consumer_type as "consumerType",
      coalesce(
        product.name, team.name, account.name,
        held.consumer_product, held.consumer_team, held.consumer_user::text
      ) as "consumerName",
      coalesce(provider.name, held.provider_product) as "providerName",
      held.is_consumer as "isConsumer"
    from held
    left join data_product as product on product.organization_id = held.organization_id
      and product.external_id = held.consumer_product
    left join team on team.organization_id = held.organization_id
      and team.external_id = held.consumer_team
      and held.consumer_type = 'team'
    left join organization_member as member on member.organization_id = held.organization_id
      and member.user_id = held.consumer_user
    left join user_account as account on account.id = member.user_id
    left join data_product as provider on provider.organization_id = held.organization_id
      and provider.external_id = held.provider_product
    order by held.is_consumer, held.output_port, held.external_id
  `.execute(db)
  return rows
}
