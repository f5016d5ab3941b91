import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import {
  DOMAINS_MAX,
  PORTS_NAMED_MAX,
  type DomainProduct,
  type DomainProducts,
  type DomainSummary,
  type ProductOrder,
} from './domain.ts'

/** Lists the domains of an organization, those with the most products first, and the documents without a domain. */
export async function listDomains(db: Database, organizationId: string): Promise<DomainSummary[]> {
  const { rows } = await sql<DomainSummary>`
    with recursive ${selectTeamDomains(organizationId)},
    ${selectDomains('data_product', 'product', organizationId)},
    ${selectDomains('data_contract', 'contract', organizationId)},
    counted as (
      select domain, count(*)::integer as products, 0 as contracts, 0 as teams,
        max(updated_at) as updated_at
      from product
      group by domain
      union all
      select domain, 0, count(*)::integer, 0, null
      from contract
      group by domain
      union all
      -- A team of type Domain is a domain even if it is empty.
      select domain, 0, 0, (count(*) filter (where external_id <> domain))::integer, null
      from team_domain
      where domain is not null
      group by domain
    ),
    summary as (
      select domain, sum(products)::integer as products, sum(contracts)::integer as contracts,
        sum(teams)::integer as teams, max(updated_at) as updated_at
      from counted
      group by domain
      order by products desc, domain collate "C"
      limit ${DOMAINS_MAX}
    ),
    -- The worst signals, as the index has them.
    trusted as materialized (
      select product.domain, count(*) filter (where entry.trust = 3) as critical,
        count(*) filter (where entry.trust = 2) as caution,
        count(*) filter (where entry.trust = 1) as neutral,
        count(*) filter (where entry.trust = 0) as positive
      from product
      join search_document as entry on entry.organization_id = ${organizationId}
        and entry.kind = 'data-product'
        and entry.external_id = product.external_id
      group by product.domain
    )
    select summary.domain as id, coalesce(team.name, summary.domain) as name,
      entry.description, team.id is not null as "isTeam", products as "dataProducts",
      contracts as "dataContracts", teams, summary.updated_at as "updatedAt",
      jsonb_build_object(
        'critical', coalesce(trusted.critical, 0), 'caution', coalesce(trusted.caution, 0),
        'neutral', coalesce(trusted.neutral, 0), 'positive', coalesce(trusted.positive, 0)
      ) as trust
    from summary
    left join trusted on trusted.domain is not distinct from summary.domain
    left join team on team.organization_id = ${organizationId}
      and team.external_id = summary.domain
    left join search_document as entry on entry.organization_id = ${organizationId}
      and entry.kind = 'team'
      and entry.external_id = summary.domain
    order by products desc, summary.domain collate "C" nulls last
  `.execute(db)
  return rows
}

/** Lists a page of the products in a domain; null = without a domain. */
export async function listDomainProducts(
  db: Database,
  organizationId: string,
  domain: string | null,
  { order: by, page, limit }: { order: ProductOrder; page: number; limit: number },
): Promise<DomainProducts> {
  const order = PRODUCTS_IN_ORDER[by]
  const { rows } = await sql<DomainProduct>`
    with recursive ${selectTeamDomains(organizationId)},
    ${selectDomains('data_product', 'product', organizationId)},
    page as materialized (
      select external_id, row_number() over (order by ${order}) as ordinal
      from (
        select *${by === 'readers' ? countReaders(organizationId) : sql``}
        from product
        where domain is not distinct from ${domain}::text
      ) as product
      order by ${order}
      offset ${page * limit}
      limit ${limit + 1}
    )
    select product.external_id as id, product.name, product.status, product.archetype,
      team.external_id as "ownerId", team.name as "ownerName", product.description,
      coalesce(port.names[1:${PORTS_NAMED_MAX}], '{}') as ports,
      coalesce(cardinality(port.names), 0) as "portCount", product.updated_at as "updatedAt",
      coalesce(entry.readers, 0) as readers
    from page
    join data_product as product on product.organization_id = ${organizationId}
      and product.external_id = page.external_id
    join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    left join search_document as entry on entry.organization_id = product.organization_id
      and entry.kind = 'data-product'
      and entry.external_id = product.external_id
    cross join lateral (
      select string_to_array(nullif(entry.ports, ''), E'\n') as names
    ) as port
    order by page.ordinal
  `.execute(db)
  return { products: rows.slice(0, limit), hasMore: rows.length > limit }
}

const PRODUCTS_IN_ORDER: Readonly<Record<ProductOrder, RawBuilder<unknown>>> = {
  name: sql`lower(name), external_id`,
  changed: sql`updated_at desc, lower(name), external_id`,
  readers: sql`readers desc, lower(name), external_id`,
}

function countReaders(organizationId: string): RawBuilder<unknown> {
  return sql`, (
          select entry.readers
          from search_document as entry
          where entry.organization_id = ${organizationId}
            and entry.kind = 'data-product'
            and entry.external_id = product.external_id
        ) as readers`
}

// Selects the nearest team of type Domain for each team, starting with the team itself.
function selectTeamDomains(organizationId: string): RawBuilder<unknown> {
  return sql`team_domain (id, external_id, domain) as (
      select id, external_id, case when type = 'Domain' then external_id end
      from team
      where organization_id = ${organizationId}
        and parent_id is null
      union all
      select team.id, team.external_id,
        case when team.type = 'Domain' then team.external_id else team_domain.domain end
      from team_domain
      join team on team.organization_id = ${organizationId}
        and team.parent_id = team_domain.id
    )`
}

// Selects the domain of each document. Documents can contain the name of a domain or its ID.
function selectDomains(
  table: 'data_product' | 'data_contract',
  name: 'product' | 'contract',
  organizationId: string,
): RawBuilder<unknown> {
  return sql`${sql.ref(`${name}_spelling`)} as materialized (
      select spelled.domain, coalesce(by_id.external_id, by_name.external_id, spelled.domain) as id
      from (
        select distinct domain
        from ${sql.table(table)}
        where organization_id = ${organizationId}
          and domain <> ''
      ) as spelled
      left join team as by_id on by_id.organization_id = ${organizationId}
        and by_id.external_id = spelled.domain
      left join lateral (
        select external_id
        from team
        where organization_id = ${organizationId}
          and type = 'Domain'
          and lower(team.name) = lower(spelled.domain)
        order by external_id
        limit 1
      ) as by_name on true
    ),
    ${sql.ref(name)} as materialized (
      select document.external_id, document.name, document.updated_at,
        coalesce(spelling.id, team_domain.domain) as domain
      from ${sql.table(table)} as document
      left join ${sql.ref(`${name}_spelling`)} as spelling on spelling.domain = document.domain
      left join team_domain on team_domain.id = document.owner_team_id
      where document.organization_id = ${organizationId}
    )`
}
