import { nameFilter } from '../filter.ts'
import {
  type Batch,
  type KnownVersions,
  type Scope,
  type SourceAsset,
  type UnchangedAsset,
} from '../connector.ts'
import { Batcher } from '../batcher.ts'
import { getKind, isTemporary, toContainerAsset, toTableAsset } from './assets.ts'
import { COLUMN_FIELDS, toColumn } from './columns.ts'
import type { FactReader } from './facts.ts'
import { runInRanges } from './name-ranges.ts'
import type { ResultRow } from './result-row.ts'
import { showObjects } from './show.ts'
import { quoteName, quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'
import { getVersion } from './version.ts'

/** If more tables changed, the columns of all are read. */
const NAMES_IN_STATEMENT_MAX = 500

/** A session while it reads one database. */
export interface DatabaseReading {
  client: SnowflakeClient
  facts: FactReader
  known: KnownVersions
}

/**
 * Reads a database, or a schema with its tables, without an outcome. Errors: SourceFailure, which the
 * caller reports as the outcome.
 */
export async function* readScope(reading: DatabaseReading, scope: Scope): AsyncGenerator<Batch> {
  yield { assets: [await readContainer(reading, scope)] }
  if (scope.kind === 'schema') yield* readSchema(reading, scope.path)
}

/** Returns the asset of a listed database or schema. Errors: SourceFailure. */
export async function readContainer(
  { client, facts }: DatabaseReading,
  scope: Scope,
): Promise<SourceAsset> {
  return await facts.describeContainer(toContainerAsset(client, scope))
}

async function* readSchema(
  { client, facts, known }: DatabaseReading,
  scope: readonly string[],
): AsyncGenerator<Batch> {
  const rows = await readTables(client, scope)
  if (rows.size === 0) return
  const views = await readViews(client, scope, rows)
  const addFacts = await facts.openSchema(scope[1] ?? '')
  const toAsset = (row: ResultRow, columns: readonly ResultRow[]): SourceAsset => {
    const { text, isSecure = false } = views.get(row.require('table_name')) ?? {}
    const parts = { scope, columns: columns.map(toColumn), viewDefinition: text, isSecure }
    return addFacts(toTableAsset(client, row, parts))
  }
  const tables = [...rows.values()].map((row): SchemaTable => {
    const { columns: _, ...asset } = toAsset(row, [])
    // Tags of columns can change without DDL.
    const version = client.configuration.includeTags ? undefined : getVersion(row, asset)
    return { row, asset, version }
  })
  const { unchanged = [], changed = [] } = Object.groupBy(tables, ({ asset, version }) =>
    version !== undefined && known.get(JSON.stringify(asset.path)) === version
      ? 'unchanged'
      : 'changed',
  )
  if (unchanged.length > 0) yield { assets: [], unchanged: unchanged.map(toUnchanged) }
  if (changed.length > 0) {
    const isPart = changed.length < tables.length
    yield* readWithColumns(client, scope, changed, isPart, (table, columns) => ({
      ...toAsset(table.row, columns),
      ...(table.version === undefined ? {} : { version: table.version }),
    }))
  }
}

/** A table of a schema, before its columns are read. */
interface SchemaTable {
  row: ResultRow
  asset: SourceAsset
  version: string | undefined
}

function toUnchanged({ asset: { kind, path, scope, statistic } }: SchemaTable): UnchangedAsset {
  return { kind, path, scope, ...(statistic === undefined ? {} : { statistic }) }
}

// The columns arrive table by table; only the rows of the tables are held.
async function* readWithColumns(
  client: SnowflakeClient,
  scope: readonly string[],
  tables: readonly SchemaTable[],
  isPart: boolean,
  toAsset: (table: SchemaTable, columns: readonly ResultRow[]) => SourceAsset,
): AsyncGenerator<Batch> {
  const missing = new Map(tables.map((table) => [table.row.require('table_name'), table]))
  const names = [...missing.keys()]
  const batcher = new Batcher()
  const add = (table: SchemaTable, columns: readonly ResultRow[]): void => {
    const asset = toAsset(table, columns)
    batcher.add(asset, JSON.stringify(asset).length)
  }
  let name: string | undefined
  let columns: ResultRow[] = []
  const finish = (): void => {
    const table = missing.get(name ?? '')
    if (table === undefined) return
    add(table, columns)
    missing.delete(name ?? '')
  }
  for await (const rows of readColumns(client, scope, names, isPart)) {
    for (const row of rows) {
      const next = row.require('table_name')
      if (next !== name) {
        finish()
        name = next
        columns = []
      }
      columns.push(row)
    }
    for (const assets of batcher.takeFull()) yield { assets }
  }
  finish()
  for (const table of missing.values()) add(table, [])
  for (const assets of batcher.takeFull()) yield { assets }
  yield { assets: batcher.takeLast() }
}

async function readTables(
  client: SnowflakeClient,
  scope: readonly string[],
): Promise<Map<string, ResultRow>> {
  const { configuration, setup } = client
  const isIncluded = nameFilter(setup.filters, 'table')
  const views = configuration.includeViews ? '' : ` and table_type not like '%VIEW'`
  const tables = new Map<string, ResultRow>()
  // All columns, as the platform adds some over time.
  const toSql = (condition: string): string =>
    `select * ${toFromClause(scope, 'tables')}${views}${condition} order by table_name`
  const what = `the tables of ${scope.join('.')}`
  const getNames = async () => await listNames(client, scope)
  for await (const rows of runInRanges(client, { toSql, what, getNames })) {
    for (const row of rows) {
      const name = row.require('table_name')
      if (isIncluded(name) && !isTemporary(row)) tables.set(name, row)
    }
  }
  return tables
}

function readColumns(
  client: SnowflakeClient,
  scope: readonly string[],
  names: readonly string[],
  isPart: boolean,
): AsyncGenerator<ResultRow[]> {
  const isShort = isPart && names.length <= NAMES_IN_STATEMENT_MAX
  const limit = isShort ? ` and table_name in (${names.map(quoteText).join(', ')})` : ''
  const fields = ['table_name', ...COLUMN_FIELDS].join(', ')
  const toSql = (condition: string): string =>
    `select ${fields} ${toFromClause(scope, 'columns')}${limit}${condition} order by table_name, ordinal_position`
  const what = `the columns of ${scope.join('.')}`
  return runInRanges(client, { toSql, what, getNames: async () => names })
}

function toFromClause([database = '', schema = '']: readonly string[], view: string): string {
  return `from ${quoteName(database)}.information_schema.${view} where table_schema = ${quoteText(schema)}`
}

async function listNames(client: SnowflakeClient, scope: readonly string[]): Promise<string[]> {
  const what = `the names of the tables of ${scope.join('.')}`
  const names: string[] = []
  const statement = { objects: 'OBJECTS', within: scope, what } as const
  for await (const row of showObjects(client, statement)) names.push(row.require('name'))
  return names
}

interface ViewText {
  text: string | undefined
  isSecure: boolean
}

// INFORMATION_SCHEMA shows the text of a view only to its owner.
async function readViews(
  client: SnowflakeClient,
  scope: readonly string[],
  tables: ReadonlyMap<string, ResultRow>,
): Promise<Map<string, ViewText>> {
  const views = new Map<string, ViewText>()
  if (!tables.values().some((table) => getKind(table).endsWith('view'))) return views
  const what = `the views of ${scope.join('.')}`
  for await (const row of showObjects(client, { objects: 'VIEWS', within: scope, what })) {
    const name = row.require('name')
    if (!tables.has(name)) continue
    views.set(name, { text: row.get('text'), isSecure: row.isTrue('is_secure') })
  }
  return views
}
