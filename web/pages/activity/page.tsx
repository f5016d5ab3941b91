import { Activity } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { ActivityList } from '../../documents/activity-list.tsx'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { ExportLinks } from './export-links.tsx'
import { FilterBar } from './filter-bar.tsx'
import { NO_FILTERS, toQuery } from './filters.ts'

/** Everything that changed, grouped by who changed it and when. */
export function ActivityPage() {
  const [filters, setFilters] = useUrlState(NO_FILTERS)
  const query = useMemo(() => toQuery(filters), [filters])
  const list = api.useInfiniteQuery(
    'get',
    '/ui/activity',
    { params: { query } },
    { pageParamName: 'after', initialPageParam: null, getNextPageParam: ({ next }) => next },
  )
  const isFiltered = Object.keys(query).length > 0
  return (
    <Page title="Activity" actions={<ExportLinks query={query} />}>
      <FilterBar filters={filters} onChange={setFilters} />
      <section aria-label="Changes" className="rounded-lg border border-line bg-surface">
        <h2 className="sr-only">Changes</h2>
        <Loaded query={list} skeleton={<Skeleton lines={8} label="Loading the activity" />}>
          {({ pages }) => {
            const groups = pages.flatMap((page) => page.groups)
            if (groups.length === 0) return <NoActivity isFiltered={isFiltered} />
            return <ActivityList groups={groups} query={query} />
          }}
        </Loaded>
        {list.hasNextPage && (
          <div className="border-t border-line px-4 py-2">
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </section>
    </Page>
  )
}

function NoActivity({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty icon={Activity} title="No changes match">
        Change the filters, or clear them to see everything.
      </Empty>
    )
  }
  return (
    <Empty icon={Activity} title="No changes yet">
      Changes of data products, contracts, teams, members, keys and settings appear here.
    </Empty>
  )
}
