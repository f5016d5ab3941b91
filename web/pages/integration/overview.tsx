import { History } from 'lucide-react'
import type { Run } from '../../api/runs.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty, Notice, Skeleton } from '../../parts/notice.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { Facts, Panel } from '../../parts/page.tsx'
import {
  describeChanges,
  holdsDeletes,
  describeOutcome,
  runDuration,
  runSummary,
  toneOfRun,
} from '../../parts/run-words.ts'
import { StatusStrip } from '../../parts/status-strip.tsx'
import { RunStatus } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths, withQuery } from '../../paths.ts'
import { scheduleWords, timeInZone } from './cron.ts'
import type { IntegrationForm } from './integration-draft.ts'
import { useAssetCount, useLastRuns } from './use-integration.ts'

/** The last runs of an integration, its schedule and its assets. */
export function Overview({ form }: { form: IntegrationForm }) {
  const { externalId, latestRun, pausedBecause } = form
  return (
    <div className="grid gap-5 lg:grid-cols-3">
      <div className="grid min-w-0 content-start gap-5 lg:col-span-2">
        {pausedBecause !== null && (
          <Notice
            tone="caution"
            title={
              form.scheduleExpression === null
                ? 'The source rejected the credentials'
                : 'The schedule is paused'
            }
            actions={
              <ButtonLink
                href={withQuery(paths.editIntegration(externalId), { step: 'connection' })}
              >
                Update credentials
              </ButtonLink>
            }
          >
            {pausedBecause}
          </Notice>
        )}
        <LastRuns form={form} />
        {latestRun !== null && <LastRun externalId={externalId} run={latestRun} />}
      </div>
      <div className="grid min-w-0 content-start gap-5">
        <Schedule form={form} />
        <Brought externalId={externalId} />
      </div>
    </div>
  )
}

function LastRuns({ form: { externalId, name, latestRun } }: { form: IntegrationForm }) {
  const runs = useLastRuns(externalId, latestRun?.status === 'RUNNING')
  return (
    <QueryPanel
      title="Last runs"
      query={runs}
      skeleton={{ lines: 1, label: 'Loading the last runs' }}
      empty={
        <Empty icon={History} title="No runs yet">
          A run reads the source and stores its tables as assets. Preview a run first, or run it
          now.
        </Empty>
      }
    >
      {(found) => (
        <StatusStrip label={`Last runs of ${name}`} items={found.flatMap(getItem).toReversed()} />
      )}
    </QueryPanel>
  )
}

function getItem(run: Run | null) {
  if (run === null) return []
  const { ingestionRunId, integrationExternalId } = run
  return [
    {
      key: ingestionRunId,
      href: paths.run(integrationExternalId, ingestionRunId),
      tone: toneOfRun(run),
      title: runSummary(run),
    },
  ]
}

function LastRun({ externalId, run }: { externalId: string; run: Run }) {
  const href = paths.run(externalId, run.ingestionRunId)
  return (
    <Panel
      title="Last run"
      marks={<RunStatus status={run.status} />}
      actions={<ButtonLink href={href}>Open run</ButtonLink>}
    >
      <div className="grid gap-4">
        {holdsDeletes(run) && (
          <Notice
            tone="caution"
            title={`${countText(run.assetsHeld, 'delete')} ${run.assetsHeld === 1 ? 'needs' : 'need'} a decision`}
            actions={<ButtonLink href={href}>Review</ButtonLink>}
          >
            {describeChanges(run) === 'nothing changed'
              ? 'Nothing else changed.'
              : `All other changes are published: ${describeChanges(run)}.`}
          </Notice>
        )}
        <p aria-live="polite" className={holdsDeletes(run) ? 'sr-only' : 'user-text'}>
          {describeOutcome(run)}
        </p>
        <Facts
          facts={[
            ['Started', <Time key="started" at={run.startedAt} />],
            [run.status === 'RUNNING' ? 'Running for' : 'Took', runDuration(run)],
            ['Read', countText(run.assetsProcessed, 'object')],
            ['Message', run.status === 'SUCCESS' && !holdsDeletes(run) ? run.message : null],
          ]}
        />
      </div>
    </Panel>
  )
}

function Schedule({ form }: { form: IntegrationForm }) {
  const { scheduleExpression, timeZone, enabled, pausedBecause, nextTimes } = form
  const words = scheduleWords(scheduleExpression)
  return (
    <Panel title="Schedule">
      <div className="grid gap-3">
        <p className="user-text first-letter:uppercase">
          {words}
          {scheduleExpression !== null && <span className="text-muted"> ({timeZone})</span>}
        </p>
        {scheduleExpression === null && (
          <p className="text-muted">Runs only when a person or a program starts it.</p>
        )}
        {scheduleExpression !== null && !enabled && (
          <p className="text-muted">The schedule is off.</p>
        )}
        {scheduleExpression !== null && pausedBecause !== null && (
          <p className="text-muted">The schedule is paused.</p>
        )}
        {nextTimes.length > 0 && (
          <div>
            <p className="text-sm text-muted">Next runs ({timeZone})</p>
            <ol>
              {nextTimes.map((time) => (
                <li key={time} className="flex justify-between gap-4">
                  <span className="figures">{timeInZone(time, timeZone)}</span>
                  <span className="text-muted">
                    <Time at={time} />
                  </span>
                </li>
              ))}
            </ol>
          </div>
        )}
      </div>
    </Panel>
  )
}

function Brought({ externalId }: { externalId: string }) {
  const count = useAssetCount(externalId)
  return (
    <Panel title="Assets">
      {count === undefined ? (
        <Skeleton lines={1} label="Counting the assets" />
      ) : (
        <>
          <p className="figures text-xl">{numberText(count)}</p>
          <Link href={paths.assets({ integration: externalId })}>View assets</Link>
        </>
      )}
    </Panel>
  )
}
