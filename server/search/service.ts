import { ALL_KINDS, KINDS } from '../kinds.ts'
import type { Database } from '../tables.ts'
import { explain, isMatched, type SearchedText } from './explain.ts'
import { countFacets, type FacetCount } from './facet-store.ts'
import { listColumns } from './lookup-store.ts'
import { findMatches, type Matches } from './match-store.ts'
import { readQuery, type ReadQuery, type Term } from './query.ts'
import {
  FACETS,
  FORMAT_LABELS,
  NO_OWNER_LABEL,
  NO_TEAM,
  type Facet,
  type FacetFilters,
  type SearchAnswer,
  type SearchFacets,
  type SearchResult,
} from './search.ts'
import * as store from './store.ts'
import { ENOUGH_FOUND, listQuestions, type Question } from './question-service.ts'

/** A search request. */
export interface Search {
  organizationId: string
  text: string
  filters: FacetFilters
  page: number
  limit: number
  withFacets: boolean
}

/** The results of a search, and whether there is a next page. */
export interface SearchPage {
  answer: SearchAnswer
  hasNext: boolean
}

/**
 * Searches the documents of an organization. If the query as typed finds too little, it is widened: with
 * synonyms, with one letter corrected, and without words that narrow it too much.
 */
export async function search(db: Database, baseUrl: string, wanted: Search): Promise<SearchPage> {
  const { organizationId, text, limit } = wanted
  const query = readQuery(text)
  let best: Attempt | undefined
  const countFound = (): number => best?.foundCount ?? 0
  for await (const question of listQuestions(db, organizationId, query, countFound)) {
    const attempt = await tryQuestion(db, wanted, question)
    // Filters that leave nothing are no reason to look for something else.
    if (attempt.foundCount > countFound() || best === undefined) best = attempt
    if (countFound() >= ENOUGH_FOUND) break
  }
  if (best === undefined)
    return { answer: toAnswer(wanted, NOTHING_COUNTED, [], []), hasNext: false }
  const { question, matches, foundCount } = best
  const [rows, counted] = await Promise.all([
    listPage(db, wanted, matches),
    count(db, wanted, matches),
  ])
  const results = await explained(
    db,
    baseUrl,
    { organizationId, query, ...question },
    rows.slice(0, limit),
  )
  const leftOut = foundCount > 0 ? question.leftOut : []
  const hasNext = (matches?.page.length ?? rows.length) > limit
  return { answer: toAnswer(wanted, counted, results, leftOut), hasNext }
}

/** A query and its matches. */
interface Attempt {
  question: Question
  /** Undefined = everything matches. */
  matches: Matches | undefined
  /** The number of matches without filters; a minimum. */
  foundCount: number
}

async function tryQuestion(db: Database, wanted: Search, question: Question): Promise<Attempt> {
  if (question.index === undefined) {
    return { question, matches: undefined, foundCount: ENOUGH_FOUND }
  }
  const matches = await findMatches(db, toIndexSearch(wanted), question.index, toPage(wanted))
  const foundCount = matches.counts.reduce((sum, { count: alike }) => sum + alike, 0)
  return { question, matches, foundCount }
}

async function listPage(
  db: Database,
  wanted: Search,
  matches: Matches | undefined,
): Promise<store.FoundRow[]> {
  if (matches === undefined) {
    return await store.listEverything(db, toIndexSearch(wanted), toPage(wanted))
  }
  return await store.loadFound(db, wanted.organizationId, matches.page.slice(0, wanted.limit))
}

function toIndexSearch({ organizationId, filters }: Search): store.IndexSearch {
  return { organizationId, filters: indexFiltersOf(filters) }
}

function toPage({ page, limit }: Search): { offset: number; limit: number } {
  return { offset: page * limit, limit }
}

