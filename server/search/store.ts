import { sql, type RawBuilder } from 'kysely'
import type { DocumentKind } from '../history/revision.ts'
import type { Instant } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { KINDS, listKindsWith, RANKED_KINDS } from '../kinds.ts'
import type { IndexQuery } from './query.ts'
import { NO_TEAM } from './search.ts'

/** A search of the index; without a query it returns everything. */
export interface IndexSearch {
  organizationId: string
  query: IndexQuery | undefined
  filters: IndexFilters
}

/** The filters of a search, in the values of the index; undefined for all. */
export interface IndexFilters {
  kinds?: readonly string[] | undefined
  /** External ids of teams. */
  teams?: readonly string[] | undefined
  domains?: readonly string[] | undefined
  statuses?: readonly string[] | undefined
  tags?: readonly string[] | undefined
  sources?: readonly string[] | undefined
  formats?: readonly string[] | undefined
  classifications?: readonly string[] | undefined
}

/** A matching row of the index, with its owner. */
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
  classifications: string[]
  /** The contracts of its output ports. */
  contracts: string[]
  integrationName: string | null
  updatedAt: Instant
}

// The number of assets that are ranked and can be paged. If more match, the limit applies to prefix matches
// of names, other matches of names, and the rest.
const ASSETS_RANKED_MAX = 5000

// Up to this many rows, sorting is faster than reading in order.
const FEW_MAX = 5000

const ASSET_STANDINGS = [KINDS.asset.rank, RANKED_KINDS.length + KINDS.asset.rank]

// The part of a column list that is read to explain a result.
const COLUMN_CHARACTERS_READ_MAX = 200_000

/**
 * Lists a page of matches, and one more if there is a next page. Order: the kind of match, live before
 * removed, kind of document, name, id.
 */
