import { Siren } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { toListPage } from '../../api/next-page.ts'
import type { Incident } from '../../documents/incident-words.ts'
import { IncidentItem } from '../../documents/incidents.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Paging } from '../../parts/paging.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'
import { EmptyList } from '../../shell/empty-list.tsx'
import { useUrlState } from '../../shell/url-state.ts'

const URL_STATE = { dataContractId: '', dataProductId: '', teamId: '', status: '', p: '' }

const STATUSES = [
  ['', 'All'],
  ['open', 'Open'],
  ['acknowledged', 'Acknowledged'],
  ['resolved', 'Resolved'],
] as const

/** The incidents of the organization, of a contract, a data product or a team: open ones first. */
export function IncidentsPage() {
  const [state] = useUrlState(URL_STATE)
  const page = /^\d{1,6}$/.test(state.p) ? Number(state.p) : 0
  const { dataContractId, dataProductId, teamId } = state
  const status = STATUSES.find(([one]) => one === state.status)?.[0] ?? ''
  const filter = {
    ...(dataContractId !== '' && { dataContractId }),
    ...(dataProductId !== '' && { dataProductId }),
    ...(teamId !== '' && { teamId }),
    ...(status !== '' && { status }),
  }
  const params = { query: { ...filter, p: page } }
  const query = useQuery({
    queryKey: ['get', '/api/incidents', { params }],
    queryFn: async ({ signal }) =>
      toListPage(await client.GET('/api/incidents', { params, signal })),
  })
  return (
    <Page
      title="Incidents"
      facts={<span>{dataContractId || dataProductId || teamId || 'All data contracts'}</span>}
    >
      <Tabs
        label="States of incidents"
        tabs={STATUSES.map(([one, title]) => ({
          title,
          href: paths.incidents({ ...state, status: one, p: '' }),
          isCurrent: status === one,
        }))}
      />
      <QueryPanel
        title="Incidents"
        flush
        query={query}
        skeleton={{ lines: 8, label: 'Loading the incidents' }}
      >
        {({ rows, hasNext }) => (
          <>
            <Incidents incidents={rows} isFiltered={Object.keys(filter).length > 0 || page > 0} />
            <Paging
              label="Pages of incidents"
              page={page}
              hasNext={hasNext}
              toPage={(p) => paths.incidents({ ...state, p })}
            />
          </>
        )}
      </QueryPanel>
    </Page>
  )
}

function Incidents({
  incidents,
  isFiltered,
}: {
  incidents: readonly Incident[]
  isFiltered: boolean
}) {
  if (incidents.length === 0) {
    return (
      <EmptyList
        icon={Siren}
        things="incidents"
        filter={{ isSet: isFiltered, clear: paths.incidents() }}
        title="No incidents yet"
      >
        An incident opens when the tests of a data contract fail, its table differs from it, its
        data are late, or access is granted that was not agreed.
      </EmptyList>
    )
  }
  return (
    <ul>
      {incidents.map((incident) => (
        <IncidentItem key={incident.id} incident={incident} />
      ))}
    </ul>
  )
}
