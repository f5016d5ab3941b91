import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { selectConsumerId, selectConsumerKind } from './consumer-record.ts'
import type { IntegrationKey, MappedGrantee, PortKey } from './grants.ts'
import type { NamePattern } from './pattern.ts'

/** Derives the identities of an integration again; those by hand stay. */
export async function refreshIdentities(
  db: Database,
  clock: Clock,
  { organizationId, integrationId }: IntegrationKey,
  { ports, pattern }: { ports: readonly PortKey[]; pattern: NamePattern | undefined },
): Promise<void> {
  await sql`
    with grantee as materialized (
      select distinct grantee_kind as kind, grantee_name as name
      from asset_grant
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and grantee_kind <> 'public'
      union
      select member_kind, member
      from grantee_member
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and member_kind <> 'public'
      union
      select role_kind, role
      from grantee_member
      where organization_id = ${organizationId}
        and integration_id = ${integrationId}
        and role_kind <> 'public'
    ),
    ${selectReported(organizationId, ports)},
    ruled as (${selectRuled(organizationId, pattern)}
    ),
    derived as materialized (
      select kind, name, subject_kind, subject_id, 'report' as origin
      from reported
      union all
      select kind, name, subject_kind, subject_id, 'rule'
      from ruled
      where (kind, name) not in (select kind, name from mentioned)
    ),
    gone as (
      delete from grantee_identity as identity
      where identity.organization_id = ${organizationId}
        and identity.integration_id = ${integrationId}
        and identity.origin <> 'hand'
        and (identity.grantee_kind, identity.grantee_name) not in (select kind, name from derived)
    )
    insert into grantee_identity (
      organization_id, integration_id, grantee_kind, grantee_name, subject_kind, subject_id, origin,
      mapped_at, mapped_by
    )
    select ${organizationId}, ${integrationId}, kind, name, subject_kind, subject_id, origin,
      ${clock.now}, 'system'
    from derived
    on conflict (organization_id, integration_id, grantee_kind, grantee_name) do update
    set subject_kind = excluded.subject_kind, subject_id = excluded.subject_id,
      origin = excluded.origin, mapped_at = excluded.mapped_at, mapped_by = excluded.mapped_by
    where grantee_identity.origin <> 'hand'
      and (grantee_identity.subject_kind, grantee_identity.subject_id, grantee_identity.origin)
        is distinct from (excluded.subject_kind, excluded.subject_id, excluded.origin)
  `.execute(db)
}

// A name that reports of several consumers give, or of which several grantees are possible, is mentioned but not mapped: no
// rule decides either.
function selectReported(organizationId: string, ports: readonly PortKey[]): RawBuilder<unknown> {
  return sql`report as materialized (
      select agreement.external_id as agreement_id, name.value as name, name.kinds,
        ${selectConsumerKind('agreement')} as subject_kind, ${selectConsumerId('agreement')} as subject_id
      from unnest(
        ${ports.map(({ productId }) => productId)}::text[], ${ports.map(({ portId }) => portId)}::text[]
      ) as port (product_id, port_id)
      join access_agreement as agreement on agreement.organization_id = ${organizationId}
        and agreement.provider_product = port.product_id
        and agreement.output_port = port.port_id
        and agreement.provisioning is not null
      cross join lateral (
        select agreement.provisioning::jsonb ->> 'reference', '{user,role,group}'::text[]
        union
        select property.value ->> 'value',
          case lower(property.value ->> 'property')
            when 'role' then '{role}'::text[]
            when 'group' then '{group,role}'::text[]
            else '{user,role,group}'::text[]
          end
        from jsonb_path_query(
          agreement.provisioning::jsonb, 'lax $.customProperties[*]'
        ) as property (value)
        where lower(property.value ->> 'property') in ('role', 'group', 'principal')
      ) as name (value, kinds)
      where name.value <> ''
    ),
    mentioned as materialized (
      select grantee.kind, grantee.name, report.name as reported_name, report.agreement_id,
        report.subject_kind, report.subject_id
      from grantee
      join report on report.name = grantee.name
        and grantee.kind = any(report.kinds)
    ),
    reported as (
      select kind, name,
        case when count(distinct agreement_id) = 1 then 'agreement' else min(subject_kind) end
          as subject_kind,
        case when count(distinct agreement_id) = 1 then min(agreement_id) else min(subject_id) end
          as subject_id
      from mentioned
      where reported_name not in (
        select reported_name
        from mentioned
        group by reported_name
        having count(distinct kind) > 1
      )
      group by kind, name
      having count(distinct (subject_kind, subject_id)) = 1
    )`
}