function toAnswer(
  { text, withFacets }: Search,
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

function indexFiltersOf(filters: FacetFilters): store.IndexFilters {
  const types = new Set<string>(filters.resourceType)
  const kinds = ALL_KINDS.flatMap(({ resourceType, kind }) =>
    types.has(resourceType) ? [kind] : [],
  )
  return {
    kinds: filters.resourceType && kinds,
    teams: filters.team,
    domains: filters.domain,
    statuses: filters.status,
    tags: filters.tag,
    sources: filters.source,
    formats: filters.format,
    classifications: filters.classification,
  }
}

interface Counted {
  total: number
  totalIsMinimum: boolean
  facets: SearchFacets
}

async function count(
  db: Database,
  { organizationId, filters, withFacets }: Search,
  matches: Matches | undefined,
): Promise<Counted> {
  const counts = await countFacets(
    db,
    organizationId,
    matches?.counts ?? 'everything',
    indexFiltersOf(filters),
    withFacets ? FACETS : [],
  )
  return {
    total: counts.find(({ facet }) => facet === 'total')?.count ?? 0,
    // Only queries are counted up to a limit.
    totalIsMinimum: matches?.isMinimum ?? false,
    facets: facetsOf(counts, filters),
  }
}

function emptyFacets(): SearchFacets {
  return {
    resourceType: [],
    team: [],
    domain: [],
    status: [],
    tag: [],
    source: [],
    format: [],
    classification: [],
  }
}

const NOTHING_COUNTED: Counted = {
  total: 0,
  totalIsMinimum: false,
  facets: emptyFacets(),
}

// Active filters are always listed, so that they can be removed.
function facetsOf(counts: readonly FacetCount[], filters: FacetFilters): SearchFacets {
  const facets = emptyFacets()
  for (const { facet, value, label, count: one } of counts) {
    if (facet === 'total') continue
    const [shownValue, shownLabel] =
      facet === 'resourceType'
        ? typeOf(value)
        : [value, facet === 'format' ? labelOf(facet, value) : label]
    facets[facet].push({ value: shownValue, label: shownLabel, count: one })
  }
  for (const facet of FACETS) {
    const known = new Set(facets[facet].map(({ value }) => value))
    for (const value of filters[facet] ?? []) {
      if (!known.has(value)) facets[facet].push({ value, label: labelOf(facet, value), count: 0 })
    }
  }
  return facets
}

function typeOf(kind: string): [string, string] {
  const known = ALL_KINDS.find((one) => one.kind === kind)
  return known === undefined ? [kind, kind] : [known.resourceType, known.label]
}

function labelOf(facet: Facet, value: string): string {
  if (facet === 'team' && value === NO_TEAM) return NO_OWNER_LABEL
  if (facet === 'format') return FORMAT_LABELS[value] ?? value
  const label = ALL_KINDS.find(({ resourceType }) => resourceType === value)?.label
  return facet === 'resourceType' ? (label ?? value) : value
}

interface Explained extends Question {
  organizationId: string
  query: ReadQuery
}

async function explained(
  db: Database,
  baseUrl: string,
  { organizationId, query, terms, contractIds }: Explained,
  rows: readonly store.FoundRow[],
): Promise<SearchResult[]> {
  const matching = new Set(contractIds)
  const wanted = rows.flatMap(({ contracts }) => contracts.filter((id) => matching.has(id)))
  const columns =
    wanted.length === 0
      ? new Map<string, string>()
      : await listColumns(db, organizationId, [...new Set(wanted)])
  return rows.map((row) => {
    const through = row.contracts.flatMap((id) => columns.get(id) ?? [])
    return {
      ...resultOf(baseUrl, row),
      ...explain(textsOf(row, through, terms), terms, query),
    }
  })
}

function resultOf(baseUrl: string, row: store.FoundRow): Omit<SearchResult, 'why' | 'highlights'> {
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
  }
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

// In the order in which they matter.
function textsOf(
  row: store.FoundRow,
  contractColumns: readonly string[],
  terms: readonly Term[],
): SearchedText[] {
  if (terms.length === 0) return []
  const paths = [row.columns, ...contractColumns].flatMap(lines)
  const columns = paths.filter((path) => isMatched(path.slice(path.indexOf('.') + 1), terms))
  return [
    { field: 'name', text: row.name },
    { field: 'id', text: row.id },
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
