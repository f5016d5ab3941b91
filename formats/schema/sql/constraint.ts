// Constraints of a table, in CREATE TABLE and after ADD of ALTER TABLE.

import { canonicalTokens } from './canonical.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import type { SqlColumn } from './parts.ts'
import type { SqlTable } from './table.ts'

/** Reads a constraint or index of a table; false if the next element is a column. */
export function readConstraint(cursor: SqlCursor, table: SqlTable, context: SqlContext): boolean {
  const from = cursor.at
  const name = readConstraintName(cursor)
  if (cursor.take('primary', 'key')) {
    skipTo(cursor, '(')
    table.addConstraint({ kind: 'primaryKey', name, names: cursor.names() })
  } else if (cursor.word() === 'unique' && !isColumn(cursor)) {
    readUnique(cursor, table, name)
  } else if (cursor.take('foreign', 'key')) {
    skipTo(cursor, '(')
    readReferences(cursor, table, context, { name, names: cursor.names() })
  } else if (cursor.word() === 'check' && cursor.isSign('(', 1)) {
    cursor.at += 1
    readCheck(cursor, table, context, { name, owner: undefined })
  } else if (name !== undefined && cursor.take('expect')) {
    readCheck(cursor, table, context, { name, owner: undefined })
  } else if (cursor.word() === 'exclude' && (cursor.word(1) === 'using' || cursor.isSign('(', 1))) {
    readRule(cursor, table, context, name)
  } else if (isIndex(cursor, context)) {
    if (name !== undefined) table.nameClause(name, () => {})
    skipElement(cursor)
  } else if (cursor.at > from) readUnknown(cursor, table, context, from)
  else return false
  return true
}

/** Reads `CONSTRAINT name`; undefined if the constraint has no name. */
export function readConstraintName(cursor: SqlCursor): string | undefined {
  if (cursor.word() !== 'constraint') return undefined
  const isNameless = ['primary', 'unique', 'foreign', 'check'].includes(cursor.word(1))
  cursor.at += 1
  if (isNameless) return undefined
  cursor.take('if', 'not', 'exists')
  return cursor.name()
}

/** Reads a condition in parentheses; `owner` is the column that it is stated with. */
export function readCheck(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
  { name, owner }: { name: string | undefined; owner: SqlColumn | undefined },
): void {
  const { start, end, tokens } = cursor.group()
  const text = context.text.slice(start, end)
  const trimmed = text.trimStart()
  const condition = {
    text: trimmed.trimEnd(),
    tokens,
    start: start + text.length - trimmed.length,
  }
  table.addConstraint({ kind: 'check', name, condition, owner })
}

/** Reads `REFERENCES table (columns)`. */
export function readReferences(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
  { name, names }: { name: string | undefined; names: readonly string[] },
): void {
  if (!cursor.take('references')) cursor.fail('REFERENCES')
  const target = cursor.parts(context.isBigQuery)
  const references = cursor.isSign('(') ? cursor.names() : []
  table.addConstraint({ kind: 'foreignKey', name, names, table: target, references })
}

/** Skips the rest of an element, up to the comma or parenthesis after it. */
export function skipElement(cursor: SqlCursor): void {
  while (!isElementEnd(cursor)) cursor.skip()
}

/** Returns true at the comma or parenthesis after an element, and at the end. */
export function isElementEnd(cursor: SqlCursor): boolean {
  return cursor.isAtEnd() || cursor.isSign(',') || cursor.isSign(')')
}

function skipTo(cursor: SqlCursor, sign: string): void {
  while (!cursor.isSign(sign)) {
    if (cursor.isAtEnd() || cursor.isSign(',')) cursor.fail(`"${sign}"`)
    cursor.at += 1
  }
}

// MySQL names the key behind the word: `unique key u (a)`.
function readUnique(cursor: SqlCursor, table: SqlTable, constraintName: string | undefined): void {
  cursor.at += 1
  if (!cursor.take('key')) cursor.take('index')
  const isNamed = cursor.isName() && cursor.isSign('(', 1) && !cursor.word().endsWith('clustered')
  const name = isNamed ? cursor.name() : undefined
  skipTo(cursor, '(')
  table.addConstraint({ kind: 'unique', name: constraintName ?? name, names: cursor.names() })
}

// `unique boolean` is a column; `unique (a)`, `unique key u (a)` and `unique clustered (a)` are not.
function isColumn(cursor: SqlCursor): boolean {
  const second = cursor.word(1)
  if (['key', 'index', 'nulls', 'clustered', 'nonclustered'].includes(second)) return false
  return !cursor.isSign('(', 1) && !(cursor.token(1) !== undefined && cursor.isSign('(', 2))
}

// Another kind of promise is kept as it is stated.
function readRule(
  cursor: SqlCursor,
  table: SqlTable,
  { text }: SqlContext,
  name: string | undefined,
): void {
  const start = cursor.token()?.start ?? 0
  skipElement(cursor)
  const rule = text.slice(start, cursor.token(-1)?.end)
  table.addConstraint({ kind: 'rule', name, text: rule, names: [] })
}

// Indexes, defaults and the periods of temporal tables promise nothing about the values.
function isIndex(cursor: SqlCursor, context: SqlContext): boolean {
  const word = cursor.word()
  const next = cursor.word(1)
  if (word === 'default') return cursor.isSign('(', 1) || cursor.token(1)?.kind !== 'word'
  if (word === 'period' || word === 'watermark') return next === 'for'
  if (word === 'fulltext' || word === 'spatial') return next === 'key' || next === 'index'
  if (word === 'projection') return cursor.isSign('(', 2)
  if (word !== 'key' && word !== 'index') return false
  if (context.platform === 'mysql' || cursor.token(1)?.kind === 'name') return true
  if (cursor.isSign('(', 1)) return true
  // `key varchar(10)` is a column, `key name (name)` and `index i nonclustered (id)` are indexes.
  if (/^(?:non)?clustered$|^unique$|^hash$|^columnstore$/.test(cursor.word(2))) return true
  return cursor.isSign('(', 2) && !context.types.isKnown(cursor.token(1)?.text ?? '')
}

function readUnknown(cursor: SqlCursor, table: SqlTable, context: SqlContext, from: number): void {
  if (cursor.word() !== 'default' && cursor.word() !== 'not') {
    const found = cursor.token()?.text.slice(0, 40) ?? ''
    context.warn(
      cursor.token()?.start ?? 0,
      `"${found}" is not a kind of constraint that is read. Changes of it count as breaking.`,
    )
  }
  skipElement(cursor)
  table.unanalyzed.push(canonicalTokens(cursor.tokens.slice(from, cursor.at)))
}
