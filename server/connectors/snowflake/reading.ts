import { hash } from 'node:crypto'
import { groupAdjacent, omitEmpty, toUnreadable } from '../asset-parts.ts'
import { nameFilter } from '../filter.ts'
import {
  SourceFailure,
  type Batch,
  type KnownVersions,
  type Scope,
  type SourceAsset,
  type UnchangedAsset,
} from '../connector.ts'
import { Batcher } from '../batcher.ts'
import { findUnknownColumn } from '../column-names.ts'
import { getKind, isTemporary, toContainerAsset, toTableAsset } from './assets.ts'
import { COLUMN_FIELDS, toColumn } from './columns.ts'
import type { FactReader } from './facts.ts'
import { runInRanges } from './name-ranges.ts'
import type { ResultRow } from './result-row.ts'
import { showObjects } from './show.ts'
import { quoteName, quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'

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
  const schemaFacts = await facts.openSchema(scope[1] ?? '', async () =>
    rows
      .values()
      .filter((row) => !getKind(row).endsWith('view'))
      .map((row) => row.require('table_name'))
      .toArray(),
  )
  const toAsset = (row: ResultRow, columns: readonly ResultRow[]): SourceAsset => {
    const { text, isSecure } = views.get(row.require('table_name')) ?? NO_VIEW
    const parts = { scope, columns: columns.map(toColumn), viewDefinition: text, isSecure }
    return schemaFacts.addTo(toTableAsset(client, row, parts))
  }
  const all = [...rows.values()].map((row): SchemaTable => {
    const { columns: _, ...asset } = toAsset(row, [])
    // Tags of columns can change without DDL.
    const version = client.configuration.includeTags ? undefined : getVersion(row, asset)
    return { row, asset, version }
  })
  const getFault = ({ asset: { path } }: SchemaTable) => schemaFacts.getFault(path.at(-1) ?? '')
  const unknown = all.flatMap((table) => {
    const fault = getFault(table)
    return fault === undefined ? [] : [toUnreadable(table.asset, fault)]
  })
  if (unknown.length > 0) yield { assets: [], unreadable: unknown }
  const tables = all.filter((table) => getFault(table) === undefined)
  const { unchanged = [], changed = [] } = Object.groupBy(tables, ({ asset, version }) =>
    version !== undefined && known.get(JSON.stringify(asset.path)) === version
      ? 'unchanged'
      : 'changed',
  )
  if (unchanged.length > 0) yield { assets: [], unchanged: unchanged.map(toUnchanged) }
  const isListedView = ({ row, asset }: SchemaTable): boolean =>
    !asset.kind.endsWith('view') || views.has(row.require('table_name'))
  const { listed = [], missing = [] } = Object.groupBy(changed, (table) =>
    isListedView(table) ? 'listed' : 'missing',
  )
  if (missing.length > 0) {
    yield { assets: [], unreadable: missing.map(({ asset }) => toUnreadable(asset, NOT_A_VIEW)) }
  }
  if (listed.length > 0) {
    const isPart = listed.length < all.length
    yield* readWithColumns(client, scope, listed, isPart, (table, columns) => ({
      ...toAsset(table.row, columns),
      ...omitEmpty({ version: table.version }),
    }))
  }
}

const NOT_A_VIEW = 'Snowflake does not list it among the views.'
const NO_COLUMNS = 'Snowflake does not show its columns.'

/** A table of a schema, before its columns are read. */
interface SchemaTable {
  row: ResultRow
  asset: SourceAsset
  version: string | undefined
}

function toUnchanged({ asset: { kind, path, scope, statistic } }: SchemaTable): UnchangedAsset {
  return { kind, path, scope, ...omitEmpty({ statistic }) }
}

/**
 * Reads columns, which arrive table by table; only the rows of the tables are held. Every table has columns,
 * so one without them was changed between the statements, or its columns are hidden or too many.
 */
