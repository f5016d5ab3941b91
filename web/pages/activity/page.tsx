import { Activity } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { BY_NEXT } from '../../api/next-page.ts'
import { currentOrganization } from '../../api/organization.ts'
import { ActivityList, type ActivityQuery } from '../../documents/activity-group.tsx'
import { DownloadLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { withQuery } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
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

/** Links that download all entries that match the filters of the page. The browser writes them to disk as they arrive. */
function ExportLinks({ query }: { query: ActivityQuery }) {
  const organization = currentOrganization()
  const href = (format: 'csv' | 'jsonl'): string =>
    withQuery('/ui/activity/export', { ...query, format, organization })
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadLink href={href('csv')}>Export CSV</DownloadLink>
      <DownloadLink href={href('jsonl')}>Export JSON lines</DownloadLink>
    </div>
  )
}
