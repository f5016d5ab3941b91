import type { TextProblem } from './document-kind.ts'

interface ServerProblem {
  field: string
  message: string
  line?: number
  column?: number
}

/**
 * Merges the problems of the check and of the server in text order, without duplicates. Those without a
 * position come first.
 */
export function inTextOrder(
  problems: readonly TextProblem[],
  errors: readonly ServerProblem[] = [],
  warnings: readonly ServerProblem[] = [],
): TextProblem[] {
  const all = [
    ...problems,
    ...errors.map((one) => withPosition(one, 'error')),
    ...warnings.map((one) => withPosition(one, 'warning')),
  ]
  const unique = new Map(all.map((one) => [`${one.line} ${one.field} ${one.message}`, one]))
  return [...unique.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function withPosition(
  { field, message, line = 1, column = 1 }: ServerProblem,
  severity: TextProblem['severity'],
): TextProblem {
  return { severity, field, message, line, column }
}
