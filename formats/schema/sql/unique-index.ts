// CREATE UNIQUE INDEX: a promise like a UNIQUE constraint.

import type { SqlCatalog } from './catalog.ts'
import { readConstraintClauses, readKeyColumns } from './constraint-clauses.ts'
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

/** Reads what follows CREATE UNIQUE INDEX. */
export function createUniqueIndex(
  cursor: SqlCursor,
  context: SqlContext,
  indexes: SqlIndexes,
): void {
  cursor.take('concurrently')
  cursor.take('if', 'not', 'exists')
  const name = cursor.word() === 'on' ? undefined : cursor.parts(false).at(-1)
  if (!cursor.take('on')) return
  const isOnly = cursor.take('only')
  const table = indexes.catalog.find(cursor.parts(context.isBigQuery))
  if (table === undefined) return
  if (name !== undefined) indexes.add(name, table)
  if (cursor.take('using')) cursor.name()
  const { names, clauses } = readKeyColumns(cursor)
  clauses.push(...readConstraintClauses(cursor, context))
  // An index with ONLY covers no rows of the partitions.
  if (isOnly) clauses.push('only')
  table.addConstraint({ kind: 'unique', name, names, clauses })
  table.resolveConstraints()
}
