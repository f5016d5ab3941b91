// What stands in the parentheses of CREATE TABLE, and behind the ADD of ALTER TABLE: columns and constraints.

import type { Field } from './model.ts'
import type { SqlCursor } from './sql-cursor.ts'
import type { SqlTable } from './sql-table.ts'
import type { NativeType, Platform } from './types/native-type.ts'
import { readNativeType } from './types/read-type.ts'

/** What the columns of a document are read with. */
export interface ColumnContext {
  text: string
  platform: Platform | undefined
  /** Tells whether one more field may be read. */
  takeField: () => boolean
  /** Types that were read before, by their text: a document has many columns of few types. */
  types: Map<string, NativeType>
  /** The words of `CREATE TYPE … AS ENUM`, by the type's name in lower case. */
  enums: ReadonlyMap<string, string[]>
}

// Behind a column's type, these words begin what else is said about the column.
const TYPE_ENDS = new Set(
  `not null default primary unique check references constraint generated comment options collate identity
  auto_increment autoincrement as on mask encode distkey sortkey tag masking projection charset stored virtual
  sparse rowguidcol invisible visible compression storage persisted policy key deferrable initially`.split(
    /\s+/,
  ),
)

/** Reads one column or constraint, up to the comma or parenthesis behind it. */
export function readElement(cursor: SqlCursor, table: SqlTable, context: ColumnContext): void {
  if (!readConstraint(cursor, table, context)) readColumn(cursor, table, context)
  while (!cursor.isAtEnd() && !cursor.isSign(',') && !cursor.isSign(')')) cursor.skip()
}

/** Reads a constraint of the whole table; false when something else stands here. */
export function readConstraint(
  cursor: SqlCursor,
  table: SqlTable,
  context: ColumnContext,
): boolean {
  const name = constraintName(cursor)
  if (cursor.take('primary', 'key')) {
    passTo(cursor, '(')
    table.primaryKey(cursor.names())
  } else if (cursor.word() === 'unique' && !isColumn(cursor)) {
    cursor.at += 1
    passTo(cursor, '(')
    table.unique(cursor.names(), name)
  } else if (cursor.take('foreign', 'key')) {
    passTo(cursor, '(')
    const names = cursor.names()
    if (!cursor.take('references')) cursor.fail('REFERENCES')
    const target = cursor.parts(context.platform === 'bigquery')
    table.foreignKey(names, target, cursor.isSign('(') ? cursor.names() : [])
  } else if (cursor.word() === 'check' && cursor.isSign('(', 1)) {
    cursor.at += 1
    check(cursor, table, context, { name, field: undefined })
  } else return isIdle(cursor, context)
  return true
}

function constraintName(cursor: SqlCursor): string | undefined {
  if (cursor.word() !== 'constraint') return undefined
  const isNameless = ['primary', 'unique', 'foreign', 'check'].includes(cursor.word(1))
  cursor.at += 1
  return isNameless ? undefined : cursor.name()
}

function passTo(cursor: SqlCursor, sign: string): void {
  while (!cursor.isSign(sign)) {
    if (cursor.isAtEnd() || cursor.isSign(',')) cursor.fail(`“${sign}”`)
    cursor.at += 1
  }
}

// `unique boolean` would be a column, `unique (a)`, `unique key u (a)` and `unique clustered (a)` are none.
function isColumn(cursor: SqlCursor): boolean {
  const second = cursor.word(1)
  if (['key', 'index', 'nulls', 'clustered', 'nonclustered'].includes(second)) return false
  return !cursor.isSign('(', 1) && !(cursor.token(1) !== undefined && cursor.isSign('(', 2))
}

// Indexes and the like say nothing about the values.
function isIdle(cursor: SqlCursor, { platform }: ColumnContext): boolean {
  const word = cursor.word()
  const next = cursor.word(1)
  if (word === 'exclude' && (next === 'using' || cursor.isSign('(', 1))) return true
  if (word === 'like' && cursor.token(1)?.kind !== undefined && !cursor.isSign(',', 1)) return true
  if (word === 'period' && next === 'for') return true
  if ((word === 'fulltext' || word === 'spatial') && (next === 'key' || next === 'index'))
    return true
  if (word !== 'key' && word !== 'index') return false
  return platform === 'mysql' || cursor.token(1)?.kind === 'name' || cursor.isSign('(', 1)
}

