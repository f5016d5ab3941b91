import { sql, type RawBuilder } from 'kysely'

/**
 * The writer of every CSV export. PostgreSQL formats the lines, so that an export of a million rows costs the process no
 * more than copying them. Fields are quoted (RFC 4180, section 2.6 and 2.7), and cells are neutral for spreadsheets (OWASP,
 * "CSV Injection", and ASVS 1.2.10): a spreadsheet executes a cell that begins with one of the characters below, and one
 * that ignores the quotes begins a new cell after each line break or separator. An apostrophe makes each of them a text.
 */

/** The characters between the lines. */
export const CSV_LINE_END = '\r\n'

// `=`, `+`, `-`, `@` and their full-width variants, tab, carriage return and line feed. Texts in PostgreSQL have no NUL.
const FORMULA = '=+@\\t\\r\\n\\uFF1D\\uFF0B\\uFF0D\\uFF20-'

// Every line break of Unicode, and the separators that spreadsheets accept. The line feed of a CRLF begins no cell.
const SEPARATOR = '\\t\\n\\v\\f\\u0085\\u2028\\u2029,;|'

// The start of a cell, as a position: spaces and quotes before a formula do not protect it.
const START = `(^|(?<=[${SEPARATOR}])|(?<=\\r)(?!\\n))(?=[ "']*[${FORMULA}])`

/** Returns the first line: the names of the columns. */
export function toCsvHeader(columns: readonly string[]): string {
  return columns.join(',')
}

/** Returns an expression for a line: the values, texts or null, of a row. */
export function toCsvLine(values: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(values.map(toCell), sql` || ',' || `)
}

function toCell(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`'"' || replace(
      case
        when ${value} ~ ${sql.lit(`[${FORMULA}]`)} then regexp_replace(${value}, ${sql.lit(START)}, '''', 'g')
        else coalesce(${value}, '')
      end,
      '"', '""'
    ) || '"'`
}
