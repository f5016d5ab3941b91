// The type of a column: where it ends, and what is known of it.

import { isElementEnd } from './element.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import type { ColumnType } from './script-types.ts'

/** After the type of a column, these words begin another clause. */
export const TYPE_ENDS = new Set(
  `not null default primary unique check references constraint generated comment options collate identity
  auto_increment autoincrement as on mask masked encode distkey sortkey tag masking projection charset stored
  virtual sparse rowguidcol invisible visible compression storage persisted policy key deferrable initially
  after first using set drop for ccsid logged inline implicitly`.split(/\s+/),
)

/** The parts of a type that are looked at when the whole is not known. */
const TYPE_WORDS_MAX = 5

/** Reads a type, up to the first clause after it; undefined if there is none. */
export function readType(cursor: SqlCursor, context: SqlContext): ColumnType | undefined {
  const from = cursor.at
  // Where the type could end before its last word.
  const ends: number[] = []
  let depth = 0
  while (!cursor.isAtEnd() && ends.length < TYPE_WORDS_MAX) {
    if (depth === 0 && (isElementEnd(cursor) || isTypeEnd(cursor))) break
    if (cursor.isSign('<')) depth += 1
    if (cursor.isSign('>')) depth -= 1
    const isWord = cursor.isName() && !cursor.isSign('.', -1)
    if (depth === 0 && isWord && cursor.at > from) ends.push(cursor.at)
    cursor.skip()
  }
  if (cursor.at === from) return undefined
  if (depth > 0 && cursor.isAtEnd()) cursor.reject('A "<" in this statement is not closed.')
  const textTo = (end: number): string =>
    context.text.slice(cursor.tokens[from]?.start, cursor.tokens[end - 1]?.end)
  const { types } = context
  if (ends.length > 0 && !types.isKnown(textTo(cursor.at))) {
    const last = ends.findLast((end) => types.isKnown(textTo(end)))
    cursor.at = last ?? firstLineEnd(cursor, context, ends) ?? cursor.at
  }
  return types.read(textTo(cursor.at))
}

// The type of another product ends with its line.
function firstLineEnd(
  cursor: SqlCursor,
  { text }: SqlContext,
  ends: readonly number[],
): number | undefined {
  return ends.find((end) => {
    const [before, after] = [cursor.tokens[end - 1]?.end, cursor.tokens[end]?.start]
    return text.slice(before, after).includes('\n')
  })
}

function isTypeEnd(cursor: SqlCursor): boolean {
  const word = cursor.word()
  if (word === 'with') return !['time', 'local'].includes(cursor.word(1))
  if (word === 'character') return cursor.word(1) === 'set'
  return TYPE_ENDS.has(word)
}
