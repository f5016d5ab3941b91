// The clauses after the type of a column: promises, storage, and what cannot be analyzed.

import { canonicalTokens } from './canonical.ts'
import { TYPE_ENDS } from './column-type.ts'
import { readCheck, readConstraintName, readReferences } from './constraint.ts'
import { readInlineClauses } from './constraint-clauses.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import type { SqlToken } from './scan.ts'
import { isCommaMissing, isElementEnd } from './element.ts'
import type { SqlColumn } from './parts.ts'
import type { SqlTable } from './table.ts'

interface ColumnClauses {
  table: SqlTable
  column: SqlColumn
  context: SqlContext
}

/** Reads the clauses after the type of a column. */
export function readClauses(cursor: SqlCursor, { table, column, context }: ColumnClauses): void {
  let name: string | undefined
  while (!isElementEnd(cursor)) {
    if (cursor.word() === 'constraint' && cursor.token(1) !== undefined) {
      name = readConstraintName(cursor)
      continue
    }
    if (name !== undefined && cursor.word() === 'not') {
      table.nameClause(name, { drop: () => (column.isRequired = false) })
    } else if (name !== undefined && cursor.word() === 'default')
      table.nameClause(name, { drop: () => {} })
    if (!readPromise(cursor, { table, column, context, name }) && !skipStorage(cursor, context)) {
      if (isCommaMissing(cursor, context)) return
      readUnanalyzed(cursor, column, context)
    }
    name = undefined
  }
}

function readPromise(
  cursor: SqlCursor,
  { table, column, context, name }: ColumnClauses & { name: string | undefined },
): boolean {
  const names = [column.name]
  const addKey = (kind: 'primaryKey' | 'unique'): void => {
    const clauses = readInlineClauses(cursor, context)
    table.addConstraint({ kind, name, names, clauses })
  }
  if (cursor.take('not', 'null')) requireColumn(cursor, column, context)
  else if (cursor.take('primary', 'key')) addKey('primaryKey')
  else if (cursor.take('unique')) {
    if (!cursor.take('key')) cursor.take('index')
    addKey('unique')
  } else if (cursor.word() === 'key' && context.platform === 'mysql') {
    cursor.at += 1
    addKey('primaryKey')
  } else if (cursor.word() === 'references')
    readReferences(cursor, table, context, { name, names, clauses: [], isInline: true })
  else if (cursor.word() === 'check' && cursor.isSign('(', 1)) {
    cursor.at += 1
    readCheck(cursor, table, context, { name, owner: column })
  } else if (cursor.word() === 'comment' && cursor.token(1)?.kind === 'text') {
    cursor.at += 1
    describe(column, cursor.takeText())
  } else if (cursor.word() === 'options' && cursor.isSign('(', 1)) {
    cursor.at += 1
    setOptions(cursor, column)
  } else if (isIdentity(cursor)) {
    column.isRequired = true
    skipIdentity(cursor)
  } else if (cursor.word() === 'after' && cursor.isName(1)) {
    cursor.at += 1
    const other = table.column(cursor.name())
    if (other !== undefined) table.move(column, other)
  } else if (cursor.take('first')) table.move(column, undefined)
  else return false
  return true
}

// NOT NULL that is not checked for all rows promises nothing about them.
function requireColumn(cursor: SqlCursor, column: SqlColumn, context: SqlContext): void {
  const clauses = readInlineClauses(cursor, context).filter((clause) => clause !== 'rely')
  column.isRequired = clauses.length === 0
  if (clauses.length > 0) column.unanalyzed.push(['not null', ...clauses].join(' '))
}

function describe(column: SqlColumn, description: string | undefined): void {
  if (description !== undefined && description !== '') column.description = description
}

/** Reads the options of a column of BigQuery: its description and the policies that mask its values. */
export function setOptions(cursor: SqlCursor, column: SqlColumn): void {
  const { at } = cursor
  describe(column, readOptions(cursor))
  cursor.at = at
  const { tokens } = cursor.group()
  for (const [index, token] of tokens.entries()) {
    const name = token.kind === 'word' ? token.text.toLowerCase() : ''
    if (!POLICY_OPTIONS.has(name)) continue
    const isExtended = tokens[index + 1]?.text === '+'
    const from = index + (isExtended ? 3 : 2)
    const value = canonicalTokens(tokens.slice(from, findOptionEnd(tokens, from)))
    const others = column.unanalyzed.filter((one) => isExtended || !one.startsWith(`${name} `))
    const isNone = value === 'null' || value === '[ ]'
    column.unanalyzed = isNone ? others : [...new Set([...others, `${name} ${value}`])].toSorted()
  }
}

const POLICY_OPTIONS: ReadonlySet<string> = new Set(['data_policies', 'policy_tags'])

// The comma after a value, which may be a list.
function findOptionEnd(tokens: readonly SqlToken[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    const { kind, text = '' } = tokens[at] ?? {}
    if (kind !== 'sign') continue
    if (text === ',' && depth === 0) return at
    if (/[[(]/.test(text)) depth += 1
    else if (/[\])]/.test(text)) depth -= 1
  }
  return tokens.length
}

/** Skips `(description = '…', …)` and returns the description. */
export function readOptions(cursor: SqlCursor): string | undefined {
  const { tokens } = cursor.group()
  const at = tokens.findIndex(
    ({ kind, text }, index) =>
      kind === 'word' && text.toLowerCase() === 'description' && tokens[index + 1]?.text === '=',
  )
  const value = at === -1 ? undefined : tokens[at + 2]
  // Texts in double quotes are scanned as names if the platform is not known.
  return value?.kind === 'text' || value?.kind === 'name' ? value.text : undefined
}

