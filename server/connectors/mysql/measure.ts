import {
  ROWS_MAX,
  type ComparedValues,
  type CountMeasure,
  type MeasureAnswer,
  type MeasureFailure,
} from '../../../formats/reality/measure/measure.ts'
import { findRowEstimate, toMeasureAnswer, type MeasuredTable } from '../measure.ts'
import type { MysqlConnection } from './connection.ts'
import type { MysqlSetup } from './configuration.ts'
import { getErrorNumber } from './failure.ts'
import { quoteName } from './statements.ts'

/**
 * Counts in one table for the tests of a contract: one statement, in a transaction that cannot write. The texts of errors
 * may have values of the table, so that only their numbers are used. Errors: the reason of the signal.
 */
export async function measureTable(
  { setup }: MysqlSetup,
  connection: MysqlConnection,
  { path, measures }: MeasuredTable,
): Promise<MeasureAnswer> {
  const [database, table] = path
  if (database === undefined || table === undefined) return { failure: 'missing' }
  const values: string[] = []
  const name = `${quoteName(database)}.${quoteName(table)}`
  const selected = [
    'count(*)',
    ...measures.counts.map((measure) => toExpression(measure, name, values)),
    ...(measures.newest === undefined ? [] : [toNewest(measures.newest)]),
  ]
  const text = `select ${selected.join(', ')} from ${name}`
  try {
    const plan = `explain format=json ${text}`
    const [estimate] = await connection.query({ name: 'estimate rows', text: plan, values })
    const failure = findExcess(estimate?.[0])
    if (failure !== undefined) return { failure }
    const [row] = await connection.query({ name: 'count', text, values })
    return toMeasureAnswer(measures, row)
  } catch (error) {
    setup.signal.throwIfAborted()
    return { failure: toMeasureFailure(error) }
  }
}

// Of MariaDB, of MySQL, and of MySQL with version 2 of the format.
const ESTIMATES = new Set(['rows', 'rows_examined_per_scan', 'estimated_rows'])

function findExcess(plan: unknown): MeasureFailure | undefined {
  // An empty table, or one whose rows are counted without reading it, has no estimate.
  const isPlan = typeof plan === 'string' && plan.trimStart().startsWith('{')
  if (!isPlan) return 'unestimated'
  return (findRowEstimate(plan, ESTIMATES) ?? 0) > ROWS_MAX ? 'too_many_rows' : undefined
}

function toExpression(measure: CountMeasure, table: string, values: string[]): string {
  if (measure.count === 'duplicates') {
    const columns = measure.columns.map(quoteName)
    return `(select count(*) from (
      select 1 as one from ${table}
      where ${columns.map((one) => `${one} is not null`).join(' and ')}
      group by ${columns.join(', ')}
      having count(*) > 1
    ) as repeated)`
  }
  const column = quoteName(measure.column)
  if (measure.count === 'nulls') return `count(*) - count(${column})`
  const isAmong = toComparison(column, measure.values, values)
  return measure.count === 'missing'
    ? `count(case when ${column} is null or ${isAmong} then 1 end)`
    : `count(case when ${column} is not null and not ${isAmong} then 1 end)`
}

// Texts are equal by the collation of their column, as in a unique key.
function toComparison(column: string, { kind, texts }: ComparedValues, values: string[]): string {
  if (texts.length === 0) return 'false'
  values.push(...(kind === 'boolean' ? texts.map((text) => (text === 'true' ? '1' : '0')) : texts))
  const list = (place: string): string => texts.map(() => place).join(', ')
  switch (kind) {
    case 'number':
      return `(${column} in (${list('cast(? as decimal(65, 30))')}))`
    case 'boolean':
      return `(${column} + 0 in (${list('cast(? as unsigned)')}))`
    case 'date':
      return `(cast(${column} as char) in (${list('?')}))`
    case 'text':
      return `(concat(${column}) in (${list('?')}))`
  }
}

// In milliseconds. The session has the time zone UTC; the date of zeros has no distance to any other.
function toNewest(column: string): string {
  return `timestampdiff(microsecond, '1970-01-01', max(${quoteName(column)})) div 1000`
}

const FAILURES: ReadonlyMap<number, MeasureFailure> = new Map<number, MeasureFailure>([
  [1044, 'denied'],
  [1142, 'denied'],
  [1143, 'denied'],
  [1227, 'denied'],
  [1370, 'denied'],
  [1049, 'missing'],
  [1054, 'missing'],
  [1146, 'missing'],
  [1205, 'locked'],
  [1317, 'too_slow'],
  [1345, 'unestimated'],
  [1969, 'too_slow'],
  [3024, 'too_slow'],
])

function toMeasureFailure(error: unknown): MeasureFailure {
  const number = getErrorNumber(error)
  return number === undefined ? 'lost' : (FAILURES.get(number) ?? 'rejected')
}
