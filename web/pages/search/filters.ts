import { paths } from '../../paths.ts'

/** What the page keeps in its address. */
export const USUAL = {
  query: '',
  resourceType: [],
  teamId: [],
  domain: [],
  status: [],
  tag: [],
  source: [],
  format: [],
  classification: [],
  p: '',
} satisfies Record<string, string | string[]>

/** What the page shows: a query, filters, and which page of the results, counted from 0. */
export interface SearchState extends Readonly<Record<string, string | readonly string[]>> {
  query: string
  resourceType: readonly string[]
  teamId: readonly string[]
  domain: readonly string[]
  status: readonly string[]
  tag: readonly string[]
  source: readonly string[]
  format: readonly string[]
  classification: readonly string[]
  p: string
}

/** A list of the state that narrows the results. */
export type FilterName = Exclude<FacetName, 'team'> | 'teamId'

/** The facet of an answer that counts for a filter. */
export type FacetName =
  | 'resourceType'
  | 'team'
  | 'domain'
  | 'status'
  | 'tag'
  | 'source'
  | 'format'
  | 'classification'

/** The filters in the order in which they are shown. */
export const FILTERS: readonly { name: FilterName; facet: FacetName; title: string }[] = [
  { name: 'resourceType', facet: 'resourceType', title: 'Type' },
  { name: 'teamId', facet: 'team', title: 'Team' },
  { name: 'domain', facet: 'domain', title: 'Domain' },
  { name: 'status', facet: 'status', title: 'Status' },
  { name: 'tag', facet: 'tag', title: 'Tag' },
  { name: 'source', facet: 'source', title: 'Source' },
  { name: 'format', facet: 'format', title: 'Format' },
  { name: 'classification', facet: 'classification', title: 'Classification' },
]

/** Results of one page. */
export const RESULTS_MAX = 20

/** The page that the state names, counted from 0. */
export function pageOf(state: SearchState): number {
  return /^\d{1,9}$/.test(state.p) ? Number(state.p) : 0
}

/** A value of a filter that is set. */
export interface Chosen {
  name: FilterName
  title: string
  value: string
}

/** All values that are set, in the order of the filters. */
export function chosenOf(state: SearchState): Chosen[] {
  return FILTERS.flatMap(({ name, title }) => state[name].map((value) => ({ name, title, value })))
}

/**
 * Lists the filters whose removal gives results. A facet counts the results without its own filter.
 */
export function filtersToRemove(
  state: SearchState,
  facets: Readonly<Record<FacetName, readonly { count: number }[]>> | null,
): { name: FilterName; title: string }[] {
  return FILTERS.filter(
    ({ name, facet }) =>
      state[name].length > 0 && facets?.[facet].some(({ count }) => count > 0) === true,
  )
}

/** The address without one value, or with it; the first page of what is found then. */
export function toggled(state: SearchState, name: FilterName, value: string): SearchState {
  const others = state[name].filter((one) => one !== value)
  const isSet = others.length < state[name].length
  return { ...state, [name]: isSet ? others : [...others, value], p: '' }
}

/** The address of a state. */
export function addressOf(state: SearchState): string {
  return paths.search(state)
}

/** What a page of results is called: lists of one type have a title of their own. */
export function titleOf(state: SearchState): string {
  const [type, ...others] = state.resourceType
  if (others.length > 0 || type === undefined) return 'Search'
  return TITLES[type] ?? 'Search'
}

const TITLES: Readonly<Record<string, string>> = {
  DATA_PRODUCT: 'Data products',
  DATA_CONTRACT: 'Data contracts',
}
