import { runStatusTitle, runTone, type Tone } from './status.tsx'
import { capitalize } from './capitalize.ts'
import { countText, numberText } from './number-text.ts'
import { ago, durationText } from './time.tsx'
import { newTable } from '../../formats/name/table.ts'

/** The fields of a run that describe it. */
export interface RunFacts {
  status: string
  kind: string
  message: string | null
  phase: string
  assetsCreated: number
  assetsUpdated: number
  assetsDeleted: number
  assetsHeld: number
  heldState: string | null
  startedAt: string
  completedAt: string | null
}

const KINDS = newTable<string>({
  ingest: 'Run',
  preview: 'Preview',
  undo: 'Undo',
  confirm: 'Confirmed deletes',
})

/** Returns the kind of a run as a noun. */
export function runKind(kind: string): string {
  return KINDS[kind] ?? kind
}

/** Returns whether deletes of a run need a decision. */
export function holdsDeletes({ assetsHeld, heldState }: RunFacts): boolean {
  return assetsHeld > 0 && heldState === 'pending'
}

/** Returns the tone of a run; one that needs a decision is a caution. */
export function toneOfRun(run: RunFacts): Tone {
  if (run.status !== 'SUCCESS') return runTone(run.status)
  if (holdsDeletes(run)) return 'caution'
  return run.kind === 'preview' ? 'info' : 'positive'
}

/** Describes the changes of a run: `3 created, 1 deleted`; of a preview those it would make. */
export function describeChanges(run: RunFacts): string {
  const counts: [number, string][] = [
    [run.assetsCreated, 'created'],
    [run.assetsUpdated, 'updated'],
    [run.assetsDeleted, 'deleted'],
  ]
  const changes = counts.filter(([count]) => count > 0)
  const isPreview = run.kind === 'preview'
  if (changes.length === 0) return isPreview ? 'nothing would change' : 'nothing changed'
  const list = changes.map(([count, what]) => `${numberText(count)} ${what}`).join(', ')
  return isPreview ? `would be ${list}` : list
}

const PHASES = newTable<string>({
  waiting: 'Waiting for a worker',
  checking: 'Connecting to the source',
  listing: 'Reading the source',
  publishing: 'Comparing with the catalog and publishing all changes at once',
})

/** Describes the progress or the outcome of a run in a sentence or two. */
export function describeOutcome(run: RunFacts): string {
  if (run.status === 'RUNNING') return run.message ?? PHASES[run.phase] ?? run.phase
  if (run.status !== 'SUCCESS') {
    return (
      run.message ?? (run.status === 'CANCELLED' ? 'Nothing was published.' : 'The run failed.')
    )
  }
  const changes = describeChanges(run)
  const first = capitalize(changes)
  if (!holdsDeletes(run)) return first
  return `${first}; ${countText(run.assetsHeld, 'delete')} held for a decision`
}

/** Describes a run with its kind, status, time and outcome, for a tooltip. */
export function runSummary(run: RunFacts, now = Date.now()): string {
  const status = runStatusTitle(run.status).toLowerCase()
  return `${runKind(run.kind)} ${status}, ${ago(run.startedAt, now)}: ${describeOutcome(run)}`
}

/** Returns how long a run took, or has taken so far. */
export function runDuration({ startedAt, completedAt }: RunFacts, now = Date.now()): string {
  const end = completedAt === null ? now : Date.parse(completedAt)
  return durationText(end - Date.parse(startedAt))
}