function isIdentity(cursor: SqlCursor): boolean {
  if (cursor.word() === 'identity') return true
  if (cursor.word() !== 'generated') return false
  const at = cursor.word(1) === 'by' ? 3 : 2
  return cursor.word(at) === 'as' && cursor.word(at + 1) === 'identity'
}

function skipIdentity(cursor: SqlCursor): void {
  while (cursor.word() !== 'identity') cursor.at += 1
  cursor.at += 1
  if (cursor.isSign('(')) cursor.skip()
}

// How values are stored, found and filled in promises nothing to who reads them. DEFAULT belongs here: it concerns who
// writes; docs/decisions/0042-sql-scripts-are-executed.md.
const STORAGE_WORDS = new Set(
  `null auto_increment autoincrement distkey sortkey sparse rowguidcol enable validate norely asc desc clustered
  nonclustered visible order noorder logged compact`.split(/\s+/),
)
const STORAGE_PAIRS = new Set(
  `not_deferrable not_visible not_logged not_compact not_hidden initially_immediate match_simple nulls_distinct nulls_first nulls_last with_time
  unique_key`.split(/\s+/),
)
const STORAGE_VALUES = new Set([
  'encode',
  'compression',
  'storage',
  'start',
  'increment',
  'codec',
  'tag',
])

function skipStorage(cursor: SqlCursor, context: SqlContext): boolean {
  const word = cursor.word()
  if (word === '') return false
  if (word === 'default') skipDefault(cursor, context)
  else if (cursor.take('with', 'default')) skipWithDefault(cursor, context)
  else if (cursor.take('inline', 'length')) cursor.skip()
  else if (STORAGE_PAIRS.has(`${word}_${cursor.word(1)}`)) cursor.at += 2
  else if (cursor.take('not', 'for', 'replication')) return true
  else if (word === 'on') skipReaction(cursor)
  else if (STORAGE_VALUES.has(word)) {
    cursor.at += 1
    if (!cursor.take('with')) cursor.take('by')
    if (!isElementEnd(cursor)) cursor.skip()
  } else if (word === 'with' && (cursor.isSign('(', 1) || cursor.word(1) === 'tag')) {
    cursor.at += cursor.isSign('(', 1) ? 1 : 2
    cursor.skip()
  } else if (cursor.take('using', 'index')) {
    if (cursor.take('tablespace')) cursor.name()
  } else if (STORAGE_WORDS.has(word)) {
    cursor.at += 1
    if (/^auto_?increment$/.test(word) && cursor.isSign('(')) cursor.skip()
  } else return false
  return true
}

// `on update current_timestamp(6)`, `on conflict ignore`, `on "PRIMARY"`.
function skipReaction(cursor: SqlCursor): void {
  cursor.at += 1
  const event = cursor.word()
  if (!isElementEnd(cursor)) cursor.skip()
  if (event !== 'update' && event !== 'conflict') return
  if (!isElementEnd(cursor)) cursor.skip()
  if (cursor.isSign('(')) cursor.skip()
}

// Db2: `with default`, also without a value.
function skipWithDefault(cursor: SqlCursor, context: SqlContext): void {
  if (isElementEnd(cursor) || DEFAULT_ENDS.has(cursor.word())) return
  cursor.at -= 1
  skipDefault(cursor, context)
}

// The value ends where a further clause begins, or a column that is not separated by a comma.
function skipDefault(cursor: SqlCursor, context: SqlContext): void {
  cursor.at += 1
  if (isElementEnd(cursor)) return
  cursor.skip()
  while (!isElementEnd(cursor)) {
    const word = cursor.word()
    const isClause = DEFAULT_ENDS.has(word) && !(word === 'not' && cursor.word(1) !== 'null')
    if (isClause || isCommaMissing(cursor, context)) return
    cursor.skip()
  }
}

const DEFAULT_ENDS = new Set(
  `not null primary unique check references constraint generated comment options collate encode on identity
  auto_increment autoincrement with masking tag invisible visible key first after codec enforced storage for ccsid implicitly`.split(
    /\s+/,
  ),
)

// Clauses that change what consumers find, and that a model cannot express.
const OPAQUE_WORDS = new Set(
  `collate character charset generated as mask masked masking projection invisible hidden srid binary with
  materialized alias ephemeral stored virtual persisted for ccsid implicitly`.split(/\s+/),
)

function readUnanalyzed(cursor: SqlCursor, column: SqlColumn, context: SqlContext): void {
  const from = cursor.at
  const word = cursor.word()
  if (!OPAQUE_WORDS.has(word)) {
    const found = cursor.token()?.text.slice(0, 40) ?? ''
    const message = `"${found}" is not a clause of a column that is read. Changes of it count as breaking.`
    context.warn(cursor.token()?.start ?? 0, message)
  }
  cursor.skip()
  if (word === 'as' || word === 'generated') skipGenerated(cursor)
  else {
    while (!isElementEnd(cursor) && !endsOpaqueClause(cursor, context)) cursor.skip()
  }
  column.unanalyzed.push(canonicalTokens(cursor.tokens.slice(from, cursor.at)))
}

function skipGenerated(cursor: SqlCursor): void {
  while (!isElementEnd(cursor)) {
    const word = cursor.word()
    if (['comment', 'check', 'constraint', 'primary', 'unique'].includes(word)) return
    if (word === 'not' && cursor.word(1) === 'null') return
    cursor.skip()
  }
}

function endsOpaqueClause(cursor: SqlCursor, context: SqlContext): boolean {
  const word = cursor.word()
  if (word === 'set' || word === 'policy' || word === 'using') return false
  return TYPE_ENDS.has(word) || isCommaMissing(cursor, context)
}
