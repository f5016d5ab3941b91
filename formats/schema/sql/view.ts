// The columns of a table or view that a query defines. No query is executed.

import type { SqlCursor } from './cursor.ts'

/** No query selects more columns. */
const NAMES_MAX = 10_000

/** The columns of a query. */
interface Selection {
  /** The names of its columns; those without a name are left out. */
  names: string[]
  /** Set for `SELECT * FROM table`, of one table only. */
  allOf?: string[]
}

/** Reads what a query selects, `a`, `t.b` and `c` of `SELECT a, t.b, f(x) AS c`, up to its first FROM. */
export function readSelection(cursor: SqlCursor, isBigQuery: boolean): Selection {
  while (cursor.takeSign('('));
  skipCommonTables(cursor)
  while (cursor.takeSign('('));
  const names: string[] = []
  if (!cursor.take('select')) return { names }
  if (!cursor.take('distinct')) cursor.take('all')
  if (cursor.isSign('*') && cursor.word(1) === 'from') {
    cursor.at += 2
    const allOf = cursor.isName() ? cursor.parts(isBigQuery) : []
    while (cursor.takeSign(')'));
    const isWhole = cursor.isAtEnd() || /^(?:where|order|limit)$/.test(cursor.word())
    return isWhole ? { names, allOf } : { names }
  }
  let last: string | undefined
  let isEnded = false
  while (!isEnded && names.length < NAMES_MAX) {
    isEnded = cursor.isAtEnd() || cursor.word() === 'from' || cursor.isSign(')')
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
  return { names }
}

// `with a as (select …), b (x) as materialized (select …)`
function skipCommonTables(cursor: SqlCursor): void {
  if (!cursor.take('with')) return
  cursor.take('recursive')
  do {
    while (!cursor.isAtEnd() && !cursor.take('as')) cursor.skip()
    if (!cursor.take('materialized')) cursor.take('not', 'materialized')
    if (cursor.isSign('(')) cursor.skip()
  } while (cursor.takeSign(','))
}
