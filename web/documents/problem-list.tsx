import { ToneIcon } from '../parts/status.tsx'
import type { TextProblem } from './document-kind.ts'
import { isWarning } from './problem-words.ts'

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
