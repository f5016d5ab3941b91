// Executes the statements of a SQL script in order, on a catalog of its tables and views.

import type { Model } from '../model.ts'
import { Alteration } from './alter.ts'
import { canonicalTokens } from './canonical.ts'
import { SqlCatalog } from './catalog.ts'
import type { SqlContext } from './context.ts'
import { readTableDefinition, readViewDefinition } from './create.ts'
import { SqlCursor, Unreadable } from './cursor.ts'
import { createUniqueIndex, SqlIndexes } from './unique-index.ts'
import { ProgramStatements } from './program-statements.ts'
import type { SqlStatement } from './scan.ts'
import { SqlSession } from './session.ts'
import { Renames } from './rename.ts'
import {
  type CreatedObject,
  isRename,
  mayChangePromises,
  runsHiddenChange,
  skipGuard,
  takeObject,
} from './statement.ts'
import { SqlTable } from './table.ts'
import { alterType, createDomain, createType } from './type-statements.ts'
import { SqlTypes } from './script-types.ts'
import type { Platform } from '../types/native-type.ts'
import { VisibilityStatements } from './visibility-statements.ts'

/** A script may create this many tables and views. */
export const TABLES_MAX = 20_000

/** Changes that are repeated on the tables that inherit from another one. */
const REPEATED_MAX = 10_000

export class SqlScript {
  /** The script defines tables, or has statements that could not be read. */
  hasDefinitions = false
  readonly #context: SqlContext
  readonly #session: SqlSession
  readonly #catalog: SqlCatalog
  readonly #indexes: SqlIndexes
  readonly #renames: Renames
  readonly #programs: ProgramStatements
  readonly #visibility: VisibilityStatements
  /** Statements that could not be read and concern no known table, in canonical form. */
  readonly #unread: string[] = []
  /** The schema of the elements of CREATE SCHEMA. */
  #schema: string | undefined
  #isFull = false
  #repeated = 0
  #isRepeatedTooOften = false

