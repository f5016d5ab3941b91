// Where a script finds names that are not qualified: SET search_path, USE, SET SCHEMA.

import type { SqlCursor } from './cursor.ts'
import type { Platform } from '../types/native-type.ts'

/** The place of unqualified names while the statements of a script run. */
export class SqlSession {
  readonly #platform: Platform | undefined
  #database: string | undefined
  #schema: string | undefined
  /** The schema after the transaction, if SET LOCAL changed it. */
  #outer: { schema: string | undefined } | undefined

  constructor(platform: Platform | undefined) {
    this.#platform = platform
  }

  /** Qualifies a name by the place. `schema` is that of CREATE SCHEMA with elements. */
  qualify(parts: readonly string[], schema = this.#schema): readonly string[] {
    if (parts.length === 1 && schema !== undefined) {
      return this.#database === undefined ? [schema, ...parts] : [this.#database, schema, ...parts]
    }
    return parts.length === 2 && this.#database !== undefined ? [this.#database, ...parts] : parts
  }

  /** Executes a statement that changes the place; leaves the cursor at its begin. */
  run(cursor: SqlCursor): void {
    const { at } = cursor
    if (cursor.take('use')) this.#use(cursor)
    else if (cursor.take('set') || cursor.take('alter', 'session', 'set')) this.#set(cursor)
    else if (cursor.take('reset', 'search_path')) this.#schema = undefined
    else if (/^(?:commit|end|rollback)$/.test(cursor.word()) && this.#outer !== undefined) {
      this.#schema = this.#outer.schema
      this.#outer = undefined
    } else if (cursor.take('select')) this.#setByFunction(cursor)
    cursor.at = at
  }

  #use(cursor: SqlCursor): void {
    if (/^(?:role|warehouse|secondary)$/.test(cursor.word()) && cursor.isName(1)) return
    const level = ['catalog', 'database', 'schema', 'namespace'].find(
      (word) => cursor.word() === word && cursor.isName(1),
    )
    if (level !== undefined) cursor.at += 1
    if (!cursor.isName()) return
    const parts = cursor.parts(this.#platform === 'bigquery')
    const hasCatalogs = /^(?:snowflake|databricks|sqlserver)$/.test(this.#platform ?? '')
    const isDatabase =
      level === 'catalog' || (hasCatalogs && level !== 'schema' && this.#platform !== 'databricks')
    if (parts.length > 1) this.#enter(parts.at(-2), parts.at(-1))
    else if (isDatabase) this.#enter(parts[0], DEFAULT_SCHEMAS.get(this.#platform))
    else this.#schema = parts[0]
  }

  #enter(database: string | undefined, schema: string | undefined): void {
    this.#database = database
    this.#schema = schema
  }

  #set(cursor: SqlCursor): void {
    const isLocal = cursor.take('local')
    cursor.take('session')
    if (this.#platform === 'bigquery') this.#setVariable(cursor)
    else if (cursor.take('catalog')) this.#database = cursor.isName() ? cursor.name() : undefined
    else if (cursor.take('search_path')) {
      if (isLocal) this.#outer ??= { schema: this.#schema }
      if (!cursor.takeSign('=')) cursor.take('to')
      this.#schema = takeSchema(cursor)
    } else if (
      cursor.take('schema') ||
      cursor.take('current', 'schema') ||
      cursor.take('current_schema')
    ) {
      cursor.takeSign('=')
      this.#schema = takeSchema(cursor)
    }
  }

  // `set @@dataset_id = 'd'`
  #setVariable(cursor: SqlCursor): void {
    while (cursor.takeSign('@'));
    const name = cursor.word()
    cursor.at += 1
    if (!cursor.takeSign('=')) return
    const value = cursor.takeText()
    if (name === 'dataset_id') this.#schema = value
    if (name === 'dataset_project_id') this.#database = value
  }

  // pg_dump: `select pg_catalog.set_config('search_path', '', false)`
  #setByFunction(cursor: SqlCursor): void {
    if (cursor.take('pg_catalog')) cursor.takeSign('.')
    if (!cursor.take('set_config') || !cursor.takeSign('(')) return
    if (cursor.takeText()?.toLowerCase() !== 'search_path' || !cursor.takeSign(',')) return
    const [first = ''] = (cursor.takeText() ?? '').split(',')
    const schema = first.trim().replaceAll('"', '')
    this.#schema = schema === '' || schema === '$user' ? undefined : schema
  }
}

const DEFAULT_SCHEMAS: ReadonlyMap<Platform | undefined, string> = new Map([
  ['snowflake', 'PUBLIC'],
  ['sqlserver', 'dbo'],
])

// The first schema of a list. That of the user is not known.
function takeSchema(cursor: SqlCursor): string | undefined {
  const text = cursor.takeText() ?? (cursor.isName() ? cursor.name() : '')
  const isKnown = text !== '' && text !== '$user' && text.toLowerCase() !== 'default'
  return isKnown ? text : undefined
}
