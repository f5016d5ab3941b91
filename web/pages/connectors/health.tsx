import { toStatusLabel } from '../../parts/status-label.ts'
import { Status, type Tone } from '../../parts/status.tsx'

const TONES: readonly (readonly [RegExp, Tone])[] = [
  [/^(?:ok|up|healthy|running|active|success)$/i, 'positive'],
  [/error|fail|down|unhealthy|dead/i, 'critical'],
  [/warn|degraded|starting|stopp/i, 'caution'],
]

/** The status that a connector reports, in its own words. */
export function HealthStatus({ status }: { status: string | null | undefined }) {
  if (status === null || status === undefined || status === '') {
    return <span className="text-muted">Not reported</span>
  }
  const tone = TONES.find(([words]) => words.test(status))?.[1] ?? 'neutral'
  return <Status tone={tone}>{toStatusLabel(status)}</Status>
}
