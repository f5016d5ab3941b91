import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import type { Editing } from './use-editing.ts'
import { createRetry } from './use-plan.ts'

/** The reason why the server cannot plan a save. What the list of problems shows is not repeated. */
export function PlanProblem({ editing }: { editing: Editing }) {
  const { problem, retry } = editing.planned
  if (problem === undefined) return null
  const { violations } = problem
  const isListed = violations.length > 0 && violations.every(({ line }) => line !== undefined)
  const actions = <TeamSuggestions editing={editing} />
  if (!isListed) {
    return <ProblemNotice problem={problem} {...createRetry(problem, retry)} actions={actions} />
  }
  const many = violations.length === 1 ? 'the error' : `the ${violations.length} errors`
  const title = `Fix ${many} listed under Problems first`
  return (
    <ProblemNotice
      problem={{ title, message: '', violations: [], action: problem.action }}
      actions={actions}
    />
  )
}

function TeamSuggestions({ editing }: { editing: Editing }) {
  const unknown = editing.planned.problem?.unknownTeam
  if (unknown === undefined) return null
  const path = unknown.field.split('.')
  return unknown.suggestions?.map(({ id, name }) => (
    <Button key={id} onClick={() => void editing.onEdit({ kind: 'set', path, value: id })}>
      Use {name}
    </Button>
  ))
}
