import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { RECORDS } from '../../../formats/record/kinds.ts'
import { certificationsQuery } from '../../api/certifications.ts'
import { api, type Answer } from '../../api/client.ts'
import { listCustomFields, useCustomFilters } from '../../api/custom-filters.ts'
import { useTeams } from '../../api/teams.ts'
import { AccessSummaries } from '../../documents/access/access-card-facts.tsx'
import { Deprecations, listDeprecated } from '../../documents/deprecations.tsx'
import { resolveDomain } from '../../documents/team-link.tsx'
import { FollowButton } from '../../documents/follow-button.tsx'
import { toStatusLabel } from '../../parts/status-label.ts'
import { Button } from '../../parts/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { resourceWord } from '../../parts/resource-types.ts'
import { SortChoice } from '../../parts/choice-field.tsx'
import { listSorts, readSort } from '../../parts/sorts.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { numberText } from '../../parts/number-text.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { ChosenFilters } from './chosen-filters.tsx'
import { Facets } from './facets.tsx'
import {
  listActiveFilters,
  FILTERS,
  getPage,
  normalizeState,
  RESULT_SORTS,
  RESULTS_MAX,
  getTitle,
  listsProducts,
  splitPair,
  toggleFilter,
  USUAL,
  type AddressState,
  type Chosen,
  type SearchState,
} from './filters.ts'
import { NewButtons } from './new-buttons.tsx'
import { NothingFound } from './nothing-found.tsx'
import { ResultPaging } from './paging.tsx'
import { Result } from './result.tsx'

const RECORD_TYPES = RECORDS.map(({ resourceType }) => resourceType)
const RESOURCE_TYPES = [
  'DATA_PRODUCT',
  'DATA_CONTRACT',
  'DATA_ASSET',
  'TEAM',
  ...RECORD_TYPES,
] as const
const QUERY_SHOWN_MAX = 80
const COUNTED_TAGS_MAX = 100
const FOLLOWED_CHARACTERS_MAX = 1000
const TYPED_INTO = ['INPUT', 'TEXTAREA', 'SELECT']

type Found = Omit<Answer<'/api/search', 'get'>, 'answer'>

interface ShownProps {
  found: Found
  state: SearchState
  set: (patch: Partial<SearchState>) => void
  /** Whether these are the results of the previous query while the next loads. */
  isStale: boolean
}

function toFilters(state: SearchState) {
  return {
    resourceType: RESOURCE_TYPES.filter((one) => state.resourceType.includes(one)),
    teamId: [...state.teamId],
    domain: [...state.domain],
    status: [...state.status],
    tag: [...state.tag],
    source: [...state.source],
    format: [...state.format],
    classification: [...state.classification],
    trust: [...state.trust],
    drift: [...state.drift],
    custom: [...state.custom],
  }
}

/** Searches the catalog, with filters by type, team, domain, status and more. */
export function SearchPage() {
  const [given, set] = useUrlState<AddressState>(USUAL)
  const state = normalizeState(given)
  const field = useFieldOnSlash()
  const { query } = state
  const certifications = useQuery(certificationsQuery)
  const customFilters = useCustomFilters()
  const asked = {
    query,
    ...toFilters(state),
    customField: listsProducts(state) ? listCustomFields(customFilters.filters) : [],
    countTag: (certifications.data ?? []).map((one) => one.tag).slice(0, COUNTED_TAGS_MAX),
    sort: readSort(state.sort, RESULT_SORTS),
    p: getPage(state),
    limit: RESULTS_MAX,
  }
  const found = api.useQuery(
    'get',
    '/api/search',
    { params: { query: asked } },
    {
      placeholderData: keepPreviousData,
      // Searching first would search twice, the second time for the counts of these.
      enabled: !customFilters.isLoading && !certifications.isLoading,
    },
  )
  return (
    <Page
      title={getTitle(state)}
      actions={
        <>
          <FollowSearch state={state} />
          <NewButtons state={state} />
        </>
      }
    >
      <SearchField
        ref={field}
        large
        className="mb-4"
        label="Search the catalog"
        placeholder="Name, column, tag, team…"
        value={query}
        onChange={(text) => set({ query: text, q: '', p: '' }, { replace: true })}
      />
      <Loaded query={found} skeleton={{ lines: 8, label: 'Searching' }}>
        {(data) => <Shown found={data} state={state} set={set} isStale={found.isPlaceholderData} />}
      </Loaded>
    </Page>
  )
}

function Shown({ found, state, set, isStale }: ShownProps) {
  const getLabel = useLabels(found)
  // Without results and filters there is nothing to filter.
  const hasFilters = found.total > 0 || listActiveFilters(state).length > 0
  return (
    <div
      className={classNames(
        'grid items-start gap-x-8 gap-y-3',
        hasFilters && 'lg:grid-cols-[15rem_minmax(0,1fr)]',
      )}
    >
      {hasFilters && <Filters facets={found.facets} state={state} set={set} />}
      <section aria-label="Results" className="min-w-0">
        <div className="mb-2 flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2">
          <p aria-live="polite" className="text-muted">
            {totalText(found)}
          </p>
          <ChosenFilters state={state} getLabel={getLabel} />
          <ResultOrder state={state} set={set} />
        </div>
        <Unsorted found={found} state={state} />
        <LeftOut words={found.leftOut} />
        <div
          aria-busy={isStale}
          className={classNames(
            'rounded-lg border border-line bg-surface',
            isStale && 'opacity-70',
          )}
        >
          {found.results.length === 0 ? (
            <NothingFound state={state} facets={found.facets} getLabel={getLabel} />
          ) : (
            <AccessSummaries productIds={listProducts(found)}>
              <Deprecations of={listDeprecated(found.results)}>
                <ol className="divide-y divide-line">
                  {found.results.map((result) => (
                    <li key={`${result.resourceType} ${result.id}`}>
                      <Result result={result} />
                    </li>
                  ))}
                </ol>
              </Deprecations>
            </AccessSummaries>
          )}
          <ResultPaging state={state} total={found.total} />
        </div>
      </section>
    </div>
  )
}

