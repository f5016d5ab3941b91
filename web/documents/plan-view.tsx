import type { Schemas } from '../api/client.ts'
import { Notice } from '../parts/notice.tsx'
import { countText } from '../parts/number-text.ts'
import { ChangeLevel } from '../parts/status.tsx'
import { AffectedList } from './affected-list.tsx'
import { describeImpact, toImpact } from './affected.ts'
import { ChangeList } from './change-list.tsx'
import { UsedByList } from './used-by-list.tsx'

/** The server's plan of a save or a deletion. */
export type Plan = Schemas['Plan']

const OUTCOMES: Readonly<Record<Plan['outcome'], string>> = {
  created: 'Creates the document.',
  updated: 'Creates a new version.',
  unchanged: 'No changes: the saved document has the same meaning.',
  deleted: 'Deletes the document.',
}

/** The plan of a save: its outcome, the changes by meaning, and the data products they affect. */
export function PlanView({ plan }: { plan: Plan }) {
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-2">
        <span>{OUTCOMES[plan.outcome]}</span>
        {plan.level !== 'none' && <ChangeLevel level={plan.level} />}
      </p>
      <Affected plan={plan} />
      {plan.changes.length > 0 && (
        <div className="grid gap-2">
          <h3 className="text-sm text-muted">Changes</h3>
          <ChangeList changes={plan.changes} />
        </div>
      )}
      {plan.warnings.length > 0 && (
        <div className="grid gap-1">
          <h3 className="text-sm text-muted">Warnings</h3>
          <ul className="grid gap-1">
            {plan.warnings.map(({ field, message, line }, at) => (
              <li key={`${field} ${at}`} className="user-text">
                <span className="text-muted">Line {line}: </span>
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function Affected({ plan }: { plan: Plan }) {
  const { affected, level, usedBy } = plan
  if (usedBy !== undefined && usedBy.total > 0) {
    return (
      <Notice tone="info" title={`Used by ${countText(usedBy.total, 'document')}`}>
        <UsedByList usedBy={usedBy} />
      </Notice>
    )
  }
  if (affected.length === 0) {
    if (plan.outcome !== 'updated') return null
    return <p className="text-muted">No registered data product is affected.</p>
  }
  const impact = toImpact(affected)
  const isBreaking = level === 'breaking' && impact.consumers.length > 0
  return (
    <Notice
      tone={isBreaking ? 'critical' : 'info'}
      title={`${isBreaking ? 'Breaks' : 'Affects'} ${describeImpact(impact)}`}
    >
      <AffectedList impact={impact} />
    </Notice>
  )
}
