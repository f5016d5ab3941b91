import type { ShownProblem } from '../parts/notice.tsx'
import type { TextProblem } from './document-kind.ts'

/** Returns the violations that the server reports as marks in the text; one without a position marks its beginning. */
export function toMarks({ violations }: Pick<ShownProblem, 'violations'>): TextProblem[] {
  return violations.map((violation) => ({ severity: 'error', line: 1, column: 1, ...violation }))
}
