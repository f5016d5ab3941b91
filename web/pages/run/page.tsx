import { useState } from 'react'
import type { Run } from '../../api/runs.ts'
import { usePrincipalName } from '../../api/session.ts'
import { newDateFormat } from '../../parts/date-format.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { runDuration, runKind } from '../../parts/run-words.ts'
import { RunStatus, Tag } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { NextStep } from '../../shell/next-step.tsx'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { RunActions } from './actions.tsx'
import { ChangesView } from './changes-view.tsx'
import { HeldNotice } from './held.tsx'
import { LogView } from './log-view.tsx'
import { Progress } from './progress.tsx'
import { ScopesView } from './scopes-view.tsx'
import { StatementsView } from './statements-view.tsx'
import { useIntegration, useLastLook, useRun, type RunName } from './use-run.ts'

/** A run: its progress, changes, scopes and log, and its held deletes. */
export function RunPage() {
  const externalId = usePathId() ?? ''
  const ingestionRunId = usePathId('runId') ?? ''
  const name = { externalId, ingestionRunId }
  const run = useRun(name)
  const integration = useIntegration(externalId)
  const title = integration.data?.name ?? externalId
  return (
    <Page
      title={run.data === undefined ? 'Run' : runTitle(run.data)}
      trail={[
        { title: 'Integrations', href: paths.integrations },
        { title, href: paths.integration(externalId) },
      ]}
      marks={run.data !== undefined && <RunMarks run={run.data} />}
      facts={run.data !== undefined && <RunFacts run={run.data} />}
      actions={
        run.data !== undefined && integration.data !== undefined ? (
          <RunActions name={name} run={run.data} integration={integration.data} />
        ) : (
          // Reserves the space of the actions.
          <span className="h-8 w-56" />
        )
      }
    >
      <Loaded
        query={run}
        missing={
          <MissingThing
            called="run"
            action={<Link href={paths.integrations}>See all integrations</Link>}
          />
        }
      >
        {(found) => (
          <RunContent key={ingestionRunId} name={name} run={found} integration={integration.data} />
        )}
      </Loaded>
    </Page>
  )
}

function runTitle({ kind, startedAt }: Run): string {
  const when = newDateFormat({ dateStyle: 'medium', timeStyle: 'short' })
  return `${runKind(kind)} of ${when.format(new Date(startedAt))}`
}

function RunMarks({ run }: { run: Run }) {
  return (
    <>
      <RunStatus status={run.status} />
      {run.kind === 'preview' && <Tag>Read-only</Tag>}
    </>
  )
}

function RunFacts({ run }: { run: Run }) {
  return (
    <>
      <span>
        Started <Time at={run.startedAt} />
      </span>
      <StartedBy run={run} />
      {/* While it runs, its progress shows the time. */}
      {run.status !== 'RUNNING' && <span>Took {runDuration(run)}</span>}
      {run.attempt > 1 && <span>Attempt {run.attempt} of 3</span>}
    </>
  )
}

const USUAL_VIEW = { view: '' }

const VIEWS = [
  { view: 'changes', title: 'Changes' },
  { view: 'scopes', title: 'Scopes' },
  { view: 'log', title: 'Log' },
  { view: 'statements', title: 'Slowest statements' },
] as const

interface RunContentProps {
  name: RunName
  run: Run
  integration: Parameters<typeof HeldNotice>[0]['integration']
}

function RunContent({ name, run, integration }: RunContentProps) {
  useLastLook(run)
  const [{ view }] = useUrlState(USUAL_VIEW)
  // The first view must not change while one reads it, when the run ends.
  const [first] = useState(run.status === 'SUCCESS' ? 'changes' : 'log')
  const shown = VIEWS.find((one) => one.view === view)?.view ?? first
  const isRunning = run.status === 'RUNNING'
  return (
    <div className="grid gap-5">
      {run.status === 'SUCCESS' && <NextStep />}
      <Progress run={run} />
      <HeldNotice name={name} run={run} integration={integration} />
      <div className="min-w-0">
        <Tabs
          label="Views of the run"
          tabs={VIEWS.map((one) => ({
            title: one.title,
            href: paths.run(name.externalId, name.ingestionRunId, { view: one.view }),
            isCurrent: shown === one.view,
          }))}
        />
        {shown === 'changes' && <ChangesView name={name} run={run} />}
        {shown === 'scopes' && <ScopesView name={name} isRunning={isRunning} />}
        {shown === 'log' && <LogView name={name} isRunning={isRunning} />}
        {shown === 'statements' && <StatementsView name={name} isRunning={isRunning} />}
      </div>
    </div>
  )
}

/** The person, the API key or the schedule that started a run. */
function StartedBy({ run: { startedBy } }: { run: Run }) {
  const name = usePrincipalName(startedBy)
  if (startedBy === 'system') return <span>Started by schedule</span>
  if (name === undefined) return null
  const isKey = startedBy.startsWith('api-key:')
  if (name === null)
    return <span>Started by {isKey ? 'a deleted API key' : 'a former member'}</span>
  return (
    <span className="user-text">
      Started by {isKey && 'the API key '}
      {name}
    </span>
  )
}
