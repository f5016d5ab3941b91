import { History } from 'lucide-react'
import type { Run } from '../../api/runs.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { describeOutcome, runDuration, runKind } from '../../parts/run-words.ts'
import { RunStatus, RUN_STATUSES } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import type { IntegrationForm } from './integration-draft.ts'
import { useRuns } from './use-integration.ts'

const COLUMNS: readonly Column<Run>[] = [
  {
    title: 'Started',
    className: 'whitespace-nowrap',
    cell: (run) => (
      <Link href={paths.run(run.integrationExternalId, run.ingestionRunId)}>
        <Time at={run.startedAt} />
      </Link>
    ),
  },
  {
    title: 'Status',
    className: 'whitespace-nowrap',
    cell: (run) => <RunStatus status={run.status} />,
  },
  { title: 'Kind', className: 'whitespace-nowrap', cell: (run) => runKind(run.kind) },
  {
    title: 'Outcome',
    className: 'min-w-64',
    cell: (run) => <span className="user-text line-clamp-3">{describeOutcome(run)}</span>,
  },
  { title: 'Read', align: 'right', cell: (run) => numberText(run.assetsProcessed) },
  {
    title: 'Duration',
    align: 'right',
    className: 'whitespace-nowrap',
    cell: (run) => runDuration(run),
  },
]

const USUAL = { status: '' }

/** The runs of an integration, newest first. */
export function RunList({ form: { externalId, latestRun } }: { form: IntegrationForm }) {
  const [{ status }, setUrl] = useUrlState(USUAL)
  const [state] = RUN_STATUSES.find(([one]) => one === status) ?? []
  const runs = useRuns(externalId, state, latestRun?.status === 'RUNNING')
  return (
    <div className="grid gap-4">
      <ChoiceField
        label="Status"
        className="w-48"
        value={state ?? ''}
        choices={toChoices(RUN_STATUSES, 'All')}
        onChange={(next) => setUrl({ status: next }, { replace: true })}
      />
      <QueryPanel
        title="Runs"
        marks={runs.data === undefined ? undefined : countWords(runs.data.length)}
        flush
        query={runs}
        empty={
          <Empty icon={History} title={state === undefined ? 'No runs yet' : 'No matching runs'}>
            {state === undefined
              ? 'Run it now, or wait for its schedule.'
              : 'Choose another status.'}
          </Empty>
        }
      >
        {(found) => (
          <Table
            label="Runs"
            columns={COLUMNS}
            rows={found.flatMap((run) => (run === null ? [] : [run]))}
            getKey={(run) => run.ingestionRunId}
          />
        )}
      </QueryPanel>
    </div>
  )
}

const RUNS_MAX = 200

function countWords(count: number): string {
  return count === RUNS_MAX ? `last ${numberText(count)}` : numberText(count)
}
