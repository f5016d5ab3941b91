import { RECORDS } from '../../../formats/record/kinds.ts'
import type { RecordKind } from '../../../formats/record/record-kind.ts'
import type { CustomFilter } from '../../api/custom-filters.ts'
import { paths } from '../../paths.ts'
import { newTable } from '../../../formats/name/table.ts'

/** The default state of the page, kept in its address. */
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
  trust: [],
  drift: [],
  custom: [],
  sort: '',
  p: '',
  // Addresses of other programs name the query like this.
  q: '',
} satisfies Record<string, string | string[]>

/** A query, its filters and the page of the results, counted from 0. */
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
  trust: readonly string[]
  drift: readonly string[]
  /** Custom fields of data products, each as `name=value`. */
  custom: readonly string[]
  /** Empty = by relevance. */
  sort: string
  p: string
}

/** A filter of the results. */
export type FilterName = FacetFilterName | 'custom'

/** A filter of the results by a facet that every search counts. */
type FacetFilterName = Exclude<FacetName, 'team'> | 'teamId'

/** A facet of the response. */
type FacetName =
  | 'resourceType'
  | 'team'
  | 'domain'
  | 'status'
  | 'tag'
  | 'source'
  | 'format'
  | 'classification'
  | 'trust'
  | 'drift'

/** The filters in display order. */
export const FILTERS: readonly { name: FacetFilterName; facet: FacetName; title: string }[] = [
  { name: 'resourceType', facet: 'resourceType', title: 'Type' },
  { name: 'teamId', facet: 'team', title: 'Team' },
  { name: 'domain', facet: 'domain', title: 'Domain' },
  { name: 'status', facet: 'status', title: 'Status' },
  { name: 'tag', facet: 'tag', title: 'Tag' },
  { name: 'source', facet: 'source', title: 'Source' },
  { name: 'format', facet: 'format', title: 'Format' },
  { name: 'classification', facet: 'classification', title: 'Classification' },
  { name: 'trust', facet: 'trust', title: 'Trust' },
  { name: 'drift', facet: 'drift', title: 'Drift' },
]

/** The orders of the results; the first one is usual. */
export const RESULT_SORTS = ['relevance', 'name', 'changed', 'readers'] as const

/** The state of the page as its address has it. */
export interface AddressState extends SearchState {
  q: string
}

/** Returns the state of an address, whose query may have either name. */
export function normalizeState({ q, ...state }: AddressState): SearchState {
  return { ...state, query: state.query === '' ? q : state.query }
}

/** The number of results per page. */
export const RESULTS_MAX = 20

/** Returns the page number, counted from 0. */
export function getPage(state: SearchState): number {
  return /^\d{1,9}$/.test(state.p) ? Number(state.p) : 0
}

/** An active value of a filter. */
export interface Chosen {
  name: FilterName
  title: string
  value: string
}

/** Lists the active values in the order of the filters. */
export function listActiveFilters(
  state: SearchState,
  customFilters: readonly CustomFilter[] = [],
): Chosen[] {
  const custom = state.custom.map((pair): Chosen => {
    const { field } = splitPair(pair)
    const filter = customFilters.find(({ customField }) => customField === field)
    return { name: 'custom', title: filter?.displayName ?? field, value: pair }
  })
  const usual = FILTERS.flatMap(({ name, title }) =>
    state[name].map((value) => ({ name, title, value })),
  )
  return [...usual, ...custom]
}

/** Splits an active custom filter, `name=value`. */
export function splitPair(pair: string): { field: string; value: string } {
  const [field = ''] = pair.split('=', 1)
  return { field, value: pair.slice(field.length + 1) }
}

/** The numbers of results by the values of facets. */
type FacetCounts = Readonly<Record<FacetName, readonly { count: number }[]>> & {
  custom: readonly { field: string; values: readonly { count: number }[] }[]
}

/**
 * Groups the active filters whose removal gives results, by facet. A facet counts the results without its own
 * filter.
 */
export function filtersToRemove(
  state: SearchState,
  facets: FacetCounts | null,
  customFilters: readonly CustomFilter[] = [],
): Chosen[][] {
  const chosen = listActiveFilters(state, customFilters)
  const groups = Map.groupBy(chosen, ({ name, value }) =>
    name === 'custom' ? `custom ${splitPair(value).field}` : name,
  )
  return [...groups.values()].filter(([first]) =>
    listCounts(first, facets).some(({ count }) => count > 0),
  )
}

function listCounts(
  chosen: Chosen | undefined,
  facets: FacetCounts | null,
): readonly { count: number }[] {
  if (chosen?.name === 'custom') {
    const { field } = splitPair(chosen.value)
    return facets?.custom.find((one) => one.field === field)?.values ?? []
  }
  const facet = FILTERS.find(({ name }) => name === chosen?.name)?.facet
  return facet === undefined ? [] : (facets?.[facet] ?? [])
}

/** Returns the state without some filters, on the first page. */
export function removeFilters(state: SearchState, filters: readonly Chosen[]): SearchState {
  return filters.reduce(
    (kept, { name, value }) => ({ ...kept, [name]: kept[name].filter((one) => one !== value) }),
    { ...state, p: '' },
  )
}

/** Returns the state with a value added or removed, on the first page. */
export function toggleFilter(state: SearchState, name: FilterName, value: string): SearchState {
  const others = state[name].filter((one) => one !== value)
  const isSet = others.length < state[name].length
  return { ...state, [name]: isSet ? others : [...others, value], p: '' }
}

/** Returns the address of a state. */
export function toSearchAddress(state: SearchState): string {
  return paths.search(state)
}

/** Returns the kind of record that the page lists, if it lists one kind only. */
export function findListedRecord({ resourceType }: SearchState): RecordKind | undefined {
  const [type, ...others] = resourceType
  return others.length > 0 ? undefined : RECORDS.find((kind) => kind.resourceType === type)
}

/** Returns whether data products are among the results. */
export function listsProducts({ resourceType }: SearchState): boolean {
  return resourceType.length === 0 || resourceType.includes('DATA_PRODUCT')
}

/** Returns the title of the page; a list of one type has its own. */
export function getTitle(state: SearchState): string {
  const [type, ...others] = state.resourceType
  if (others.length > 0 || type === undefined) return 'Search'
  return TITLES[type] ?? 'Search'
}

const TITLES = newTable<string>({
  DATA_PRODUCT: 'Data products',
  DATA_CONTRACT: 'Data contracts',
  ...Object.fromEntries(RECORDS.map(({ resourceType, label }) => [resourceType, label])),
})
