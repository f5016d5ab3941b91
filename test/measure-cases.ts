import type { CountMeasure, TableMeasures } from '../formats/reality/measure/measure.ts'

/** A name that is valid in every database, and that ends a quoted name or a text that is not escaped. */
export const HOSTILE = 'a"b`c\'d?e\\f;--'

const text = (...texts: string[]) => ({ kind: 'text' as const, texts })
const number = (...texts: string[]) => ({ kind: 'number' as const, texts })

/** The rows of the table `m` as values of SQL: id, state, price, open, day, and a column with a hostile name. */
export const ROWS = `
  (1, 'open', 1.50, true, date '2026-01-01', 'x'),
  (2, 'closed', 2.00, false, date '2026-01-02', 'x'),
  (3, 'it''s \\ ? "odd"', 2.00, true, date '2026-02-28', 'y'),
  (4, '', null, null, null, null),
  (5, null, 99.99, true, date '2026-01-01', 'z'),
  (5, 'n/a', -0.10, true, date '2026-01-01', 'z')`

/** Measures of the table `m` with their counts. */
export const COUNTS: readonly [measure: CountMeasure, expected: number][] = [
  [{ count: 'nulls', column: 'state' }, 1],
  [{ count: 'nulls', column: 'price' }, 1],
  [{ count: 'nulls', column: HOSTILE }, 1],
  [{ count: 'missing', column: 'state', values: text('', 'n/a') }, 3],
  [{ count: 'missing', column: 'state', values: text("'; drop table m; --", '', '?') }, 2],
  [{ count: 'missing', column: 'price', values: number('99.990', '-0.1') }, 3],
  [{ count: 'missing', column: HOSTILE, values: text('x', '\\', "'", '"', '`') }, 3],
  [{ count: 'invalid', column: 'state', values: text('open', 'closed', 'it\'s \\ ? "odd"') }, 2],
  [{ count: 'invalid', column: 'state', values: text() }, 5],
  [{ count: 'invalid', column: 'price', values: number('1.5', '2', '99.99') }, 1],
  [{ count: 'invalid', column: 'id', values: number('1', '2', '3', '4', '5.0') }, 0],
  [{ count: 'invalid', column: 'open', values: { kind: 'boolean', texts: ['true'] } }, 1],
  [{ count: 'invalid', column: 'day', values: { kind: 'date', texts: ['2026-01-01'] } }, 2],
  [{ count: 'duplicates', columns: ['id'] }, 1],
  [{ count: 'duplicates', columns: ['state'] }, 0],
  [{ count: 'duplicates', columns: ['price'] }, 1],
  [{ count: 'duplicates', columns: [HOSTILE, 'day'] }, 1],
]

/** All measures of the table `m` at once. */
export const MEASURES: TableMeasures = {
  counts: COUNTS.map(([measure]) => measure),
  newest: 'day',
}

/** The answer to `MEASURES`. */
export const ANSWER = {
  rowCount: 6,
  counts: COUNTS.map(([, expected]) => expected),
  newestMs: Date.parse('2026-02-28T00:00:00Z'),
}
