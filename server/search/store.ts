import { sql, type RawBuilder } from 'kysely'
import type { DocumentKind } from '../history/revision.ts'
import type { Instant } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { KINDS } from './entry.ts'
import type { Facet } from './search.ts'
import type { IndexQuery } from './query.ts'

/** What a search asks the index; no query = everything. */
export interface IndexSearch {
  organizationId: string
  query: IndexQuery | undefined
  filters: IndexFilters
}

/** What filters leave, in the index's own values; undefined = everything. */
export interface IndexFilters {
  kinds?: readonly string[] | undefined
  /** External ids of teams. */
  teams?: readonly string[] | undefined
  domains?: readonly string[] | undefined
  statuses?: readonly string[] | undefined
  tags?: readonly string[] | undefined
  sources?: readonly string[] | undefined
}

/** A row of the index that was found, with its owner. */
export interface FoundRow {
  kind: DocumentKind
  id: string
  name: string
  ownerId: string | null
  ownerName: string | null
  status: string | null
  domain: string | null
  tags: string[]
  source: string | null
  type: string | null
  description: string | null
  /** A line each. */
  columns: string
  ports: string
  /** The contracts of its output ports. */
  contracts: string[]
  integrationName: string | null
  updatedAt: Instant
}

/**
 * Assets that a search counts at most. More match only a word that stands everywhere; these are then
 * the ones that the store has first.
 */
export const ASSETS_COUNTED_MAX = 100_000

// Of those whose names begin so, of those that have it in their names, and of the others, so many are
// ranked, and can be reached by turning pages.
const ASSETS_RANKED_MAX = 5000

const ASSET_STANDINGS = [KINDS.indexOf('asset'), KINDS.length + KINDS.indexOf('asset')]

// Of a column list as long as that a result need not show which one it was.
const COLUMN_CHARACTERS_READ_MAX = 200_000

/**
 * Lists a page of what is found, and one more. What matters most comes first: where it was found,
 * whether it is live, what it is, its name; its id decides.
 */
