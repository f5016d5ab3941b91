// Where the columns and constraints of a list end, also where a comma is missing between two of them.

import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'

/** Skips the rest of an element, up to the comma or parenthesis after it. */
export function skipElement(cursor: SqlCursor): void {
  while (!isElementEnd(cursor)) cursor.skip()
}

/** Returns true at the comma or parenthesis after an element, and at the end. */
export function isElementEnd(cursor: SqlCursor): boolean {
  return cursor.isAtEnd() || cursor.isSign(',') || cursor.isSign(')')
}

// Begin a clause that goes on with a name on the next line.
const CONTINUATIONS = new Set(
  `not null default primary unique check references constraint generated comment options collate identity on match
  deferrable initially using with where enforced rely include set no cascade restrict as character charset
  and or is in between like at then else when end from over interval virtual stored persisted binary srid for ccsid`.split(
    /\s+/,
  ),
)

/** Returns true if the next token begins another column or constraint, so that a comma must be missing before it. */
export function isCommaMissing(cursor: SqlCursor, context: SqlContext): boolean {
  if (!cursor.isName() || cursor.token()?.kind === 'sign' || cursor.isSign('.', -1)) return false
  const isNewLine = cursor.isOnNewLine(context.text)
  const next = cursor.word(1)
  if (isNewLine && cursor.word() === 'constraint') return cursor.isName(1)
  if (isNewLine && /^(?:primary|foreign)$/.test(cursor.word()) && next === 'key') {
    return cursor.isSign('(', 2)
  }
  if (CONTINUATIONS.has(cursor.word()) || !cursor.isName(1)) return false
  if (isKnownType(cursor, context)) return true
  return isNewLine && !CONTINUATIONS.has(next) && !cursor.isSign('(', 1)
}

function isKnownType(cursor: SqlCursor, { types }: SqlContext): boolean {
  const first = cursor.token(1)?.text ?? ''
  if (types.isKnown(first)) return true
  return cursor.isName(2) && types.isKnown(`${first} ${cursor.token(2)?.text ?? ''}`)
}

/** Warns that a comma is missing before the next token. */
export function warnOfComma(cursor: SqlCursor, context: SqlContext): void {
  const token = cursor.token()
  const message = `A comma is missing before "${token?.text.slice(0, 40) ?? ''}".`
  context.warn(token?.start ?? 0, message)
}
