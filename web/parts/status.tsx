import {
  Ban,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleX,
  Info,
  LoaderCircle,
  TriangleAlert,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { capitalize } from './capitalize.ts'
import { classNames } from './class-names.ts'
import { toStatusLabel } from './status-label.ts'
import { newTable } from '../../formats/name/table.ts'

/** The tone of a status. Each tone has a colour and a shape, so that either suffices. */
export type Tone =
  | 'neutral'
  | 'info'
  | 'active'
  | 'positive'
  | 'caution'
  | 'critical'
  | 'off'
  | 'draft'

const LOOKS: Record<Tone, { icon: typeof Circle; colour: string; ground: string }> = {
  neutral: { icon: Circle, colour: 'text-muted', ground: 'bg-sunken' },
  info: { icon: Info, colour: 'text-accent', ground: 'bg-accent-soft' },
  active: { icon: LoaderCircle, colour: 'text-accent', ground: 'bg-accent-soft' },
  positive: { icon: CircleCheck, colour: 'text-positive', ground: 'bg-positive-soft' },
  caution: { icon: TriangleAlert, colour: 'text-caution', ground: 'bg-caution-soft' },
  critical: { icon: CircleX, colour: 'text-critical', ground: 'bg-critical-soft' },
  off: { icon: Ban, colour: 'text-muted', ground: 'bg-sunken' },
  draft: { icon: CircleDashed, colour: 'text-muted', ground: 'bg-sunken' },
}

/** The icon of a tone; `active` turns. */
export function ToneIcon({ tone, size = 14 }: { tone: Tone; size?: number }) {
  const { icon: Icon, colour } = LOOKS[tone]
  return (
    <Icon
      aria-hidden
      size={size}
      className={classNames('shrink-0', colour, tone === 'active' && 'animate-spin')}
    />
  )
}

/** A status word with the icon of its tone. A text begins with a capital letter, as everywhere. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { colour, ground } = LOOKS[tone]
  return (
    <span
      className={classNames(
        'user-text inline-flex max-w-full items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium',
        colour,
        ground,
      )}
    >
      <ToneIcon tone={tone} size={12} />
      {typeof children === 'string' ? capitalize(children) : children}
    </span>
  )
}

const STATUS_TONES = newTable<Tone>({
  proposed: 'draft',
  draft: 'draft',
  'in development': 'draft',
  active: 'positive',
  deprecated: 'caution',
  retired: 'off',
  deleted: 'off',
})

/** The badge of what consumers should no longer use. */
export function Deprecated() {
  return <Status tone="caution">Deprecated</Status>
}

/** The status that a document gives itself, in its own word but one style; null shows nothing. */
export function DocumentStatus({ status }: { status: string | null | undefined }) {
  if (status === null || status === undefined || status === '') return null
  if (status.toLowerCase() === 'deprecated') return <Deprecated />
  const label = toStatusLabel(status)
  return <Status tone={STATUS_TONES[label.toLowerCase()] ?? 'neutral'}>{label}</Status>
}

const RUN_TONES = newTable<Tone>({
  RUNNING: 'active',
  SUCCESS: 'positive',
  FAILED: 'critical',
  CANCELLED: 'off',
})

/** The statuses of runs, with their titles. */
export const RUN_STATUSES = [
  ['RUNNING', 'Running'],
  ['SUCCESS', 'Succeeded'],
  ['FAILED', 'Failed'],
  ['CANCELLED', 'Cancelled'],
] as const

/** Returns the title of a run's status. */
export function runStatusTitle(status: string): string {
  return RUN_STATUSES.find(([one]) => one === status)?.[1] ?? status
}

/** Returns the tone of a run's status. */
export function runTone(status: string): Tone {
  return RUN_TONES[status] ?? 'neutral'
}

/** The status of a run. */
export function RunStatus({ status }: { status: string }) {
  return <Status tone={runTone(status)}>{runStatusTitle(status)}</Status>
}

const LEVEL_TONES = newTable<Tone>({
  breaking: 'critical',
  additive: 'positive',
  wording: 'neutral',
  none: 'neutral',
})

// The API calls the levels additive and wording.
const LEVEL_LABELS = newTable<string>({
  additive: 'non-breaking',
  wording: 'documentation',
})

/** Returns what people call a level of a change. */
export function getLevelLabel(level: string): string {
  return LEVEL_LABELS[level] ?? level
}

/** The level of a change: how it affects consumers. */
export function ChangeLevel({ level }: { level: string }) {
  return <Status tone={LEVEL_TONES[level] ?? 'neutral'}>{getLevelLabel(level)}</Status>
}

/** A neutral label: a tag, a format, a type. */
export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="user-text inline-flex max-w-full min-w-6 items-center justify-center rounded border border-line bg-sunken px-1.5 text-xs text-muted">
      {children}
    </span>
  )
}
