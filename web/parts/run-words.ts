import { runTone, type Tone } from './status.tsx'
import { ago, durationText, numberText } from './time.tsx'

/** What of a run is needed to speak of it. */
export interface ToldRun {
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

const KINDS: Readonly<Record<string, string>> = {
  ingest: 'Run',
  preview: 'Preview',
  undo: 'Undo',
  confirm: 'Confirmed deletes',
}

/** What a run is for, as a noun. */
export function runKind(kind: string): string {
  return KINDS[kind] ?? kind
}

/** Whether deletes of a run wait for a person. */
export function holdsDeletes({ assetsHeld, heldState }: ToldRun): boolean {
  return assetsHeld > 0 && heldState === 'pending'
}

/** The tone of a run: one that went well and waits for a decision is not simply good. */
export function toneOfRun(run: ToldRun): Tone {
  if (run.status !== 'SUCCESS') return runTone(run.status)
  if (holdsDeletes(run)) return 'caution'
  return run.kind === 'preview' ? 'info' : 'positive'
}

/** Says what changed: `3 created, 1 deleted`. Of a preview it says what would. */
export function changesOf(run: ToldRun): string {
  const counts: [number, string][] = [
    [run.assetsCreated, 'created'],
    [run.assetsUpdated, 'updated'],
    [run.assetsDeleted, 'deleted'],
  ]
  const told = counts.filter(([count]) => count > 0)
  const isPreview = run.kind === 'preview'
  if (told.length === 0) return isPreview ? 'nothing would change' : 'nothing changed'
  const list = told.map(([count, what]) => `${numberText(count)} ${what}`).join(', ')
  return isPreview ? `would be ${list}` : list
}

const PHASES: Readonly<Record<string, string>> = {
  waiting: 'Waiting for a worker',
  checking: 'Signing in to the source',
  listing: 'Reading what the source has',
  publishing: 'Comparing with the catalog, and publishing all of it at once',
}

/** Says how a run stands or ended, in one sentence or two. */
export function outcomeOf(run: ToldRun): string {
  if (run.status === 'RUNNING') return run.message ?? PHASES[run.phase] ?? run.phase
  if (run.status !== 'SUCCESS') {
    return run.message ?? (run.status === 'CANCELLED' ? 'Nothing was published.' : 'It failed.')
  }
  const changes = changesOf(run)
  const first = `${changes.charAt(0).toUpperCase()}${changes.slice(1)}`
  if (!holdsDeletes(run)) return first
  return `${first}; ${numberText(run.assetsHeld)} deletes wait for a decision`
}

const STATUSES: Readonly<Record<string, string>> = {
  RUNNING: 'running',
  SUCCESS: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

/** Says of a run what it was, how it ended, when and how: the text of a tooltip. */
export function runSummary(run: ToldRun, now = Date.now()): string {
  const status = STATUSES[run.status] ?? run.status
  return `${runKind(run.kind)} ${status}, ${ago(run.startedAt, now)}: ${outcomeOf(run)}`
}

/** How long a run took, or has taken so far. */
export function runDuration({ startedAt, completedAt }: ToldRun, now = Date.now()): string {
  const end = completedAt === null ? now : Date.parse(completedAt)
  return durationText(end - Date.parse(startedAt))
}