export async function listFound(
  db: Database,
  search: IndexSearch,
  page: { offset: number; limit: number },
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    with page as materialized (
      select kind, external_id, tier, standing, name_key
      from (
        select kind, external_id, standing, name_key, ${tierOf(search.query)} as tier
        from ${candidatesOf(search)}
        where ${allowedBy(search)}
        ${search.query === undefined ? sql`` : RANKED_ONCE}
      ) as ranked
      order by ${orderOf(search.query)}
      offset ${page.offset}
      limit ${page.limit + 1}
    )
    select found.kind, found.external_id as id, found.name, owner.external_id as "ownerId",
      owner.name as "ownerName", found.status, found.domain, found.tags, found.source, found.type,
      found.description, left(found.columns, ${COLUMN_CHARACTERS_READ_MAX}) as columns,
      found.ports, coalesce(product.output_contracts, '{}') as contracts,
      integration.name as "integrationName", found.updated_at as "updatedAt"
    from page
    join search_document as found on found.organization_id = ${search.organizationId}
      and found.kind = page.kind
      and found.external_id = page.external_id
    left join integration on integration.organization_id = found.organization_id
      and integration.id = found.integration_id
    left join team as owner on owner.organization_id = found.organization_id
      and owner.id = coalesce(found.owner_team_id, integration.owner_team_id)
    left join data_product as product on found.kind = 'data-product'
      and product.organization_id = found.organization_id
      and product.external_id = found.external_id
    order by ${orderOf(search.query, sql`page.`)}
  `.execute(db)
  return rows
}

// However often the order names it.
const RANKED_ONCE = sql`offset 0`

function orProducts(ids: readonly string[]): RawBuilder<unknown> {
  if (ids.length === 0) return sql``
  return sql` or kind = 'data-product' and external_id = any(${ids}::text[])`
}

function tierOf(query: IndexQuery | undefined): RawBuilder<unknown> {
  if (query === undefined) return sql`0`
  const { key, names, named, exact, facts, products, exactProducts } = query
  return sql`case
        when name_key = ${key} or id_key = ${key} then 0
        when starts_with(name_key, ${key}) or starts_with(id_key, ${key}) then 1
        when words @@ ${names}::tsquery then 2
        else
          case
            when words @@ ${exact}::tsquery${orProducts(exactProducts)} then 3
            when words @@ ${facts}::tsquery${orProducts(products)} then 5
            else 7
          end
          -- Something of it in the name is more than nothing.
          + case when words @@ ${named}::tsquery then 0 else 1 end
      end`
}

// Among what begins with what was typed, and what has it in its name, the shorter name is nearer.
function orderOf(query: IndexQuery | undefined, of = sql``): RawBuilder<unknown> {
  const byTier = sql`${of}tier, ${of}standing,
        case when ${of}tier between 1 and 2 then length(${of}name_key) else 0 end,
        ${of}name_key, ${of}external_id`
  return query === undefined ? sql`${of}standing, ${of}name_key, ${of}external_id` : byTier
}

// What has all of it, and the products that provide it by a contract of theirs.
function candidatesOf(
  search: IndexSearch,
  purpose: 'page' | 'count' = 'page',
): RawBuilder<unknown> {
  const { query } = search
  // Of everything a page is read in its order.
  if (query === undefined && purpose === 'page') return sql`(${rowsOf(search)}) as document`
  const parts = [
    sql`${rowsOf(search)}
            and kind <> 'asset'
            and ${matching(query?.all)}`,
    ...assetsOf(search, purpose),
  ]
  if (query !== undefined && query.products.length > 0) {
    parts.push(sql`${rowsOf(search)}
            and kind = 'data-product'
            and external_id = any(${query.products}::text[])
            and not ${matching(query.all)}`)
  }
  return sql`(${sql.join(parts, sql` union all `)}) as document`
}

function assetsOf(search: IndexSearch, purpose: 'page' | 'count'): RawBuilder<unknown>[] {
  const { query } = search
  const assets = (condition: RawBuilder<unknown>, rowsMax: number): RawBuilder<unknown> => sql`(
            ${rowsOf(search)}
              and kind = 'asset'
              and ${condition}
            limit ${rowsMax}
          )`
  if (query === undefined || purpose === 'count') {
    return [assets(matching(query?.all), ASSETS_COUNTED_MAX)]
  }
  const { key, names, all } = query
  // The index of names has it, whatever else does; all characters stand before the last one that is.
  const begins = sql`standing = any(${ASSET_STANDINGS}::smallint[])
                and name_key >= ${key}
                and name_key < ${`${key}\u{10ffff}`}`
  const isBeginning = sql`starts_with(name_key, ${key})`
  return [
    assets(sql`${begins} and ${matching(all)}`, ASSETS_RANKED_MAX),
    assets(sql`not ${isBeginning} and ${matching(names)}`, ASSETS_RANKED_MAX),
    assets(
      sql`not ${isBeginning} and not ${matching(names)} and ${matching(all)}`,
      ASSETS_RANKED_MAX,
    ),
  ]
}

function rowsOf({ organizationId }: IndexSearch): RawBuilder<unknown> {
  return sql`
          select *
          from search_document
          where organization_id = ${organizationId}`
}

function matching(question: string | undefined): RawBuilder<unknown> {
  return question === undefined ? sql`true` : sql`words @@ ${question}::tsquery`
}

function allowedBy({ organizationId, filters }: IndexSearch): RawBuilder<unknown> {
  const { kinds, teams, domains, statuses, tags, sources } = filters
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (kinds) conditions.push(sql`document.kind = any(${kinds}::text[])`)
  if (domains) conditions.push(sql`document.domain = any(${domains}::text[])`)
  if (statuses) conditions.push(sql`document.status = any(${statuses}::text[])`)
  if (sources) conditions.push(sql`document.source = any(${sources}::text[])`)
  if (tags) conditions.push(sql`document.tags && ${tags}::text[]`)
  if (teams) conditions.push(ownedBy(organizationId, teams))
  return sql.join(conditions, sql` and `)
}

function ownedBy(organizationId: string, teams: readonly string[]): RawBuilder<unknown> {
  const ids = sql`
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = any(${teams}::text[])`
  return sql`(
    document.owner_team_id in (${ids})
    or document.owner_team_id is null
      and document.integration_id in (
        select id
        from integration
        where organization_id = ${organizationId}
          and owner_team_id in (${ids})
      )
  )`
}

/** Counts what is found. */
export async function countFound(db: Database, search: IndexSearch): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from ${candidatesOf(search, 'count')}
    where ${allowedBy(search)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Values of a facet that are told, besides those that are filtered by. */
const FACET_VALUES_MAX = 20

/**
 * How many have a value of a facet; the row of `total` counts what passes all filters, that of `found`
 * what there is without them.
 */
export interface FacetCount {
  facet: Facet | 'total' | 'found'
  value: string
  label: string
  count: number
}

// What a row must be for a filter to let it pass; each facet is counted under those of the others.
const PASSES: Readonly<Record<Facet, string>> = {
  resourceType: 'passes_kind',
  team: 'passes_team',
  domain: 'passes_domain',
  status: 'passes_status',
  tag: 'passes_tag',
  source: 'passes_source',
}

function passes(values: readonly string[] | undefined, column: string): RawBuilder<unknown> {
  return values === undefined
    ? sql`true`
    : sql`coalesce(${sql.ref(column)} = any(${values}::text[]), false)`
}

/** Counts what is found by each facet, and in all. */
export async function countFacets(db: Database, search: IndexSearch): Promise<FacetCount[]> {
  const { organizationId, filters } = search
  const { rows } = await sql<FacetCount>`
    with counted as materialized (
      select kind, owner_team_id, integration_id, domain, status, tags, source, count(*) as count
      from ${candidatesOf(search, 'count')}
      group by kind, owner_team_id, integration_id, domain, status, tags, source
    ),
    kept as materialized (
      select counted.*, owner.external_id as team, owner.name as team_name,
        ${passes(filters.kinds, 'kind')} as passes_kind,
        ${passes(filters.teams, 'owner.external_id')} as passes_team,
        ${passes(filters.domains, 'domain')} as passes_domain,
        ${passes(filters.statuses, 'status')} as passes_status,
        ${filters.tags === undefined ? sql`true` : sql`tags && ${filters.tags}::text[]`} as passes_tag,
        ${passes(filters.sources, 'counted.source')} as passes_source
      from counted
      left join integration on integration.organization_id = ${organizationId}
        and integration.id = counted.integration_id
      left join team as owner on owner.organization_id = ${organizationId}
        and owner.id = coalesce(counted.owner_team_id, integration.owner_team_id)
    )
    (${facetOf('resourceType', sql`kind`, filters.kinds)})
    union all
    (${facetOf('team', sql`team`, filters.teams, sql`min(team_name)`)})
    union all
    (${facetOf('domain', sql`domain`, filters.domains)})
    union all
    (${facetOf('status', sql`status`, filters.statuses)})
    union all
    (${facetOf('tag', sql`tag`, filters.tags)})
    union all
    (${facetOf('source', sql`source`, filters.sources)})
    union all
    select 'total', '', '', coalesce(sum(count), 0)::bigint
    from kept
    where ${passingAllBut(undefined)}
    union all
    select 'found', '', '', coalesce(sum(count), 0)::bigint
    from kept
  `.execute(db)
  return rows
}

function facetOf(
  facet: Facet,
  value: RawBuilder<unknown>,
  selected: readonly string[] | undefined,
  label: RawBuilder<unknown> = value,
): RawBuilder<unknown> {
  const values = selected ?? []
  return sql`
    select ${sql.lit(facet)}::text as facet, ${value} as value, ${label} as label,
      sum(count)::bigint as count
    from kept${facet === 'tag' ? sql` cross join unnest(tags) as tag` : sql``}
    where ${value} is not null
      and ${passingAllBut(facet)}
    group by ${value}
    order by ${value} = any(${values}::text[]) desc, sum(count) desc, ${value} collate "C"
    limit ${FACET_VALUES_MAX + values.length}`
}

function passingAllBut(facet: Facet | undefined): RawBuilder<unknown> {
  const columns = Object.entries(PASSES).filter(([name]) => name !== facet)
  return sql.join(
    columns.map(([, column]) => sql.ref(column)),
    sql` and `,
  )
}
