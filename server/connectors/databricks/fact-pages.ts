/** Reads the rows of a schema's keys and tags in pages of whole tables. */

import { SourceFailure } from '../connector.ts'
import { runStatement, type WarehouseStatement } from './statements.ts'
import type { Workspace } from './workspace.ts'

/** A row, whose first value is the name of its table; null = the schema itself. */
export type WarehouseRow = readonly (string | null)[]

/** Limits of the keys and tags of one schema. */
export interface FactLimits {
  /** The rows of a page, which a warehouse returns with at most 25 MiB. */
  pageRows: number
  /** More rows cannot be held in memory. */
  rowsMax: number
}

/** The usual limits. */
export const FACT_LIMITS: FactLimits = { pageRows: 20_000, rowsMax: 1_000_000 }

/** Smaller pages are not tried. */
const PAGE_ROWS_MIN = 100
const PAGE_FACTOR = 8

/** A statement whose rows are in the order of their tables. */
interface PagedStatement extends Omit<WarehouseStatement, 'sql'> {
  /** Writes the statement for the first page, or with the parameter `after` for tables after that one. */
  toSql(isFirst: boolean): string
  /** Called with the name of a table that has too many rows, which are skipped. */
  onTooLarge(table: string, message: string): void
}

/**
 * Runs a statement page by page and yields its rows. Pages that are too large for the warehouse are read with fewer
 * rows. Errors: those of runStatement.
 */
export async function* readPages(
  workspace: Workspace,
  { toSql, onTooLarge, parameters, what }: PagedStatement,
  { pageRows, rowsMax }: FactLimits,
): AsyncGenerator<WarehouseRow> {
  let after: string | undefined
  let limit = pageRows
  let count = 0
  for (;;) {
    const sql = `${toSql(after === undefined)}\n    limit ${limit}`
    const values = after === undefined ? parameters : { ...parameters, after }
    const rows = await readPage(workspace, { sql, parameters: values, what }, limit)
    if (rows === undefined) {
      limit = Math.floor(limit / PAGE_FACTOR)
      continue
    }
    const isLast = rows.length < limit
    const last = rows.at(-1)?.[0] ?? null
    // The last table of a full page may have more rows.
    const whole = isLast ? rows : rows.filter(([table]) => table !== last)
    count += whole.length
    if (count > rowsMax) {
      const message = `The SQL warehouse returns more than ${rowsMax} rows for ${what}, which cannot be held in memory`
      throw new SourceFailure('too_large', message)
    }
    yield* whole
    if (isLast) return
    if (last === null)
      throw new SourceFailure('too_large', `The schema has too many rows in ${what}`)
    if (whole.length > 0) after = whole.at(-1)?.[0] ?? ''
    else {
      onTooLarge(last, `It has ${limit} or more rows in ${what}.`)
      after = last
    }
  }
}

/** Returns the rows of a page; undefined if it must be read with fewer rows. */
async function readPage(
  workspace: Workspace,
  statement: WarehouseStatement,
  limit: number,
): Promise<WarehouseRow[] | undefined> {
  const rows: WarehouseRow[] = []
  try {
    for await (const chunk of runStatement(workspace, statement)) rows.push(...chunk)
    return rows
  } catch (error) {
    const isTooLarge = error instanceof SourceFailure && error.kind === 'too_large'
    if (!isTooLarge || limit / PAGE_FACTOR < PAGE_ROWS_MIN) throw error
    return undefined
  }
}
