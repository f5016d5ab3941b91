import type { Schemas } from '../api/client.ts'
import { Link } from '../parts/link.tsx'
import { Notice } from '../parts/notice.tsx'
import { ChangeLevel } from '../parts/status.tsx'
import { paths } from '../paths.ts'
import { ChangeList } from './change-list.tsx'

/** What saving would do, as the server plans it. */
export type Plan = Schemas['Plan']

const OUTCOMES: Readonly<Record<Plan['outcome'], string>> = {
  created: 'This creates the document.',
  updated: 'This makes a new version.',
  unchanged: 'This means the same as what is stored: nothing will be written.',
}

/** What saving would do: the outcome, the changes by meaning, and whom they concern. */
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
          <h3 className="text-sm text-muted">What changes</h3>
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
  const { affected, level } = plan
  if (affected.length === 0) {
    if (plan.outcome !== 'updated') return null
    return <p className="text-muted">No data product is known to depend on what changes.</p>
  }
  const isBreaking = level === 'breaking'
  const who = affectedText(affected)
  return (
    <Notice
      tone={isBreaking ? 'critical' : 'info'}
      title={isBreaking ? `A breaking change hits ${who}` : `It concerns ${who}`}
    >
      <ul className="grid gap-1">
        {affected.map((one) => (
          <li key={`${one.resourceType} ${one.id}`}>
            <Link
              href={one.resourceType === 'TEAM' ? paths.team(one.id) : paths.dataProduct(one.id)}
            >
              {one.name}
            </Link>
            {one.ownerId !== one.id && <span className="text-muted"> of team {one.ownerId}</span>}
            {one.ports !== undefined && one.ports.length > 0 && (
              <span className="text-muted"> by {one.ports.map(({ name }) => name).join(', ')}</span>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Says how many data products and teams a change concerns: `2 data products and 1 team`. */
export function affectedText(affected: Plan['affected']): string {
  const teams = affected.filter(({ resourceType }) => resourceType === 'TEAM').length
  const products = affected.length - teams
  return [...counted(products, 'data product'), ...counted(teams, 'team')].join(' and ')
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]
}
