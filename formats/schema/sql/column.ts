// Columns, in CREATE TABLE and in ALTER TABLE: name, type and clauses.

import { canonicalTokens } from './canonical.ts'
import { readClauses } from './clause.ts'
import { readType } from './column-type.ts'
import { readConstraint } from './constraint.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import { isCommaMissing, isElementEnd, skipElement, warnOfComma } from './element.ts'
import type { SqlColumn } from './parts.ts'
import type { SqlTable } from './table.ts'

/** Reads the columns and constraints in parentheses. */
export function readElements(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  cursor.expectSign('(')
  while (!cursor.takeSign(')')) {
    readElement(cursor, table, context)
    if (cursor.takeSign(',') || cursor.isSign(')')) continue
    if (!cursor.isName()) cursor.fail('"," or ")"')
    warnOfComma(cursor, context)
  }
}

/** Reads one column or constraint, up to the comma or parenthesis after it. */
export function readElement(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  if (cursor.word() === 'like' && isLike(cursor)) readLike(cursor, table, context)
  else if (!readConstraint(cursor, table, context)) readColumn(cursor, table, context)
  else {
    while (!isElementEnd(cursor) && !isCommaMissing(cursor, context)) cursor.skip()
  }
}

/** Types of integers that are never null. */
const SERIAL = /^(?:small|big)?serial[248]?$/

/** Reads a column definition. */
function readColumn(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
): SqlColumn | undefined {
  const from = cursor.at
  const name = cursor.name()
  if (cursor.isSign('.'))
    cursor.reject('A field inside a column cannot be changed by a script here.')
  const isSerial = SERIAL.test(cursor.word())
  const type = readType(cursor, context)
  // A second column of the same name, and one too many, are read and left out.
  const isAdded = !table.hasColumn(name) && context.takeColumn()
  const column: SqlColumn = isAdded
    ? table.addColumn(name, type)
    : { name, type, isRequired: false, isDropped: true, unanalyzed: [] }
  if (isSerial) column.isRequired = true
  readClauses(cursor, { table, column, context })
  // `id` and "id" are two columns where names outside of quotes are stored in upper case.
  const isFolded = context.platform === undefined || context.platform === 'snowflake'
  if (!isAdded && isFolded && table.hasColumn(name)) {
    table.unanalyzed.push(canonicalTokens(cursor.tokens.slice(from, cursor.at)))
  }
  return isAdded ? column : undefined
}

// `like a including all` copies a table; `like text` would be a column.
function isLike(cursor: SqlCursor): boolean {
  if (!cursor.isName(1)) return false
  return (
    cursor.isSign('.', 2) ||
    cursor.token(2)?.kind === 'sign' ||
    /^(?:in|ex)cluding$/.test(cursor.word(2))
  )
}

/** Copies the columns of the table that LIKE, INHERITS or PARTITION OF names. */
export function copyTable(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
): SqlTable | undefined {
  const from = cursor.at
  const parts = cursor.parts(context.isBigQuery)
  const source = context.find(parts)
  if (source !== undefined) {
    table.copyColumns(source, context.takeColumn)
    return source
  }
  const message = `The columns of "${parts.join('.').slice(0, 80)}" are not known here. Add its CREATE TABLE before this one.`
  context.warn(cursor.tokens[from]?.start ?? 0, message)
  table.unanalyzed.push(`like ${canonicalTokens(cursor.tokens.slice(from, cursor.at))}`)
  return undefined
}

function readLike(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  cursor.at += 1
  const source = copyTable(cursor, table, context)
  const from = cursor.at
  skipElement(cursor)
  const options = canonicalTokens(cursor.tokens.slice(from, cursor.at))
  if (/\bincluding (?:all|constraints|indexes)\b/.test(options) && source !== undefined) {
    table.copyConstraints(source)
  }
}
