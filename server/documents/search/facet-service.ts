import { ALL_KINDS } from '../../platform/kinds.ts'
import type { CustomFilter } from './custom-field.ts'
import type { FacetCount } from './facet-store.ts'
import {
  DRIFT_VALUES,
  FACETS,
  FORMAT_LABELS,
  NO_OWNER_LABEL,
  NO_TEAM,
  TRUST_VALUES,
  type Facet,
  type FacetFilters,
  type FacetValue,
  type SearchFacets,
} from './search.ts'

/** The part of a search that its facets depend on. */
interface FacetRequest {
  filters: FacetFilters
  custom: readonly CustomFilter[]
  /** The custom fields whose values are counted, in addition to those of the filters. */
  customFields: readonly string[]
}

/** Returns facets without values. */
export function emptyFacets(): SearchFacets {
  return {
    resourceType: [],
    team: [],
    domain: [],
    status: [],
    tag: [],
    source: [],
    format: [],
    classification: [],
    trust: [],
    drift: [],
    custom: [],
  }
}

/** Returns the facets of counts. Active filters are always listed, so that they can be removed. */
export function toFacets(counts: readonly FacetCount[], request: FacetRequest): SearchFacets {
  const facets = { ...emptyFacets(), custom: toCustomFacets(counts, request) }
  for (const { facet, value, label, count: number } of counts) {
    if (facet === 'total' || facet === 'custom') continue
    const [shownValue, shownLabel] =
      facet === 'resourceType'
        ? toTypeValue(value)
        : [value, LABELLED_FACETS.includes(facet) ? getLabel(facet, value) : label]
    if (facets[facet].some((one) => one.value === shownValue)) continue
    facets[facet].push({ value: shownValue, label: shownLabel, count: number })
  }
  for (const facet of FACETS) {
    const getValueLabel = (value: string): string => getLabel(facet, value)
    facets[facet] = withSelected(facets[facet], request.filters[facet] ?? [], getValueLabel)
  }
  return facets
}

function toCustomFacets(
  counts: readonly FacetCount[],
  request: FacetRequest,
): SearchFacets['custom'] {
  return listCustomFields(request).map((field) => {
    const own = counts.filter((one) => one.facet === 'custom' && one.field === field)
    const values = own.map(({ value, label, count: number }) => ({ value, label, count: number }))
    const selected = request.custom.find((filter) => filter.field === field)?.values ?? []
    return { field, values: withSelected(values, selected, (value) => value) }
  })
}

function withSelected(
  values: readonly FacetValue[],
  selected: readonly string[],
  getValueLabel: (value: string) => string,
): FacetValue[] {
  const counted = new Set(values.map(({ value }) => value))
  const others = selected.filter((value) => !counted.has(value))
  return [...values, ...others.map((value) => ({ value, label: getValueLabel(value), count: 0 }))]
}

function toTypeValue(kind: string): [string, string] {
  const properties = ALL_KINDS.find((one) => one.kind === kind)
  return properties === undefined ? [kind, kind] : [properties.resourceType, properties.label]
}

// The facets whose values have other display names.
const LABELLED_FACETS: readonly Facet[] = ['format', 'trust', 'drift']

function findLabel(values: readonly (readonly [string, string])[], value: string): string {
  return values.find(([one]) => one === value)?.[1] ?? value
}

function getLabel(facet: Facet, value: string): string {
  if (facet === 'team' && value === NO_TEAM) return NO_OWNER_LABEL
  if (facet === 'format') return FORMAT_LABELS[value] ?? value
  if (facet === 'trust') return findLabel(TRUST_VALUES, value)
  if (facet === 'drift') return findLabel(DRIFT_VALUES, value)
  const label = ALL_KINDS.find(({ resourceType }) => resourceType === value)?.label
  return facet === 'resourceType' ? (label ?? value) : value
}

/** Lists the custom fields whose values are counted. */
export function listCustomFields({ customFields, custom }: FacetRequest): string[] {
  return [...new Set([...customFields, ...custom.map(({ field }) => field)])]
}
