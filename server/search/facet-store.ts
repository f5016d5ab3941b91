import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../tables.ts'
import { FACETS, NO_OWNER_LABEL, NO_TEAM, type Facet, type FacetFilters } from './search.ts'
import type { AlikeCount } from './match-store.ts'
import { FORMAT, MAYBE_UNOWNED, type IndexSearch } from './store.ts'

/** The maximum number of values of a facet, in addition to active filters. */
const FACET_VALUES_MAX = 20

/**
 * The number of documents with a value of a facet. `total` counts the documents that pass all filters.
 */
export interface FacetCount {
  facet: Facet | 'total'
  value: string
  label: string
  count: number
}

const COLUMNS: Readonly<Record<Facet, string>> = {
  resourceType: 'kind',
  team: 'team',
  domain: 'domain',
  status: 'status',
  tag: 'tags',
  source: 'source',
  format: 'format',
  classification: 'classifications',
}

// Products and teams are not counted: a product always has an owner, and a team has none.
const IS_UNOWNED = sql`counted.kind in (${MAYBE_UNOWNED}) and owner.id is null`

/** Counts documents by the values of facets, and in total. */
export async function countFacets(
  db: Database,
  { organizationId, filters }: IndexSearch,
  matches: readonly AlikeCount[] | 'everything',
  facets: readonly Facet[],
): Promise<FacetCount[]> {
  const counts = facets.map((facet) => sql` union all (${countFacet(facet, filters)})`)
  const { rows } = await sql<FacetCount>`
    with alike as materialized (
      ${countAlike(organizationId, matches)}
    ),
    -- All rows with the same key have the same facet values.
    counted as materialized (
      select alike.count, one.*
      from alike
      cross join lateral (
        select kind, owner_team_id, integration_id, domain, status, tags, source,
          ${FORMAT} as format, classifications
        from search_document
        where organization_id = ${organizationId}
          and facets_key = alike.facets_key
        limit 1
      ) as one
    ),
    owned as materialized (
      select counted.*,
        case when ${IS_UNOWNED} then ${NO_TEAM} else owner.external_id end as team,
        case when ${IS_UNOWNED} then ${NO_OWNER_LABEL} else owner.name end as team_name
      from counted
      left join integration on integration.organization_id = ${organizationId}
        and integration.id = counted.integration_id
      left join team as owner on owner.organization_id = ${organizationId}
        and owner.id = coalesce(counted.owner_team_id, integration.owner_team_id)
    ),
    kept as materialized (
      select owned.*, ${sql.join(FACETS.map((facet) => passing(facet, filters)))}
      from owned
    )
    select 'total' as facet, '' as value, '' as label, coalesce(sum(count), 0)::bigint as count
    from kept
    where ${passingAllBut(undefined)}
    ${sql.join(counts, sql``)}
  `.execute(db)
  return rows
}

function countAlike(
  organizationId: string,
  matches: readonly AlikeCount[] | 'everything',
): RawBuilder<unknown> {
  if (matches === 'everything') {
    return sql`select facets_key, count(*) as count
      from search_document
      where organization_id = ${organizationId}
      group by facets_key`
  }
  return sql`select facets_key, count
      from unnest(
        ${matches.map(({ key }) => key)}::bigint[], ${matches.map(({ count }) => count)}::bigint[]
      ) as given (facets_key, count)`
}

// Whether a filter accepts a row; each facet is counted under the filters of the other facets.
function passing(facet: Facet, filters: FacetFilters): RawBuilder<unknown> {
  const column = COLUMNS[facet]
  const values = filters[facet]
  if (values === undefined) return sql`true as ${passes(facet)}`
  const allowed = sql`${values}::text[]`
  const holds = isList(facet)
    ? sql`${sql.ref(column)} && ${allowed}`
    : sql`coalesce(${sql.ref(column)} = any(${allowed}), false)`
  return sql`${holds} as ${passes(facet)}`
}

// A document may have several values of such a facet.
function isList(facet: Facet): boolean {
  return facet === 'tag' || facet === 'classification'
}

function passes(facet: Facet): RawBuilder<unknown> {
  return sql.ref(`passes_${COLUMNS[facet]}`)
}

function passingAllBut(facet: Facet | undefined): RawBuilder<unknown> {
  return sql.join(FACETS.filter((one) => one !== facet).map(passes), sql` and `)
}

function countFacet(facet: Facet, filters: FacetFilters): RawBuilder<unknown> {
  const column = COLUMNS[facet]
  const value = isList(facet) ? sql.ref('item') : sql.ref(column)
  const selected = filters[facet] ?? []
  return sql`
    select ${sql.lit(facet)}::text as facet, ${value} as value,
      ${facet === 'team' ? sql`min(team_name)` : value} as label, sum(count)::bigint as count
    from kept${isList(facet) ? sql` cross join unnest(${sql.ref(column)}) as item` : sql``}
    where ${value} is not null
      and ${passingAllBut(facet)}
    group by ${value}
    order by ${value} = any(${selected}::text[]) desc, sum(count) desc, ${value} collate "C"
    limit ${FACET_VALUES_MAX + selected.length}`
}