async function* readWithColumns(
  client: SnowflakeClient,
  scope: readonly string[],
  tables: readonly SchemaTable[],
  isPart: boolean,
  toAsset: (table: SchemaTable, columns: readonly ResultRow[]) => SourceAsset,
): AsyncGenerator<Batch> {
  const missing = new Map(tables.map((table) => [table.row.require('table_name'), table]))
  const batcher = new Batcher()
  const add = (name: string, columns: readonly ResultRow[]): void => {
    const table = missing.get(name)
    if (table === undefined) return
    missing.delete(name)
    const asset = toAsset(table, columns)
    const unknown = findUnknownColumn(asset)
    const message = `A key has the column ${unknown}, the table has not.`
    batcher.add(unknown === undefined ? asset : toUnreadable(asset, message))
  }
  const messages = new Map<string, string>()
  let rest = NO_COLUMNS
  try {
    const pages = readColumns(client, scope, { names: [...missing.keys()], isPart, messages })
    for await (const rows of groupAdjacent(pages, isOfTable)) {
      add(rows[0]?.require('table_name') ?? '', rows)
      yield* batcher.takeFull()
    }
  } catch (error) {
    // A limit concerns the tables that are not read yet.
    if (!(error instanceof SourceFailure) || error.kind !== 'too_large') throw error
    rest = error.message
  }
  for (const [name, { asset }] of missing) {
    batcher.add(toUnreadable(asset, messages.get(name) ?? rest))
  }
  yield batcher.takeLast()
}

function isOfTable(row: ResultRow, first: ResultRow): boolean {
  return row.require('table_name') === first.get('table_name')
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
    `select *, current_timestamp() as read_at ${toFromClause(scope, 'tables')}${views}${condition} order by table_name`
  const what = `the tables of ${scope.join('.')}`
  const getNames = async () => await listObjectNames(client, scope)
  for await (const rows of runInRanges(client, { toSql, what, getNames })) {
    for (const row of rows) {
      const name = row.require('table_name')
      if (isIncluded(name) && !isTemporary(row)) tables.set(name, row)
    }
  }
  return tables
}

interface ColumnReading {
  names: readonly string[]
  isPart: boolean
  /** Gets the reason for each table whose columns are too many. */
  messages: Map<string, string>
}

function readColumns(
  client: SnowflakeClient,
  scope: readonly string[],
  { names, isPart, messages }: ColumnReading,
): AsyncGenerator<ResultRow[]> {
  const isShort = isPart && names.length <= NAMES_IN_STATEMENT_MAX
  const limit = isShort ? ` and table_name in (${names.map(quoteText).join(', ')})` : ''
  const fields = ['table_name', ...COLUMN_FIELDS].join(', ')
  const toSql = (condition: string): string =>
    `select ${fields} ${toFromClause(scope, 'columns')}${limit}${condition} order by table_name, ordinal_position`
  const what = `the columns of ${scope.join('.')}`
  const onTooLarge = (name: string, { message }: SourceFailure) => void messages.set(name, message)
  return runInRanges(client, { toSql, what, getNames: async () => names, onTooLarge })
}

function toFromClause([database = '', schema = '']: readonly string[], view: string): string {
  return `from ${quoteName(database)}.information_schema.${view} where table_schema = ${quoteText(schema)}`
}

async function listObjectNames(
  client: SnowflakeClient,
  scope: readonly string[],
): Promise<string[]> {
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

const NO_VIEW: ViewText = { text: undefined, isSecure: false }

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

/** A change this recent may be in only one of two answers, so that the next run reads the table again. */
const SETTLED_SECONDS = 600

/** Tables that Snowflake may change without a statement. */
const BACKGROUND_TYPES = ['is_dynamic', 'is_iceberg', 'is_hybrid']

/**
 * Returns the version of a table: the time of its last DDL, which every change of its columns sets, and a
 * digest of everything else. Undefined if Snowflake does not show the time, or the change is recent. `asset`
 * has no columns.
 */
function getVersion(row: ResultRow, asset: SourceAsset): string | undefined {
  const isInBackground =
    asset.kind === 'external_table' || BACKGROUND_TYPES.some((type) => row.isTrue(type))
  const time = isInBackground ? row.get('last_altered') : row.get('last_ddl')
  // The time 0 is a placeholder.
  if (time === undefined || Number.parseFloat(time) <= 0) return undefined
  const ageSeconds = Number.parseFloat(row.get('read_at') ?? '') - Number.parseFloat(time)
  if (!(ageSeconds >= SETTLED_SECONDS)) return undefined
  const { statistic: _, ...contents } = asset
  return `${time} ${hash('sha256', JSON.stringify(contents))}`
}
