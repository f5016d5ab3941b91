import type { Schemas } from '../api/client.ts'
import { Link } from '../parts/link.tsx'
import { Notice } from '../parts/notice.tsx'
import { countText, numberText } from '../parts/number-text.ts'
import { resourceWord } from '../parts/resource-types.ts'
import { ChangeLevel } from '../parts/status.tsx'
import { paths, pathOfResource } from '../paths.ts'
import { describeImpact, toImpact, type AffectedReader, type Impact } from './affected.ts'
import { PlanDrift } from './plan-drift.tsx'

/** The server's plan of a save or a deletion. */
export type Plan = Schemas['Plan']

const OUTCOMES: Readonly<Record<Plan['outcome'], string>> = {
  created: 'Creates the document.',
  updated: 'Creates a new version.',
  unchanged: 'No changes: the saved document has the same meaning.',
  deleted: 'Deletes the document.',
}

/** The plan of a save: its outcome, the changes by meaning, the data products they affect, and what tables keep of it. */
export function PlanView({ plan }: { plan: Plan }) {
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-2">
        <span>{OUTCOMES[plan.outcome]}</span>
        {plan.level !== 'none' && <ChangeLevel level={plan.level} />}
      </p>
      <Affected plan={plan} />
      {plan.drift !== undefined && <PlanDrift drift={plan.drift} />}
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

/** Lists what a change affects, consumers first: data products with their teams and ports, teams, and people. */
export function AffectedList({ impact: { consumers, providers } }: { impact: Impact }) {
  return (
    <ul className="grid gap-1">
      {consumers.map((reader) => (
        <AffectedItem key={`${reader.type} ${reader.id}`} reader={reader} use="reads it" />
      ))}
      {providers.map((reader) => (
        <AffectedItem key={`${reader.type} ${reader.id}`} reader={reader} use="provides it" />
      ))}
    </ul>
  )
}

function AffectedItem({ reader, use }: { reader: AffectedReader; use: string }) {
  const { team, ports, hasAccess } = reader
  return (
    <li className="user-text">
      <ReaderName reader={reader} />
      <span className="text-muted">
        {team !== undefined && (
          <>
            {' '}
            of <Link href={paths.team(team.id)}>{team.name}</Link>
          </>
        )}{' '}
        {hasAccess && ports.length === 0 ? 'has access to it' : use}
        {ports.length > 0 && <> through {ports.join(', ')}</>}
        {hasAccess && ports.length > 0 && <> and has access to it</>}
      </span>
    </li>
  )
}

function ReaderName({ reader: { type, id, name } }: { reader: AffectedReader }) {
  if (type === 'USER') return <>{name}</>
  return <Link href={type === 'TEAM' ? paths.team(id) : paths.dataProduct(id)}>{name}</Link>
}

type Change = Schemas['Change']

const ORDER = ['breaking', 'additive', 'wording']
const SHOWN_MAX = 200

/** The changes by meaning in words, breaking ones first. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const sorted = changes.toSorted((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
  const rest = sorted.length - SHOWN_MAX
  return (
    <ul className="grid gap-2">
      {sorted.slice(0, SHOWN_MAX).map((change, at) => (
        <li key={`${change.path} ${at}`} className="grid gap-x-3 gap-y-0.5 sm:grid-cols-[8rem_1fr]">
          <span>
            <ChangeLevel level={change.level} />
          </span>
          <div className="min-w-0">
            <p className="user-text">{change.message}</p>
            {change.path !== '' && (
              <code className="user-text line-clamp-2 text-xs text-faint">{change.path}</code>
            )}
          </div>
        </li>
      ))}
      {rest > 0 && <li className="text-muted">And {rest} more changes.</li>}
    </ul>
  )
}

/** The documents that use a record, as plans list them. */
type RecordUses = NonNullable<Schemas['Plan']['usedBy']>

const USES_SHOWN_MAX = 10

/** Lists the first documents that use a record. */
export function UsedByList({ usedBy: { total, documents } }: { usedBy: RecordUses }) {
  const shown = documents.slice(0, USES_SHOWN_MAX)
  return (
    <ul className="grid gap-1">
      {shown.map(({ resourceType, id, name }) => (
        <li key={`${resourceType} ${id}`} className="user-text">
          <Link href={pathOfResource(resourceType, id)}>{name}</Link>{' '}
          <span className="text-muted">{resourceWord(resourceType)}</span>
        </li>
      ))}
      {total > shown.length && (
        <li className="text-muted">and {numberText(total - shown.length)} more</li>
      )}
    </ul>
  )
}