function selectRuled(
  organizationId: string,
  pattern: NamePattern | undefined,
): RawBuilder<unknown> {
  if (pattern === undefined) {
    return sql`
      select kind, name, null::text as subject_kind, null::text as subject_id
      from grantee
      where false`
  }
  const { before, after, subject } = pattern
  return sql`
      select kind, name, ${sql.lit(subject)} as subject_kind, min(id) as subject_id
      from (
        select matching.kind, matching.name, candidate.id, candidate.spelling = matching.given as is_exact,
          bool_or(candidate.spelling = matching.given) over (partition by matching.kind, matching.name)
            as has_exact
        from (
          select kind, name,
            substr(name, length(${before}::text) + 1, length(name) - length(${before + after}::text))
              as given
          from grantee
          where length(name) > length(${before + after}::text)
            and ${fold(sql`left(name, length(${before}::text))`)} = ${fold(sql`${before}::text`)}
            and ${fold(sql`right(name, length(${after}::text))`)} = ${fold(sql`${after}::text`)}
        ) as matching
        join (${selectCandidates(organizationId, subject)}
        ) as candidate on ${fold(sql`candidate.spelling`)} = ${fold(sql`matching.given`)}
      ) as answer
      where is_exact or not has_exact
      group by kind, name
      having count(distinct id) = 1`
}

// Columns of names have the order of bytes, in which only ASCII letters have two cases.
function fold(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower(${text} collate "default")`
}

// People of agreements and of former meanings are candidates, too: those who have left may still have grants.
function selectCandidates(
  organizationId: string,
  subject: NamePattern['subject'],
): RawBuilder<unknown> {
  switch (subject) {
    case 'team':
      return sql`
          select external_id as id, external_id as spelling
          from team
          where organization_id = ${organizationId}`
    case 'data-product':
      return sql`
          select external_id as id, external_id as spelling
          from data_product
          where organization_id = ${organizationId}`
    case 'user':
      return sql`
          select account.id::text as id, account.email as spelling
          from user_account as account
          where account.erased_at is null
            and account.id in (
              select user_id
              from organization_member
              where organization_id = ${organizationId}
              union all
              select consumer_user
              from access_agreement
              where organization_id = ${organizationId}
                and consumer_user is not null
              union all
              select case when subject_kind = 'user' then subject_id end::uuid
              from grantee_identity
              where organization_id = ${organizationId}
                and subject_kind = 'user'
            )`
  }
}

/** Lists the grantees of an integration that mean a consumer. */
export async function listMapped(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<MappedGrantee[]> {
  const { rows } = await sql<MappedGrantee>`
    select identity.grantee_kind as kind, identity.grantee_name as name,
      agreement.external_id as "agreementId",
      case
        when agreement.external_id is null
          then jsonb_build_object('kind', identity.subject_kind, 'id', identity.subject_id)
        else jsonb_build_object(
          'kind', ${selectConsumerKind('agreement')}, 'id', ${selectConsumerId('agreement')}
        )
      end as consumer
    from grantee_identity as identity
    left join access_agreement as agreement on agreement.organization_id = identity.organization_id
      and identity.subject_kind = 'agreement'
      and agreement.external_id = identity.subject_id
    where identity.organization_id = ${organizationId}
      and identity.integration_id = ${integrationId}
      and identity.subject_kind <> 'platform'
      and (identity.subject_kind <> 'agreement' or agreement.external_id is not null)
    order by kind, name
  `.execute(db)
  return rows
}
