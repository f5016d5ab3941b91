import { X } from 'lucide-react'
import { keepPreviousData } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import { findPlatformName } from '../../parts/platform-name.ts'
import { Button } from '../../parts/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { numberText } from '../../parts/number-text.ts'

/** The filters of the assets, with several values each. */
export interface AssetFilters {
  source: readonly string[]
  teamId: readonly string[]
  tag: readonly string[]
}

const FACETS = [
  { name: 'source', facet: 'source', title: 'Platform' },
  { name: 'teamId', facet: 'team', title: 'Owner' },
  { name: 'tag', facet: 'tag', title: 'Tag' },
] as const

const VALUES_MAX = 6

/** Returns whether any filter is set. */
export function hasFilters({ source, teamId, tag }: AssetFilters): boolean {
  return source.length + teamId.length + tag.length > 0
}

interface AssetFacetsProps {
  query: string
  filters: AssetFilters
  onChange: (patch: Partial<AssetFilters>) => void
}

/** Facets of the assets: the most frequent platforms, owners and tags, with their counts. */
export function AssetFacets({ query, filters, onChange }: AssetFacetsProps) {
  const { source, teamId, tag } = filters
  const found = api.useQuery(
    'get',
    '/api/search',
    {
      params: {
        query: {
          ...(query === '' ? {} : { query }),
          resourceType: ['DATA_ASSET'],
          source: [...source],
          teamId: [...teamId],
          tag: [...tag],
          limit: 1,
        },
      },
    },
    { placeholderData: keepPreviousData, staleTime: 30_000 },
  )
  const facets = found.data?.facets
  if (facets === null || facets === undefined) return null
  const shown = FACETS.filter(
    ({ name, facet }) => facets[facet].length > 1 || filters[name].length > 0,
  )
  if (shown.length === 0) return null
  return (
    <div className="mb-3 grid justify-items-start gap-2">
      {shown.map(({ name, facet, title }) => (
        <div
          key={name}
          role="group"
          aria-label={title}
          className="grid gap-x-2 gap-y-1 sm:grid-cols-[4.5rem_1fr]"
        >
          <span className="text-sm text-muted sm:leading-7">{title}</span>
          <div className="flex flex-wrap gap-1.5">
            {pickValues(facets[facet], filters[name]).map((value) => (
              <FacetChip
                key={value.value}
                value={value}
                isPlatform={name === 'source'}
                isChosen={filters[name].includes(value.value)}
                onToggle={() => onChange({ [name]: toggle(filters[name], value.value) })}
              />
            ))}
          </div>
        </div>
      ))}
      {hasFilters(filters) && (
        <Button look="quiet" icon={X} onClick={() => onChange({ source: [], teamId: [], tag: [] })}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

type Value = NonNullable<Schemas['SearchFacets']>['source'][number]

// Chosen values stay visible however rare they are.
function pickValues(values: readonly Value[], chosen: readonly string[]): Value[] {
  return values.filter(({ value }, at) => at < VALUES_MAX || chosen.includes(value))
}

function toggle(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
}

interface FacetChipProps {
  value: Value
  isPlatform: boolean
  isChosen: boolean
  onToggle: () => void
}

function usePlatformTitle(source: string): string | undefined {
  const { data } = useSources()
  return data?.find((one) => one.source === source)?.title
}

function FacetChip({
  value: { value, label, count },
  isPlatform,
  isChosen,
  onToggle,
}: FacetChipProps) {
  const platformTitle = usePlatformTitle(value)
  const text = isPlatform ? (platformTitle ?? findPlatformName(value) ?? label) : label
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onToggle}
      className={classNames(
        'inline-flex min-h-7 max-w-64 items-center gap-1.5 rounded-full border px-2.5 text-sm',
        isChosen
          ? 'border-accent bg-accent-soft text-accent'
          : // Narrow screens only show the most frequent values.
            'border-line-strong/60 bg-surface hover:bg-hover max-sm:nth-[n+4]:hidden',
      )}
    >
      {isPlatform && value !== '' && <PlatformMark source={value} size={16} />}
      <span className="user-text line-clamp-1 text-left">{text === '' ? 'None' : text}</span>
      <span className="figures text-muted">{numberText(count)}</span>
    </button>
  )
}
