import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sendText } from '../api/document.ts'
import { toProblem, type Problem } from '../api/problem.ts'
import { teamsQuery } from '../api/teams.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { findFieldError, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { proposeId } from '../parts/propose-id.ts'
import { useToast } from '../parts/toast.tsx'

interface NewTeamDialogProps {
  onClose: () => void
  /** Is called with the id of the new team. */
  onCreated: (id: string) => void
}

/** Creates a team at the top, by its name, without leaving the form that needs one. */
export function NewTeamDialog({ onClose, onCreated }: NewTeamDialogProps) {
  const [name, setName] = useState('')
  const { isBusy, problem, create } = useCreation(onCreated)
  const id = proposeId(name)
  const isUnnamed = name.trim() !== '' && id === ''
  return (
    <Dialog
      open
      onClose={onClose}
      title="New team"
      description="A team owns data products and contracts. Add its members later, on its page."
    >
      <Form
        label="New team"
        problem={problem}
        fields={['name']}
        onSubmit={() => {
          if (!isUnnamed) create(id, name.trim())
        }}
      >
        <TextField
          label="Team name"
          hint={id === '' ? 'The id is derived from the name.' : `Id: ${id}`}
          error={
            isUnnamed
              ? 'Use a name with letters from a to z or digits.'
              : findFieldError(problem?.violations ?? [], 'name')
          }
          required
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <Button type="submit" look="primary" busy={isBusy} className="justify-self-start">
          Create team
        </Button>
      </Form>
    </Dialog>
  )
}

type ShownProblem = Pick<Problem, 'title' | 'message' | 'violations'>

function useCreation(onCreated: (id: string) => void) {
  const queries = useQueryClient()
  const showToast = useToast()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ShownProblem | undefined>(undefined)
  const run = async (id: string, name: string): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await sendText('PUT', `/api/teams/${encodeURIComponent(id)}`, {
        text: JSON.stringify({ name, type: 'Team' }),
        mediaType: 'application/json',
        ifNoneMatch: '*',
      })
      await queries.invalidateQueries({ queryKey: teamsQuery.queryKey })
      showToast(`Team ${name} created`)
      onCreated(id)
    } catch (error) {
      setProblem(describeProblem(toProblem(error), id))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, create: (id: string, name: string) => void run(id, name) }
}

function describeProblem(problem: Problem, id: string): ShownProblem {
  const { status, title, message, violations } = problem
  if (status !== 412) return { title, message, violations }
  const detail = `A team with the id “${id}” exists. Choose another name.`
  return { title: 'Team exists', message: detail, violations: [{ field: 'name', message: detail }] }
}
