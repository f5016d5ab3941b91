// CREATE UNIQUE INDEX: a promise like a UNIQUE constraint.

import type { SqlCatalog } from './catalog.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import type { SqlTable } from './table.ts'

/** The unique indexes of a script, by their names: PostgreSQL drops them without the name of the table. */
export class SqlIndexes {
  readonly catalog: SqlCatalog
  readonly #tables = new Map<string, SqlTable>()

  constructor(catalog: SqlCatalog) {
    this.catalog = catalog
  }

  add(name: string, table: SqlTable): void {
    this.#tables.set(name.toLowerCase(), table)
  }

  /** Executes what follows DROP INDEX; indexes that are not unique are not known here. */
  drop(cursor: SqlCursor): void {
    cursor.take('concurrently')
    cursor.take('if', 'exists')
    do {
      const name = cursor.parts(false).at(-1) ?? ''
      const table = cursor.take('on')
        ? this.catalog.find(cursor.parts(false))
        : this.#tables.get(name.toLowerCase())
      table?.dropConstraint(name)
    } while (cursor.takeSign(','))
  }
}

/** Reads what follows CREATE UNIQUE INDEX. An index of expressions, or of some rows, is kept as a rule. */
export function createUniqueIndex(
  cursor: SqlCursor,
  context: SqlContext,
  indexes: SqlIndexes,
): void {
  cursor.take('concurrently')
  cursor.take('if', 'not', 'exists')
  const name = cursor.word() === 'on' ? undefined : cursor.parts(false).at(-1)
  if (!cursor.take('on')) return
  cursor.take('only')
  const start = cursor.token()?.start ?? 0
  const table = indexes.catalog.find(cursor.parts(context.isBigQuery))
  if (table === undefined) return
  if (name !== undefined) indexes.add(name, table)
  if (cursor.take('using')) cursor.name()
  const columns = cursor.at
  const { tokens } = cursor.group()
  const isPartial = cursor.tokens
    .slice(cursor.at)
    .some(({ kind, text }) => kind === 'word' && text.toLowerCase() === 'where')
  if (isPartial || tokens.some(({ text, kind }) => kind === 'sign' && text === '(')) {
    const end = cursor.tokens.at(-1)?.end
    const text = `unique index on ${context.text.slice(start, end)}`
    table.addConstraint({ kind: 'rule', name, text, names: [] })
  } else {
    cursor.at = columns
    table.addConstraint({ kind: 'unique', name, names: cursor.names() })
  }
  table.resolveConstraints()
}
