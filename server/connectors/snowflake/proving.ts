import type { AssetPlace, TableProof } from '../connector.ts'
import { quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'
import { isStatementFailure } from './statement-error.ts'

const LATE =
  'ACCOUNT_USAGE does not show that it was dropped, which takes up to 90 minutes: otherwise the role may no longer see it.'
const NO_RECORD = 'ACCOUNT_USAGE has no record of it.'

/**
 * Looks up tables of one schema in ACCOUNT_USAGE, which keeps dropped tables. Snowflake itself does not
 * distinguish a dropped table from a hidden one.
 */
export async function proveTables(
  client: SnowflakeClient,
  tables: readonly AssetPlace[],
): Promise<TableProof[]> {
  const schemas = Map.groupBy(tables, ({ scope }) => JSON.stringify(scope))
  const proofs: TableProof[] = []
  for (const group of schemas.values()) proofs.push(...(await proveSchema(client, group)))
  return proofs
}

async function proveSchema(
  client: SnowflakeClient,
  tables: readonly AssetPlace[],
): Promise<TableProof[]> {
  const [database = '', schema = ''] = tables[0]?.scope ?? []
  const names = tables.map(({ path }) => path.at(-1) ?? '')
  const sql =
    `select table_name, deleted from snowflake.account_usage.tables where table_catalog = ${quoteText(database)}` +
    ` and table_schema = ${quoteText(schema)} and table_name in (${names.map(quoteText).join(', ')}) order by table_name`
  const what = `the dropped tables of ${database}.${schema}`
  // A table that was dropped and created again has several rows.
  const isDropped = new Map<string, boolean>()
  try {
    for await (const rows of client.run({ sql, what })) {
      for (const row of rows) {
        const name = row.require('table_name')
        isDropped.set(name, (isDropped.get(name) ?? true) && row.get('deleted') !== undefined)
      }
    }
  } catch (error) {
    if (!isStatementFailure(error)) throw error
    const message = 'Only ACCOUNT_USAGE proves that it was dropped, and the role may not read it.'
    return tables.map(({ path }) => ({ path, presence: 'unknown', message }))
  }
  return tables.map(({ path }): TableProof => {
    const state = isDropped.get(path.at(-1) ?? '')
    if (state === true) return { path, presence: 'gone' }
    return state === false
      ? { path, presence: 'late', message: LATE }
      : { path, presence: 'unknown', message: NO_RECORD }
  })
}
