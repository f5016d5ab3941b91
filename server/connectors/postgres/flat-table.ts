import { SourceFailure } from '../connector.ts'
import type { CopyRow } from './copy-text.ts'
import {
  LATE_BINDING_MARK,
  PARTS,
  type FlatColumn,
  type FlatKey,
  type FlatTable,
} from './flat-dialect.ts'

/** Collects the flat rows of a statement into tables: each relation row begins one. */
export class TableCollector {
  #open: FlatTable | undefined

  /**
   * Adds a row; returns the previous table if the row begins another one. Errors: SourceFailure
   * protocol if a row belongs to no table.
   */
  add(row: CopyRow): FlatTable | undefined {
    const [schema, name, part] = row
    if (schema === null || schema === undefined || name === null || name === undefined) {
      throw new SourceFailure('protocol', 'The system catalogs returned an incomplete row.')
    }
    if (part === PARTS.relation) {
      const previous = this.#open
      this.#open = { schema, name, fields: row.slice(4), columns: [], keys: [] }
      return previous
    }
    const table = this.#open
    if (table === undefined || table.schema !== schema || table.name !== name) {
      if (part === PARTS.column && row[9] === LATE_BINDING_MARK) return undefined
      throw new SourceFailure('protocol', 'Rows of the system catalogs arrived out of order.')
    }
    if (part === PARTS.column) table.columns.push(toColumn(row))
    else table.keys.push(toKey(row))
    return undefined
  }

  /** Takes the last table. */
  takeLast(): FlatTable | undefined {
    const last = this.#open
    this.#open = undefined
    return last
  }
}

function toColumn(row: CopyRow): FlatColumn {
  const [, , , number, name, type, required, description, expression, mark, isKey, position] = row
  return {
    number: Number(number),
    name: name ?? '',
    type: type ?? '',
    isRequired: required === 't',
    description: description ?? null,
    expression: expression ?? null,
    mark: mark ?? null,
    isDistributionKey: isKey === 't',
    sortPosition: position === null || position === undefined ? undefined : Number(position),
  }
}

function toKey(row: CopyRow): FlatKey {
  const [, , , , kind, columns, name, schema, table, referenced, number, referencedName] = row
  return {
    kind: kind ?? '',
    name: name ?? '',
    columns: toNumbers(columns),
    schema: schema ?? null,
    table: table ?? null,
    referencedColumns: toNumbers(referenced),
    referencedNumber: Number(number),
    referencedName: referencedName ?? null,
  }
}

function toNumbers(list: string | null | undefined): number[] {
  return list ? list.split(',').map(Number) : []
}
