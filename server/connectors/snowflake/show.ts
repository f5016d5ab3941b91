import { SourceFailure } from '../connector.ts'
import type { ResultRow } from './result-row.ts'
import { quoteName, quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'

/** SHOW returns at most this many rows, and does not report that it left out others. */
export const SHOW_ROWS_MAX = 10_000

/** Pages of more objects than this are treated as endless. */
const PAGES_MAX = 1000

/** A SHOW statement. */
interface ShowStatement {
  objects: 'DATABASES' | 'SCHEMAS' | 'VIEWS' | 'OBJECTS'
  /** The path of the database or schema; empty = the account. */
  within: readonly string[]
  /** The subject of an error. */
  what: string
}

/** Returns the clause for a database, schema or table. */
export function toInClause(path: readonly string[]): string {
  const level = ['', 'IN DATABASE ', 'IN SCHEMA ', 'IN TABLE '][path.length] ?? ''
  return `${level}${path.map(quoteName).join('.')}`
}

/**
 * Lists objects whose names are unique in `within`, also more than SHOW returns at once. Errors:
 * those of SnowflakeClient, and SourceFailure protocol if the listing does not end.
 */
export async function* showObjects(
  client: SnowflakeClient,
  { objects, within, what }: ShowStatement,
): AsyncGenerator<ResultRow> {
  const command = `SHOW ${objects} ${toInClause(within)}`.trim()
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const cursor = after === undefined ? '' : ` LIMIT ${SHOW_ROWS_MAX} FROM ${quoteText(after)}`
    let count = 0
    let last: string | undefined
    for await (const rows of client.run({ sql: `${command}${cursor}`, what })) {
      count += rows.length
      last = rows.at(-1)?.require('name') ?? last
      yield* rows
    }
    if (count < SHOW_ROWS_MAX) return
    if (last === after) break
    after = last
  }
  throw new SourceFailure('protocol', `Snowflake’s listing of ${what} does not end`)
}

/** Lists the names of the tables of a schema, without views. Errors: those of showObjects. */
export async function listTableNames(
  client: SnowflakeClient,
  schema: readonly string[],
): Promise<string[]> {
  const what = `the names of the tables of ${schema.join('.')}`
  const names: string[] = []
  for await (const row of showObjects(client, { objects: 'OBJECTS', within: schema, what })) {
    if (row.get('kind')?.toUpperCase() !== 'VIEW') names.push(row.require('name'))
  }
  return names
}
