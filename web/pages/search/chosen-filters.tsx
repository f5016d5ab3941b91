import { X } from 'lucide-react'
import { useCustomFilters } from '../../api/custom-filters.ts'
import { Link } from '../../parts/link.tsx'
import {
  toSearchAddress,
  listActiveFilters,
  toggleFilter,
  USUAL,
  type Chosen,
  type SearchState,
} from './filters.ts'

interface ChosenFiltersProps {
  state: SearchState
  getLabel: (chosen: Chosen) => string
}

/** The active filters; each is a link that removes it. */
export function ChosenFilters({ state, getLabel }: ChosenFiltersProps) {
  const chosen = listActiveFilters(state, useCustomFilters().filters)
  if (chosen.length === 0) return null
  return (
    <ul aria-label="Active filters" className="flex min-w-0 flex-wrap items-center gap-1.5">
      {chosen.map((one) => (
        <li key={`${one.name} ${one.value}`} className="max-w-full min-w-0">
          <Link
            plain
            href={toSearchAddress(toggleFilter(state, one.name, one.value))}
            className="flex min-h-7 max-w-full items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-sm hover:bg-hover"
          >
            <span className="sr-only">Remove the filter </span>
            <span className="user-text text-muted">{one.title}:</span>
            <span className="user-text min-w-0 truncate">{getLabel(one)}</span>
            <X size={12} aria-hidden className="shrink-0 text-faint" />
          </Link>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <Link
            href={toSearchAddress({ ...USUAL, query: state.query, sort: state.sort })}
            className="text-sm"
          >
            Clear all
          </Link>
        </li>
      )}
    </ul>
  )
}
