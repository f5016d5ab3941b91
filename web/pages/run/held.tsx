import type { Run } from '../../api/runs.ts'
import { may, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { toCorrection } from './correction.ts'
import type { RunIntegration, RunName } from './use-run.ts'
import { newTable } from '../../../formats/name/table.ts'

interface HeldProps {
  name: RunName
  run: Run
  /** Undefined = still loading. */
  integration: RunIntegration | undefined
}

/** The deletes that a run held for a decision, and the decision. */
export function HeldNotice({ name, run, integration }: HeldProps) {
  const session = useSession()
  const { assetsHeld, heldState, kind } = run
  if (assetsHeld === 0) return null
  const count = countText(assetsHeld, 'delete')
  const list = (
    <ButtonLink
      href={paths.run(name.externalId, name.ingestionRunId, { view: 'changes', action: 'held' })}
    >
      Show held deletes
    </ButtonLink>
  )
  if (kind === 'preview') {
    return (
      <Notice tone="caution" title={`A run would hold ${count} for your decision`} actions={list}>
        {WHY}
      </Notice>
    )
  }
  if (heldState !== 'pending') {
    return (
      <Notice tone="info" title={`This run held ${count}`} actions={list}>
        {DECIDED[heldState ?? ''] ?? 'No decision is needed.'}
      </Notice>
    )
  }
  const reason =
    integration === undefined
      ? 'Loading your permissions…'
      : may(session, 'INGESTION_EDIT', integration.owningTeamExternalId).reason
  return (
    <Notice
      tone="caution"
      title={`${count} ${assetsHeld === 1 ? 'needs' : 'need'} your decision`}
      actions={
        <span className="flex flex-wrap gap-2">
          {list}
          <DecisionButton decision="confirm" name={name} count={assetsHeld} reason={reason} />
          <DecisionButton decision="reject" name={name} count={assetsHeld} reason={reason} />
        </span>
      }
    >
      {WHY} All other changes of this run are published. The next successful run checks again and
      replaces this decision.
    </Notice>
  )
}

const WHY =
  'Many deletes at once can mean a lost privilege or a wrong database. Assets that the settings now exclude are held too, and tables that the source may only hide: without a decision, these are deleted after 14 days. The list shows the reason of each.'

const DECIDED = newTable<string>({
  confirmed: 'They were confirmed, and the assets are deleted.',
  rejected: 'The assets were kept. A later run asks again if it does not find them either.',
  superseded: 'A later run checked again and replaced them.',
})

interface DecisionButtonProps {
  decision: 'confirm' | 'reject'
  name: RunName
  /** The number of assets that are held. */
  count: number
  /** Why the person cannot decide; undefined = they can. */
  reason: string | undefined
}

function DecisionButton({ decision, name, count, reason }: DecisionButtonProps) {
  const isDeletion = decision === 'confirm'
  const label = isDeletion ? 'Delete assets' : 'Keep assets'
  return (
    <ActionButton
      {...toCorrection(decision, name)}
      label={label}
      look={isDeletion ? 'danger' : 'secondary'}
      reason={reason}
      title={`${isDeletion ? 'Delete' : 'Keep'} ${countText(count, 'asset')}?`}
      button={label}
      danger={isDeletion}
    >
      <p>
        {isDeletion
          ? 'They disappear from lists and search. For 14 days they can be restored by an undo, or return unchanged if the source shows them again. Data contracts and data products that refer to them stay.'
          : 'They stay in the catalog. A later run that does not find them asks again. Fix the privileges or the filters first if they are the cause.'}
      </p>
    </ActionButton>
  )
}
