import {
  clip,
  isObject,
  jsonText,
  type ObjectValue,
  type Value,
} from '../../../formats/text/value.ts'

/** The rows and columns that a page shows of example data. */
export const EXAMPLE_ROWS_MAX = 20
export const EXAMPLE_COLUMNS_MAX = 30

const CELL_CHARS_MAX = 200
const TABLES_MAX = 5

/** Example data as a table. */
export interface ExampleTable {
  /** The name of the model; undefined if there is only one. */
  name: string | undefined
  columns: readonly string[]
  /** The cells of each row, in the order of the columns; undefined = the row does not have the field. */
  rows: readonly (readonly ExampleCell[])[]
  rowsCount: number
  columnsCount: number
}

/** A cell of example data. */
export interface ExampleCell {
  /** Undefined = the row does not have the field. */
  text: string | undefined
  kind: 'text' | 'number' | 'null' | 'other'
}

/**
 * Converts example data to tables. A list has a row for each item; an object with lists has a table for each of them,
 * and any other object is one row. Only the first rows, columns and characters are kept.
 */
export function toExampleTables(data: Value): ExampleTable[] {
  if (Array.isArray(data)) return [toTable(undefined, data)]
  if (!isObject(data)) return []
  const entries = Object.entries(data)
  const lists = entries.flatMap(([name, rows]) => (Array.isArray(rows) ? [{ name, rows }] : []))
  if (lists.length === 0 || lists.length < entries.length) return [toTable(undefined, [data])]
  return lists.slice(0, TABLES_MAX).map(({ name, rows }) => toTable(name, rows))
}

function toTable(name: string | undefined, items: readonly Value[]): ExampleTable {
  const shown = items.slice(0, EXAMPLE_ROWS_MAX).map(toRow)
  const all = [...new Set(shown.flatMap((row) => Object.keys(row)))]
  const columns = all.slice(0, EXAMPLE_COLUMNS_MAX)
  return {
    name,
    columns,
    rows: shown.map((row) =>
      columns.map((column) => toCell(Object.hasOwn(row, column) ? row[column] : undefined)),
    ),
    rowsCount: items.length,
    columnsCount: all.length,
  }
}

function toRow(item: Value): ObjectValue {
  if (isObject(item)) return item
  const cells = Array.isArray(item) ? item : [item]
  return Object.fromEntries(cells.map((cell, at) => [`Column ${at + 1}`, cell]))
}

function toCell(value: Value | undefined): ExampleCell {
  if (value === undefined) return { text: undefined, kind: 'null' }
  if (value === null) return { text: 'null', kind: 'null' }
  if (typeof value === 'string') return { text: clip(value, CELL_CHARS_MAX), kind: 'text' }
  const isNumber = typeof value === 'number' || (!Array.isArray(value) && isExact(value))
  return { text: clip(jsonText(value), CELL_CHARS_MAX), kind: isNumber ? 'number' : 'other' }
}

function isExact(value: Value): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isObject(value)
}
