import { numberText } from '../../parts/number-text.ts'
import { Paging } from '../../parts/paging.tsx'
import { getPage, RESULTS_MAX, toSearchAddress, type SearchState } from './filters.ts'

/** Links to the previous and next page of results. */
export function ResultPaging({ state, total }: { state: SearchState; total: number }) {
  const page = getPage(state)
  const last = Math.max(0, Math.ceil(total / RESULTS_MAX) - 1)
  return (
    <Paging
      label="Pages of results"
      page={page}
      previous={Math.min(page - 1, last)}
      hasNext={page < last}
      toPage={(p) => toSearchAddress({ ...state, p })}
    >
      <span className="text-sm text-muted">
        Page {numberText(page + 1)} of {numberText(last + 1)}
      </span>
    </Paging>
  )
}
