import type { Request } from 'tedious'
import { SourceFailure } from '../connector.ts'

/** A value of a row. Statements convert other types to texts. */
export type TdsCell = string | number | null

/** A row in the order of the statement's columns. */
export type TdsRow = readonly TdsCell[]

/** Returns the text of a value; undefined for an empty one. */
export function asText(cell: TdsCell | undefined): string | undefined {
  return typeof cell === 'string' && cell !== '' ? cell : undefined
}

/** The number of rows at which the driver stops reading from the server. */
const ROWS_BUFFERED_MAX = 256

/** The rows of a statement between the driver, which is paused if there are too many, and their reader. */
export class RowQueue {
  readonly #request: Request
  #rows: TdsRow[] = []
  #end: { error: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(request: Request) {
    this.#request = request
  }

  /** Adds a row of the driver. Errors: SourceFailure protocol. */
  add(columns: unknown): void {
    if (this.#end !== undefined) return
    this.#rows.push(readRow(columns))
    if (this.#rows.length >= ROWS_BUFFERED_MAX) this.#request.pause()
    this.#wake?.()
  }

  /** Ends the rows; the first error counts, and rows that were not yet taken are dropped with it. */
  end(error?: unknown): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  /** Waits for rows and takes them; undefined after the last. Errors: the one given to `end`. */
  async take(): Promise<TdsRow[] | undefined> {
    if (this.#rows.length === 0 && this.#end === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
      this.#wake = undefined
    }
    if (this.#end?.error !== undefined) throw this.#end.error
    const rows = this.#rows
    if (rows.length === 0) return undefined
    this.#rows = []
    this.#request.resume()
    return rows
  }
}

function readRow(columns: unknown): TdsRow {
  if (!Array.isArray(columns)) throw newProtocolFailure()
  return columns.map(readCell)
}

function readCell(column: unknown): TdsCell {
  if (typeof column !== 'object' || column === null || !('value' in column)) {
    throw newProtocolFailure()
  }
  const { value } = column
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw newProtocolFailure()
}

function newProtocolFailure(): SourceFailure {
  return new SourceFailure(
    'protocol',
    'The server returned a value that is neither text nor a number.',
  )
}
