import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Checkbox } from '../parts/field.tsx'
import { ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { capitalize } from '../parts/capitalize.ts'
import { useAction, useRefresh } from '../shell/action.ts'
import { describeConsumers, toImpact } from './affected.ts'
import { PlanView, type Plan } from './plan-view.tsx'
import { RaiseVersion } from './raise-version.tsx'
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
  const reason = permit ?? findReason(plan, isBreaking && !isConfirmed)
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
    goTo: kind.page(writing.id ?? ''),
    refresh: 'everything',
    onError({ status }) {
      // Another user saved first: the page shows their change once it has read the new version.
      if (status !== 412 || writing.etag === null) return
      void refresh([{ queryKey: ['document', kind.api, writing.id] }])
      onConflict()
    },
  })
}
