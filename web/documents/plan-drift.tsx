import type { Schemas } from '../api/client.ts'
import { Notice } from '../parts/notice.tsx'
import { countText, numberText } from '../parts/number-text.ts'
import { nameFinding } from './reality/finding-names.ts'

type DriftPlan = Schemas['DriftPlan']
type PlannedFinding = DriftPlan['opened'][number]

/** The breaking differences between contract and tables that a change opens and resolves; nothing without any. */
export function PlanDrift({ drift: { opened, resolved, open } }: { drift: DriftPlan }) {
  const broken = opened.filter(isBreaking)
  const kept = resolved.filter(isBreaking)
  if (broken.length + kept.length + open === 0) return null
  const left = open === 0 ? 'None is left.' : `${countText(open, 'breaking difference')} left.`
  if (broken.length === 0) {
    if (kept.length === 0) {
      return <p className="text-muted">Contract and tables still differ: {left}</p>
    }
    return (
      <Notice tone="info" title={`Resolves ${countText(kept.length, 'difference')} from tables`}>
        <PlannedList findings={kept} />
        <p className="mt-1 text-muted">{left}</p>
      </Notice>
    )
  }
  return (
    <Notice
      tone="critical"
      title={`The tables do not keep this: ${countText(broken.length, 'new difference')}`}
    >
      <PlannedList findings={broken} />
      {kept.length > 0 && (
        <p className="mt-1 text-muted">Resolves {countText(kept.length, 'other difference')}.</p>
      )}
    </Notice>
  )
}

function isBreaking({ level }: PlannedFinding): boolean {
  return level === 'breaking'
}

const SHOWN_MAX = 10

function PlannedList({ findings }: { findings: readonly PlannedFinding[] }) {
  const rest = findings.length - SHOWN_MAX
  return (
    <ul className="grid gap-1">
      {findings.slice(0, SHOWN_MAX).map((finding) => (
        <li
          key={`${finding.dataContractId} ${finding.server} ${nameFinding(finding)}`}
          className="user-text"
        >
          {nameFinding(finding)} <span className="text-muted">on {finding.server}</span>
        </li>
      ))}
      {rest > 0 && <li className="text-muted">and {numberText(rest)} more</li>}
    </ul>
  )
}
