import { Download } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, client, type Schemas } from '../../api/client.ts'
import { toListPage } from '../../api/next-page.ts'
import { usePrincipalName } from '../../api/session.ts'
import { describeChecks, TestOutcome } from '../../documents/test-outcome.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { download } from '../../parts/download.ts'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded, QueryPanel } from '../../parts/loaded.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { Page, Panel, StackedFacts } from '../../parts/page.tsx'
import { Paging } from '../../parts/paging.tsx'
import { Tag } from '../../parts/status.tsx'
import { durationText, exactTime, Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { listLogLines, type TestLogLine } from '../../documents/read-log.ts'

type FullResult = Schemas['TestResult']
type TestCheck = Schemas['TestResultCheck']

const TRAIL = [{ title: 'Test results', href: paths.testResults() }]

/** A test result: its outcome, its checks and its log. */
export function TestResultPage() {
  const id = usePathId() ?? ''
  const query = api.useQuery('get', '/api/test-results/{id}', { params: { path: { id } } })
  const result = query.data
  return (
    <Page
      title={result === undefined ? 'Test result' : `Test of ${result.dataContractId}`}
      trail={TRAIL}
      marks={result !== undefined && <Marks result={result} />}
      facts={result !== undefined && <TestFacts result={result} />}
      actions={
        result !== undefined && (
          <Button icon={Download} onClick={() => downloadResult(result)}>
            Download JSON
          </Button>
        )
      }
    >
      <Loaded
        query={query}
        missing={
          <MissingThing
            called="test result"
            action={<Link href={paths.testResults()}>See all test results</Link>}
          />
        }
      >
        {(loaded) => <ResultContent key={id} result={loaded} />}
      </Loaded>
    </Page>
  )
}

function downloadResult(result: FullResult): void {
  const text = JSON.stringify(result, undefined, 2)
  download(text, 'application/json', `test-result-${result.id}.json`)
}

function Marks({ result: { result, dryRun } }: { result: FullResult }) {
  return (
    <>
      <TestOutcome outcome={result} />
      {dryRun && <Tag>Dry run</Tag>}
    </>
  )
}

function TestFacts({ result }: { result: FullResult }) {
  const checks = describeChecks(result)
  return (
    <>
      <span>
        Tested <Time at={result.testedAt} />
      </span>
      {checks !== undefined && <span>{checks}</span>}
    </>
  )
}

function ResultContent({ result }: { result: FullResult }) {
  const logLines = listLogLines(result)
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid min-w-0 gap-5">
        <HiddenNotice hidden={result.hidden ?? []} />
        <Checks id={result.id} count={result.checkCount} />
        {logLines.length > 0 && <Log lines={logLines} />}
      </div>
      <Details result={result} />
    </div>
  )
}

// The names of what is hidden, at most.
const HIDDEN_SHOWN_MAX = 20

/** Explains why parts of a result are hidden; nothing if none is. */
function HiddenNotice({ hidden }: { hidden: readonly string[] }) {
  if (hidden.length === 0) return null
  const names = hidden.filter((name) => name !== '?')
  const rest = names.length - HIDDEN_SHOWN_MAX
  return (
    <Notice tone="info" title="Parts of this result are hidden">
      They may contain data that not everyone may read. Editors of the data contract and of the data
      products that provide it see them.
      {names.length > 0 && (
        <span className="user-text mt-1 block text-muted">
          Hidden: {names.slice(0, HIDDEN_SHOWN_MAX).join(', ')}
          {rest > 0 && ` and ${numberText(rest)} more`}
        </span>
      )}
    </Notice>
  )
}

const URL_STATE = { p: '' }

/** The checks of a result, in pages; `count` is undefined if the result has none. */
function Checks({ id, count }: { id: string; count: number | undefined }) {
  const [state] = useUrlState(URL_STATE)
  const page = /^\d{1,6}$/.test(state.p) ? Number(state.p) : 0
  const params = { path: { id }, query: { p: page } }
  const query = useQuery({
    queryKey: ['get', '/api/test-results/{id}/checks', { params }],
    queryFn: async ({ signal }) =>
      toListPage(await client.GET('/api/test-results/{id}/checks', { params, signal })),
  })
  return (
    <QueryPanel
      title="Checks"
      marks={count}
      flush
      query={query}
      skeleton={{ lines: 4, label: 'Loading the checks' }}
    >
      {({ rows: checks, hasNext }) => (
        <>
          <CheckList checks={checks} page={page} />
          <Paging
            label="Pages of checks"
            page={page}
            hasNext={hasNext}
            toPage={(p) => paths.testResult(id, { p })}
          />
        </>
      )}
    </QueryPanel>
  )
}

