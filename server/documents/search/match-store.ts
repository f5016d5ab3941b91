import { sql, type RawBuilder } from 'kysely'
import { RANKED_KINDS, type DocumentKind } from '../../platform/kinds.ts'
import type { Database } from '../../platform/tables.ts'
import { restrictToKind, type IndexQuery } from './query.ts'
import { orderBy, type ResultPage } from './sort.ts'
import {
  FACETED,
  getCountedPairs,
  isAllowed,
  isNarrowed,
  matching,
  type DocumentKey,
  type IndexSearch,
} from './store.ts'

/** The number of matches that have the same values of all facets. */
export interface AlikeCount {
  /** The key of these values, a 64-bit integer. */
  key: string
  /** The custom fields that the search filters by or counts, each as `name=value`. */
  custom: readonly string[]
  count: number
}

/** The matches of a query. */
export interface Matches {
  /** A page of the matches that pass the filters, and one more if there is a next page. */
  page: DocumentKey[]
  /** All matches, with and without filters. */
  counts: AlikeCount[]
  /** There may be more matches than were counted. */
  isMinimum: boolean
  /** Some of them have all words in their name or id. */
  areByName: boolean
}

/**
 * The maximum number of documents of each kind that are counted and ranked for a query. If more match, the
 * limit applies to the first ones in the database, to prefix matches of names, and to other matches of names.
 */
export const MATCHES_MAX = 1000

// If the first matches are too many, those that pass the filters are selected from this many.
const FILTERED_MAX = 100_000

/** The matches of one kind of document. */
interface Part {
  kind: DocumentKind
  search: IndexSearch
  query: IndexQuery
  /** Whether the filters accept all documents of the kind, none, or some. */
  accepted: 'all' | 'none' | 'some'
  /** Whether there may be more matches than are counted. */
  mayBeCrowd: boolean
}

/**
 * Finds and ranks the matches of a query in one pass over the index. Order by relevance: the kind of match, live before
 * removed, kind of document, name, id. Another order sorts the same matches.
 */
export async function findMatches(
  db: Database,
  search: IndexSearch,
  query: IndexQuery,
  page: ResultPage,
): Promise<Matches> {
  // Most queries have few matches, and planning the statement for many takes longer than finding these.
  const few = query.isFrequent ? undefined : await selectMatches(db, search, query, page, false)
  return few?.isMinimum === false ? few : await selectMatches(db, search, query, page, true)
}

async function selectMatches(
  db: Database,
  search: IndexSearch,
  query: IndexQuery,
  page: ResultPage,
  mayBeCrowd: boolean,
): Promise<Matches> {
  const parts = RANKED_KINDS.map((kind) => createPart(kind, search, query, mayBeCrowd))
  const { rows } = await sql<Matches>`
    with ${sql.join(parts.flatMap(listTables))},
    provided as materialized (${matchByContract(search, query)}),
    counted as (
      select key, custom, greatest(sum(first_count), sum(filtered_count)) as count
      from (
        ${sql.join(parts.map(countAlike), sql` union all `)}
        union all
        select facets_key, ${getCountedPairs(search)}, 1, 1 from provided
      ) as alike (key, custom, first_count, filtered_count)
      group by key, custom
    ),
    page as materialized (
      select kind, external_id, tier, standing, name_key, updated_at, readers
      from (
        ${sql.join(parts.flatMap(listCandidates), sql` union all `)}
        union all
        select ${RANKED} from provided
      ) as document
      where ${isAllowed(search)}
      order by ${orderBy(page.sort, query)}
      offset ${page.offset}
      limit ${page.limit + 1}
    )
    select
      coalesce(
        (
          select jsonb_agg(jsonb_build_object('kind', kind, 'id', external_id) order by ${orderBy(page.sort, query)})
          from page
        ),
        '[]'
      ) as page,
      coalesce(
        (
          select jsonb_agg(jsonb_build_object('key', key::text, 'custom', custom, 'count', count))
          from counted
        ),
        '[]'
      ) as counts,
      ${sql.join(parts.map(isCrowd), sql` or `)} as "isMinimum",
      ${sql.join(parts.map(isAnyNamed), sql` or `)} as "areByName"
  `.execute(db)
  return rows[0] ?? { page: [], counts: [], isMinimum: false, areByName: false }
}