  constructor(
    text: string,
    platform: Platform | undefined,
    options: Pick<SqlContext, 'takeColumn' | 'takePart' | 'warn'> & {
      typePlatform: Platform | undefined
    },
  ) {
    this.#session = new SqlSession(platform)
    this.#catalog = new SqlCatalog(this.#session)
    this.#context = {
      ...options,
      text,
      platform,
      isBigQuery: platform === 'bigquery' || (platform === undefined && text.includes('`')),
      types: new SqlTypes(options.typePlatform, platform === 'postgresql'),
      find: (parts) => this.#catalog.find(parts),
      qualify: (parts) => this.#session.qualify(parts, this.#schema),
      warn: (offset, message) => {
        this.hasDefinitions = true
        options.warn(offset, message)
      },
    }
    this.#indexes = new SqlIndexes(this.#catalog)
    this.#renames = new Renames(this.#catalog, this.#context)
    this.#programs = new ProgramStatements(this.#catalog, this.#context)
    this.#visibility = new VisibilityStatements(this.#catalog, this.#context, this.#programs)
  }

  /** Returns the tables and views that the statements leave. */
  models(origin: string): Model[] {
    this.#programs.addDefinitions()
    const tables = this.#catalog.tables()
    tables[0]?.unanalyzed.push(...this.#unread)
    return tables.map((table) => table.build(origin, this.#context))
  }

  /** Executes one statement. */
  run({ tokens, openQuote, schema, isOpen }: SqlStatement): void {
    this.#schema = schema
    if (openQuote !== undefined) {
      this.#context.warn(openQuote, 'This quote is not closed.')
      if (tokens.length > 0) this.#unread.push(canonicalTokens(tokens))
      return
    }
    if (isOpen === true) this.#unread.push(canonicalTokens(tokens))
    const cursor = new SqlCursor(tokens)
    this.#session.run(cursor)
    const isGuarded = skipGuard(cursor)
    const from = cursor.at
    try {
      this.#statement(cursor, isGuarded)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#context.warn(error.offset, error.message)
      this.#unread.push(canonicalTokens(tokens.slice(from)))
    }
  }

  #statement(cursor: SqlCursor, isGuarded: boolean): void {
    if (this.#visibility.run(cursor) || this.#programs.run(cursor)) return
    if (cursor.take('create')) this.#create(cursor)
    else if (cursor.take('alter')) this.#alter(cursor, isGuarded)
    else if (cursor.take('drop')) this.#drop(cursor)
    else if (cursor.take('rename', 'table')) this.#renames.renameTables(cursor)
    else if (cursor.take('comment')) this.#comment(cursor)
    else if (isRename(cursor)) this.#renames.renameByProcedure(cursor)
    else if (runsHiddenChange(cursor.tokens)) {
      cursor.reject('This code seems to change tables, and code is not executed here.')
    } else if (mayChangePromises(cursor)) this.#unread.push(canonicalTokens(cursor.tokens))
  }

  #create(cursor: SqlCursor): void {
    const object = takeObject(cursor)
    if (object.kind === 'type') createType(cursor, this.#context)
    else if (object.kind === 'domain') createDomain(cursor, this.#context)
    else if (object.kind === 'index' && object.isUnique) {
      createUniqueIndex(cursor, this.#context, this.#indexes)
    } else if (object.kind === 'table' || object.kind === 'view') {
      this.#createTable(cursor, { ...object, kind: object.kind })
    }
  }

  #createTable(
    cursor: SqlCursor,
    { kind, isReplacing, isTemporary, security }: CreatedObject & { kind: 'table' | 'view' },
  ): void {
    // Tables of SQL Server whose name begins with # exist for one session.
    if (cursor.isSign('#')) return
    if (!this.#hasRoom(cursor)) return
    const isOptional = cursor.take('if', 'not', 'exists')
    const parts = this.#context.qualify(cursor.parts(this.#context.isBigQuery))
    const existing = this.#catalog.findExact(parts)
    this.hasDefinitions = true
    if (existing !== undefined && isOptional) return
    const table = new SqlTable(parts, { kind, platform: this.#context.platform })
    // Only the session that creates it sees it, or its rows.
    if (isTemporary) table.visibility.set('session', 'temporary')
    if (security !== '') table.visibility.set('security', security)
    if (kind === 'table') readTableDefinition(cursor, table, this.#context)
    else readViewDefinition(cursor, table, this.#context)
    table.resolveConstraints()
    if (existing !== undefined && isReplacing) this.#catalog.remove(existing)
    this.#catalog.add(table)
  }

  #hasRoom(cursor: SqlCursor): boolean {
    if (this.#catalog.size < TABLES_MAX) return true
    if (!this.#isFull) {
      const message = `The script has more than ${TABLES_MAX} tables and views. The rest is not read.`
      this.#context.warn(cursor.token()?.start ?? 0, message)
    }
    this.#isFull = true
    return false
  }

  #alter(cursor: SqlCursor, isGuarded: boolean): void {
    for (const word of ['materialized', 'foreign', 'external', 'dynamic', 'iceberg', 'streaming']) {
      cursor.take(word)
    }
    if (cursor.take('type') || cursor.take('domain')) alterType(cursor, this.#context)
    else if (cursor.take('schema') || cursor.take('database')) this.#renames.alterSchema(cursor)
    else if (cursor.take('view')) this.#alterTable(cursor, { isView: true, isOptional: isGuarded })
    else if (cursor.take('table'))
      this.#alterTable(cursor, { isView: false, isOptional: isGuarded })
  }

  #alterTable(cursor: SqlCursor, options: { isView: boolean; isOptional: boolean }): void {
    const isOptional = cursor.take('if', 'exists') || options.isOptional
    const isOnly = cursor.take('only')
    const start = cursor.at
    const parts = cursor.parts(this.#context.isBigQuery)
    cursor.takeSign('*')
    const table = this.#catalog.find(parts)
    if (table === undefined) {
      // Rights, owners and partitions of a table that the script does not define change no promise.
      if (isOptional || /^(?:owner|enable|disable|attach|detach|cluster)$/.test(cursor.word()))
        return
      cursor.at = start
      cursor.reject(
        `The script changes table "${parts.join('.').slice(0, 80)}" but does not create it.`,
      )
    }
    this.hasDefinitions = true
    if (options.isView && /^(?:as|with)$|^$/.test(cursor.word())) {
      table.dropColumns()
      table.unanalyzed.length = 0
      readViewDefinition(cursor, table, this.#context)
      return
    }
    const at = cursor.at
    for (const one of isOnly ? [table] : this.#withDescendants(table)) {
      cursor.at = at
      this.#alterOne(cursor, one)
    }
  }

  #alterOne(cursor: SqlCursor, table: SqlTable): void {
    try {
      const alteration = new Alteration(cursor, table, {
        context: this.#context,
        catalog: this.#catalog,
      })
      alteration.run()
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#context.warn(error.offset, error.message)
      table.unanalyzed.push(canonicalTokens(cursor.tokens))
    }
    table.resolveConstraints()
  }

  #withDescendants(table: SqlTable): SqlTable[] {
    const tables = new Set([table])
    for (const one of tables) {
      for (const child of one.children) {
        if (this.#repeated > REPEATED_MAX) break
        this.#repeated += 1
        tables.add(child)
      }
    }
    if (this.#repeated > REPEATED_MAX && !this.#isRepeatedTooOften) {
      this.#isRepeatedTooOften = true
      this.#context.warn(0, 'Too many changes are inherited. The rest of them is not read.')
      this.#unread.push('inherited changes')
    }
    return [...tables]
  }

  #drop(cursor: SqlCursor): void {
    for (const word of ['materialized', 'foreign', 'external', 'temporary', 'dynamic'])
      cursor.take(word)
    if (cursor.take('index')) {
      this.#indexes.drop(cursor)
      return
    }
    if (cursor.take('schema') || cursor.take('database')) {
      cursor.take('if', 'exists')
      const text = canonicalTokens(cursor.tokens)
      do {
        const schema = cursor.parts(false).at(-1) ?? ''
        const tables = this.#catalog.tablesIn(schema)
        for (const table of tables) this.#catalog.remove(table)
        const names = tables.map(({ parts }) => parts.at(-1) ?? '')
        names.push(...this.#context.types.dropSchema(schema))
        for (const name of names) this.#catalog.markDependents([name], text)
      } while (cursor.takeSign(','))
      return
    }
    const isType = cursor.take('type') || cursor.take('domain')
    const text = canonicalTokens(cursor.tokens)
    if (!isType && !cursor.take('table') && !cursor.take('view')) {
      if (/ cascade$|^drop owned /.test(text)) this.#unread.push(text)
      return
    }
    cursor.take('if', 'exists')
    do this.#dropOne(cursor.parts(this.#context.isBigQuery), isType, text)
    while (cursor.takeSign(','))
  }

  #dropOne(parts: string[], isType: boolean, text: string): void {
    const name = parts.at(-1) ?? ''
    if (isType) {
      if (this.#context.types.drop(parts)) this.#catalog.markDependents([name], text)
      return
    }
    const table = this.#catalog.find(parts)
    if (table === undefined) return
    this.#catalog.remove(table)
    this.#catalog.markDependents([name], text)
  }

  #comment(cursor: SqlCursor): void {
    cursor.take('if', 'exists')
    if (!cursor.take('on')) return
    cursor.take('materialized')
    const object = cursor.word()
    if (object !== 'table' && object !== 'view' && object !== 'column') return
    cursor.at += 1
    const parts = cursor.parts(this.#context.isBigQuery)
    if (!cursor.take('is')) cursor.fail('IS')
    const isNull = cursor.take('null')
    const text = isNull ? '' : cursor.takeText()
    const table = this.#catalog.find(object === 'column' ? parts.slice(0, -1) : parts)
    if (table === undefined || text === undefined) return
    if (object !== 'column') {
      table.description = text
      return
    }
    const column = table.column(parts.at(-1) ?? '')
    if (column === undefined) {
      const message = `Table "${table.parts.at(-1)?.slice(0, 40)}" has no column of this name here.`
      this.#context.warn(cursor.token(-1)?.start ?? 0, message)
    } else if (text === '') delete column.description
    else column.description = text
  }
}
