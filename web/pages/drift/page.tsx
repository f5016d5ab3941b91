import { useQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import { client } from '../../api/client.ts'
import { toListPage } from '../../api/next-page.ts'
import { type Finding } from '../../documents/reality/drift-words.ts'
import {
  FindingActions,
  FindingAspect,
  FindingSide,
  FindingSince,
  FindingStatus,
} from '../../documents/reality/finding-cells.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Paging } from '../../parts/paging.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'
import { EmptyList } from '../../shell/empty-list.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { Filters } from './filters.tsx'
import { DRIFT_URL_STATE, isFiltered, STATUSES, toQuery, type DriftUrlState } from './url-state.ts'

/** The differences between contracts and tables: of the organization, a team, a contract, or a source. */
export function DriftPage() {
  const [state, set] = useUrlState(DRIFT_URL_STATE)
  const query = toQuery(state)
  const params = { query }
  const list = useQuery({
    queryKey: ['get', '/api/drift', { params }],
    queryFn: async ({ signal }) => toListPage(await client.GET('/api/drift', { params, signal })),
  })
  return (
    <Page
      title="Drift"
      facts={
        <span>
          Where tables differ from what contracts promise.{' '}
          <Link href={paths.guide('reality')}>What is compared</Link>
        </span>
      }
    >
      <Tabs
        label="States of differences"
        tabs={STATUSES.map(([status, title]) => ({
          title,
          href: paths.drift({ ...state, status: status === 'open' ? '' : status, p: '' }),
          isCurrent: status === query.status,
        }))}
      />
      <Filters state={state} set={set} />
      <QueryPanel
        title="Differences"
        flush
        query={list}
        skeleton={{ lines: 8, label: 'Loading the differences' }}
      >
        {({ rows, hasNext }) => (
          <>
            <Findings rows={rows} state={state} />
            <Paging
              label="Pages of differences"
              page={query.p}
              hasNext={hasNext}
              toPage={(p) => paths.drift({ ...state, p })}
            />
          </>
        )}
      </QueryPanel>
    </Page>
  )
}

const EMPTY_TITLES = {
  open: 'No differences',
  accepted: 'No accepted differences',
  resolved: 'No resolved differences',
}

function Findings({ rows, state }: { rows: readonly Finding[]; state: DriftUrlState }) {
  const { status, p } = toQuery(state)
  if (rows.length > 0) {
    const columns = status === 'open' ? OPEN_COLUMNS : COLUMNS
    return <Table label="Differences" rows={rows} columns={columns} getKey={({ id }) => id} />
  }
  if (p > 0) return <Empty title="No more differences">This page is after the last one.</Empty>
  return (
    <EmptyList
      icon={GitCompareArrows}
      things="differences"
      filter={{ isSet: isFiltered(state), clear: paths.drift({ status: state.status }) }}
      title={EMPTY_TITLES[status]}
    >
      Contracts are compared with the tables of connected sources after each run and each change.
      Differences appear here.
    </EmptyList>
  )
}

const STATE = 'State'

const COLUMNS: readonly Column<Finding>[] = [
  {
    title: 'Data contract',
    className: 'sm:min-w-56',
    cell: (finding) => <Place finding={finding} />,
  },
  { title: 'Difference', cell: (finding) => <FindingAspect finding={finding} /> },
  {
    title: 'Promised',
    className: 'sm:min-w-28',
    cell: (finding) => <FindingSide finding={finding} side="promised" />,
  },
  {
    title: 'In the table',
    className: 'sm:min-w-28',
    cell: (finding) => <FindingSide finding={finding} side="actual" />,
  },
  { title: 'Since', cell: (finding) => <FindingSince finding={finding} /> },
  {
    title: STATE,
    className: 'sm:min-w-28',
    cell: (finding) => <FindingStatus finding={finding} />,
  },
  { title: 'Actions', isAction: true, cell: (finding) => <FindingActions finding={finding} /> },
]

// The state of open ones is that of the list.
const OPEN_COLUMNS = COLUMNS.filter(({ title }) => title !== STATE)

function Place({ finding }: { finding: Finding }) {
  const {
    dataContractId,
    dataContractName,
    server,
    isProduction,
    model,
    field,
    assetId,
    assetName,
  } = finding
  return (
    <span className="grid gap-0.5">
      <NameLink
        href={paths.dataContract(dataContractId, { view: 'reality' })}
        name={dataContractName ?? dataContractId}
        lines={2}
      />
      <code className="user-text text-sm [overflow-wrap:anywhere]">
        {field === null ? model : `${model}.${field}`}
      </code>
      <span className="user-text text-sm text-muted">
        On {server}
        {!isProduction && ', which does not count'}
      </span>
      {assetId !== null && (
        <span className="text-sm">
          <NameLink href={paths.asset(assetId)} name={assetName ?? assetId} lines={1} />
        </span>
      )}
    </span>
  )
}
