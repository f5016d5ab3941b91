import { sql, type RawBuilder } from 'kysely'
import type { DocumentKind } from '../history/revision.ts'
import type { Database } from '../tables.ts'
import { RANKED_KINDS } from '../kinds.ts'
import type { IndexQuery } from './query.ts'
import {
  FACETED,
  isAllowed,
  isNarrowed,
  matching,
  orderBy,
  type DocumentKey,
  type IndexSearch,
} from './store.ts'

/** The number of matches that have the same values of all facets. */
export interface AlikeCount {
  /** The key of these values, a 64-bit integer. */
  key: string
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
}

/**
 * The maximum number of assets that are counted and ranked for a query, and of other documents. If more match,
 * the limit applies to the first ones in the database, prefix matches of names, and other matches of names.
 */
export const MATCHES_MAX = 5000

// If the first matches are too many, those that pass the filters are looked for among so many.
const FILTERED_MAX = 100_000

/** The documents that are searched by one index. */
interface Part {
  name: string
  condition: RawBuilder<unknown>
  kinds: readonly DocumentKind[]
}

const PARTS: readonly Part[] = [
  {
    name: 'document',
    condition: sql`kind <> 'asset'`,
    kinds: RANKED_KINDS.filter((kind) => kind !== 'asset'),
  },
  { name: 'asset', condition: sql`kind = 'asset'`, kinds: ['asset'] },
]

/**
 * Finds and ranks the matches of a query in one pass over the index. Order: the kind of match, live before
 * removed, kind of document, name, id.
 */
export async function findMatches(
  db: Database,
  search: IndexSearch,
  query: IndexQuery,
  page: { offset: number; limit: number },
): Promise<Matches> {
  const { rows } = await sql<Matches>`
    with ${sql.join(PARTS.map((part) => firstMatches(part, search, query)))},
    ${sql.join(PARTS.map((part) => furtherMatches(part, search, query)))},
    provided as materialized (${providedBy(search, query)}),
    counted as (
      select key, greatest(sum(first_count), sum(filtered_count)) as count
      from (
        ${sql.join(PARTS.map(countFirst), sql` union all `)}
        union all
        select facets_key, count(*), count(*) from provided group by facets_key
      ) as alike (key, first_count, filtered_count)
      group by key
    ),
    page as materialized (
      select kind, external_id, tier, standing, name_key
      from (${candidates(search, query)}) as document
      where ${isAllowed(search)}
      order by ${orderBy(query)}
      offset ${page.offset}
      limit ${page.limit + 1}
    )
    select
      coalesce(
        (
          select jsonb_agg(jsonb_build_object('kind', kind, 'id', external_id) order by ${orderBy(query)})
          from page
        ),
        '[]'
      ) as page,
      coalesce(
        (select jsonb_agg(jsonb_build_object('key', key::text, 'count', count)) from counted),
        '[]'
      ) as counts,
      ${sql.join(PARTS.map(isCrowd), sql` or `)} as "isMinimum"
  `.execute(db)
  return rows[0] ?? { page: [], counts: [], isMinimum: false }
}

const RANKED = sql`kind, external_id, standing, name_key, ${FACETED}, facets_key, tier`

function table(prefix: string, { name }: Part): RawBuilder<unknown> {
  return sql.ref(`${prefix}_${name}`)
}

// More documents match than are counted.
function isCrowd(part: Part): RawBuilder<unknown> {
  return sql`(select count(*) > ${MATCHES_MAX} from ${table('first', part)})`
}

// Some of the first matches do not match by name, so others that do come before them.
function isMixed(part: Part): RawBuilder<unknown> {
  return sql`(select not bool_and(is_named) from ${table('first', part)})`
}

// In a crowd, those that match by name are selected separately.
function isSeparate(part: Part, { key }: IndexQuery): RawBuilder<unknown> {
  return sql`(starts_with(name_key, ${key}) or is_named and ${isMixed(part)})`
}

