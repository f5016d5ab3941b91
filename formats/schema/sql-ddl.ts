// SQL that defines tables and views (DDL), in the dialects of PostgreSQL, MySQL, SQL Server, Snowflake, BigQuery,
// Databricks and Hive. A statement that cannot be read costs nothing but itself; what says nothing about tables and
// views (grants, indexes, rows) is passed over. docs/decisions/0017-sql-ddl-parser.md tells why we read it ourselves.

import { clip } from '../value.ts'
import { FieldBudget, WRITTEN_FIELDS } from './field-budget.ts'
import type { Model } from './model.ts'
import { type ColumnContext, readConstraint, readElement, takeOptions } from './sql-column.ts'
import { SqlCursor, Unreadable } from './sql-cursor.ts'
import { scanSql, type SqlStatement } from './sql-scan.ts'
import { SqlTable } from './sql-table.ts'
import { readSelectNames } from './sql-view.ts'
import type { Specification } from './specification.ts'
import type { Platform } from './types/native-type.ts'

/** A text may define this many tables and views. */
export const TABLES_MAX = 20_000

/**
 * Reads the tables and views that a text of SQL defines. Without a platform, types are looked for in all tables. What
 * cannot be read is a warning at its place, and the other statements are still read.
 */
export function readSqlDdl(
  specification: Specification,
  { platform }: { platform?: Platform },
): Model[] {
  const { text } = specification
  if (text === undefined) {
    specification.warning([], 'SQL is a text; write the statements as one.')
    return []
  }
  const reader = new Reader(specification, text, platform)
  for (const statement of scanSql(text, platform)) reader.statement(statement)
  if (!reader.isAnythingSaid) {
    specification.warningAt(0, 'There is no CREATE TABLE or CREATE VIEW here.')
  }
  return reader.models()
}

class Reader {
  isAnythingSaid = false
  readonly #specification: Specification
  readonly #tables: SqlTable[] = []
  readonly #byName = new Map<string, SqlTable>()
  readonly #enums = new Map<string, string[]>()
  readonly #context: ColumnContext
  readonly #isBigQuery: boolean
  #isFull = false

  constructor(specification: Specification, text: string, platform: Platform | undefined) {
    this.#specification = specification
    const warn = (message: string): void => specification.warning([], message)
    const budget = new FieldBudget(WRITTEN_FIELDS)
    const takeField = (): boolean => budget.take(warn)
    this.#context = { text, platform, takeField, types: new Map(), enums: this.#enums }
    this.#isBigQuery = platform === 'bigquery' || (platform === undefined && text.includes('`'))
  }

  models(): Model[] {
    return this.#tables.map(({ model }) => model)
  }

  statement({ tokens, openQuote }: SqlStatement): void {
    if (openQuote !== undefined) {
      this.#warn(openQuote, 'The quote that begins here has no end; add the other quote.')
    }
    const cursor = new SqlCursor(tokens)
    try {
      if (cursor.take('create')) this.#create(cursor)
      else if (cursor.take('alter', 'table')) this.#alter(cursor)
      else if (cursor.take('comment', 'on')) this.#comment(cursor)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      if (openQuote === undefined) this.#warn(error.offset, error.message)
    }
  }

