// The columns of a view that are named only by its query.

import type { SqlCursor } from './sql-cursor.ts'

/** No view has more columns. */
const NAMES_MAX = 10_000

/**
 * Reads the names of what a query selects, `a`, `t.b` and `c` of `SELECT a, t.b, f(x) AS c`; what has no name, and a
 * star, are left out. No query is executed, and none is read further than its first list.
 */
export function readSelectNames(cursor: SqlCursor): string[] {
  const names: string[] = []
  if (!cursor.take('select')) return names
  if (!cursor.take('distinct')) cursor.take('all')
  let last: string | undefined
  let isEnded = false
  while (!isEnded && names.length < NAMES_MAX) {
    isEnded = cursor.isAtEnd() || cursor.word() === 'from'
    if (isEnded || cursor.isSign(',')) {
      if (last !== undefined) names.push(last)
      last = undefined
      cursor.at += 1
      continue
    }
    const token = cursor.token()
    const isName = token?.kind === 'name' || (token?.kind === 'word' && cursor.word() !== 'end')
    last = isName ? token.text : undefined
    cursor.skip()
  }
  return names
}
