import { Activity } from 'lucide-react'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { BY_NEXT } from '../../api/next-page.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { currentOrganization } from '../../api/organization.ts'
import { ActivityList, type ActivityQuery } from '../../documents/activity-group.tsx'
import { DownloadLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { withQuery } from '../../paths.ts'
import { EmptyList } from '../../shell/empty-list.tsx'
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
          empty={
            <NoActivity
              isFiltered={Object.keys(query).length > 0}
              onClear={() => setFilters(NO_FILTERS)}
            />
          }
        >
          {(groups) => <ActivityList groups={groups} query={query} />}
        </Loaded>
      </section>
    </Page>
  )
}

const PARTLY_VISIBLE =
  'Change or clear the filters. Changes of integrations, runs and webhooks are visible to their team, those of keys and accounts to the person and to owners.'

function NoActivity({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const isOwner = mayOwn(useSession()).allowed
  return (
    <EmptyList
      icon={Activity}
      things="changes"
      filter={{ isSet: isFiltered, clear: onClear, ...(isOwner ? {} : { advice: PARTLY_VISIBLE }) }}
      title="No changes yet"
    >
      Changes of data products, contracts, teams, members, keys and settings appear here.
    </EmptyList>
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