function CheckList({ checks, page }: { checks: readonly TestCheck[]; page: number }) {
  if (checks.length === 0) {
    return page > 0 ? (
      <Empty title="No more checks">This page is after the last check.</Empty>
    ) : (
      <Empty title="No checks">The program that published this result sent no checks.</Empty>
    )
  }
  return (
    <ul>
      {checks.map((check, at) => (
        <CheckRow key={`${at} ${check.name}`} check={check} />
      ))}
    </ul>
  )
}

function CheckRow({ check }: { check: TestCheck }) {
  const { name, outcome, subject, reason, measured, labels, failedCount, totalCount } = check
  const isHidden = check.hidden.length > 0
  return (
    <li className="grid gap-1 border-b border-line px-4 py-2.5 last:border-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TestOutcome outcome={outcome} />
        <span className="user-text min-w-0 font-medium">{name}</span>
        {labels.map((label) => (
          <Tag key={label}>{label}</Tag>
        ))}
      </div>
      {subject !== null && <code className="user-text text-muted">{subject}</code>}
      {reason !== null && <p className="user-text max-w-prose whitespace-pre-line">{reason}</p>}
      {isHidden && (
        <p className="text-muted italic">
          {check.hidden.includes('reason') ? 'Reason hidden' : 'Value hidden'}: it may contain data.
        </p>
      )}
      {measured !== null && <p className="user-text text-muted">Measured {measured}</p>}
      {failedCount !== null && failedCount > 0 && (
        <p className="text-muted">{describeFailures(failedCount, totalCount)}</p>
      )}
    </li>
  )
}

function describeFailures(failed: number, total: number | null): string {
  if (total === null) return `${countText(failed, 'row')} failed`
  return `${numberText(failed)} of ${countText(total, 'row')} failed`
}

const LINES_SHOWN_MAX = 500

function Log({ lines }: { lines: readonly TestLogLine[] }) {
  const rest = lines.length - LINES_SHOWN_MAX
  return (
    <Panel title="Log" marks={countText(lines.length, 'line')} flush>
      <div
        tabIndex={0}
        role="region"
        aria-label="Log lines"
        className="max-h-[24rem] overflow-y-auto py-1"
      >
        <ol>
          {lines.slice(0, LINES_SHOWN_MAX).map(({ level, message, at }, index) => (
            <li key={`${index}`} className="flex gap-3 px-4 py-0.5 font-mono text-sm">
              {at !== undefined && (
                <span className="user-text shrink-0 text-muted">{toClock(at)}</span>
              )}
              <span className="user-text w-12 shrink-0 text-muted">{level}</span>
              <span className="user-text min-w-0 whitespace-pre-wrap">
                {message ?? <span className="text-muted italic">hidden</span>}
              </span>
            </li>
          ))}
        </ol>
      </div>
      {rest > 0 && (
        <p className="border-t border-line px-4 py-2 text-muted">
          and {numberText(rest)} more. Download the result for the whole log.
        </p>
      )}
    </Panel>
  )
}

// The time of a log line as it was sent, without its day and fractions.
function toClock(at: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(at)?.[1] ?? at.slice(0, 30)
}

function Details({ result }: { result: FullResult }) {
  const { id, dataContractId, dataContractVersion, dataProductId, outputPortId } = result
  const { server, branch, publishedAt, publishedBy } = result
  const name = usePrincipalName(publishedBy)
  const duration = findDuration(result)
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Data contract',
      <NameLink key="contract" href={paths.dataContract(dataContractId)} name={dataContractId} />,
    ],
    ['Version', dataContractVersion],
    [
      'Data product',
      dataProductId && (
        <NameLink key="product" href={paths.dataProduct(dataProductId)} name={dataProductId} />
      ),
    ],
    ['Output port', outputPortId],
    ['Server', server],
    ['Branch', branch],
    ['Ended', exactTime(result.testedAt)],
    ['Duration', duration],
    ['Published', <Time key="published" at={publishedAt} />],
    ['Published by', name === null ? 'A deleted API key or a former member' : name],
    [
      'Id',
      <span key="id" className="flex items-center gap-1">
        <code className="user-text min-w-0">{id}</code>
        <CopyIcon text={id} label="Copy id" />
      </span>,
    ],
    [
      'History',
      <Link
        key="all"
        href={paths.testResults({ dataContractId })}
        className="flex min-h-6 items-center"
      >
        All results of this contract
      </Link>,
    ],
  ]
  return (
    <Panel title="Details">
      <StackedFacts facts={facts.filter(([, value]) => value !== undefined && value !== '')} />
    </Panel>
  )
}

function findDuration({ timestampStart, timestampEnd }: FullResult): string | undefined {
  // Both are the time of the result if it has none.
  if (timestampStart === timestampEnd) return undefined
  const milliseconds = Date.parse(timestampEnd) - Date.parse(timestampStart)
  return milliseconds < 0 ? undefined : durationText(milliseconds)
}
