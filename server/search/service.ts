import { ALL_KINDS, KINDS } from '../kinds.ts'
import type { Database } from '../tables.ts'
import { explain, isMatched, type SearchedText } from './explain.ts'
import { ASSETS_COUNTED_MAX, countFacets, type FacetCount } from './facet-store.ts'
import { listColumns } from './lookup-store.ts'
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
  const countFound = (): number => best?.counted.foundCount ?? 0
  for await (const question of listQuestions(db, organizationId, query, countFound)) {
    const attempt = await tryQuestion(db, wanted, question)
    // Filters that leave nothing are no reason to look for something else.
    if (attempt.counted.foundCount > countFound() || best === undefined) best = attempt
    if (countFound() >= ENOUGH_FOUND) break
  }
  if (best === undefined)
    return { answer: toAnswer(wanted, NOTHING_COUNTED, [], []), hasNext: false }
  const { question, counted, rows } = best
  const results = await explained(
    db,
    baseUrl,
    { organizationId, query, ...question },
    rows.slice(0, limit),
  )
  const leftOut = counted.foundCount > 0 ? question.leftOut : []
  return { answer: toAnswer(wanted, counted, results, leftOut), hasNext: rows.length > limit }
}

/** A query and its matches. */
interface Attempt {
  question: Question
  counted: Counted
  /** The requested page, and one more row if there is a next page. */
  rows: store.FoundRow[]
}

async function tryQuestion(db: Database, wanted: Search, question: Question): Promise<Attempt> {
  const { organizationId, page, limit } = wanted
  const asked = {
    organizationId,
    query: question.index,
    filters: indexFiltersOf(wanted.filters),
  }
  const [rows, counted] = await Promise.all([
    store.listFound(db, asked, { offset: page * limit, limit }),
    count(db, asked, wanted),
  ])
  return { question, counted, rows }
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
  /** The number of matches without filters. */
  foundCount: number
}

async function count(db: Database, asked: store.IndexSearch, wanted: Search): Promise<Counted> {
  const counts = await countFacets(db, asked, wanted.withFacets ? FACETS : [])
  const countOf = (row: 'total' | 'found' | 'assets'): number =>
    counts.find(({ facet }) => facet === row)?.count ?? 0
  return {
    total: countOf('total'),
    // Only queries are counted up to a limit.
    totalIsMinimum: asked.query !== undefined && countOf('assets') >= ASSETS_COUNTED_MAX,
    facets: facetsOf(counts, wanted.filters),
    foundCount: countOf('found'),
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
  foundCount: 0,
}

// Active filters are always listed, so that they can be removed.
function facetsOf(counts: readonly FacetCount[], filters: FacetFilters): SearchFacets {
  const facets = emptyFacets()
  for (const { facet, value, label, count: one } of counts) {
    if (facet === 'total' || facet === 'found' || facet === 'assets') continue
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
