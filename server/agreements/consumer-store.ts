import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../platform/tables.ts'
import type { ConsumerType } from './agreement.ts'

/** The consumer of an agreement that is active or upcoming. Names are null if the catalog no longer has them. */
export interface AccessConsumer {
  /** External id of the agreement. */
  id: string
  outputPortId: string
  type: ConsumerType
  productId: string | null
  productName: string | null
  /** The consuming team, or the team that owns the consuming data product. */
  teamId: string | null
  teamName: string | null
  userId: string | null
  userName: string | null
}

/** The agreements that something holds together: those of output ports of a data product, or those under contracts. */
export type HeldBy =
  | { productId: string; ports: readonly string[] }
  | { contracts: readonly string[] }

/** The maximum number of consumers in one answer. */
export const ACCESS_CONSUMERS_MAX = 1000

/** Lists the consumers of agreements that are active or upcoming, by the ids of the agreements, at most 1000. */
export async function listAccessConsumers(
  db: Database,
  organizationId: string,
  held: HeldBy,
): Promise<AccessConsumer[]> {
  const { rows } = await sql<AccessConsumer>`
    select
      agreement.external_id as id, agreement.output_port as "outputPortId",
      agreement.consumer_type as type,
      agreement.consumer_product as "productId", product.name as "productName",
      coalesce(team.external_id, agreement.consumer_team) as "teamId", team.name as "teamName",
      agreement.consumer_user as "userId", account.name as "userName"
    from access_agreement as agreement
    left join data_product as product on product.organization_id = agreement.organization_id
      and product.external_id = agreement.consumer_product
    left join team on team.organization_id = agreement.organization_id
      and case
        when agreement.consumer_product is null then team.external_id = agreement.consumer_team
        else team.id = product.owner_team_id
      end
    left join organization_member as member
      on member.organization_id = agreement.organization_id
      and member.user_id = agreement.consumer_user
    left join user_account as account on account.id = member.user_id
    where agreement.organization_id = ${organizationId}
      and agreement.held_product is not null
      and ${isHeld(held)}
    order by agreement.external_id
    limit ${ACCESS_CONSUMERS_MAX}
  `.execute(db)
  return rows
}

function isHeld(held: HeldBy): RawBuilder<unknown> {
  if ('contracts' in held) return sql`agreement.contract_id = any(${held.contracts}::text[])`
  return sql`agreement.held_product = ${held.productId}
        and agreement.output_port = any(${held.ports}::text[])`
}
