import { ALL_KINDS, KINDS } from '../../platform/kinds.ts'
import { readTrustSummaries } from '../../ledger/trust/service.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import { highlightMatches, matchesTerms, type SearchedText } from './highlight.ts'
import type { CustomFilter } from './custom-field.ts'
import { emptyFacets, listCustomFields, toFacets } from './facet-service.ts'
import { countFacets } from './facet-store.ts'
import { listColumns } from './lookup-store.ts'
import { findMatches, type Matches } from './match-store.ts'
import { parseQuery, type ParsedQuery, type Term } from './query.ts'
import {
  FACETS,
  type FacetFilters,
  type SearchAnswer,
  type SearchFacets,
  type SearchResult,
  type Sort,
} from './search.ts'
import { listEverything } from './browse-store.ts'
import type { ResultPage } from './sort.ts'
import * as store from './store.ts'
import { ENOUGH_MATCHES, NO_MATCHES, relaxQuery } from './query-relaxation-service.ts'
import type { MatchSummary, QueryVariant } from './query-relaxation-service.ts'

/** A search request. */
interface SearchRequest {
  organizationId: string
  text: string
  filters: FacetFilters
  custom: readonly CustomFilter[]
  /** The custom fields whose values are counted, in addition to those of the filters. */
  customFields: readonly string[]
  /** The tags that are counted even if others are more frequent. */
  countedTags: readonly string[]
  sort: Sort
  page: number
  limit: number
  withFacets: boolean
}

/** The results of a search, and whether there is a next page. */
interface SearchPage {
  answer: SearchAnswer
  hasNext: boolean
}

/**
 * Searches the documents of an organization. If the query as typed finds too little, it is widened: with
 * synonyms, with one letter corrected, and without words that narrow it too much.
 */
export async function search(
  { db, clock, baseUrl }: Pick<Services, 'db' | 'clock' | 'baseUrl'>,
  request: SearchRequest,
): Promise<SearchPage> {
  const { organizationId, text, limit } = request
  const query = parseQuery(text)
  let best: Attempt | undefined
  const getBest = (): MatchSummary => best ?? NO_MATCHES
  for await (const variant of relaxQuery(db, organizationId, query, getBest)) {
    const attempt = await tryVariant(db, request, variant)
    // Matches are counted without filters: filters that exclude all of them do not widen the query.
    if (best === undefined || attempt.count > best.count) best = attempt
    if (best.count >= ENOUGH_MATCHES) break
  }
  if (best === undefined)
    return { answer: toAnswer(request, NOTHING_COUNTED, [], []), hasNext: false }
  const { variant, matches, count: matchCount } = best
  const [rows, counted] = await Promise.all([
    listPage(db, request, matches),
    count(db, request, matches),
  ])
  const shown = rows.slice(0, limit)
  const described = { organizationId, query, ...variant }
  const results = await describeResults(db, baseUrl, described, shown)
  const findTrust = await readTrustSummaries({ db, clock }, organizationId, shown)
  const leftOut = matchCount > 0 ? variant.leftOut : []
  const hasNext = (matches?.page.length ?? rows.length) > limit
  const trusted = results.map((result, at): SearchResult => {
    const row = shown[at]
    return { ...result, trust: row === undefined ? null : findTrust(row) }
  })
  return { answer: toAnswer(request, counted, trusted, leftOut), hasNext }
}

/** A query and its matches. */
interface Attempt extends MatchSummary {
  variant: QueryVariant
  /** Undefined = everything matches. */
  matches: Matches | undefined
}

async function tryVariant(
  db: Database,
  request: SearchRequest,
  variant: QueryVariant,
): Promise<Attempt> {
  if (variant.index === undefined) {
    return { variant, matches: undefined, count: ENOUGH_MATCHES, isByName: false }
  }
  const matches = await findMatches(db, toIndexSearch(request), variant.index, toPage(request))
  const total = matches.counts.reduce((sum, { count: number }) => sum + number, 0)
  return { variant, matches, count: total, isByName: matches.areByName }
}

async function listPage(
  db: Database,
  request: SearchRequest,
  matches: Matches | undefined,
): Promise<store.FoundRow[]> {
  if (matches === undefined) {
    return await listEverything(db, toIndexSearch(request), toPage(request))
  }
  return await store.loadFound(db, request.organizationId, matches.page.slice(0, request.limit))
}

function toIndexSearch(request: SearchRequest): store.IndexSearch {
  const { organizationId, filters, custom } = request
  const { resourceType: types } = filters
  const kinds = ALL_KINDS.filter(({ resourceType }) => types?.includes(resourceType))
  return {
    organizationId,
    filters: { ...filters, resourceType: types && kinds.map(({ kind }) => kind) },
    custom,
    customFields: request.withFacets ? listCustomFields(request) : [],
    countedTags: request.withFacets ? request.countedTags : [],
  }
}

