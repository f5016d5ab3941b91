import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { toProblem, type Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Checkbox } from '../parts/field.tsx'
import { ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { useToast } from '../parts/toast.tsx'
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
  const { submit, isBusy, problem } = useSave(editing, onSaved, onClose)
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
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problem === undefined && planned.problem !== undefined && (
        <ProblemNotice problem={planned.problem} {...createRetry(planned.problem, planned.retry)} />
      )}
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep editing</Button>
        <Button
          look={isBreaking ? 'danger' : 'primary'}
          busy={isBusy}
          reason={reason}
          onClick={submit}
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
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  const { kind, writing } = editing
  const submit = (): void => {
    setBusy(true)
    save(writing).then(
      () => {
        onSaved()
        editing.discard()
        void queries.invalidateQueries()
        showToast(`The ${kind.called} is saved`)
        router.history.push(kind.page(writing.id ?? ''))
      },
      (error: unknown) => {
        const failure = toProblem(error)
        setBusy(false)
        setProblem(failure)
        // Another user saved first: the page shows their change once it has read the new version.
        if (failure.status !== 412 || writing.etag === null) return
        void queries.invalidateQueries({ queryKey: ['document', kind.api, writing.id] })
        onConflict()
      },
    )
  }
  return { submit, isBusy, problem }
}
