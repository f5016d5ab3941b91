import type { Database } from '../tables.ts'
import { explain, isMatched, type SearchedText } from './explain.ts'
import { ASSETS_COUNTED_MAX, countFacets, type FacetCount } from './facet-store.ts'
import { listColumns } from './lookup-store.ts'
import { readQuery, type ReadQuery, type Term } from './query.ts'
import {
  FACETS,
  KIND_OF,
  NO_OWNER_LABEL,
  NO_TEAM,
  TYPE_LABELS,
  TYPE_OF,
  type Facet,
  type FacetFilters,
  type ResourceType,
  type SearchAnswer,
  type SearchFacets,
  type SearchResult,
} from './search.ts'
import * as store from './store.ts'
import { questionsFor, type Question } from './question-service.ts'

/** What is searched for. */
export interface Search {
  organizationId: string
  text: string
  filters: FacetFilters
  page: number
  limit: number
  withFacets: boolean
}

/** What was found, and whether there is a next page. */
export interface Found {
  answer: SearchAnswer
  hasNext: boolean
}

const PAGES = {
  DATA_PRODUCT: 'data-products',
  DATA_CONTRACT: 'data-contracts',
  DATA_ASSET: 'assets',
  TEAM: 'teams',
} as const

/**
 * Searches the documents of an organization. What is found nowhere as it is typed is looked for with
 * one letter changed, and then with one of several words left out.
 */
export async function search(db: Database, baseUrl: string, wanted: Search): Promise<Found> {
  const { organizationId, text, page, limit } = wanted
  const query = readQuery(text)
  const isEverything = text.trim() === ''
  const questions: AsyncIterable<Question> | Question[] = isEverything
    ? [{ terms: [], index: undefined }]
    : questionsFor(db, organizationId, query)
  let told: Counted = {
    total: 0,
    totalIsMinimum: false,
    facets: emptyFacets(),
    isFoundAtAll: false,
  }
  for await (const question of questions) {
    const asked = {
      organizationId,
      query: question.index,
      filters: indexFiltersOf(wanted.filters),
    }
    const [rows, counted] = await Promise.all([
      store.listFound(db, asked, { offset: page * limit, limit }),
      count(db, asked, wanted),
    ])
    told = counted
    // Filters that leave nothing are no reason to look for something else.
    if (!counted.isFoundAtAll) continue
    const found = rows.slice(0, limit)
    const results = await explained(db, baseUrl, { organizationId, query, ...question }, found)
    return {
      answer: answerOf(wanted, counted, results),
      hasNext: rows.length > limit,
    }
  }
  return { answer: answerOf(wanted, told, []), hasNext: false }
}

function answerOf(
  { text, withFacets }: Search,
  { total, totalIsMinimum, facets }: Counted,
  results: SearchResult[],
): SearchAnswer {
  return {
    query: text,
    answer: null,
    total,
    totalIsMinimum,
    results,
    facets: withFacets ? facets : null,
  }
}

function indexFiltersOf(filters: FacetFilters): store.IndexFilters {
  const types = new Set<string>(filters.resourceType)
  const kinds = Object.entries(KIND_OF).flatMap(([type, kind]) => (types.has(type) ? [kind] : []))
  return {
    kinds: filters.resourceType && kinds,
    teams: filters.team,
    domains: filters.domain,
    statuses: filters.status,
    tags: filters.tag,
    sources: filters.source,
  }
}

interface Counted {
  total: number
  totalIsMinimum: boolean
  facets: SearchFacets
  /** Something is found, whatever the filters leave of it. */
  isFoundAtAll: boolean
}

async function count(db: Database, asked: store.IndexSearch, wanted: Search): Promise<Counted> {
  const counts = await countFacets(db, asked, wanted.withFacets ? FACETS : [])
  const countOf = (row: 'total' | 'found' | 'assets'): number =>
    counts.find(({ facet }) => facet === row)?.count ?? 0
  return {
    total: countOf('total'),
    // Everything is counted to its end, and only what a query finds is not.
    totalIsMinimum: asked.query !== undefined && countOf('assets') >= ASSETS_COUNTED_MAX,
    facets: facetsOf(counts, wanted.filters),
    isFoundAtAll: countOf('found') > 0,
  }
}

function emptyFacets(): SearchFacets {
  return { resourceType: [], team: [], domain: [], status: [], tag: [], source: [] }
}

// What is filtered by is always told, so that it can be taken back.
function facetsOf(counts: readonly FacetCount[], filters: FacetFilters): SearchFacets {
  const facets = emptyFacets()
  for (const { facet, value, label, count: one } of counts) {
    if (facet === 'total' || facet === 'found' || facet === 'assets') continue
    const [told, called] = facet === 'resourceType' ? typeOf(value) : [value, label]
    facets[facet].push({ value: told, label: called, count: one })
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
  const type = Object.entries(TYPE_OF).find(([one]) => one === kind)?.[1]
  return type === undefined ? [kind, kind] : [type, TYPE_LABELS[type]]
}

function labelOf(facet: Facet, value: string): string {
  if (facet === 'team' && value === NO_TEAM) return NO_OWNER_LABEL
  const label = Object.entries(TYPE_LABELS).find(([type]) => type === value)?.[1]
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
  const resourceType: ResourceType = TYPE_OF[row.kind]
  return {
    id: row.id,
    url: `${baseUrl}/${PAGES[resourceType]}/${encodeURIComponent(row.id)}`,
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
    ...lines(row.ports).map((text): SearchedText => ({ field: 'port', text, path: text })),
    ...(row.domain === null ? [] : [{ field: 'domain' as const, text: row.domain }]),
    ...(row.ownerName === null ? [] : [{ field: 'owner' as const, text: row.ownerName }]),
    ...(row.description === null ? [] : [{ field: 'description' as const, text: row.description }]),
    ...[row.source, row.integrationName].flatMap((text): SearchedText[] =>
      text === null ? [] : [{ field: 'other', text }],
    ),
  ]
}