const RANKED = sql`kind, external_id, standing, name_key, updated_at, readers, ${FACETED}, facets_key, tier`
const LIMIT = sql.lit(MATCHES_MAX)

function createPart(
  kind: DocumentKind,
  search: IndexSearch,
  query: IndexQuery,
  mayBeCrowd: boolean,
): Part {
  const { resourceType: kinds, ...filters } = search.filters
  const part = { kind, search, query, mayBeCrowd }
  const lacksCustom = search.custom.length > 0 && kind !== 'data-product'
  if (lacksCustom || kinds?.includes(kind) === false) return { ...part, accepted: 'none' }
  return { ...part, accepted: isNarrowed({ ...search, filters }) ? 'some' : 'all' }
}

function table(prefix: 'first' | 'named' | 'filtered', { kind }: Part): RawBuilder<unknown> {
  return sql.ref(`${prefix}_${kind}`)
}

// More documents match than are counted.
function isCrowd(part: Part): RawBuilder<unknown> {
  return sql`(select count(*) > ${LIMIT} from ${table('first', part)})`
}

// Some of the first matches do not match by name, so others that do come before them.
function isMixed(part: Part): RawBuilder<unknown> {
  return sql`(select not bool_and(is_named) from ${table('first', part)})`
}

function isAnyNamed(part: Part): RawBuilder<unknown> {
  return sql`exists (select from ${table('first', part)} where is_named)`
}

// In a crowd, matches by name are selected separately.
function isSeparate(part: Part): RawBuilder<unknown> {
  return sql`(starts_with(name_key, ${part.query.key}) or is_named and ${isMixed(part)})`
}

function rank(query: IndexQuery): RawBuilder<unknown> {
  return sql`kind, external_id, standing, name_key, updated_at, readers, ${FACETED}, facets_key,
          ${tier(query)} as tier,
          starts_with(name_key, ${query.key}) or words @@ ${query.names}::tsquery as is_named`
}

// The kind is written out, because the indexes are partial.
function fromKind(kind: DocumentKind, { organizationId }: IndexSearch): RawBuilder<unknown> {
  return sql`from search_document
        where organization_id = ${organizationId}
          and kind = ${sql.lit(kind)}`
}

// The indexes of teams and of assets have no other kinds.
function restrict({ kind }: Part, query: string): string {
  return kind === 'team' || kind === 'asset' ? query : restrictToKind(kind, query)
}

function isMatch(part: Part): RawBuilder<unknown> {
  const { all, prefilter } = part.query
  return all === prefilter
    ? sql`words @@ ${restrict(part, all)}::tsquery`
    : matching({ all, prefilter: restrict(part, prefilter) })
}

// The matches up to the limit, in the order of the database. If there are more, matches by name, and matches
// that pass the filters, are selected separately.
function listTables(part: Part): RawBuilder<unknown>[] {
  const { kind, search, query, accepted, mayBeCrowd } = part
  const first = sql`${table('first', part)} as materialized (
        select ${rank(query)}
        ${fromKind(kind, search)}
          and ${isMatch(part)}
        limit ${sql.lit(MATCHES_MAX + 1)}
      )`
  const filtered = sql`${table('filtered', part)} as materialized (
        select ${rank(query)}
        from (
          select *
          ${fromKind(kind, search)}
            and ${isCrowd(part)}
            and ${isMatch(part)}
          limit ${sql.lit(FILTERED_MAX)}
        ) as document
        where ${isAllowed(search)}
        limit ${LIMIT}
      )`
  if (accepted === 'none' || !mayBeCrowd) return [first]
  const named = selectNamed(part)
  return accepted === 'all' ? [first, named] : [first, named, filtered]
}