function toPage({ page, limit, sort }: SearchRequest): ResultPage {
  return { offset: page * limit, limit, sort }
}

function toAnswer(
  { text, withFacets }: SearchRequest,
  { total, totalIsMinimum, facets }: Counted,
  results: SearchResult[],
  leftOut: readonly string[],
): SearchAnswer {
  return {
    query: text,
    answer: null,
    leftOut: [...leftOut],
    total,
    totalIsMinimum,
    results,
    facets: withFacets ? facets : null,
  }
}

interface Counted {
  total: number
  totalIsMinimum: boolean
  facets: SearchFacets
}

async function count(
  db: Database,
  request: SearchRequest,
  matches: Matches | undefined,
): Promise<Counted> {
  const counts = await countFacets(
    db,
    toIndexSearch(request),
    matches?.counts ?? 'everything',
    request.withFacets ? FACETS : [],
  )
  return {
    total: counts.find(({ facet }) => facet === 'total')?.count ?? 0,
    // Only queries are counted up to a limit.
    totalIsMinimum: matches?.isMinimum ?? false,
    facets: toFacets(counts, request),
  }
}

const NOTHING_COUNTED: Counted = {
  total: 0,
  totalIsMinimum: false,
  facets: emptyFacets(),
}

interface DescribedQuery extends QueryVariant {
  organizationId: string
  query: ParsedQuery
}

async function describeResults(
  db: Database,
  baseUrl: string,
  { organizationId, query, terms, contractIds }: DescribedQuery,
  rows: readonly store.FoundRow[],
): Promise<Omit<SearchResult, 'trust'>[]> {
  const matching = new Set(contractIds)
  const ids = new Set(rows.flatMap(({ contracts }) => contracts.filter((id) => matching.has(id))))
  const columns =
    ids.size === 0 ? new Map<string, PartTexts>() : await listColumns(db, organizationId, [...ids])
  return rows.map((row) => {
    const through = row.contracts.flatMap((id) => columns.get(id) ?? [])
    return {
      ...toResult(baseUrl, row),
      ...highlightMatches(listTexts(row, through, terms), terms, query),
    }
  })
}

function toResult(
  baseUrl: string,
  row: store.FoundRow,
): Omit<SearchResult, 'why' | 'highlights' | 'trust'> {
  const { resourceType, pages } = KINDS[row.kind]
  return {
    id: row.id,
    url: `${baseUrl}/${pages}/${encodeURIComponent(row.id)}`,
    ownerId: row.ownerId,
    ownerName: row.ownerName,
    name: row.name,
    resourceType,
    description: row.description,
    status: row.status,
    domain: row.domain,
    tags: row.tags,
    source: row.source,
    type: row.type,
    updatedAt: row.updatedAt,
    readers: row.readers,
  }
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

/** The texts of a contract by which search finds the data products that provide it, a line each. */
type PartTexts = Pick<store.FoundRow, 'columns' | 'synonyms'>

function toSynonymText(line: string): SearchedText {
  const [text = '', path] = line.split('\t')
  return { field: 'synonym', text, ...(path !== undefined && { path }) }
}

// In the order in which they matter.
function listTexts(
  row: store.FoundRow,
  contracts: readonly PartTexts[],
  terms: readonly Term[],
): SearchedText[] {
  if (terms.length === 0) return []
  const paths = [row, ...contracts].flatMap(({ columns: text }) => lines(text))
  const synonyms = [row, ...contracts].flatMap(({ synonyms: text }) => lines(text))
  const columns = paths.filter((path) => matchesTerms(path.slice(path.indexOf('.') + 1), terms))
  return [
    { field: 'name', text: row.name },
    { field: 'id', text: row.id },
    ...synonyms.map(toSynonymText),
    ...row.tags.map((text): SearchedText => ({ field: 'tag', text })),
    ...columns.map((text): SearchedText => ({ field: 'column', text, path: text })),
    ...row.classifications.map((text): SearchedText => ({ field: 'classification', text })),
    ...lines(row.ports).map((text): SearchedText => ({ field: 'port', text, path: text })),
    ...(row.domain === null ? [] : [{ field: 'domain' as const, text: row.domain }]),
    ...(row.ownerName === null ? [] : [{ field: 'owner' as const, text: row.ownerName }]),
    ...(row.description === null ? [] : [{ field: 'description' as const, text: row.description }]),
    ...[row.source, row.integrationName].flatMap((text): SearchedText[] =>
      text === null ? [] : [{ field: 'other', text }],
    ),
  ]
}
