import { Wrench } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { ToneIcon, type Tone } from '../../parts/status.tsx'
import type { Findings } from './use-trials.ts'

type Finding = Findings['findings'][number]

/** A change of one field that resolves a finding. */
export type FindingFix = NonNullable<Finding['fix']>

const LOOKS: Readonly<Record<Finding['state'], { tone: Tone; title: string }>> = {
  ok: { tone: 'positive', title: 'OK' },
  warning: { tone: 'caution', title: 'Warning' },
  error: { tone: 'critical', title: 'Error' },
}

interface ConnectionResultProps {
  result: Findings
  /** Shows only warnings and errors. */
  isCompact?: boolean
  /** Applies a fix and tests again. */
  onFix: (fix: FindingFix) => void
}

/** The result of a connection test: whether the source can be read, then each finding. */
export function ConnectionResult({ result, isCompact = false, onFix }: ConnectionResultProps) {
  const { tone, title } = summarize(result)
  const findings = result.findings.filter(({ state }) => !isCompact || state !== 'ok')
  return (
    <div className="grid gap-3">
      <Notice tone={tone} title={title} />
      <ul className="grid gap-2 empty:hidden">
        {findings.map((finding, at) => (
          <FindingItem key={`${finding.what} ${at}`} finding={finding} onFix={onFix} />
        ))}
      </ul>
    </div>
  )
}

function summarize({ ok, findings }: Findings): { tone: Tone; title: string } {
  if (!ok) return { tone: 'critical', title: 'Connection failed' }
  const count = findings.filter(({ state }) => state === 'warning').length
  if (count === 0) return { tone: 'positive', title: 'Connected' }
  return {
    tone: 'caution',
    title: `Connected, with ${countText(count, 'warning')}`,
  }
}

interface FindingItemProps {
  finding: Finding
  onFix: (fix: FindingFix) => void
}

function FindingItem({ finding: { state, what, hint, fix }, onFix }: FindingItemProps) {
  const { tone, title } = LOOKS[state]
  return (
    <li className="flex gap-2">
      <span className="mt-1">
        <ToneIcon tone={tone} />
      </span>
      <div className="user-text min-w-0">
        <span className="sr-only">{title}: </span>
        {what}
        {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
        {fix !== undefined && (
          <Button className="mt-1.5" icon={Wrench} onClick={() => onFix(fix)}>
            {fix.title}
          </Button>
        )}
      </div>
    </li>
  )
}
