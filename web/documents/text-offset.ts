import type { Text } from '@codemirror/state'

/** Returns the offset of a place in a text; outside of the text, the nearest one. */
export function findOffset(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return Math.min(from + Math.max(column - 1, 0), to)
}
