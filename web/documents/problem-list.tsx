import { Button } from '../parts/button.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { countText } from '../parts/number-text.ts'
import { ToneIcon } from '../parts/status.tsx'
import type { TextProblem } from './document-kind.ts'
import type { Editing } from './use-editing.ts'
import { createRetry } from './use-plan.ts'

const SHOWN_MAX = 100

interface ProblemListProps {
  problems: readonly TextProblem[]
  onJump: (problem: TextProblem) => void
}

/** The errors and warnings of a text; each row jumps to its line. */
export function ProblemList({ problems, onJump }: ProblemListProps) {
  const sorted = problems.toSorted((a, b) => Number(isWarning(a)) - Number(isWarning(b)))
  const rest = problems.length - SHOWN_MAX
  return (
    <ul className="grid max-h-72 overflow-y-auto">
      {sorted.slice(0, SHOWN_MAX).map((problem, at) => (
        <li key={`${problem.field} ${at}`}>
          <button
            type="button"
            className="flex w-full items-start gap-2 rounded px-2 py-1.5 text-left hover:bg-hover"
            onClick={() => onJump(problem)}
          >
            <span className="mt-1">
              <ToneIcon tone={isWarning(problem) ? 'caution' : 'critical'} />
            </span>
            <span className="user-text min-w-0">
              <span className="sr-only">{isWarning(problem) ? 'Warning: ' : 'Error: '}</span>
              {problem.field !== '' && <code>{problem.field}</code>} {problem.message}{' '}
              <span className="text-sm whitespace-nowrap text-muted">
                line {problem.line}, column {problem.column}
              </span>
            </span>
          </button>
        </li>
      ))}
      {rest > 0 && <li className="px-2 py-1.5 text-muted">And {rest} more.</li>}
    </ul>
  )
}

function isWarning({ severity }: TextProblem): boolean {
  return severity === 'warning'
}

/** Returns the number of errors and warnings in words. */
export function problemsText(problems: readonly TextProblem[]): string {
  const warnings = problems.filter(isWarning).length
  const errors = problems.length - warnings
  const parts = [
    ...(errors > 0 ? [countText(errors, 'error')] : []),
    ...(warnings > 0 ? [countText(warnings, 'warning')] : []),
  ]
  return parts.length === 0 ? 'No problems' : parts.join(', ')
}

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
