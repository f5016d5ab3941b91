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
export const QUEUE_LIMIT = { sizeMax: 256, getSize: () => 1 }

/** Parses a row of the driver. Errors: SourceFailure protocol. */
export function readRow(columns: unknown): TdsRow {
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