function readColumn(cursor: SqlCursor, table: SqlTable, context: ColumnContext): void {
  const name = cursor.name()
  const native = readType(cursor, context)
  const field = table.addField(name, native, context.takeField)
  let constraint: string | undefined
  while (!cursor.isAtEnd() && !cursor.isSign(',') && !cursor.isSign(')')) {
    if (cursor.word() === 'constraint' && cursor.token(1) !== undefined) {
      constraint = constraintName(cursor)
    } else {
      readOption(cursor, { table, field, context, constraint })
      constraint = undefined
    }
  }
}

function readType(cursor: SqlCursor, context: ColumnContext): NativeType | undefined {
  const first = cursor.token()
  let end = first?.start ?? 0
  let inner = 0
  while (!cursor.isAtEnd()) {
    if (inner === 0 && (cursor.isSign(',') || cursor.isSign(')') || endsType(cursor))) break
    if (cursor.isSign('<')) inner += 1
    if (cursor.isSign('>')) inner -= 1
    cursor.skip()
    end = cursor.token(-1)?.end ?? end
  }
  if (first === undefined || end <= first.start) return undefined
  const text = context.text.slice(first.start, end)
  const hasEnums = context.enums.size > 0
  const words = hasEnums ? context.enums.get(unquoted(text).toLowerCase()) : undefined
  if (words !== undefined) return { text: unquoted(text), logicalType: 'string', enum: words }
  let native = context.types.get(text)
  if (native === undefined) {
    native = readNativeType(text, context.platform)
    context.types.set(text, native)
  }
  return native
}

function unquoted(text: string): string {
  return (text.split('.').at(-1) ?? text).replaceAll('"', '')
}

function endsType(cursor: SqlCursor): boolean {
  const word = cursor.word()
  if (word === 'with') return !['time', 'local'].includes(cursor.word(1))
  if (word === 'character') return cursor.word(1) === 'set'
  return TYPE_ENDS.has(word)
}

interface Column {
  table: SqlTable
  field: Field
  context: ColumnContext
  constraint: string | undefined
}

function readOption(cursor: SqlCursor, { table, field, context, constraint }: Column): void {
  if (cursor.take('not', 'null')) field.required = true
  else if (cursor.take('primary', 'key')) table.primaryKey([field.name])
  else if (cursor.take('unique')) field.unique = true
  else if (cursor.take('references')) {
    const target = cursor.parts(context.platform === 'bigquery')
    table.foreignKey([field.name], target, cursor.isSign('(') ? cursor.names() : [])
  } else if (cursor.word() === 'check' && cursor.isSign('(', 1)) {
    cursor.at += 1
    check(cursor, table, context, { name: constraint, field })
  } else if (cursor.word() === 'comment' && cursor.token(1)?.kind === 'text') {
    cursor.at += 1
    describe(field, cursor.takeText())
  } else if (cursor.word() === 'options' && cursor.isSign('(', 1)) {
    cursor.at += 1
    describe(field, takeOptions(cursor))
  } else if (cursor.take('identity')) field.required = true
  else cursor.skip()
}

function describe(field: Field, description: string | undefined): void {
  if (description !== undefined && description !== '') field.description = description
}

/** Passes over `(description = '…', …)` and gives the description. */
export function takeOptions(cursor: SqlCursor): string | undefined {
  const { tokens } = cursor.group()
  const at = tokens.findIndex(
    ({ kind, text }, index) =>
      kind === 'word' && text.toLowerCase() === 'description' && tokens[index + 1]?.text === '=',
  )
  const value = at === -1 ? undefined : tokens[at + 2]
  // Texts in double quotes look like names where no platform is told.
  return value?.kind === 'text' || value?.kind === 'name' ? value.text : undefined
}

function check(
  cursor: SqlCursor,
  table: SqlTable,
  context: ColumnContext,
  options: { name: string | undefined; field: Field | undefined },
): void {
  const { start, end, tokens } = cursor.group()
  table.check({ text: context.text.slice(start, end).trim(), tokens }, options)
}
