// Constraints of a table, in CREATE TABLE and after ADD of ALTER TABLE.

import { canonicalTokens } from './canonical.ts'
import { readConstraintClauses, readInlineClauses, readKeyColumns } from './constraint-clauses.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import { skipElement } from './element.ts'
import type { SqlCondition } from './check.ts'
import type { SqlColumn } from './parts.ts'
import type { SqlTable } from './table.ts'

/** Reads a constraint or index of a table; false if the next element is a column. */
export function readConstraint(cursor: SqlCursor, table: SqlTable, context: SqlContext): boolean {
  const from = cursor.at
  const name = readConstraintName(cursor)
  if (cursor.take('primary', 'key')) {
    readKey(cursor, table, context, { kind: 'primaryKey', name })
  } else if (cursor.word() === 'unique' && !isColumn(cursor)) {
    readUnique(cursor, table, context, name)
  } else if (cursor.take('foreign', 'key')) {
    skipTo(cursor, '(')
    const key = readKeyColumns(cursor)
    readReferences(cursor, table, context, { name, ...key })
  } else if (cursor.word() === 'check' && cursor.isSign('(', 1)) {
    cursor.at += 1
    readCheck(cursor, table, context, { name, owner: undefined })
  } else if (name !== undefined && cursor.take('expect')) {
    const expectation = readCondition(cursor, context)
    table.addConstraint({
      kind: 'check',
      name,
      ...expectation,
      owner: undefined,
      clauses: readViolation(cursor),
    })
  } else if (cursor.word() === 'exclude' && (cursor.word(1) === 'using' || cursor.isSign('(', 1))) {
    readRule(cursor, table, context, name)
  } else if (name !== undefined && cursor.take('not', 'null')) {
    readNotNull(cursor, table, context, name)
  } else if (isIndex(cursor, table, context)) {
    if (name !== undefined) table.nameClause(name, { drop: () => {} })
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
  const { condition } = readCondition(cursor, context)
  const read = owner === undefined ? readConstraintClauses : readInlineClauses
  const clauses = read(cursor, context)
  table.addConstraint({ kind: 'check', name, condition, owner, clauses })
}

function readCondition(cursor: SqlCursor, { text }: SqlContext): { condition: SqlCondition } {
  const { start, end, tokens } = cursor.group()
  const inner = text.slice(start, end)
  const trimmed = inner.trimStart()
  const offset = start + inner.length - trimmed.length
  return { condition: { text: trimmed.trimEnd(), tokens, start: offset } }
}

// An expectation of Databricks keeps the rows that violate it, unless `on violation drop row` or `fail update` follows.
function readViolation(cursor: SqlCursor): string[] {
  if (!cursor.take('on', 'violation')) return ['not enforced']
  skipElement(cursor)
  return []
}

/** Reads `REFERENCES table (columns)`; `isInline` after the type of a column. */
export function readReferences(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
  key: {
    name: string | undefined
    names: readonly string[]
    clauses: string[]
    isInline?: boolean
  },
): void {
  if (!cursor.take('references')) cursor.fail('REFERENCES')
  const target = context.qualify(cursor.parts(context.isBigQuery))
  const { names: references } = cursor.isSign('(') ? readKeyColumns(cursor) : { names: [] }
  const read = key.isInline === true ? readInlineClauses : readConstraintClauses
  const clauses = [...key.clauses, ...read(cursor, context)]
  const { name, names } = key
  table.addConstraint({ kind: 'foreignKey', name, names, table: target, references, clauses })
}

function skipTo(cursor: SqlCursor, sign: string): void {
  while (!cursor.isSign(sign)) {
    if (cursor.isAtEnd() || cursor.isSign(',')) cursor.fail(`"${sign}"`)
    cursor.at += 1
  }
}

// MySQL names the key behind the word: `unique key u (a)`.
function readUnique(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
  constraintName: string | undefined,
): void {
  cursor.at += 1
  if (!cursor.take('key')) cursor.take('index')
  const isNamed = cursor.isName() && cursor.isSign('(', 1) && !cursor.word().endsWith('clustered')
  const name = isNamed ? cursor.name() : undefined
  readKey(cursor, table, context, { kind: 'unique', name: constraintName ?? name })
}

// `primary key clustered (a)`, `unique nulls not distinct (a)`, and `unique using index i` of PostgreSQL, where the index
// exists already.
function readKey(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
  { kind, name }: { kind: 'primaryKey' | 'unique'; name: string | undefined },
): void {
  if (cursor.word() === 'using' && cursor.word(1) === 'index' && cursor.isName(2)) {
    cursor.at += 2
    const index = table.takeUnique(cursor.name())
    if (index === undefined) cursor.reject('The script does not create this index.')
    const clauses = [...index.clauses, ...readConstraintClauses(cursor, context)]
    table.addConstraint({ kind, name, names: index.names, clauses })
    return
  }
  const before = readInlineClauses(cursor, context)
  skipTo(cursor, '(')
  const key = readKeyColumns(cursor)
  const clauses = [...before, ...key.clauses, ...readConstraintClauses(cursor, context)]
  table.addConstraint({ kind, name, names: key.names, clauses })
}

// `constraint n not null a` of PostgreSQL. One that is not checked for all rows promises nothing about them.
function readNotNull(cursor: SqlCursor, table: SqlTable, context: SqlContext, name: string): void {
  const column = table.column(cursor.name())
  const clauses = readConstraintClauses(cursor, context)
  if (column === undefined) return
  const text = ['not null', ...clauses].join(' ')
  const drop = (): void => {
    if (clauses.length === 0) column.isRequired = false
    column.unanalyzed = column.unanalyzed.filter((clause) => clause !== text)
  }
  const validate = (): void => {
    drop()
    column.isRequired = true
  }
  if (clauses.length === 0) column.isRequired = true
  else column.unanalyzed.push(text)
  table.nameClause(name, clauses.includes('not valid') ? { drop, validate } : { drop })
}

// `unique boolean` is a column; `unique (a)`, `unique key u (a)` and `unique clustered (a)` are not.
function isColumn(cursor: SqlCursor): boolean {
  const second = cursor.word(1)
  if (second === 'using' && cursor.word(2) === 'index') return false
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
  table.addConstraint({ kind: 'rule', name, text: rule, names: [], clauses: [] })
}

// Indexes, defaults and the periods of temporal tables promise nothing about the values.
function isIndex(cursor: SqlCursor, table: SqlTable, context: SqlContext): boolean {
  const word = cursor.word()
  const next = cursor.word(1)
  if (word === 'default') return cursor.isSign('(', 1) || cursor.token(1)?.kind !== 'word'
  if (word === 'period') return /^(?:for|system_time|business_time)$/.test(next)
  if (word === 'watermark') return next === 'for'
  if (word === 'fulltext' || word === 'spatial') return next === 'key' || next === 'index'
  if (word === 'projection')
    return cursor.isSign('(', 2) && /^(?:select|with)$/.test(cursor.word(3))
  if (word !== 'key' && word !== 'index') return false
  return (
    context.platform === 'mysql' || cursor.isSign('(', 1) || isNamedIndex(cursor, table, context)
  )
}

// Only MySQL reserves these words. `key varchar(10) unique` is a column, `key name (name)` and
// `index i unique nonclustered (id)` are indexes.
function isNamedIndex(
  cursor: SqlCursor,
  table: SqlTable,
  { types, platform }: SqlContext,
): boolean {
  if (!cursor.isName(1)) return false
  let at = 2
  while (/^(?:unique|(?:non)?clustered|hash|columnstore)$/.test(cursor.word(at))) at += 1
  if (cursor.word(at - 1) === 'columnstore') return true
  if (!cursor.isSign('(', at)) return false
  if (at > 2 || (platform === 'sqlserver' && cursor.word() === 'index')) return true
  const isType = cursor.token(1)?.kind === 'word' && types.isKnown(cursor.token(1)?.text ?? '')
  return !isType && table.column(cursor.token(3)?.text ?? '') !== undefined
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
