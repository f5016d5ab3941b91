import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { FACETS, NO_OWNER_LABEL, NO_TEAM, type Facet, type FacetFilters } from './search.ts'
import { listPairs } from './custom-field.ts'
import type { AlikeCount } from './match-store.ts'
import {
  CUSTOMIZED_KIND,
  FORMAT,
  getCountedPairs,
  MAYBE_UNOWNED,
  selectDrift,
  selectTrust,
  type IndexSearch,
} from './store.ts'

/** The maximum number of values of a facet, in addition to active filters. */
const FACET_VALUES_MAX = 20

/**
 * The number of documents with a value of a facet. `total` counts the documents that pass all filters.
 */
export interface FacetCount {
  facet: Facet | 'custom' | 'total'
  /** The name of the custom field; empty for other facets. */
  field: string
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
  trust: 'trust',
  drift: 'drift',
}

// Products and teams are not counted: a product always has an owner, and a team has none.
const IS_UNOWNED = sql`counted.kind in (${MAYBE_UNOWNED}) and owner.id is null`

/**
 * Counts documents by the values of facets and of the custom fields of a search, and in total. Counted tags that are
 * frequent are returned twice.
 */
export async function countFacets(
  db: Database,
  search: IndexSearch,
  matches: readonly AlikeCount[] | 'everything',
  facets: readonly Facet[],
): Promise<FacetCount[]> {
  const { organizationId } = search
  const counted = [
    ...facets.map((facet) => countFacet(facet, search)),
    ...search.customFields.map((field) => countCustomField(field, search)),
    ...(search.countedTags.length > 0 ? [countTags(search)] : []),
  ]
  const counts = counted.map((count) => sql` union all (${count})`)
  const { rows } = await sql<FacetCount>`
    with alike as materialized (
      ${countAlike(search, matches)}
    ),
    -- All rows with the same key have the same facet values.
    counted as materialized (
      select alike.count, alike.custom, one.*
      from alike
      cross join lateral (
        select kind, owner_team_id, integration_id, domain, status, tags, source,
          ${FORMAT} as format, classifications, ${selectTrust('search_document')} as trust,
          ${selectDrift('search_document')} as drift
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
      select owned.*, ${sql.join(listPassing(search))}
      from owned
    )
    select 'total' as facet, '' as field, '' as value, '' as label,
      coalesce(sum(count), 0)::bigint as count
    from kept
    where ${passingAllBut(search, undefined)}
    ${sql.join(counts, sql``)}
  `.execute(db)
  return rows
}

function countAlike(
  search: IndexSearch,
  matches: readonly AlikeCount[] | 'everything',
): RawBuilder<unknown> {
  if (matches === 'everything') return countEverything(search)
  return sql`select key as facets_key, custom, count
      from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) as given (
        key bigint, custom text[], count bigint
      )`
}

// The index on keys counts all documents. Products with custom fields are read and moved to groups of their own.
function countEverything(search: IndexSearch): RawBuilder<unknown> {
  const rows = sql`from search_document where organization_id = ${search.organizationId}`
  const all = sql`select facets_key, '{}'::text[] as custom, count(*) as count
      ${rows}
      group by facets_key`
  if (search.custom.length + search.customFields.length === 0) return all
  return sql`select facets_key, custom, sum(count) as count
      from (
        ${all}
        union all
        select facets_key, moved.custom, moved.count
        from (
          select facets_key, ${getCountedPairs(search)} as pairs
          ${rows} and kind = ${CUSTOMIZED_KIND} and custom <> '{}'
        ) as customized
        cross join lateral (values (pairs, 1), ('{}'::text[], -1)) as moved (custom, count)
      ) as counted
      group by facets_key, custom
      having sum(count) > 0`
}

// Whether each filter accepts a row; each facet is counted under the filters of the other facets.
function listPassing({ filters, custom }: IndexSearch): RawBuilder<unknown>[] {
  return [
    ...FACETS.map((facet) => passing(facet, filters)),
    ...custom.map(
      (filter, at) => sql`custom && ${listPairs(filter)}::text[] as ${passesCustom(at)}`,
    ),
  ]
}

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

// The name of a custom field may be too long for a column.
function passesCustom(at: number): RawBuilder<unknown> {
  return sql.ref(`passes_custom_${at}`)
}

/** A facet, or a custom field. */
type Counted = Facet | { field: string }

function passingAllBut({ custom }: IndexSearch, counted: Counted | undefined): RawBuilder<unknown> {
  const own = typeof counted === 'object' ? counted.field : undefined
  const passed = [
    ...FACETS.filter((facet) => facet !== counted).map(passes),
    ...custom.flatMap(({ field }, at) => (field === own ? [] : [passesCustom(at)])),
  ]
  return sql.join(passed, sql` and `)
}

function countCustomField(field: string, search: IndexSearch): RawBuilder<unknown> {
  const selected = search.custom.find((filter) => filter.field === field)?.values ?? []
  return sql`
    select 'custom' as facet, ${field}::text as field, value, value as label,
      sum(count)::bigint as count
    from kept
    cross join unnest(custom) as pair
    cross join lateral (select substr(pair, length(${field}::text) + 2) as value) as customized
    where starts_with(pair, ${`${field}=`})
      and ${passingAllBut(search, { field })}
    group by value
    ${getTopValues(sql`value`, selected)}`
}

function countFacet(facet: Facet, search: IndexSearch): RawBuilder<unknown> {
  const column = COLUMNS[facet]
  const value = isList(facet) ? sql.ref('item') : sql.ref(column)
  return sql`
    select ${sql.lit(facet)}::text as facet, '' as field, ${value} as value,
      ${facet === 'team' ? sql`min(team_name)` : value} as label, sum(count)::bigint as count
    from kept${isList(facet) ? sql` cross join unnest(${sql.ref(column)}) as item` : sql``}
    where ${value} is not null
      and ${passingAllBut(search, facet)}
    group by ${value}
    ${getTopValues(value, search.filters[facet] ?? [])}`
}

// The result may repeat tags of `countFacet`.
function countTags(search: IndexSearch): RawBuilder<unknown> {
  return sql`
    select 'tag' as facet, '' as field, tag as value, tag as label, sum(count)::bigint as count
    from kept
    cross join unnest(tags) as tag
    where tag = any(${search.countedTags}::text[])
      and ${passingAllBut(search, 'tag')}
    group by tag
    ${getTopValues(sql`tag`, search.countedTags)}`
}

function getTopValues(
  value: RawBuilder<unknown>,
  selected: readonly string[],
): RawBuilder<unknown> {
  return sql`order by ${value} = any(${selected}::text[]) desc, sum(count) desc, ${value} collate "C"
    limit ${FACET_VALUES_MAX + selected.length}`
}
