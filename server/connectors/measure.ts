/** Measures of tables: what a connector counts for the tests of a contract. It never reads a value. */

import type { MeasureAnswer, TableMeasures } from '../../formats/reality/measure/measure.ts'

/** The table to measure, by its native path. */
export interface MeasuredTable {
  path: readonly string[]
  measures: TableMeasures
}

/** The rules for measuring the tables of a platform. */
export interface MeasureRules {
  /** The privileges that the account needs, in a sentence. */
  right: string
  /** The products whose tables cannot be measured: the platform of their assets, and the name; absent = none. */
  exceptions?: ReadonlyMap<string, string>
}

/** Parses the cells of the row that a measuring statement returns; anything else than whole numbers is unreadable. */
export function toMeasureAnswer(
  { counts, newest }: TableMeasures,
  cells: readonly unknown[] | undefined,
): MeasureAnswer {
  const [rowCount, ...rest] = (cells ?? []).map(readWhole)
  const own = rest.slice(0, counts.length).filter(isCount)
  const newestMs = newest === undefined ? null : rest[counts.length]
  const cellCount = 1 + counts.length + (newest === undefined ? 0 : 1)
  const isWhole = cells?.length === cellCount && own.length === counts.length
  if (!isWhole || !isCount(rowCount) || newestMs === undefined) return { failure: 'unreadable' }
  if (newestMs !== null && Math.abs(newestMs) > INSTANT_MS_MAX) return { failure: 'unreadable' }
  return { rowCount, counts: own, newestMs }
}

/** The last instant of a JavaScript Date: the year 275760. */
const INSTANT_MS_MAX = 8.64e15

function isCount(value: number | null | undefined): value is number {
  return typeof value === 'number' && value >= 0
}

// Null stays; undefined = not a whole number.
function readWhole(cell: unknown): number | null | undefined {
  if (cell === null) return null
  const number = typeof cell === 'string' && /^-?\d{1,16}$/.test(cell) ? Number(cell) : cell
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

const NODES_MAX = 100_000

/**
 * Returns the highest estimate of rows in a plan of a database, which is JSON or its text; undefined if it has none.
 * `names` are the members that have one.
 */
export function findRowEstimate(plan: unknown, names: ReadonlySet<string>): number | undefined {
  const waiting: unknown[] = [typeof plan === 'string' ? parseJson(plan) : plan]
  let estimate: number | undefined
  for (let count = 0; waiting.length > 0 && count < NODES_MAX; count += 1) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === 'object') waiting.push(value)
      const rows = names.has(name) ? Number(value) : Number.NaN
      if (!Number.isNaN(rows)) estimate = Math.max(estimate ?? 0, rows)
    }
  }
  return waiting.length > 0 ? undefined : estimate
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
