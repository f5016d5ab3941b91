// Statements that rename tables, columns and schemas.

import type { SqlCatalog } from './catalog.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'

export class Renames {
  readonly #catalog: SqlCatalog
  readonly #context: SqlContext

  constructor(catalog: SqlCatalog, context: SqlContext) {
    this.#catalog = catalog
    this.#context = context
  }

  /** Executes `alter schema a rename to b` and, in SQL Server, `alter schema a transfer dbo.t`. */
  alterSchema(cursor: SqlCursor): void {
    const schema = cursor.name()
    if (cursor.take('rename', 'to')) {
      const name = cursor.name()
      for (const table of this.#catalog.tablesIn(schema)) {
        this.#catalog.rename(table, [name, table.parts.at(-1) ?? ''])
      }
    } else if (cursor.take('transfer')) {
      if (cursor.isSign(':', 1)) cursor.at += 3
      const table = this.#catalog.find(cursor.parts(false))
      if (table !== undefined) this.#catalog.rename(table, [schema, table.parts.at(-1) ?? ''])
    }
  }

  /** Executes `rename table a to b, c to d` of MySQL. */
  renameTables(cursor: SqlCursor): void {
    do {
      const start = cursor.at
      const table = this.#catalog.find(cursor.parts(this.#context.isBigQuery))
      if (!cursor.take('to')) cursor.fail('TO')
      const parts = cursor.parts(this.#context.isBigQuery)
      if (table === undefined) {
        cursor.at = start
        cursor.reject('The script does not create this table before it renames it.')
      }
      // MySQL moves a table to the database of the session, or to the one that is named.
      this.#catalog.rename(table, this.#context.qualify(parts))
    } while (cursor.takeSign(','))
  }

  /** Executes `exec sp_rename 'dbo.t.a', 'b', 'COLUMN'` of SQL Server. */
  renameByProcedure(cursor: SqlCursor): void {
    const texts = cursor.tokens.flatMap(({ kind, text }) => (kind === 'text' ? [text] : []))
    const [path = '', name = '', kind = 'object'] = texts
    const parts = [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(
      (part) => part[1] ?? part[2] ?? '',
    )
    if (/^(?:index|statistics|userdatatype)$/i.test(kind)) return
    const isColumn = /^column$/i.test(kind)
    const table = this.#catalog.find(isColumn ? parts.slice(0, -1) : parts)
    const column = isColumn ? table?.column(parts.at(-1) ?? '') : undefined
    if (table === undefined || name === '' || (isColumn && column === undefined)) {
      cursor.reject('The script does not create what it renames here.')
    }
    if (column === undefined) this.#catalog.rename(table, [name])
    else table.renameColumn(column, name)
  }
}
