import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { IntegrationKey } from './grants.ts'

/** The numbers of names with a grant to read. */
interface NameCounts {
  unknown: number
  administrators: number
}

/** Counts the names without a known consumer that have a grant to read on paths. `covering` has all containers, too. */
export async function countUnknown(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
  covering: readonly string[],
): Promise<NameCounts> {
  const { rows } = await sql<NameCounts>`
    select
      (
        select count(distinct (held.grantee_kind, held.grantee_name))::integer
        from asset_grant as held
        where held.organization_id = ${organizationId}
          and held.integration_id = ${integrationId}
          and held.path = any(${covering}::text[])
          and held.effect = 'read'
          and held.grantee_kind <> 'public'
          and not exists (
            select from grantee_identity as identity
            where identity.organization_id = ${organizationId}
              and identity.integration_id = ${integrationId}
              and identity.grantee_kind = held.grantee_kind
              and identity.grantee_name = held.grantee_name
          )
          and not exists (
            select from grantee_administrator as administrator
            where administrator.organization_id = ${organizationId}
              and administrator.integration_id = ${integrationId}
              and administrator.grantee_kind = held.grantee_kind
              and administrator.grantee_name = held.grantee_name
          )
      ) as unknown,
      (
        select count(*)::integer
        from grantee_administrator
        where organization_id = ${organizationId}
          and integration_id = ${integrationId}
      ) as administrators
  `.execute(db)
  return rows[0] ?? { unknown: 0, administrators: 0 }
}

/** A name of the platform with its meaning. */
export interface GranteeName {
  kind: string
  name: string
  subjectKind: string | null
  subjectId: string | null
  origin: 'report' | 'rule' | 'hand' | null
  /** Whether it reads everything by its position; it is never counted as unknown. */
  isAdministrator: boolean
}

/** Lists the names that have a grant on paths: first those without a known meaning, which administrators do not need. */
export async function listNames(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
  covering: readonly string[],
  namesMax: number,
): Promise<GranteeName[]> {
  const { rows } = await sql<GranteeName>`
    with recursive held as materialized (
      select distinct grantee_kind as kind, grantee_name as name
      from asset_grant
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and path = any(${covering}::text[])
        and effect in ('read', 'write')
        and grantee_kind <> 'public'
    ),
    reached as (
      select kind, name
      from held
      union
      select edge.member_kind, edge.member
      from reached
      join grantee_member as edge on edge.organization_id = ${organizationId}
        and edge.integration_id = ${integrationId}
        and edge.role_kind = reached.kind
        and edge.role = reached.name
    )
    select reached.kind, reached.name, identity.subject_kind as "subjectKind",
      identity.subject_id as "subjectId", identity.origin,
      administrator.grantee_name is not null as "isAdministrator"
    from reached
    left join grantee_identity as identity on identity.organization_id = ${organizationId}
      and identity.integration_id = ${integrationId}
      and identity.grantee_kind = reached.kind
      and identity.grantee_name = reached.name
    left join grantee_administrator as administrator on administrator.organization_id = ${organizationId}
      and administrator.integration_id = ${integrationId}
      and administrator.grantee_kind = reached.kind
      and administrator.grantee_name = reached.name
    order by identity.origin is not null or administrator.grantee_name is not null,
      identity.origin nulls last, reached.name, reached.kind
    limit ${namesMax}
  `.execute(db)
  return rows
}

/** An integration whose grants can be shown. */
interface NamedIntegration {
  id: string
  externalId: string
  name: string
}

/** Lists integrations by their ids. */
export async function listIntegrations(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<NamedIntegration[]> {
  const { rows } = await sql<NamedIntegration>`
    select id, external_id as "externalId", name
    from integration
    where organization_id = ${organizationId}
      and id = any(${ids}::uuid[])
    order by external_id
  `.execute(db)
  return rows
}

/** The names of consumers, by kind and id. */
export async function listConsumerNames(
  db: Database,
  organizationId: string,
  consumers: readonly { kind: string; id: string }[],
): Promise<{ kind: string; id: string; name: string }[]> {
  const { rows } = await sql<{ kind: string; id: string; name: string }>`
    select given.kind, given.id, coalesce(team.name, product.name, person.name) as name
    from unnest(
      ${consumers.map(({ kind }) => kind)}::text[], ${consumers.map(({ id }) => id)}::text[]
    ) as given (kind, id)
    left join team on team.organization_id = ${organizationId}
      and team.external_id = given.id
      and given.kind = 'team'
    left join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = given.id
      and given.kind = 'data-product'
    left join user_account as person on person.id::text = given.id
      and given.kind = 'user'
      and person.erased_at is null
    where coalesce(team.name, product.name, person.name) is not null
  `.execute(db)
  return rows
}
