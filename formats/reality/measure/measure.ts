// What Portbook measures in a table to test the rules of a contract: counts and one instant, never values. This is plain
// JSON, which a connector turns into one statement.

/** The kinds of values that a column can be compared with. */
export const VALUE_KINDS = ['text', 'number', 'boolean', 'date'] as const

/** Values that a column is compared with. */
export interface ComparedValues {
  kind: (typeof VALUE_KINDS)[number]
  /** Numbers as decimals without an exponent, booleans as `true` and `false`, dates as `2026-01-31`. */
  texts: string[]
}

/** A count of rows, or of keys that more than one row has. Columns have the spelling of the platform. */
export type CountMeasure =
  | { count: 'nulls'; column: string }
  /** Rows without a value, or with one of those that count as none. */
  | { count: 'missing'; column: string; values: ComparedValues }
  /** Rows with a value that is not one of these. */
  | { count: 'invalid'; column: string; values: ComparedValues }
  /** Combinations of values that more than one row has; those with a missing value do not count. */
  | { count: 'duplicates'; columns: string[] }

/** The measures of one table, which one statement takes. */
export interface TableMeasures {
  counts: CountMeasure[]
  /** The column whose newest instant is measured. */
  newest?: string
}

/** The answer to the measures of a table. */
interface Measurement {
  rowCount: number
  /** In the order of the measures. */
  counts: number[]
  /** In milliseconds since 1970; null = no row has a value, or none was measured. */
  newestMs: number | null
}

/** The reasons why a table could not be measured. */
export const MEASURE_FAILURES = [
  'denied',
  'missing',
  'locked',
  'too_slow',
  'too_many_rows',
  'unestimated',
  'rejected',
  'not_offered',
  'unreadable',
  'lost',
] as const

/** The reason why a table could not be measured. */
export type MeasureFailure = (typeof MEASURE_FAILURES)[number]

/** The most measures of a table; a statement of PostgreSQL has at most 1,664 columns. */
export const MEASURES_MAX = 500
/** The most measures of a table that read it once more. */
export const DUPLICATES_MAX = 20
/** The most columns of a key whose duplicates are counted. */
export const KEY_COLUMNS_MAX = 32
/** The most values of a rule, and of all rules of a table. */
export const VALUES_MAX = 1000
export const TABLE_VALUES_MAX = 10_000
/** The most characters of a value. */
export const VALUE_CHARACTERS_MAX = 1000
/** The rows of a table above which it is not measured. */
export const ROWS_MAX = 50_000_000
/** The time of a statement. */
export const STATEMENT_MS_MAX = 60_000

/** The answer to the measures of a table, or the reason why there is none. */
export type MeasureAnswer = Measurement | { failure: MeasureFailure }