function ranked(
  { condition }: Part,
  { organizationId }: IndexSearch,
  query: IndexQuery,
): RawBuilder<unknown> {
  return sql`
        select kind, external_id, standing, name_key, ${FACETED}, facets_key, ${tier(query)} as tier,
          starts_with(name_key, ${query.key}) or words @@ ${query.names}::tsquery as is_named
        from search_document
        where organization_id = ${organizationId}
          and ${condition}`
}

// The matches up to the limit, in the order of the database.
function firstMatches(part: Part, search: IndexSearch, query: IndexQuery): RawBuilder<unknown> {
  return sql`${table('first', part)} as materialized (
        ${ranked(part, search, query)}
          and ${matching(query)}
        limit ${MATCHES_MAX + 1}
      )`
}

// If there are too many, those that match by name, and those that pass the filters, are selected separately.
function furtherMatches(part: Part, search: IndexSearch, query: IndexQuery): RawBuilder<unknown> {
  const { key, names } = query
  const standings = part.kinds.flatMap((kind) => [
    RANKED_KINDS.indexOf(kind),
    RANKED_KINDS.length + RANKED_KINDS.indexOf(kind),
  ])
  // The index on names can answer this; every continuation of the key sorts before the highest character.
  const begins = sql`standing = any(${standings}::smallint[])
          and name_key >= ${key}
          and name_key < ${`${key}\u{10ffff}`}`
  const select = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
        ${ranked(part, search, query)}
          and ${isCrowd(part)}
          and ${condition}
        limit ${MATCHES_MAX}
      )`
  return sql`${table('named', part)} as materialized (
      ${select(sql`${begins} and ${matching(query)}`)}
      union all
      ${select(sql`${isMixed(part)} and not starts_with(name_key, ${key}) and words @@ ${names}::tsquery`)}
    ),
    ${table('filtered', part)} as materialized (
      select *
      from (
        ${ranked(part, search, query)}
          and ${isCrowd(part)}
          and ${isNarrowed(search) ? matching(query) : sql`false`}
        limit ${FILTERED_MAX}
      ) as document
      where ${isAllowed(search)}
      limit ${MATCHES_MAX}
    )`
}

// The products that match only by one of their contracts.
function providedBy(search: IndexSearch, query: IndexQuery): RawBuilder<unknown> {
  const part = { name: 'product', condition: sql`kind = 'data-product'`, kinds: [] }
  return sql`${ranked(part, search, query)}
          and external_id = any(${query.products}::text[])
          and not ${matching(query)}`
}

// Both numbers of a part are minimums of the same documents.
function countFirst(part: Part): RawBuilder<unknown> {
  return sql`
        select facets_key, sum(first), sum(filtered)
        from (
          (select facets_key, 1 as first, 0 as filtered from ${table('first', part)} limit ${MATCHES_MAX})
          union all
          select facets_key, 0, 1 from ${table('filtered', part)}
        ) as either
        group by facets_key`
}

// In a crowd, those that match by name are candidates once; the first ones that pass the filters are among those
// that were looked for with filters.
function candidates(search: IndexSearch, query: IndexQuery): RawBuilder<unknown> {
  const each = PARTS.flatMap((part) => {
    const isCandidate = isNarrowed(search)
      ? sql`not ${isCrowd(part)}`
      : sql`not (${isCrowd(part)} and ${isSeparate(part, query)})`
    return [
      sql`select ${RANKED} from ${table('first', part)} where ${isCandidate}`,
      sql`select ${RANKED} from ${table('named', part)}`,
      sql`select ${RANKED} from ${table('filtered', part)} where not ${isSeparate(part, query)}`,
    ]
  })
  return sql.join([...each, sql`select ${RANKED} from provided`], sql` union all `)
}

function tier(query: IndexQuery): RawBuilder<unknown> {
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

function orProducts(ids: readonly string[]): RawBuilder<unknown> {
  if (ids.length === 0) return sql``
  return sql` or kind = 'data-product' and external_id = any(${ids}::text[])`
}
