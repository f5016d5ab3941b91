import { AsyncResource } from 'node:async_hooks'
import { StoreUnavailable, toUnsent } from './store-errors.ts'
import { countInRequest, noteChange } from './request-wait.ts'

/** A row to insert: its small columns by name, and its document. */
export interface InsertRow {
  columns: Readonly<Record<string, unknown>>
  document: string
}

/** Inserts rows of one table with one statement. */
export type InsertRows = (rows: readonly InsertRow[]) => Promise<void>

/**
 * Groups the rows of requests that write at the same time: a statement for each row would cost the process and the
 * database several times as much. A row that arrives while no statement is running is written immediately; the rows
 * that arrive while one is running are written together afterwards.
 */
export interface GroupedInserts {
  /** Inserts a row of a table, possibly with rows of other requests. Errors: those of `insert`. */
  add(table: string, row: InsertRow, insert: InsertRows): Promise<void>
}

// A statement should not hold its connection for long, nor fill the memory.
const ROWS_MAX = 200
const CHARS_MAX = 2 * 1024 * 1024

interface WaitingRow {
  row: InsertRow
  insert: InsertRows
  done(): void
  failed(error: unknown): void
}

/** Creates the grouped inserts of a process. The rows of a table are written one group at a time. */
export function newGroupedInserts(): GroupedInserts {
  const tables = new Map<string, WaitingRow[]>()
  // A group belongs to no request: the time that one of them has left does not limit the others.
  const outside = new AsyncResource('GroupedInserts')

  async function writeAll(table: string, waiting: WaitingRow[]): Promise<void> {
    while (waiting.length > 0) await writeGroup(waiting)
    tables.delete(table)
  }

  return {
    async add(table, row, insert) {
      const written = new Promise<void>((done, failed) => {
        const item = { row, insert, done, failed }
        const waiting = tables.get(table)
        if (waiting !== undefined) {
          waiting.push(item)
          return
        }
        const first = [item]
        tables.set(table, first)
        outside.runInAsyncScope(() => void writeAll(table, first))
      })
      try {
        await countInRequest(written)
      } catch (error) {
        if (error instanceof StoreUnavailable && error.isOutcomeUnknown) noteChange()
        throw error
      }
      noteChange()
    },
  }
}

/** Writes the first rows and removes them. It never throws: each row reports its own result. */
async function writeGroup(waiting: WaitingRow[]): Promise<void> {
  const group = takeGroup(waiting)
  try {
    await writeRows(group)
  } catch (error) {
    // The database is unavailable: the rows that wait do not each wait for their own timeout. Those that were written
    // have already reported it.
    for (const { failed } of group) failed(error)
    const unsent = error instanceof StoreUnavailable ? toUnsent(error) : error
    for (const { failed } of waiting.splice(0)) failed(unsent)
  }
}

/**
 * Writes rows with one statement, of which the database stores all or none. One that it rejects must not fail those of
 * other callers, so the halves are then written separately. Errors: StoreUnavailable.
 */
async function writeRows(rows: readonly WaitingRow[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  try {
    await first.insert(rows.map(({ row }) => row))
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    if (rows.length === 1) {
      first.failed(error)
      return
    }
    const middle = Math.ceil(rows.length / 2)
    await writeRows(rows.slice(0, middle))
    await writeRows(rows.slice(middle))
    return
  }
  for (const { done } of rows) done()
}

function takeGroup(waiting: WaitingRow[]): WaitingRow[] {
  let count = 0
  let chars = 0
  for (const { row } of waiting.slice(0, ROWS_MAX)) {
    chars += row.document.length
    if (count > 0 && chars > CHARS_MAX) break
    count += 1
  }
  return waiting.splice(0, count)
}