  #warn(offset: number, message: string): void {
    this.isAnythingSaid = true
    this.#specification.warningAt(offset, message)
  }

  #create(cursor: SqlCursor): void {
    const kind = takeKind(cursor)
    if (kind === 'type') this.#createType(cursor)
    if (kind !== 'table' && kind !== 'view') return
    if (!this.#hasRoom(cursor)) return
    cursor.take('if', 'not', 'exists')
    const parts = cursor.parts(this.#isBigQuery)
    const { platform, takeField } = this.#context
    const origin = this.#specification.origin([])
    const table = new SqlTable(parts, { kind, origin, platform })
    this.isAnythingSaid = true
    const isRead = kind === 'view' ? this.#view(cursor, table) : this.#columns(cursor, table)
    this.#tail(cursor, table)
    if (kind === 'view' && !isRead) {
      for (const name of readSelectNames(cursor)) table.addField(name, undefined, takeField)
    }
    this.#add(parts, table)
  }

  #hasRoom(cursor: SqlCursor): boolean {
    if (this.#tables.length < TABLES_MAX) return true
    if (!this.#isFull) {
      const message = `There are more than ${TABLES_MAX} tables and views; the rest is not read.`
      this.#warn(cursor.token()?.start ?? 0, message)
    }
    this.#isFull = true
    return false
  }

  // The table stands for its full name and, unless another one has it already, for its last part.
  #add(parts: readonly string[], table: SqlTable): void {
    this.#tables.push(table)
    this.#byName.set(keyOf(parts), table)
    const last = keyOf(parts.slice(-1))
    if (!this.#byName.has(last)) this.#byName.set(last, table)
  }

  #find(parts: readonly string[]): SqlTable | undefined {
    return this.#byName.get(keyOf(parts)) ?? this.#byName.get(keyOf(parts.slice(-1)))
  }

  #columns(cursor: SqlCursor, table: SqlTable): boolean {
    if (!cursor.takeSign('(')) return false
    while (!cursor.takeSign(')')) {
      readElement(cursor, table, this.#context)
      if (!cursor.takeSign(',') && !cursor.isSign(')')) cursor.fail('“,” or “)”')
    }
    return true
  }

  #view(cursor: SqlCursor, table: SqlTable): boolean {
    if (!cursor.isSign('(')) return false
    const isTyped =
      cursor.token(2)?.kind === 'word' && !/^(?:comment|options)$/.test(cursor.word(2))
    if (isTyped) return this.#columns(cursor, table)
    cursor.at += 1
    while (!cursor.takeSign(')')) {
      const field = table.addField(cursor.name(), undefined, this.#context.takeField)
      while (!cursor.isSign(',') && !cursor.isSign(')')) {
        const comment = cursor.take('comment') ? cursor.takeText() : undefined
        if (comment !== undefined) field.description = comment
        else if (!cursor.isSign(',') && !cursor.isSign(')')) cursor.skip()
      }
      cursor.takeSign(',')
    }
    return true
  }

  // Behind the columns: the comment of the table, and columns of the partitions of Hive, up to a query.
  #tail(cursor: SqlCursor, table: SqlTable): void {
    while (!cursor.isAtEnd() && !cursor.take('as')) {
      if (cursor.take('comment')) {
        cursor.takeSign('=')
        table.describe(cursor.takeText())
      } else if (cursor.word() === 'options' && cursor.isSign('(', 1)) {
        cursor.at += 1
        table.describe(takeOptions(cursor))
      } else if (cursor.take('partitioned', 'by') && this.#isColumnList(cursor)) {
        this.#columns(cursor, table)
      } else if (!cursor.isAtEnd()) cursor.skip()
    }
  }

  // `PARTITIONED BY (day string)` adds a column, `PARTITIONED BY (day)` and `(year(at))` name one.
  #isColumnList(cursor: SqlCursor): boolean {
    return cursor.isSign('(') && cursor.word(2) !== ''
  }

  #createType(cursor: SqlCursor): void {
    const parts = cursor.parts(false)
    if (!cursor.take('as', 'enum')) return
    const words = cursor.group().tokens.filter(({ kind }) => kind === 'text')
    this.#enums.set(
      keyOf(parts.slice(-1)),
      words.map(({ text }) => text),
    )
  }

  #alter(cursor: SqlCursor): void {
    cursor.take('if', 'exists')
    cursor.take('only')
    const parts = cursor.parts(this.#isBigQuery)
    const table = this.#find(parts)
    // What is altered but not created here is not told in this text.
    if (table === undefined) return
    while (!cursor.isAtEnd()) {
      if (cursor.take('add')) this.#added(cursor, table)
      else if (cursor.take('alter', 'column') || cursor.take('alter')) this.#altered(cursor, table)
      else cursor.skip()
    }
  }

  #added(cursor: SqlCursor, table: SqlTable): void {
    if (readConstraint(cursor, table, this.#context)) return
    if (!cursor.take('column')) cursor.take('columns')
    cursor.take('if', 'not', 'exists')
    if (cursor.isSign('(')) this.#columns(cursor, table)
    else readElement(cursor, table, this.#context)
  }

  #altered(cursor: SqlCursor, table: SqlTable): void {
    const field = table.field(cursor.name())
    if (field !== undefined && cursor.take('set', 'not', 'null')) field.required = true
  }

  #comment(cursor: SqlCursor): void {
    cursor.take('if', 'exists')
    cursor.take('materialized')
    const what = cursor.word()
    if (what !== 'table' && what !== 'view' && what !== 'column') return
    cursor.at += 1
    const parts = cursor.parts(this.#isBigQuery)
    if (!cursor.take('is')) cursor.fail('IS')
    const text = cursor.takeText()
    const table = this.#find(what === 'column' ? parts.slice(0, -1) : parts)
    if (table === undefined || text === undefined) return
    if (what !== 'column') table.describe(text)
    else {
      const field = table.field(parts.at(-1) ?? '')
      if (field === undefined) cursor.fail(`The name of a column of “${clip(table.model.name)}”`)
      field.description = text
    }
  }
}

function keyOf(parts: readonly string[]): string {
  return parts.join('\0').toLowerCase()
}

// Between CREATE and TABLE may stand OR REPLACE, TEMPORARY, EXTERNAL, MATERIALIZED and more.
function takeKind(cursor: SqlCursor): 'table' | 'view' | 'type' | undefined {
  for (let words = 0; words < 8; words += 1) {
    const word = cursor.word()
    cursor.at += 1
    if (word === 'table' || word === 'view' || word === 'type') return word
    if (/^(?:function|procedure|index|trigger|policy|schema|database|sequence|)$/.test(word)) break
  }
  return undefined
}
