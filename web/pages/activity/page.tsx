import { Activity } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { BY_NEXT } from '../../api/next-page.ts'
import { ActivityList } from '../../documents/activity-list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
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
    { ...BY_NEXT, select: ({ pages }) => pages.flatMap(({ groups }) => groups) },
  )
  return (
    <Page title="Activity" actions={<ExportLinks query={query} />}>
      <FilterBar filters={filters} onChange={setFilters} />
      <section aria-label="Changes" className="rounded-lg border border-line bg-surface">
        <h2 className="sr-only">Changes</h2>
        <Loaded
          flush
          query={list}
          skeleton={{ lines: 8, label: 'Loading the activity' }}
          empty={<NoActivity isFiltered={Object.keys(query).length > 0} />}
        >
          {(groups) => <ActivityList groups={groups} query={query} />}
        </Loaded>
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
