import { useState } from 'react'
import { sendText } from '../api/document.ts'
import type { Problem } from '../api/problem.ts'
import { teamsQuery } from '../api/teams.ts'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, SubmitButton } from '../parts/form.tsx'
import { proposeId } from '../parts/propose-id.ts'
import { useAction } from '../shell/action.ts'

interface NewTeamDialogProps {
  onClose: () => void
  /** Is called with the id of the new team. */
  onCreated: (id: string) => void
}

/** Creates a team at the top, by its name, without leaving the form that needs one. */
export function NewTeamDialog({ onClose, onCreated }: NewTeamDialogProps) {
  const [name, setName] = useState('')
  const id = proposeId(name)
  const create = useAction({
    request: () =>
      sendText('PUT', `/api/teams/${encodeURIComponent(id)}`, {
        text: JSON.stringify({ name: name.trim(), type: 'Team' }),
        mediaType: 'application/json',
        ifNoneMatch: '*',
      }),
    notice: `Team ${name.trim()} created`,
    refresh: [{ queryKey: teamsQuery.queryKey }],
    onRefreshed: () => onCreated(id),
  })
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
        problem={create.problem && describeProblem(create.problem, id)}
        fields={['name']}
        onSubmit={() => {
          if (!isUnnamed) create.run()
        }}
      >
        <TextField
          label="Team name"
          hint={id === '' ? 'The id is derived from the name.' : `Id: ${id}`}
          error={isUnnamed ? 'Use a name with letters from a to z or digits.' : undefined}
          field="name"
          required
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <SubmitButton busy={create.isPending}>Create team</SubmitButton>
      </Form>
    </Dialog>
  )
}

type ShownProblem = Pick<Problem, 'title' | 'message' | 'violations'>

function describeProblem(problem: Problem, id: string): ShownProblem {
  const { status, title, message, violations } = problem
  if (status !== 412) return { title, message, violations }
  const detail = `A team with the id "${id}" exists. Choose another name.`
  return { title: 'Team exists', message: detail, violations: [{ field: 'name', message: detail }] }
}
