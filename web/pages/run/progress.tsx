import { useEffect, useState } from 'react'
import type { Run } from '../../api/runs.ts'
import { withoutHeldDeletes } from '../../parts/held-message.ts'
import { capitalize } from '../../parts/capitalize.ts'
import { classNames } from '../../parts/class-names.ts'
import { Link } from '../../parts/link.tsx'
import { Notice } from '../../parts/notice.tsx'
import {
  describeChanges,
  holdsDeletes,
  describeOutcome,
  runDuration,
  toneOfRun,
} from '../../parts/run-words.ts'
import { ToneIcon, type Tone } from '../../parts/status.tsx'
import { numberText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'

const PHASES = [
  { phase: 'waiting', title: 'Waiting for a worker' },
  { phase: 'checking', title: 'Checking the source' },
  { phase: 'listing', title: 'Listing and reading' },
  { phase: 'publishing', title: 'Publishing' },
] as const

/** The phases of a run, its counts and its outcome. */
export function Progress({ run }: { run: Run }) {
  const isRunning = run.status === 'RUNNING'
  const isCorrection = run.kind === 'undo' || run.kind === 'confirm'
  return (
    <section
      aria-label="Progress"
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:p-5"
    >
      {!isCorrection && <Phases run={run} />}
      {isRunning ? <Going run={run} /> : <Ended run={run} />}
      <Counts run={run} />
      <p className="sr-only" aria-live="polite">
        {announced(run)}
      </p>
    </section>
  )
}

// Announced at each phase and at the end.
function announced(run: Run): string {
  if (run.status === 'RUNNING') {
    return PHASES.find(({ phase }) => phase === run.phase)?.title ?? run.phase
  }
  return run.status === 'SUCCESS' ? capitalize(describeChanges(run)) : describeOutcome(run)
}

function Phases({ run }: { run: Run }) {
  const now = PHASES.findIndex(({ phase }) => phase === run.phase)
  return (
    <ol className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 sm:gap-x-6">
      {PHASES.map(({ phase, title }, at) => {
        const tone = toneOfPhase(run, at, now)
        return (
          <li
            key={phase}
            aria-current={at === now && run.status === 'RUNNING' ? 'step' : undefined}
            className={classNames(
              'flex items-center gap-2 border-t-2 pt-2',
              tone === 'neutral' ? 'border-line text-faint' : 'border-accent',
              at === now && 'font-medium',
            )}
          >
            <ToneIcon tone={tone === 'neutral' ? 'draft' : tone} size={16} />
            {title}
            <span className="sr-only">{WORDS[tone]}</span>
          </li>
        )
      })}
    </ol>
  )
}

const WORDS: Partial<Record<Tone, string>> = {
  positive: ': done',
  active: ': in progress',
  critical: ': failed',
  off: ': cancelled',
  neutral: ': not yet',
}

function toneOfPhase({ status }: Run, at: number, now: number): Tone {
  if (at < now) return 'positive'
  if (at > now) return 'neutral'
  if (status === 'RUNNING') return 'active'
  if (status === 'SUCCESS') return 'positive'
  return status === 'FAILED' ? 'critical' : 'off'
}

function Going({ run }: { run: Run }) {
  const [, setNow] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setNow((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="user-text">
      {describeOutcome(run)}
      <span className="ml-2 text-muted">{runDuration(run)}</span>
    </p>
  )
}

function Ended({ run }: { run: Run }) {
  const tone = toneOfRun(run)
  if (run.status !== 'SUCCESS') {
    return (
      <Notice
        tone={run.status === 'FAILED' ? 'critical' : tone}
        title={run.status === 'FAILED' ? 'The run failed' : 'The run was cancelled'}
      >
        {describeOutcome(run)}
      </Notice>
    )
  }
  if (run.kind === 'preview') {
    return (
      <Notice tone="info" title="Preview only: nothing was changed">
        A run would make the changes below{describeReading(run)}.
      </Notice>
    )
  }
  const changes = describeChanges(run)
  return (
    <div className="flex gap-2">
      <span className="mt-0.5">
        <ToneIcon tone={holdsDeletes(run) ? 'caution' : 'positive'} size={16} />
      </span>
      <div className="user-text min-w-0">
        <p className="font-medium first-letter:uppercase">{changes}</p>
        <Message run={run} />
        {run.kind === 'ingest' && (
          <Link href={paths.assets({ integration: run.integrationExternalId })}>
            View the assets of this source
          </Link>
        )}
      </div>
    </div>
  )
}

// The message of a preview begins with the words of the title above.
function describeReading({ message }: Run): string {
  const rest = message?.replace(/^Preview, nothing was published(; )?/, '') ?? ''
  return rest === '' ? '' : `; it read ${rest}`
}

const RUN_ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/

// The message of a correction names the corrected run.
function Message({ run }: { run: Run }) {
  const { integrationExternalId } = run
  // The notice of held deletes states their number.
  const message = run.assetsHeld > 0 ? withoutHeldDeletes(run.message) : run.message
  if (message === null || message === '') return null
  const subject = RUN_ID.exec(message)?.[0]
  return (
    <p className="text-muted first-letter:uppercase">
      {message}{' '}
      {subject !== undefined && (
        <Link href={paths.run(integrationExternalId, subject)}>Show run</Link>
      )}
    </p>
  )
}

function Counts({ run }: { run: Run }) {
  const counts = [
    ['Read', run.assetsProcessed],
    ['Created', run.assetsCreated],
    ['Updated', run.assetsUpdated],
    ['Deleted', run.assetsDeleted],
    ['Held', run.assetsHeld],
  ] as const
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-3">
      {counts.map(([title, count]) => (
        <div key={title}>
          <dt className="text-sm text-muted">{title}</dt>
          <dd className={classNames('figures text-xl', count === 0 && 'text-faint')}>
            {numberText(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