export async function listFound(
  db: Database,
  search: IndexSearch,
  page: { offset: number; limit: number },
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    with recursive ${beforehand(search)}
    page as materialized (
      select kind, external_id, tier, standing, name_key
      from (${candidatesOf(search, page.offset + page.limit + 1)}) as document
      where ${allowedBy(search)}
      order by ${orderOf(search.query)}
      offset ${page.offset}
      limit ${page.limit + 1}
    )
    select found.kind, found.external_id as id, found.name, owner.external_id as "ownerId",
      owner.name as "ownerName", found.status, found.domain, found.tags, found.source, found.type,
      found.description, left(found.columns, ${COLUMN_CHARACTERS_READ_MAX}) as columns,
      found.ports, found.classifications, coalesce(product.output_contracts, '{}') as contracts,
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

// Among matches at the beginning of a name or inside it, shorter names come first.
function orderOf(query: IndexQuery | undefined, of = sql``): RawBuilder<unknown> {
  const byTier = sql`${of}tier, ${of}standing,
        case when ${of}tier between 1 and 2 then length(${of}name_key) else 0 end,
        ${of}name_key, ${of}external_id`
  return query === undefined ? sql`${of}standing, ${of}name_key, ${of}external_id` : byTier
}

// Written out, because the indexes are partial.
const WITH_FORMATS = sql.join(listKindsWith('isStandardized').map((kind) => sql.lit(kind)))

/** The kinds whose documents need no owner, as an SQL list. */
export const MAYBE_UNOWNED = sql.join(listKindsWith('mayBeUnowned').map((kind) => sql.lit(kind)))

/** The format of a data product or contract, which the index stores as its type; null for others. */
export const FORMAT = sql`case when kind in (${WITH_FORMATS}) then type end`

const FACETED = sql`owner_team_id, integration_id, domain, status, tags, source, type,
  classifications`

function ranked({ organizationId, query }: IndexSearch): RawBuilder<unknown> {
  return sql`
          select kind, external_id, standing, name_key, ${FACETED}, ${tierOf(query)} as tier
          from search_document
          where organization_id = ${organizationId}`
}

function isNarrowed({ filters }: IndexSearch): boolean {
  return Object.values(filters).some((values) => values !== undefined)
}

function beforehand(search: IndexSearch): RawBuilder<unknown> {
  if (search.query !== undefined) return assetsOf(search, search.query)
  return isNarrowed(search) ? filteredOf(search) : sql``
}

// The documents that match, and the products that match by one of their contracts.
function candidatesOf(search: IndexSearch, rowsMax: number): RawBuilder<unknown> {
  const { query } = search
  if (query === undefined) return everythingOf(search, rowsMax)
  const { all, products } = query
  const parts = [
    sql`${ranked(search)}
            and kind <> 'asset'
            and ${matching(all)}`,
    sql`
          select kind, external_id, standing, name_key, ${FACETED}, tier
          from asset
          where not (is_named and ${IS_CROWD})`,
    ...crowdOf(search, query),
  ]
  if (products.length > 0) {
    parts.push(sql`${ranked(search)}
            and kind = 'data-product'
            and external_id = any(${products}::text[])
            and not ${matching(all)}`)
  }
  return sql.join(parts, sql` union all `)
}

// More assets match than are ranked.
const IS_CROWD = sql`(select count(*) > ${ASSETS_RANKED_MAX} from asset)`

// The matching assets, up to the limit in the order of the database.
function assetsOf(search: IndexSearch, query: IndexQuery): RawBuilder<unknown> {
  const { key, names, all } = query
  return sql`asset as materialized (
      select kind, external_id, standing, name_key, ${FACETED}, ${tierOf(query)} as tier,
        starts_with(name_key, ${key}) or ${matching(names)} as is_named
      from search_document
      where organization_id = ${search.organizationId}
        and kind = 'asset'
        and ${matching(all)}
      limit ${ASSETS_RANKED_MAX + 1}
    ),`
}

// If there are too many assets, those that match by name are selected separately.
function crowdOf(search: IndexSearch, { key, names, all }: IndexQuery): RawBuilder<unknown>[] {
  const named = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
            ${ranked(search)}
              and ${IS_CROWD}
              and kind = 'asset'
              and ${condition}
            limit ${ASSETS_RANKED_MAX}
          )`
  // The index on names can answer this; every continuation of the key sorts before the highest character.
  const begins = sql`standing = any(${ASSET_STANDINGS}::smallint[])
                and name_key >= ${key}
                and name_key < ${`${key}\u{10ffff}`}`
  return [
    named(sql`${begins} and ${matching(all)}`),
    named(sql`not starts_with(name_key, ${key}) and ${matching(names)}`),
  ]
}

// Without a query, a page is read in index order. If filters leave few rows, that would read almost
// everything; then the remaining rows are read and sorted.
function everythingOf(search: IndexSearch, rowsMax: number): RawBuilder<unknown> {
  if (!isNarrowed(search)) return ranked(search)
  return sql`${ranked(search)}
            and (select are_few from few)
            and facets_key = any((select keys from passing)::bigint[])
          union all
          (
            select *
            from (${ranked(search)}) as document
            where not (select are_few from few)
              and ${allowedBy(search)}
            order by ${orderOf(undefined)}
            limit ${rowsMax}
          )`
}

// Finds the combinations of facet values that pass the filters, by stepping through their index.
function filteredOf(search: IndexSearch): RawBuilder<unknown> {
  const rows = sql`from search_document where organization_id = ${search.organizationId}`
  return sql`combination(facets_key) as (
      (select facets_key ${rows} order by facets_key limit 1)
      union all
      select (
        select facets_key
        ${rows} and facets_key > combination.facets_key
        order by facets_key
        limit 1
      )
      from combination
      where combination.facets_key is not null
    ),
passing as materialized (
      select array_agg(combination.facets_key) as keys
      from combination
      cross join lateral (
        select kind, ${FACETED} ${rows} and facets_key = combination.facets_key limit 1
      ) as document
      where ${allowedBy(search)}
    ),
    few as materialized (
      select count(*) <= ${FEW_MAX} as are_few
      from (
        select 1 ${rows} and facets_key = any((select keys from passing)::bigint[])
        limit ${FEW_MAX + 1}
      ) as counted
    ),`
}

/** SQL condition: a row of the index matches a query. */
export function matching(question: string): RawBuilder<unknown> {
  return sql`words @@ ${question}::tsquery`
}

function allowedBy({ organizationId, filters }: IndexSearch): RawBuilder<unknown> {
  const { kinds, teams, domains, statuses, tags, sources, formats, classifications } = filters
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (kinds) conditions.push(sql`document.kind = any(${kinds}::text[])`)
  if (domains) conditions.push(sql`document.domain = any(${domains}::text[])`)
  if (statuses) conditions.push(sql`document.status = any(${statuses}::text[])`)
  if (sources) conditions.push(sql`document.source = any(${sources}::text[])`)
  if (classifications) {
    conditions.push(sql`document.classifications && ${classifications}::text[]`)
  }
  if (formats) {
    const kindsWithFormat = sql`document.kind in (${WITH_FORMATS})`
    conditions.push(sql`${kindsWithFormat} and document.type = any(${formats}::text[])`)
  }
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
  const unowned = teams.includes(NO_TEAM)
    ? sql`or ${isUnowned(organizationId, sql`document`)}`
    : sql``
  return sql`(
    document.owner_team_id in (${ids})
    or document.owner_team_id is null
      and document.integration_id in (
        select id
        from integration
        where organization_id = ${organizationId}
          and owner_team_id in (${ids})
      )
    ${unowned}
  )`
}

// Whether a row of the index can have an owner but has none.
function isUnowned(organizationId: string, row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    ${row}.kind in (${MAYBE_UNOWNED})
    and ${row}.owner_team_id is null
    and not exists (
      select from integration as reporting
      where reporting.organization_id = ${organizationId}
        and reporting.id = ${row}.integration_id
        and reporting.owner_team_id is not null
    )
  )`
}
