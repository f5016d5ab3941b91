// CREATE TABLE and CREATE VIEW.

import { canonicalTokens } from './canonical.ts'
import { readOptions } from './clause.ts'
import { copyTable, readElements } from './column.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import type { SqlTable } from './table.ts'
import { readSelection } from './view.ts'

/** Reads what follows the name in CREATE TABLE. */
export function readTableDefinition(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  const start = cursor.at
  while (readSource(cursor, table, context));
  // `create table t ()` has none.
  const isEmpty = cursor.isSign('(') && cursor.isSign(')', 1)
  if (isQuery(cursor)) readQuery(cursor, table, context)
  else if (cursor.isSign('(')) readElements(cursor, table, context)
  readTail(cursor, table, context)
  if (!isEmpty) warnOfNoColumns(cursor, table, context, start)
}

/** Reads what follows the name in CREATE VIEW. */
export function readViewDefinition(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  const start = cursor.at
  if (cursor.isSign('(') && !isQuery(cursor)) readViewColumns(cursor, table, context)
  readTail(cursor, table, context)
  warnOfNoColumns(cursor, table, context, start)
}

// A table without columns is most often one that could not be read.
function warnOfNoColumns(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
  start: number,
): void {
  if (table.hasColumns()) return
  const name = table.parts.join('.').slice(0, 80)
  const offset = cursor.tokens[start - 1]?.start ?? 0
  context.warn(offset, `No column of ${table.kind} "${name}" could be read.`)
  if (table.unanalyzed.length > 0) return
  table.unanalyzed.push(canonicalTokens(cursor.tokens.slice(start)))
}

// Other tables that columns are copied from, and clauses that precede the columns.
function readSource(cursor: SqlCursor, table: SqlTable, context: SqlContext): boolean {
  if (cursor.take('cluster', 'by') || cursor.take('on', 'cluster')) cursor.skip()
  else if (cursor.take('partition', 'of')) {
    const source = copyTable(cursor, table, context)
    if (source !== undefined) {
      table.copyConstraints(source)
      source.children.push(table)
    }
    if (cursor.word() === 'default') readPartitionBounds(cursor, table)
  } else if (cursor.word() === 'of' && cursor.isName(1)) readTypedTable(cursor, table, context)
  else if (cursor.word() === 'like' && cursor.isName(1)) {
    cursor.at += 1
    const source = copyTable(cursor, table, context)
    if (source !== undefined) table.copyConstraints(source)
  } else if (isClone(cursor)) {
    if (!cursor.take('shallow')) cursor.take('deep')
    cursor.at += 1
    const source = copyTable(cursor, table, context)
    if (source !== undefined) table.copyConstraints(source)
  } else return false
  return true
}

function isClone(cursor: SqlCursor): boolean {
  const at = cursor.word() === 'shallow' || cursor.word() === 'deep' ? 1 : 0
  const isVerb = cursor.word(at) === 'clone' || cursor.word(at) === 'copy'
  return isVerb && cursor.isName(at + 1) && cursor.word(at + 1) !== 'grants'
}

function readTypedTable(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  cursor.at += 1
  const parts = cursor.parts(false)
  for (const { name, type } of context.types.find(parts)?.attributes ?? []) {
    if (context.takeColumn()) table.addColumn(name, type)
  }
}

// After the columns: descriptions, further columns, and the query that fills the table.
function readTail(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  while (!cursor.isAtEnd()) {
    if (cursor.take('as') || isQuery(cursor)) {
      if (isQuery(cursor)) readQuery(cursor, table, context)
    } else if (cursor.word() === 'for' && cursor.word(1) === 'values') {
      readPartitionBounds(cursor, table)
    } else if (cursor.take('comment')) {
      cursor.takeSign('=')
      const description = cursor.takeText()
      if (description !== undefined) table.description = description
    } else if (cursor.word() === 'options' && cursor.isSign('(', 1)) {
      cursor.at += 1
      table.description = readOptions(cursor) ?? table.description
    } else if (cursor.take('partitioned', 'by')) {
      if (isColumnList(cursor)) readElements(cursor, table, context)
    } else if (cursor.take('with', 'partition', 'columns')) {
      if (cursor.isSign('(')) readElements(cursor, table, context)
      else warnOfPartitionColumns(cursor, table, context)
    } else if (cursor.word() === 'inherits' && cursor.isSign('(', 1)) {
      readParents(cursor, table, context)
    } else if (isPolicy(cursor)) readPolicy(cursor, table)
    else if (table.kind === 'view' && cursor.take('security')) {
      if (cursor.take('invoker')) table.visibility.set('security', 'invoker')
    } else if (table.kind === 'view' && cursor.word() === 'with' && cursor.isSign('(', 1)) {
      cursor.at += 1
      readViewOptions(cursor, table)
    } else if (!readSource(cursor, table, context)) cursor.skip()
  }
}