function selectNamed(part: Part): RawBuilder<unknown> {
  const { kind, search, query } = part
  const live = RANKED_KINDS.indexOf(kind)
  const standings = [live, RANKED_KINDS.length + live]
  // The index on names can answer this; every continuation of the key sorts before the highest character.
  const hasPrefix = sql`standing = any(${standings}::smallint[])
          and name_key >= ${query.key}
          and name_key < ${`${query.key}\u{10ffff}`}
          and ${matching(query)}`
  const hasName = sql`${isMixed(part)}
          and not starts_with(name_key, ${query.key})
          and words @@ ${restrict(part, query.names)}::tsquery`
  const select = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
        select ${rank(query)}
        ${fromKind(kind, search)}
          and ${isCrowd(part)}
          and ${condition}
        limit ${LIMIT}
      )`
  return sql`${table('named', part)} as materialized (
      ${select(hasPrefix)}
      union all
      ${select(hasName)}
    )`
}

// The products that match only by one of their contracts.
function matchByContract(search: IndexSearch, query: IndexQuery): RawBuilder<unknown> {
  return sql`
        select ${rank(query)}
        ${fromKind('data-product', search)}
          and external_id = any(${query.products}::text[])
          and not ${matching(query)}`
}

// Both numbers of a part are minimums of the same documents.
function countAlike(part: Part): RawBuilder<unknown> {
  const pairs = getCountedPairs(part.search)
  const filtered = sql`
          union all
          select facets_key, ${pairs}, 0, 1 from ${table('filtered', part)}`
  return sql`
        select facets_key, pairs, sum(first), sum(filtered)
        from (
          (
            select facets_key, ${pairs} as pairs, 1 as first, 0 as filtered
            from ${table('first', part)}
            limit ${LIMIT}
          )
          ${part.accepted === 'some' && part.mayBeCrowd ? filtered : sql``}
        ) as counted
        group by facets_key, pairs`
}

// In a crowd, matches by name are candidates once; with filters, the first matches are among the filtered ones.
function listCandidates(part: Part): RawBuilder<unknown>[] {
  const select = (
    prefix: 'first' | 'named' | 'filtered',
    condition: RawBuilder<unknown>,
  ): RawBuilder<unknown> => sql`select ${RANKED} from ${table(prefix, part)} where ${condition}`
  const named = select('named', sql`true`)
  if (!part.mayBeCrowd) return [select('first', sql`true`)]
  if (part.accepted === 'none') return []
  if (part.accepted === 'all') {
    return [select('first', sql`not (${isCrowd(part)} and ${isSeparate(part)})`), named]
  }
  return [
    select('first', sql`not ${isCrowd(part)}`),
    named,
    select('filtered', sql`not ${isSeparate(part)}`),
  ]
}

function tier(query: IndexQuery): RawBuilder<unknown> {
  const { key, names, named, exact, facts, products, exactProducts, singular } = query
  const isBeginning = singular === '' ? sql`` : sql` and not words @@ ${singular}::tsquery`
  return sql`case
        when name_key = ${key} or id_key = ${key} then 0
        when (starts_with(name_key, ${key}) or starts_with(id_key, ${key}))${isBeginning} then 1
        when words @@ ${names}::tsquery then 2
        else
          case
            when words @@ ${exact}::tsquery${orProducts(exactProducts)} then 3
            when words @@ ${facts}::tsquery${orProducts(products)} then 5
            else 7
          end
          -- A match with a term in its name comes before one without.
          + case when words @@ ${named}::tsquery then 0 else 1 end
      end`
}

function orProducts(ids: readonly string[]): RawBuilder<unknown> {
  if (ids.length === 0) return sql``
  return sql` or kind = 'data-product' and external_id = any(${ids}::text[])`
}
