import { useState } from 'react'
import { asText, valueAt } from '../../formats/text/value.ts'
import { Button } from '../parts/button.tsx'
import { capitalize } from '../parts/capitalize.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Checkbox } from '../parts/field.tsx'
import { ProblemNotice, Skeleton, Notice } from '../parts/notice.tsx'
import { useAction, useRefresh } from '../shell/action.ts'
import { describeConsumers, toImpact } from './affected.ts'
import { nextMajorVersion } from './next-version.ts'
import { PlanView, type Plan } from './plan-view.tsx'
import type { Editing } from './use-editing.ts'
import { createRetry, save } from './use-plan.ts'

interface SaveDialogProps {
  editing: Editing
  onClose: () => void
  /** Called before the page is left for the saved document. */
  onSaved: () => void
}

/** Shows what saving will do, and saves. A breaking change has to be confirmed. */
export function SaveDialog({ editing, onClose, onSaved }: SaveDialogProps) {
  const { kind, planned, permit } = editing
  const [isConfirmed, setConfirmed] = useState(false)
  const saving = useSave(editing, onSaved, onClose)
  const { problem } = saving
  const { plan } = planned
  const isBreaking = plan?.level === 'breaking'
  const reason = permit?.reason ?? findReason(plan, isBreaking && !isConfirmed)
  return (
    <Dialog open onClose={onClose} title="Review changes" wide>
      {plan === undefined && problem === undefined && planned.problem === undefined && (
        <Skeleton label="Checking what this changes" />
      )}
      {plan !== undefined && <PlanView plan={plan} />}
      {plan !== undefined && isBreaking && <RaiseVersion editing={editing} plan={plan} />}
      {isBreaking && (
        <Checkbox
          checked={isConfirmed}
          onChange={({ target }) => setConfirmed(target.checked)}
          label={describeConfirmation(plan)}
        />
      )}
      <ProblemNotice problem={problem} />
      {problem === undefined && planned.problem !== undefined && (
        <ProblemNotice problem={planned.problem} {...createRetry(planned.problem, planned.retry)} />
      )}
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep editing</Button>
        <Button
          look={isBreaking ? 'danger' : 'primary'}
          busy={saving.isPending}
          reason={reason}
          onClick={() => saving.run()}
        >
          {isBreaking ? 'Save breaking change' : `Save ${kind.called}`}
        </Button>
      </footer>
    </Dialog>
  )
}

function findReason(plan: Plan | undefined, isUnconfirmed: boolean): string | undefined {
  if (plan === undefined) return 'The changes are still being checked.'
  if (plan.outcome === 'unchanged') return 'No changes: the saved document has the same meaning.'
  return isUnconfirmed ? 'Confirm the breaking change first.' : undefined
}

function describeConfirmation({ affected }: Plan): string {
  const impact = toImpact(affected)
  return impact.consumers.length === 0
    ? 'I understand that this change is breaking.'
    : `I understand that this breaks ${describeConsumers(impact)}.`
}

function useSave(editing: Editing, onSaved: () => void, onConflict: () => void) {
  const refresh = useRefresh()
  const { kind, writing } = editing
  return useAction({
    request: () => save(writing),
    onSuccess() {
      onSaved()
      editing.discard()
    },
    notice: `${capitalize(kind.called)} saved`,
    goTo: kind.page(writing.id ?? '', kind.hasNextSteps === true ? { next: 'yes' } : {}),
    refresh: 'everything',
    onError({ status }) {
      // Another user saved first: the page shows their change once it has read the new version.
      if (status !== 412 || writing.etag === null) return
      void refresh([{ queryKey: ['document', kind.api, writing.id] }])
      onConflict()
    },
  })
}

/** Offers the next major version while a breaking change keeps the version as it is. */
function RaiseVersion({ editing, plan }: { editing: Editing; plan: Plan }) {
  const { kind, checked, onEdit } = editing
  const value = checked.result?.value
  if (value === undefined || kind.getPaths === undefined || plan.outcome !== 'updated') return null
  const path = kind.getPaths(value).version
  const version = asText(valueAt(value, path))
  const next = version === undefined ? undefined : nextMajorVersion(version)
  const isRaised = plan.changes.some((change) => change.path === `/${path.join('/')}`)
  if (next === undefined || isRaised) return null
  return (
    <Notice
      tone="caution"
      title={`The version is still ${version}`}
      actions={
        <Button onClick={() => void onEdit({ kind: 'set', path, value: next })}>
          Change it to {next}
        </Button>
      }
    >
      Consumers expect a new major version when a change is breaking.
    </Notice>
  )
}
