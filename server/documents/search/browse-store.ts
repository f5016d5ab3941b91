import { sql, type RawBuilder } from 'kysely'
import { ALL_KINDS, RANKED_KINDS } from '../../platform/kinds.ts'
import type { Database } from '../../platform/tables.ts'
import { listPairs } from './custom-field.ts'
import { orderBy, type ResultPage } from './sort.ts'
import {
  FACETED,
  isAllowed,
  isAllowedByKey,
  isNarrowed,
  selectFound,
  type FoundRow,
  type IndexSearch,
} from './store.ts'

// Pages of all documents, without a query.

// Up to this many rows, sorting is faster than reading in order.
const FEW_MAX = 5000

/**
 * Lists a page of all documents, and one more if there is a next page. Order by relevance: live before removed, kind of
 * document, name, id.
 */
export async function listEverything(
  db: Database,
  search: IndexSearch,
  page: ResultPage,
): Promise<FoundRow[]> {
  const order = orderBy(page.sort, undefined)
  const { rows } = await sql<FoundRow>`
    with recursive ${isNarrowed(search) ? filteredMatches(search) : sql``}
    page as materialized (
      select kind, external_id, row_number() over () as ordinal
      from (
        select kind, external_id
        from (${allMatches(search, page)}) as document
        order by ${order}
        offset ${page.offset}
        limit ${page.limit + 1}
      ) as ordered
    )
    ${selectFound(search.organizationId)}
  `.execute(db)
  return rows
}

// A page is read in the order of an index. If filters leave few rows, that would read almost everything; then the
// remaining rows are read and sorted.
function allMatches(search: IndexSearch, page: ResultPage): RawBuilder<unknown> {
  const inOrder =
    page.sort === 'relevance' ? readByStanding(search, page) : readSorted(search, page)
  if (!isNarrowed(search)) return inOrder
  return sql`
          select ${SORTED}
          from (
            select ${SORTED}, ${FACETED}
            from search_document
            where organization_id = ${search.organizationId}
              and (select are_few from few)
              and facets_key = any((select keys from passing)::bigint[])
          ) as document
          where ${isAllowed(search)}
          union all
          (${inOrder})`
}

const SORTED = sql`kind, external_id, standing, name_key, updated_at, readers`

function countRows({ offset, limit }: ResultPage): number {
  return offset + limit + 1
}

function readByStanding(search: IndexSearch, page: ResultPage): RawBuilder<unknown> {
  const narrowed = sql`
              and not (select are_few from few)
              and standing >= (select least_standing from passing)`
  return sql`
            select ${SORTED}
            from (
              select ${SORTED}, ${FACETED}
              from search_document
              where organization_id = ${search.organizationId}${isNarrowed(search) ? narrowed : sql``}
            ) as document
            where ${isAllowed(search)}
            order by ${orderBy('relevance', undefined)}
            limit ${countRows(page)}`
}

// Each index begins with a column that has few values, of which the first rows are read and merged.
function readSorted(search: IndexSearch, page: ResultPage): RawBuilder<unknown> {
  if (page.sort === 'changed') return readOfEach('kind', sql`true`, search, page)
  if (page.sort !== 'readers') return readOfEach('standing', sql`true`, search, page)
  return sql`(
              select ${SORTED}
              from search_document
              where organization_id = ${search.organizationId}
                and readers > 0
                and ${passes(search)}
              order by ${orderBy('readers', undefined)}
              limit ${countRows(page)}
            )
            union all
            ${readOfEach('standing', sql`readers = 0`, search, page)}`
}

function readOfEach(
  column: 'kind' | 'standing',
  condition: RawBuilder<unknown>,
  search: IndexSearch,
  page: ResultPage,
): RawBuilder<unknown> {
  const { values, type } = listFirst(column, search)
  return sql`
            select ${sql.join(
              ['kind', 'external_id', 'standing', 'name_key', 'updated_at', 'readers'].map((name) =>
                sql.ref(`first.${name}`),
              ),
            )}
            from unnest(${values}::${sql.raw(type)}[]) as part (value)
            cross join lateral (
              select ${SORTED}
              from search_document
              where organization_id = ${search.organizationId}
                and ${sql.ref(column)} = part.value
                and ${condition}
                and ${passes(search)}
              order by ${orderBy(column === 'kind' ? 'changed' : 'name', undefined)}
              limit ${countRows(page)}
            ) as first`
}

// The kinds among which rows can pass the filters, or the standings of these kinds.
function listFirst(
  column: 'kind' | 'standing',
  search: IndexSearch,
): { values: RawBuilder<unknown>; type: string } {
  if (column === 'kind') {
    const kinds = isNarrowed(search) ? sql`(select kinds from passing)` : sql`${[...RANKED_KINDS]}`
    return { values: kinds, type: 'text' }
  }
  const all = RANKED_KINDS.flatMap((_, rank) => [rank, RANKED_KINDS.length + rank])
  return {
    values: isNarrowed(search) ? sql`(select standings from passing)` : sql`${all}`,
    type: 'smallint',
  }
}

// Rows whose key passes the filters are recognized in the index.
function passes(search: IndexSearch): RawBuilder<unknown> {
  if (!isNarrowed(search)) return sql`true`
  const pairs = search.custom.map((filter) => sql`custom && ${listPairs(filter)}::text[]`)
  return sql.join(
    [
      sql`not (select are_few from few)`,
      // Not a join, which would not keep the order of the index.
      sql`(facets_key in (select unnest(passing.keys) from passing)) is true`,
      ...pairs,
    ],
    sql` and `,
  )
}

// The order of live documents of a kind; ended ones come after all live ones.
const LIVE_STANDING = sql`case kind ${sql.join(
  ALL_KINDS.map(({ kind, rank }) => sql`when ${sql.lit(kind)} then ${sql.lit(rank)}`),
  sql` `,
)} end`

// Finds the combinations of facet values that pass the filters, by stepping through their index.
function filteredMatches(search: IndexSearch): RawBuilder<unknown> {
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
      select array_agg(combination.facets_key) as keys, min(${LIVE_STANDING}) as least_standing,
        array_agg(distinct kind) as kinds,
        -- Live and ended ones.
        array_agg(distinct ${LIVE_STANDING}) || array_agg(distinct ${LIVE_STANDING} + ${sql.lit(RANKED_KINDS.length)})
          as standings
      from combination
      cross join lateral (
        select kind, ${FACETED} ${rows} and facets_key = combination.facets_key limit 1
      ) as document
      where ${isAllowedByKey(search)}
    ),
    few as materialized (
      select count(*) <= ${FEW_MAX} as are_few
      from (
        select 1 ${rows} and facets_key = any((select keys from passing)::bigint[])
        limit ${FEW_MAX + 1}
      ) as counted
    ),`
}
