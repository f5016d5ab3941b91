/** Reads a whole database with one statement from the views of ACCOUNT_USAGE, which lag behind. */

import { nameFilter } from '../filter.ts'
import { SourceFailure, type Batch, type Scope, type SourceAsset } from '../connector.ts'
import { groupAdjacent, toUnreadable } from '../asset-parts.ts'
import { Batcher } from '../batcher.ts'
import { findUnknownColumn } from '../column-names.ts'
import { getKind, isTemporary, toTableAsset } from './assets.ts'
import { COLUMN_FIELDS, toColumn } from './columns.ts'
import type { SnowflakeSchemaFacts } from './facts.ts'
import { readContainer, type DatabaseReading } from './reading.ts'
import type { ResultRow } from './result-row.ts'
import { listTableNames } from './show.ts'
import { quoteText } from './sql-text.ts'

const TABLE_FIELDS = [
  'table_owner',
  'table_type',
  'clustering_key',
  'row_count',
  'bytes',
  'last_altered',
  'last_ddl',
  'created',
]
const VIEW_FIELDS = ['view_definition', 'is_secure', 'view_id']
/** The columns of both views: a table has the position 0. */
const SHARED_FIELDS = new Set(['ordinal_position', 'comment'])

/** Failures that concern only one schema. */
const SCHEMA_FAILURES = /^(?:permission|too_large)$/

/** Reads the scopes of one database, with their outcomes. Errors: SourceFailure for all of them. */
export async function* readFromAccountUsage(
  reading: DatabaseReading,
  scopes: readonly Scope[],
): AsyncGenerator<Batch> {
  for (const scope of scopes) yield { assets: [await readContainer(reading, scope)] }
  const schemas = new Set(scopes.flatMap(({ path: [, schema] }) => schema ?? []))
  const failures = new Map<string, SourceFailure>()
  if (schemas.size > 0) {
    for await (const batch of readSchemas(reading, scopes[0]?.path[0] ?? '', schemas, failures)) {
      yield batch
    }
  }
  const outcomes = scopes.map(({ path }) => {
    const failure = failures.get(path[1] ?? '')
    return failure === undefined ? { path } : { path, failure }
  })
  yield { assets: [], outcomes }
}

async function* readSchemas(
  { client, facts }: DatabaseReading,
  database: string,
  schemas: ReadonlySet<string>,
  failures: Map<string, SourceFailure>,
): AsyncGenerator<Batch> {
  const { setup, configuration } = client
  const isIncluded = nameFilter(setup.filters, 'table')
  const batcher = new Batcher()
  let schemaFacts: SnowflakeSchemaFacts | undefined
  let open: string | undefined
  const statement = {
    sql: toStatement(database, [...schemas], configuration.includeViews),
    what: `the tables and columns of ${database} in ACCOUNT_USAGE`,
  }
  for await (const [table, ...columns] of groupAdjacent(client.run(statement), isOfTable)) {
    // Columns without a table belong to one that was just dropped.
    if (table?.getNumber('ordinal_position') !== 0) continue
    const schema = table.require('table_schema')
    if (!schemas.has(schema)) continue
    if (schema !== open) {
      open = schema
      try {
        const listTables = async () => await listTableNames(client, [database, schema])
        schemaFacts = await facts.openSchema(schema, listTables)
      } catch (error) {
        if (!(error instanceof SourceFailure) || !SCHEMA_FAILURES.test(error.kind)) throw error
        failures.set(schema, error)
      }
    }
    const isOurs = isIncluded(table.require('table_name')) && !isTemporary(table)
    if (failures.has(schema) || !isOurs) continue
    if (!configuration.includeViews && getKind(table).endsWith('view')) continue
    const plain = toTableAsset(client, table, {
      scope: [database, schema],
      columns: columns.map(toColumn),
      viewDefinition: table.get('view_definition'),
      isSecure: table.isTrue('is_secure'),
    })
    const asset = schemaFacts?.addTo(plain) ?? plain
    const fault = schemaFacts?.getFault(table.require('table_name'))
    const message = fault ?? findFault(asset, table)
    batcher.add(message === undefined ? asset : toUnreadable(asset, message))
    yield* batcher.takeFull()
  }
  yield batcher.takeLast()
}

/** Returns the contradiction between the views of ACCOUNT_USAGE, which lag differently; undefined if there is none. */
function findFault(asset: SourceAsset, table: ResultRow): string | undefined {
  if (asset.columns?.length === 0) return 'ACCOUNT_USAGE does not have its columns yet.'
  if (asset.kind === 'view' && table.get('view_id') === undefined) {
    return 'ACCOUNT_USAGE does not have it among the views yet.'
  }
  const unknown = findUnknownColumn(asset)
  return unknown === undefined
    ? undefined
    : `A key has the column ${unknown}, the table does not have it yet.`
}

// A table comes before its columns.
function isOfTable(row: ResultRow, first: ResultRow): boolean {
  return row.getNumber('ordinal_position') !== 0 && row.get('table_id') === first.get('table_id')
}

/** Snowflake rejects longer lists; rows of other schemas are then left out here. */
const SCHEMAS_IN_STATEMENT_MAX = 1000

function toStatement(database: string, schemas: readonly string[], includesViews: boolean): string {
  const isShort = schemas.length <= SCHEMAS_IN_STATEMENT_MAX
  const conditions = [
    `table_catalog = ${quoteText(database)}`,
    ...(isShort ? [`table_schema in (${schemas.map(quoteText).join(', ')})`] : []),
    'deleted is null',
  ]
  const columnFields = COLUMN_FIELDS.filter((field) => !SHARED_FIELDS.has(field))
  const tables = [
    ...keep('t', ['table_schema', 'table_name', 'table_id']),
    '0 as ordinal_position',
    't.comment',
    ...keep('t', TABLE_FIELDS),
    ...(includesViews
      ? ['v.view_definition', 'v.is_secure', 'v.table_id as view_id']
      : toNulls(VIEW_FIELDS)),
    ...toNulls(columnFields),
  ]
  const columns = [
    ...keep('c', ['table_schema', 'table_name', 'table_id', 'ordinal_position', 'comment']),
    ...toNulls([...TABLE_FIELDS, ...VIEW_FIELDS]),
    ...keep('c', columnFields),
  ]
  const from = 'from snowflake.account_usage'
  const join = includesViews
    ? 'left join snowflake.account_usage.views v on v.table_id = t.table_id and v.deleted is null'
    : ''
  return `
    select ${tables.join(', ')} ${from}.tables t ${join} where ${keep('t', conditions).join(' and ')}
    union all
    select ${columns.join(', ')} ${from}.columns c where ${keep('c', conditions).join(' and ')}
    order by table_schema, table_name, table_id, ordinal_position`
}

function keep(alias: string, fields: readonly string[]): string[] {
  return fields.map((field) => `${alias}.${field}`)
}

function toNulls(fields: readonly string[]): string[] {
  return fields.map((field) => `null as ${field}`)
}
