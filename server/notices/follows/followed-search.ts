import { ApiError } from '../../platform/errors.ts'
import { customFilters, type CustomFilter } from '../../documents/search/custom-field.ts'
import { FACETS, SORTS, type FacetFilters } from '../../documents/search/search.ts'
import { SUBJECT_CHARACTERS_MAX } from './follow.ts'
import { newTable } from '../../../formats/name/table.ts'

// The subject of a followed search is its query, in one spelling: the same search is the same subject for everybody.

// Every facet is a filter.
const FILTERS = FACETS.map((facet) => ({ facet, name: facet === 'team' ? 'teamId' : facet }))

const PARAMETERS = ['query', 'custom', 'sort', ...FILTERS.map(({ name }) => name)]

/** A followed search. */
interface FollowedSearch {
  text: string
  filters: FacetFilters
  custom: readonly CustomFilter[]
}

/**
 * Returns the one spelling of a query: without what is empty, sorted. Errors: validation_failed for other parameters,
 * and for a query that finds everything.
 */
export function toCanonicalSearch(query: string): string {
  const sent = new URLSearchParams(query)
  const canonical = new URLSearchParams()
  for (const name of new Set(sent.keys())) {
    if (!PARAMETERS.some((parameter) => parameter === name)) {
      throw invalidSearch(`has the unknown parameter "${name}"`)
    }
    if (name === 'sort') continue
    const values = [...new Set(sent.getAll(name).map((value) => value.trim()))]
    for (const value of values.toSorted()) {
      // An empty team is a value: documents without an owner.
      if (value !== '' || name === 'teamId') canonical.append(name, value)
    }
  }
  if (!customFilters.safeParse(canonical.getAll('custom')).success) {
    throw invalidSearch('has a custom field without a value; write custom=name=value')
  }
  if (canonical.size === 0) throw invalidSearch('finds everything; add a word or a filter')
  addSort(canonical, sent.getAll('sort'))
  canonical.sort()
  const text = canonical.toString()
  if (text.length > SUBJECT_CHARACTERS_MAX) {
    throw invalidSearch(`is longer than ${SUBJECT_CHARACTERS_MAX} characters`)
  }
  return text
}

// The usual order is not a part of the search.
function addSort(canonical: URLSearchParams, given: readonly string[]): void {
  for (const sort of new Set(given)) {
    if (!SORTS.some((one) => one === sort)) {
      throw invalidSearch(`has the unknown order "${sort}"; use one of ${SORTS.join(', ')}`)
    }
    if (sort !== SORTS[0]) canonical.set('sort', sort)
  }
}

/** Parses the canonical query of a followed search. */
export function parseFollowedSearch(canonical: string): FollowedSearch {
  const query = new URLSearchParams(canonical)
  const filters = FILTERS.flatMap(({ facet, name }) => {
    const values = query.getAll(name)
    return values.length === 0 ? [] : [[facet, values] as const]
  })
  const custom = customFilters.safeParse(query.getAll('custom')).data ?? []
  return { text: query.get('query') ?? '', filters: Object.fromEntries(filters), custom }
}

const LABELS = newTable<string>({ resourceType: 'type' })
const VALUES_NAMED_MAX = 3

/** Describes a followed search: `"orders" with tag pii or gold and team fleet`. */
export function describeFollowedSearch(canonical: string): string {
  const { text, filters, custom } = parseFollowedSearch(canonical)
  const named = [
    ...Object.entries(filters).map(([name, values]) =>
      describeFilter(LABELS[name] ?? name, values ?? []),
    ),
    ...custom.map(({ field, values }) => describeFilter(field, values)),
  ]
  const listed = named.length === 0 ? '' : `with ${named.join(' and ')}`
  const order = ORDERS[new URLSearchParams(canonical).get('sort') ?? ''] ?? ''
  return [text === '' ? '' : `"${text}"`, listed, order].filter(Boolean).join(' ')
}

const ORDERS = newTable<string>({
  name: 'by name',
  changed: 'by last change',
  readers: 'by readers',
})

function describeFilter(label: string, values: readonly string[]): string {
  const named = values.slice(0, VALUES_NAMED_MAX).map((value) => {
    if (value === '') return `no ${label}`
    const shown = label === 'type' ? value.toLowerCase().replaceAll('_', ' ') : value
    return `${label} ${shown}`
  })
  const more = values.length - named.length
  return `${named.join(' or ')}${more > 0 ? ` or ${more} more` : ''}`
}

function invalidSearch(message: string): ApiError {
  return new ApiError('validation_failed', `The search ${message}.`, {
    violations: [{ field: 'id', message }],
  })
}
