import { FlaskConical } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { toListPage } from '../../api/next-page.ts'
import { describeChecks, TestOutcome, type TestResult } from '../../documents/test-outcome.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Paging } from '../../parts/paging.tsx'
import { Tag } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { EmptyList } from '../../shell/empty-list.tsx'
import { useUrlState } from '../../shell/url-state.ts'

const URL_STATE = { dataContractId: '', server: '', branch: '', p: '' }
type State = typeof URL_STATE

/** The test results of the organization or of one data contract, newest first. */
export function TestResultsPage() {
  const [state] = useUrlState(URL_STATE)
  const page = /^\d{1,6}$/.test(state.p) ? Number(state.p) : 0
  const { dataContractId, server, branch } = state
  const filter = Object.fromEntries(
    Object.entries({ dataContractId, server, branch }).filter(([, value]) => value !== ''),
  )
  const params = { query: { ...filter, p: page } }
  const query = useQuery({
    queryKey: ['get', '/api/test-results', { params }],
    queryFn: async ({ signal }) =>
      toListPage(await client.GET('/api/test-results', { params, signal })),
  })
  return (
    <Page title="Test results" facts={<Filters state={state} />}>
      <QueryPanel
        title="Results"
        flush
        query={query}
        skeleton={{ lines: 8, label: 'Loading the test results' }}
      >
        {({ rows: results, hasNext }) => (
          <>
            <Results results={results} isFiltered={Object.keys(filter).length > 0} page={page} />
            <Paging
              label="Pages of results"
              page={page}
              hasNext={hasNext}
              toPage={(p) => paths.testResults({ ...state, p })}
            />
          </>
        )}
      </QueryPanel>
    </Page>
  )
}

/** The filters in words, each with a link that removes it. */
function Filters({ state }: { state: State }) {
  const { dataContractId, server, branch } = state
  const filters = [
    ['dataContractId', 'Data contract', dataContractId],
    ['server', 'Server', server],
    ['branch', 'Branch', branch],
  ] as const
  const active = filters.filter(([, , value]) => value !== '')
  if (active.length === 0) return <span>All data contracts</span>
  return active.map(([name, label, value]) => (
    <span key={name} className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="user-text">
        {label}: {name === 'dataContractId' ? <ContractLink id={value} /> : value}
      </span>
      <Link
        href={paths.testResults({ ...state, [name]: '', p: '' })}
        aria-label={`Remove the filter ${label}`}
        className="flex min-h-6 items-center"
      >
        Remove
      </Link>
    </span>
  ))
}

function ContractLink({ id }: { id: string }) {
  return (
    <Link href={paths.dataContract(id)} className="user-text">
      {id}
    </Link>
  )
}

interface ResultsProps {
  results: readonly TestResult[]
  isFiltered: boolean
  page: number
}

function Results({ results, isFiltered, page }: ResultsProps) {
  if (results.length > 0) {
    return <Table label="Results" rows={results} columns={COLUMNS} getKey={({ id }) => id} />
  }
  if (page > 0) return <Empty title="No more results">This page is after the last result.</Empty>
  return (
    <EmptyList
      icon={FlaskConical}
      things="test results"
      filter={{ isSet: isFiltered, clear: paths.testResults() }}
      title="No test results yet"
    >
      Results appear here when a program publishes them, such as{' '}
      <code>datacontract test --publish</code> in CI.
    </EmptyList>
  )
}

const COLUMNS: readonly Column<TestResult>[] = [
  {
    title: 'Tested',
    className: 'whitespace-nowrap',
    cell: ({ id, testedAt }) => (
      <Link href={paths.testResult(id)} className="flex min-h-6 items-center">
        <Time at={testedAt} />
      </Link>
    ),
  },
  {
    title: 'Result',
    className: 'whitespace-nowrap',
    cell: ({ result, dryRun }) => (
      <span className="flex items-center gap-2">
        <TestOutcome outcome={result} />
        {dryRun && <Tag>Dry run</Tag>}
      </span>
    ),
  },
  {
    title: 'Data contract',
    cell: ({ dataContractId, dataContractVersion }) => (
      <span className="flex flex-wrap items-baseline gap-x-2">
        <NameLink href={paths.dataContract(dataContractId)} name={dataContractId} />
        {dataContractVersion !== '' && (
          <span className="user-text text-muted">{dataContractVersion}</span>
        )}
      </span>
    ),
  },
  { title: 'Server', cell: ({ server }) => <span className="user-text">{server || '–'}</span> },
  { title: 'Branch', cell: ({ branch }) => <span className="user-text">{branch ?? '–'}</span> },
  { title: 'Checks', className: 'whitespace-nowrap', cell: (row) => describeChecks(row) ?? '–' },
]