/** Reads the rows that a partition contains: `for values from (1) to (10)`, `default`. */
export function readPartitionBounds(cursor: SqlCursor, table: SqlTable): void {
  const from = cursor.at
  while (!cursor.isAtEnd() && !/^(?:partition|using|tablespace|server)$/.test(cursor.word())) {
    if (cursor.word() === 'with' && cursor.isSign('(', 1) && cursor.word(2) !== 'modulus') break
    cursor.skip()
  }
  table.visibility.set('bounds', canonicalTokens(cursor.tokens.slice(from, cursor.at)))
}

// `row access policy p on (a)`, `row filter f on (a)`, `aggregation policy p`.
function isPolicy(cursor: SqlCursor): boolean {
  const isRow = cursor.word() === 'row' && /^(?:access|filter)$/.test(cursor.word(1))
  return isRow || (/^(?:aggregation|join)$/.test(cursor.word()) && cursor.word(1) === 'policy')
}

function readPolicy(cursor: SqlCursor, table: SqlTable): void {
  const from = cursor.at
  const words = `${cursor.word()} ${cursor.word(1)}`
  cursor.at += 2
  cursor.take('policy')
  cursor.parts(false)
  if (cursor.take('on') && cursor.isSign('(')) cursor.skip()
  const text = canonicalTokens(cursor.tokens.slice(from, cursor.at))
  table.visibility.set(words === 'row access' ? `${words} ${text}` : words, text)
}

// `with (security_invoker = true)`; `check_option` is about who writes.
function readViewOptions(cursor: SqlCursor, table: SqlTable): void {
  const text = canonicalTokens(cursor.group().tokens)
  if (/\bsecurity/.test(text)) table.visibility.extend('security', text)
}

// BigQuery finds these columns in the paths of the files.
function warnOfPartitionColumns(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  const offset = cursor.token(-1)?.start ?? 0
  context.warn(offset, 'The partition columns are not listed here, so they are not read.')
  table.unanalyzed.push('with partition columns')
}

function readParents(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  cursor.at += 2
  do {
    const source = copyTable(cursor, table, context)
    source?.children.push(table)
  } while (cursor.takeSign(','))
  cursor.expectSign(')')
}

// `PARTITIONED BY (day string)` adds a column, `PARTITIONED BY (day)` and `(year(at))` name one.
function isColumnList(cursor: SqlCursor): boolean {
  return cursor.isSign('(') && cursor.word(2) !== ''
}

function isQuery(cursor: SqlCursor): boolean {
  let at = 0
  while (at < 10 && cursor.isSign('(', at)) at += 1
  const word = cursor.word(at)
  return (
    word === 'select' ||
    (word === 'with' && at > 0) ||
    (word === 'with' && cursor.token(-1)?.text.toLowerCase() === 'as')
  )
}

// The names of the columns are known, their types depend on the query.
function readQuery(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  const isDefined = table.columns().some(({ type }) => type !== undefined)
  const from = cursor.at
  if (!table.hasColumns()) {
    const { names, allOf } = readSelection(cursor, context.isBigQuery)
    const source = allOf === undefined ? undefined : context.find(allOf)
    if (source !== undefined) table.copyColumns(source, context.takeColumn)
    for (const name of names) {
      if (!table.hasColumn(name) && context.takeColumn()) table.addColumn(name, undefined)
    }
  }
  cursor.at = cursor.tokens.length
  if (!isDefined) table.unanalyzed.push(canonicalTokens(cursor.tokens.slice(from)))
}

function readViewColumns(cursor: SqlCursor, table: SqlTable, context: SqlContext): void {
  const isTyped =
    cursor.token(2)?.kind === 'word' && !/^(?:comment|options|with)$/.test(cursor.word(2))
  if (isTyped) {
    readElements(cursor, table, context)
    return
  }
  cursor.at += 1
  while (!cursor.takeSign(')')) {
    const name = cursor.name()
    const isAdded = !table.hasColumn(name) && context.takeColumn()
    const column = isAdded ? table.addColumn(name, undefined) : undefined
    while (!cursor.isSign(',') && !cursor.isSign(')')) {
      const comment = cursor.take('comment') ? cursor.takeText() : undefined
      if (comment === undefined) cursor.skip()
      else if (column !== undefined) column.description = comment
    }
    cursor.takeSign(',')
  }
}
