import { countText } from '../parts/number-text.ts'
import type { TextProblem } from './document-kind.ts'

/** Returns whether a problem does not prevent saving. */
export function isWarning({ severity }: TextProblem): boolean {
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
