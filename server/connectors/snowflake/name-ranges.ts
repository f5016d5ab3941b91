import { SourceFailure } from '../connector.ts'
import type { ResultRow } from './result-row.ts'
import { quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'
import { isTooMuchData } from './statement-error.ts'

/** The maximum number of statements in a row that return too much data: even for single tables. */
const REJECTED_MAX = 200

/** A statement on a view of INFORMATION_SCHEMA that can be limited to a range of table names. */
interface RangeStatement {
  /** Writes the statement with a further condition, which begins with `and` or is empty. */
  toSql(condition: string): string
  /** The subject of an error. */
  what: string
  /** Returns the names of tables; called only if the statement must be split. */
  getNames(): Promise<readonly string[]>
  /** Called for a table whose rows are too many, which is skipped. Absent = the failure is thrown. */
  onTooLarge?(name: string, failure: SourceFailure): void
}

/**
 * Runs a statement and yields its rows. If Snowflake returns too much data (error 090030), the statement
 * is split at the middle of the names until every part passes. The number of statements is at most twice that of the
 * names. Errors: those of SnowflakeClient, and SourceFailure too_large if parts do not pass either.
 */
export async function* runInRanges(
  client: SnowflakeClient,
  { toSql, what, getNames, onTooLarge }: RangeStatement,
): AsyncGenerator<ResultRow[]> {
  let names: readonly string[] | undefined
  let rejectedCount = 0
  // Ranges of indexes, the next one last. The first and the last range are open at their ends.
  const ranges: { from: number; to: number }[] = [{ from: 0, to: Infinity }]
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const { from, to } = range
    try {
      yield* client.run({ sql: toSql(toCondition(names ?? [], from, to)), what })
      rejectedCount = 0
    } catch (error) {
      if (!isTooMuchData(error)) throw error
      rejectedCount += 1
      if (rejectedCount > REJECTED_MAX) {
        const message = `Snowflake returns too much data for ${what}, also in ${REJECTED_MAX} parts in a row`
        throw new SourceFailure('too_large', message)
      }
      names ??= (await getNames()).toSorted(byBytes)
      const end = Math.min(to, names.length)
      const middle = Math.floor((from + end) / 2)
      const only = middle === from ? names[from] : undefined
      if (middle === from && (only === undefined || onTooLarge === undefined)) throw error
      if (only !== undefined) onTooLarge?.(only, error)
      else ranges.push({ from: middle, to }, { from, to: middle })
    }
  }
}

function toCondition(names: readonly string[], from: number, to: number): string {
  const [first, end] = [from === 0 ? undefined : names[from], names[to]]
  return [
    ...(first === undefined ? [] : [` and table_name >= ${quoteText(first)}`]),
    ...(end === undefined ? [] : [` and table_name < ${quoteText(end)}`]),
  ].join('')
}

// Snowflake compares texts by their bytes in UTF-8.
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
