import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { problemOf, type Problem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Checkbox } from '../parts/field.tsx'
import { ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { useTell } from '../parts/toast.tsx'
import { affectedText, PlanView, type Plan } from './plan-view.tsx'
import type { Editing } from './use-editing.ts'
import { retryOf, save } from './use-plan.ts'

interface SaveDialogProps {
  editing: Editing
  onClose: () => void
  /** Called before the page is left for the saved document. */
  onSaved: () => void
}

/** Shows what saving will do, and saves. A breaking change is asked about once more. */
export function SaveDialog({ editing, onClose, onSaved }: SaveDialogProps) {
  const { kind, planned, permit } = editing
  const [isConfirmed, setConfirmed] = useState(false)
  const { submit, isBusy, problem } = useSave(editing, onSaved, onClose)
  const { plan } = planned
  const isBreaking = plan?.level === 'breaking'
  const reason = permit ?? reasonOf(plan, isBreaking && !isConfirmed)
  return (
    <Dialog open onClose={onClose} title="Review the changes" wide>
      {plan === undefined && problem === undefined && planned.problem === undefined && (
        <Skeleton label="Asking what this changes" />
      )}
      {plan !== undefined && <PlanView plan={plan} />}
      {isBreaking && (
        <Checkbox
          checked={isConfirmed}
          onChange={({ target }) => setConfirmed(target.checked)}
          label={confirmation(plan)}
        />
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problem === undefined && planned.problem !== undefined && (
        <ProblemNotice problem={planned.problem} {...retryOf(planned.problem, planned.retry)} />
      )}
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Go on editing</Button>
        <Button
          look={isBreaking ? 'danger' : 'primary'}
          busy={isBusy}
          reason={reason}
          onClick={submit}
        >
          {isBreaking ? 'Save the breaking change' : `Save the ${kind.called}`}
        </Button>
      </footer>
    </Dialog>
  )
}

function reasonOf(plan: Plan | undefined, isUnconfirmed: boolean): string | undefined {
  if (plan === undefined) return 'First it must be known what this changes.'
  if (plan.outcome === 'unchanged') return 'This means the same as what is stored.'
  return isUnconfirmed
    ? 'Tick the box above first: this change breaks what others rely on.'
    : undefined
}

function confirmation({ affected }: Plan): string {
  if (affected.length === 0) return 'I know that this change is breaking.'
  return `I know that this change is breaking, and that it hits ${affectedText(affected)}.`
}

function useSave(editing: Editing, onSaved: () => void, onConflict: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const queries = useQueryClient()
  const router = useRouter()
  const tell = useTell()
  const { kind, writing } = editing
  const submit = (): void => {
    setBusy(true)
    save(writing).then(
      () => {
        onSaved()
        editing.discard()
        void queries.invalidateQueries()
        tell(`The ${kind.called} is saved`)
        router.history.push(kind.page(writing.id ?? ''))
      },
      (error: unknown) => {
        const found = problemOf(error)
        setBusy(false)
        setProblem(found)
        // Somebody else was quicker: the page shows what they did once it knows the new version.
        if (found.status !== 412 || writing.etag === null) return
        void queries.invalidateQueries({ queryKey: ['document', kind.api, writing.id] })
        onConflict()
      },
    )
  }
  return { submit, isBusy, problem }
}
