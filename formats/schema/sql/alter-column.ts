// ALTER TABLE: the actions that change a column.

import { canonicalTokens } from './canonical.ts'
import { readClauses, setOptions } from './clause.ts'
import { readType } from './column-type.ts'
import { skipElement } from './element.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import type { SqlColumn } from './parts.ts'
import type { SqlTable } from './table.ts'

// `unset masking policy` of Snowflake, `drop mask` of Databricks, `drop masked` of SQL Server.
function isUnmasking(cursor: SqlCursor): boolean {
  const isRemoved = cursor.word() === 'unset' || cursor.word() === 'drop'
  return isRemoved && /^(?:mask|masked|masking|projection)$/.test(cursor.word(1))
}

export class ColumnAlteration {
  readonly #cursor: SqlCursor
  readonly #table: SqlTable
  readonly #context: SqlContext

  constructor(cursor: SqlCursor, table: SqlTable, context: SqlContext) {
    this.#cursor = cursor
    this.#table = table
    this.#context = context
  }

  /** Distinguishes a column from an option of the same name: `comment text`, `owner to x`. */
  isTyped(ahead = 0): boolean {
    return this.#context.types.isKnown(this.#cursor.token(ahead + 1)?.text ?? '')
  }

  /** Rejects a change of a column that the table does not have. */
  rejectColumn(name: string): never {
    const table = this.#table.parts.at(-1)?.slice(0, 40) ?? ''
    this.#cursor.at -= 1
    return this.#cursor.reject(`Table "${table}" has no column "${name.slice(0, 40)}" here.`)
  }

  /** Reads the name of a column and finds it. */
  find(): SqlColumn {
    const cursor = this.#cursor
    const isOptional = cursor.take('if', 'exists')
    const name = cursor.name()
    if (cursor.isSign('.'))
      cursor.reject('A field inside a column cannot be changed by a script here.')
    const column = this.#table.column(name)
    if (column !== undefined) return column
    if (!isOptional) this.rejectColumn(name)
    return { name, type: undefined, isRequired: false, isDropped: true, unanalyzed: [] }
  }

  /** Executes what follows ALTER: `column a type int`, `a set not null`. */
  alter(): void {
    const cursor = this.#cursor
    if (
      /^(?:index|constraint|check|distkey|diststyle|sortkey)$/.test(cursor.word()) &&
      !this.isTyped()
    ) {
      return skipElement(cursor)
    }
    const isList = cursor.takeSign('(')
    do {
      cursor.take('column')
      this.#alterColumn(this.find())
    } while (this.#isNextColumn(isList))
    if (isList) cursor.expectSign(')')
  }

  // Snowflake: `alter column a set not null, column b drop not null`.
  #isNextColumn(isList: boolean): boolean {
    const cursor = this.#cursor
    if (!cursor.isSign(',') || !(isList || cursor.word(1) === 'column')) return false
    cursor.at += 1
    return true
  }

  /** Executes what follows MODIFY: a definition, or a change of Snowflake. */
  modify(): void {
    const cursor = this.#cursor
    const isList = cursor.takeSign('(')
    do {
      cursor.take('column')
      const column = this.find()
      if (/^(?:set|drop|unset|type|comment)$/.test(cursor.word())) this.#alterColumn(column)
      else this.#redefine(column)
    } while (this.#isNextColumn(isList))
    if (isList) cursor.expectSign(')')
  }

  /** Executes what follows CHANGE: the name, a new name and a definition, or a change of Spark. */
  change(): void {
    const cursor = this.#cursor
    cursor.take('column')
    const column = this.find()
    const isAlteration = /^(?:set|drop|type|comment|after|first)$/.test(cursor.word())
    if (isAlteration && !this.isTyped()) return this.#alterColumn(column)
    this.#table.renameColumn(column, cursor.name())
    this.#redefine(column)
  }

  // The whole definition is stated again: what is left out is gone, but for the keys.
  #redefine(column: SqlColumn): void {
    const cursor = this.#cursor
    const type = readType(cursor, this.#context)
    if (type !== undefined) {
      column.type = type
      column.unanalyzed.length = 0
      column.isRequired = this.#table.isInPrimaryKey(column)
    }
    readClauses(cursor, { table: this.#table, column, context: this.#context })
  }

  #alterColumn(column: SqlColumn): void {
    const cursor = this.#cursor
    const from = cursor.at
    if (cursor.take('set', 'not', 'null')) column.isRequired = true
    else if (cursor.take('drop', 'not', 'null')) column.isRequired = false
    else if (
      cursor.take('set', 'data', 'type') ||
      cursor.take('type') ||
      cursor.take('set', 'type')
    ) {
      column.type = readType(cursor, this.#context)
      if (cursor.word() === 'collate') return this.#keepOfColumn(column, cursor.at)
    } else if (cursor.take('comment')) {
      const description = cursor.takeText()
      if (description !== undefined) column.description = description
    } else if (cursor.take('set', 'options')) setOptions(cursor, column)
    else if (cursor.take('drop', 'expression')) {
      column.unanalyzed = column.unanalyzed.filter((clause) => !/^(?:generated|as)\b/.test(clause))
    } else if (isUnmasking(cursor)) {
      column.unanalyzed = column.unanalyzed.filter(
        (clause) => !/\b(?:mask|projection)/.test(clause),
      )
    } else if (/^(?:mask|masked|masking|expression|projection|invisible)$/.test(cursor.word(1))) {
      return this.#keepOfColumn(column, from)
    } else if (!/^(?:set|drop|unset|reset|restart|add|first|after)$/.test(cursor.word())) {
      return this.#redefine(column)
    }
    skipElement(cursor)
  }

  #keepOfColumn(column: SqlColumn, from: number): void {
    skipElement(this.#cursor)
    column.unanalyzed.push(canonicalTokens(this.#cursor.tokens.slice(from, this.#cursor.at)))
  }
}
