import { SourceFailure } from '../connector.ts'
import type { ResultMetadata } from './answers.ts'

/** A row of a result. Columns are named in lower case, as SHOW and SELECT differ in case. */
export class ResultRow {
  readonly #columns: ReadonlyMap<string, number>
  readonly #values: readonly (string | null)[]

  constructor(columns: ReadonlyMap<string, number>, values: readonly (string | null)[]) {
    this.#columns = columns
    this.#values = values
  }

  /** Returns a value as text; undefined if it is null, or the result has no such column. */
  get(column: string): string | undefined {
    const index = this.#columns.get(column)
    return index === undefined ? undefined : (this.#values[index] ?? undefined)
  }

  /** Returns a value that cannot be null. Errors: SourceFailure protocol. */
  require(column: string): string {
    const value = this.get(column)
    if (value !== undefined) return value
    throw new SourceFailure('protocol', `Snowflake returned a row without ${column}`)
  }

  /** Returns a value as a number; undefined if it is none. */
  getNumber(column: string): number | undefined {
    const value = this.get(column)
    const number = value === undefined || value === '' ? Number.NaN : Number(value)
    return Number.isFinite(number) ? number : undefined
  }

  /** Returns whether a value is one of the spellings of true: `YES`, `Y`, `true`. */
  isTrue(column: string): boolean {
    return /^(?:yes|y|true)$/i.test(this.get(column) ?? '')
  }
}

/** Checks that the partitions have all rows. Errors: SourceFailure protocol. */
export function assertWholeResult({ numRows, partitionInfo }: ResultMetadata, what: string): void {
  const count = partitionInfo.reduce((sum, { rowCount }) => sum + rowCount, 0)
  if (count === numRows) return
  throw new SourceFailure('protocol', `Snowflake returned only a part of ${what}`)
}

/** Creates the rows of a partition. Errors: SourceFailure protocol if the partition is not complete. */
export function toRows(
  { rowType, partitionInfo }: ResultMetadata,
  partition: number,
  data: readonly (readonly (string | null)[])[],
  what: string,
): ResultRow[] {
  const isComplete =
    data.length === (partitionInfo[partition]?.rowCount ?? 0) &&
    data.every((values) => values.length === rowType.length)
  if (!isComplete) {
    throw new SourceFailure('protocol', `Snowflake returned only a part of ${what}`)
  }
  const columns = new Map(rowType.map(({ name }, index) => [name.toLowerCase(), index]))
  return data.map((values) => new ResultRow(columns, values))
}
