import type { TextProblem } from './document-kind.ts'

interface ToldProblem {
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
  checked: readonly TextProblem[],
  refused: readonly ToldProblem[] = [],
  warned: readonly ToldProblem[] = [],
): TextProblem[] {
  const all = [
    ...checked,
    ...refused.map((one) => placed(one, 'error')),
    ...warned.map((one) => placed(one, 'warning')),
  ]
  const once = new Map(all.map((one) => [`${one.line} ${one.field} ${one.message}`, one]))
  return [...once.values()].toSorted((a, b) => a.line - b.line || a.column - b.column)
}

function placed(
  { field, message, line = 1, column = 1 }: ToldProblem,
  severity: TextProblem['severity'],
): TextProblem {
  return { severity, field, message, line, column }
}
