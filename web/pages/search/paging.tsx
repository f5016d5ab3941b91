import { ChevronLeft, ChevronRight } from 'lucide-react'
import { ButtonLink } from '../../parts/button.tsx'
import { numberText } from '../../parts/number-text.ts'
import { toSearchAddress, getPage, RESULTS_MAX, type SearchState } from './filters.ts'

/** Links to the previous and next page; nothing if there is only one page. */
export function Paging({ state, total }: { state: SearchState; total: number }) {
  const page = getPage(state)
  const last = Math.max(0, Math.ceil(total / RESULTS_MAX) - 1)
  if (last === 0 && page === 0) return null
  const to = (next: number) => toSearchAddress({ ...state, p: next === 0 ? '' : String(next) })
  return (
    <nav
      aria-label="Pages of results"
      className="flex items-center justify-between gap-3 px-4 py-3"
    >
      <ButtonLink
        href={to(Math.min(page - 1, last))}
        icon={ChevronLeft}
        reason={page === 0 ? 'This is the first page.' : undefined}
      >
        Previous
      </ButtonLink>
      <span className="text-sm text-muted">
        Page {numberText(page + 1)} of {numberText(last + 1)}
      </span>
      <ButtonLink href={to(page + 1)} reason={page >= last ? 'This is the last page.' : undefined}>
        Next
        <ChevronRight size={14} aria-hidden />
      </ButtonLink>
    </nav>
  )
}
