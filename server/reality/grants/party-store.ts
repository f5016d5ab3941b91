import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { selectConsumerId, selectConsumerKind } from './consumer-record.ts'
import type { PortAgreement, PortKey } from './grants.ts'

/**
 * Lists the agreements about output ports that are active or have ended, as they were when grants were read. An approval that
 * was withdrawn after access was provisioned has ended, too. Requests that were never approved are left out.
 */
export async function listPortAgreements(
  db: Database,
  clock: Clock,
  organizationId: string,
  { ports, readAt }: { ports: readonly PortKey[]; readAt: string },
): Promise<PortAgreement[]> {
  const { rows } = await sql<PortAgreement>`
    with agreement as materialized (
      select agreement.*,
        case
          when agreement.status = 'rejected' then agreement.decided_at
          when (agreement.updated_at at time zone 'UTC')::date = agreement.end_on and agreement.state = 'canceled'
            then agreement.updated_at
          when agreement.state = 'canceled' then ((agreement.end_on + 1)::timestamp at time zone 'UTC')
          else agreement.end_on::timestamp at time zone 'UTC'
        end as ended_at,
        greatest(agreement.decided_at, agreement.start_on::timestamp at time zone 'UTC') as began_at
      from unnest(
        ${ports.map(({ productId }) => productId)}::text[], ${ports.map(({ portId }) => portId)}::text[]
      ) as port (product_id, port_id)
      join access_agreement as agreement on agreement.organization_id = ${organizationId}
        and agreement.provider_product = port.product_id
        and agreement.output_port = port.port_id
      where agreement.status = 'approved'
        or (agreement.status = 'rejected' and agreement.provisioning is not null)
    ),
    current as (
      select agreement.*,
        status = 'approved' and state in ('upcoming', 'active')
          and (start_on is null or start_on <= (${clock.now} at time zone 'UTC')::date)
          and (end_on is null or end_on > (${clock.now} at time zone 'UTC')::date) as is_active,
        state = 'upcoming' and start_on > (${clock.now} at time zone 'UTC')::date as is_upcoming
      from agreement
    )
    select external_id as id, provider_product as "productId", output_port as "portId",
      jsonb_build_object('kind', ${selectConsumerKind('current')}, 'id', ${selectConsumerId('current')})
        as consumer,
      consumer_team as "consumerTeam",
      case when is_active then 'active' else 'ended' end as state,
      case when is_active
        then extract(epoch from ${readAt}::timestamptz - began_at)::double precision / 3600 end as "activeHours",
      case when not is_active
        then extract(epoch from ${readAt}::timestamptz - ended_at)::double precision / 3600 end as "endedHours",
      case when provisioning_status = 'provisioned'
        then extract(epoch from ${readAt}::timestamptz - (provisioning::jsonb ->> 'provisionedAt')::timestamptz)::double precision
          / 3600 end as "provisionedHours"
    from current
    where not is_upcoming
    order by external_id
  `.execute(db)
  return rows
}

/** Lists the teams of people, also those above a team in which they have a role. */
export async function listTeamsOfUsers(
  db: Database,
  organizationId: string,
  userIds: readonly string[],
): Promise<{ userId: string; team: string }[]> {
  const { rows } = await sql<{ userId: string; team: string }>`
    with recursive reached as (
      select given.id as user_id, role.team_id
      from unnest(${userIds}::uuid[]) as given (id)
      cross join lateral (
        select distinct team_id
        from team_role
        where team_role.organization_id = ${organizationId}
          and team_role.user_id = given.id
        offset 0
      ) as role
      union
      select reached.user_id, team.id
      from reached
      join team on team.organization_id = ${organizationId}
        and team.parent_id = reached.team_id
    )
    select reached.user_id as "userId", team.external_id as team
    from reached
    join team on team.organization_id = ${organizationId}
      and team.id = reached.team_id
  `.execute(db)
  return rows
}

/** Lists the owning teams of data products. */
export async function listTeamsOfProducts(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
): Promise<{ productId: string; team: string }[]> {
  const { rows } = await sql<{ productId: string; team: string }>`
    select product.external_id as "productId", team.external_id as team
    from data_product as product
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where product.organization_id = ${organizationId}
      and product.external_id = any(${productIds}::text[])
  `.execute(db)
  return rows
}