const [RELEVANCE] = RESULT_SORTS

function ResultOrder({ state, set }: Pick<ShownProps, 'state' | 'set'>) {
  return (
    <div className="ml-auto">
      <SortChoice
        sorts={listSorts(RESULT_SORTS)}
        value={readSort(state.sort, RESULT_SORTS)}
        onChange={(sort) => set({ sort: sort === RELEVANCE ? '' : sort, p: '' })}
      />
    </div>
  )
}

// The matches of a common word are too many to sort all of them.
function Unsorted({ found, state }: Pick<ShownProps, 'found' | 'state'>) {
  const isComplete = !found.totalIsMinimum || readSort(state.sort, RESULT_SORTS) === RELEVANCE
  if (isComplete) return null
  return (
    <p className="mb-2 text-sm text-muted">
      Only the best matches of each type are sorted. Add a word or a filter to sort all of them.
    </p>
  )
}

function listProducts({ results }: Found): string[] {
  return results.flatMap(({ id, resourceType }) => (resourceType === 'DATA_PRODUCT' ? [id] : []))
}

/** Names the words of the query that no result was required to have. */
function LeftOut({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null
  const quoted = words.map((word) => `"${word}"`).join(', ')
  return (
    <p className="user-text mb-2 text-sm text-muted">
      Few results have all words. These are the results without {quoted}.
    </p>
  )
}

interface FiltersProps extends Pick<ShownProps, 'state' | 'set'> {
  facets: Found['facets']
}

// On a narrow screen a button opens the filters, so that they do not hide the results.
function Filters({ facets, state, set }: FiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const count = listActiveFilters(state).length
  return (
    <div>
      <Button
        className="lg:hidden"
        icon={SlidersHorizontal}
        aria-expanded={isOpen}
        aria-controls="filters"
        onClick={() => setOpen(!isOpen)}
      >
        Filters{count > 0 && ` (${count})`}
      </Button>
      <section
        id="filters"
        aria-label="Filters"
        className={classNames('mt-2 lg:mt-0 lg:block', !isOpen && 'hidden')}
      >
        {facets !== null && (
          <Facets
            facets={facets}
            state={state}
            onToggle={(name, value) => set(toggleFilter(state, name, value))}
            onClear={(name) => set({ [name]: [], p: '' })}
          />
        )}
      </section>
    </div>
  )
}

function totalText({ total, totalIsMinimum, query }: Found): string {
  const least = totalIsMinimum ? 'at least ' : ''
  const counted = `${least}${numberText(total)} ${total === 1 ? 'result' : 'results'}`
  return query === '' ? counted : `${counted} for "${query.slice(0, QUERY_SHOWN_MAX)}"`
}

// Facets have the labels of their values, if they are in the response.
function useLabels({ facets }: Found): (chosen: Chosen) => string {
  const teams = useTeams()
  return ({ name, value }) => {
    if (name === 'teamId' && value === '') return 'No owner'
    if (name === 'teamId') return teams?.find(({ id }) => id === value)?.name ?? value
    if (name === 'domain') return resolveDomain(teams ?? [], value).name
    if (name === 'resourceType') return resourceWord(value)
    if (name === 'custom') return splitPair(value).value
    if (name === 'status') return toStatusLabel(value)
    const facet = FILTERS.find((one) => one.name === name)?.facet
    const known = facet === undefined ? undefined : facets?.[facet]
    return known?.find((one) => one.value === value)?.label ?? value
  }
}

// A search without words and filters finds everything, and cannot be followed.
function FollowSearch({ state }: { state: SearchState }) {
  const { p: _page, query, sort, ...filters } = state
  const id = new URLSearchParams(query.trim() === '' ? [] : [['query', query.trim()]])
  for (const [name, values] of Object.entries(filters)) {
    for (const value of values) id.append(name, value)
  }
  if (id.size === 0) return null
  const order = readSort(sort, RESULT_SORTS)
  if (order !== RELEVANCE) id.append('sort', order)
  if (id.toString().length > FOLLOWED_CHARACTERS_MAX) return null
  return <FollowButton kind="search" id={id.toString()} label="Follow this search" />
}

// On this page a slash focuses the search field; on others it opens the palette.
function useFieldOnSlash() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return
      event.preventDefault()
      event.stopPropagation()
      field.current?.focus()
      field.current?.select()
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [])
  return field
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isInDialog = target.closest('[role=dialog], [role=alertdialog]') !== null
  return isInDialog || target.isContentEditable || TYPED_INTO.includes(target.tagName)
}
