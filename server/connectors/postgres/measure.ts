import { escapeIdentifier, DatabaseError } from 'pg'
import {
  ROWS_MAX,
  type ComparedValues,
  type CountMeasure,
  type MeasureAnswer,
  type MeasureFailure,
} from '../../../formats/reality/measure/measure.ts'
import { findRowEstimate, toMeasureAnswer, type MeasuredTable } from '../measure.ts'
import { getErrorCode } from '../sql/driver-failure.ts'
import { beginStatement } from './catalog.ts'
import type { PostgresSetup } from './configuration.ts'
import type { PostgresConnection } from './connection.ts'
import type { PostgresConnections } from './home.ts'

/**
 * Counts in one table for the tests of a contract: one statement, in a transaction that cannot write. The texts of errors
 * may have values of the table, so that only their codes are used. Errors: SourceFailure if the server cannot be reached.
 */
export async function measureTable(
  connecting: PostgresSetup,
  connections: PostgresConnections,
  { path, measures }: MeasuredTable,
): Promise<MeasureAnswer> {
  const [database, schema, table] = path
  if (database === undefined || schema === undefined || table === undefined) {
    return { failure: 'missing' }
  }
  const values: string[][] = []
  const name = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
  const selected = [
    'pg_catalog.count(*)',
    ...measures.counts.map((measure) => toExpression(measure, name, values)),
    ...(measures.newest === undefined ? [] : [toNewest(measures.newest)]),
  ]
  const statement = `select ${selected.join(', ')} from ${name}`
  return await connections.use(database, async (connection) => {
    try {
      await connection.query('begin', beginStatement(connecting))
      await connection.query('one process', ONE_PROCESS)
      const plan = `explain (format json) ${statement}`
      const [estimate] = await connection.query<unknown[]>('estimate rows', plan, values)
      const failure = findExcess(estimate?.[0])
      if (failure !== undefined) return { failure }
      const [row] = await connection.query<unknown[]>('count', statement, values)
      return toMeasureAnswer(measures, row)
    } catch (error) {
      return { failure: toMeasureFailure(connecting, error) }
    } finally {
      await endTransaction(connection)
    }
  })
}

// A test is not worth more than one process of the source.
const ONE_PROCESS =
  "set local max_parallel_workers_per_gather = 0; set local jit = off; set local timezone = 'UTC'"

const ESTIMATES = new Set(['Plan Rows'])

function findExcess(plan: unknown): MeasureFailure | undefined {
  const rows = findRowEstimate(plan, ESTIMATES)
  if (rows === undefined) return 'unestimated'
  return rows > ROWS_MAX ? 'too_many_rows' : undefined
}

async function endTransaction(connection: PostgresConnection): Promise<void> {
  if (!connection.isUsable) return
  // What fails here is a lost connection, which the next statement notices.
  await connection.query('rollback', 'rollback').catch(() => undefined)
}

function toExpression(measure: CountMeasure, table: string, values: string[][]): string {
  if (measure.count === 'duplicates') {
    const columns = measure.columns.map(escapeIdentifier)
    return `(select pg_catalog.count(*) from (
      select from ${table}
      where ${columns.map((one) => `${one} is not null`).join(' and ')}
      group by ${columns.join(', ')}
      having pg_catalog.count(*) > 1
    ) as repeated)`
  }
  const column = escapeIdentifier(measure.column)
  if (measure.count === 'nulls') return `pg_catalog.count(*) - pg_catalog.count(${column})`
  const isAmong = toComparison(column, measure.values, values)
  return measure.count === 'missing'
    ? `pg_catalog.count(*) filter (where ${column} is null or ${isAmong})`
    : `pg_catalog.count(*) filter (where ${column} is not null and not ${isAmong})`
}

function toComparison(column: string, { kind, texts }: ComparedValues, values: string[][]): string {
  const place = `$${values.push([...texts])}::pg_catalog.text[]`
  if (kind === 'number') return `(${column} = any (${place}::pg_catalog.numeric[]))`
  // The text of a character(n) has no spaces at its end, that of a date is as in ISO 8601.
  return `(${column}::pg_catalog.text = any (${place}))`
}

// In milliseconds. Infinite times, and those that JavaScript cannot represent, do not count.
function toNewest(column: string): string {
  const name = escapeIdentifier(column)
  const latest = `pg_catalog.max(${name}) filter (
      where pg_catalog.isfinite(${name}) and ${name} < '200000-01-01' and ${name} > '4000-01-01 BC'
    )`
  return `pg_catalog.floor(extract(epoch from ${latest}) * 1000)::pg_catalog.int8`
}

const FAILURES: ReadonlyMap<string, MeasureFailure> = new Map<string, MeasureFailure>([
  ['42501', 'denied'],
  ['42P01', 'missing'],
  ['3F000', 'missing'],
  ['42703', 'missing'],
  ['55P03', 'locked'],
  ['57014', 'too_slow'],
])

function toMeasureFailure({ setup }: PostgresSetup, error: unknown): MeasureFailure {
  setup.signal.throwIfAborted()
  if (!(error instanceof DatabaseError)) return 'lost'
  const code = getErrorCode(error)
  return FAILURES.get(code) ?? (/^(?:08|57)/.test(code) ? 'lost' : 'rejected')
}
