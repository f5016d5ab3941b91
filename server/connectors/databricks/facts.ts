/** Keys and tags of a schema, which only a SQL warehouse can read. */

import { SourceFailure, type SourceAsset, type SourceColumn } from '../connector.ts'
import { foldName, spellReferences } from '../column-names.ts'
import {
  addForeignTargets,
  quoteIdentifier,
  type ForeignTarget,
  type GrowingKey,
} from './foreign-targets.ts'
import { runStatement, type WarehouseStatement } from './statements.ts'
import type { Workspace } from './workspace.ts'

/** The keys and tags of one table. */
interface TableFacts {
  primaryKey: string[]
  /** By the name of the constraint. */
  foreignKeys: Map<string, GrowingKey>
  tags: string[]
  /** By the name of the column without case, which Unity Catalog ignores. */
  columnTags: Map<string, string[]>
}

/** The keys and tags of one schema. */
export interface SchemaFacts {
  tags: string[]
  /** By the name of the table without case. */
  tables: Map<string, TableFacts>
}

// Of more rows, the schema cannot be held in memory.
const ROWS_MAX = 1_000_000

/**
 * Reads the keys and tags of a schema; undefined without a SQL warehouse. Errors: those of
 * runStatement.
 */
export async function readFacts(
  workspace: Workspace,
  catalog: string,
  schema: string,
): Promise<SchemaFacts | undefined> {
  if (workspace.configuration.warehouseId === undefined) return undefined
  const facts: SchemaFacts = { tags: [], tables: new Map() }
  const name = `${catalog}.${schema}`
  const parameters = { schema }
  const keys = { sql: keysStatement(catalog), parameters, what: `the keys of ${name}` }
  const targets: ForeignTarget[] = []
  for await (const row of readRows(workspace, keys)) addKey(facts, row, targets)
  await addForeignTargets(workspace, targets)
  const tags = { sql: tagsStatement(catalog), parameters, what: `the tags of ${name}` }
  for await (const row of readRows(workspace, tags)) addTag(facts, row)
  return facts
}

/** Adds keys and tags to a schema, or to a table with its columns. */
export function addFacts(asset: SourceAsset, facts: SchemaFacts | undefined): SourceAsset {
  if (facts === undefined) return asset
  if (asset.kind === 'schema')
    return facts.tags.length === 0 ? asset : { ...asset, tags: facts.tags }
  const own = facts.tables.get(foldName(asset.path.at(-1) ?? ''))
  if (own === undefined) return asset
  return spellReferences({
    ...asset,
    ...(own.primaryKey.length === 0 ? {} : { primaryKey: own.primaryKey }),
    ...(own.foreignKeys.size === 0 ? {} : { foreignKeys: [...own.foreignKeys.values()] }),
    ...(own.tags.length === 0 ? {} : { tags: own.tags }),
    columns: (asset.columns ?? []).map((column): SourceColumn => {
      const tags = own.columnTags.get(foldName(column.name))
      return tags === undefined ? column : { ...column, tags }
    }),
  })
}

/** Writes the keys and tags of a table as a text that differs if they differ; empty = none. */
export function writeTableFacts(facts: SchemaFacts | undefined, table: string): string {
  const own = facts?.tables.get(foldName(table))
  if (own === undefined) return ''
  const { primaryKey, foreignKeys, tags, columnTags } = own
  return JSON.stringify([primaryKey, [...foreignKeys], tags, [...columnTags]])
}

type Row = readonly (string | null)[]

async function* readRows(workspace: Workspace, statement: WarehouseStatement): AsyncGenerator<Row> {
  let count = 0
  for await (const rows of runStatement(workspace, statement)) {
    count += rows.length
    if (count > ROWS_MAX) {
      throw new SourceFailure('too_large', `There are too many rows for ${statement.what}`)
    }
    yield* rows
  }
}

function addKey(facts: SchemaFacts, row: Row, targets: ForeignTarget[]): void {
  const [table, constraint, type, column, catalog, schema, referencedTable, referencedColumn] = row
  if (!table || !constraint || !column) return
  const own = getTableFacts(facts, table)
  if (type === 'PRIMARY KEY') own.primaryKey.push(column)
  if (type !== 'FOREIGN KEY') return
  if (catalog && schema && referencedTable && referencedColumn) {
    const key = getForeignKey(own, constraint, [catalog, schema, referencedTable])
    key.columns.push(column)
    key.referencedColumns.push(referencedColumn)
    return
  }
  const [targetCatalog, targetSchema, targetName, position] = row.slice(8)
  if (!targetCatalog || !targetSchema || !targetName || !position) return
  const key = getForeignKey(own, constraint, [targetCatalog, targetSchema])
  key.columns.push(column)
  targets.push({ key, constraint: [targetCatalog, targetSchema, targetName], position })
}

function getForeignKey(
  { foreignKeys }: TableFacts,
  constraint: string,
  references: string[],
): GrowingKey {
  const existing = foreignKeys.get(constraint)
  if (existing !== undefined) return existing
  const key: GrowingKey = { columns: [], references, referencedColumns: [] }
  foreignKeys.set(constraint, key)
  return key
}

function addTag(facts: SchemaFacts, [table, column, name, value]: Row): void {
  if (!name) return
  const tag = value ? `${name}:${value}` : name
  if (!table) {
    facts.tags.push(tag)
    return
  }
  const own = getTableFacts(facts, table)
  if (!column) {
    own.tags.push(tag)
    return
  }
  const key = foldName(column)
  own.columnTags.set(key, [...(own.columnTags.get(key) ?? []), tag])
}

function getTableFacts({ tables }: SchemaFacts, table: string): TableFacts {
  const name = foldName(table)
  let own = tables.get(name)
  if (own === undefined) {
    own = { primaryKey: [], foreignKeys: new Map(), tags: [], columnTags: new Map() }
    tables.set(name, own)
  }
  return own
}

const SAME_CONSTRAINT = (one: string, other: string, prefix = ''): string =>
  ['catalog', 'schema', 'name']
    .map((part) => `${one}.${prefix}constraint_${part} = ${other}.constraint_${part}`)
    .join(' and ')

/** The statement for the columns of keys: https://docs.databricks.com/sql/language-manual/sql-ref-information-schema.html */
function keysStatement(catalog: string): string {
  const from = `${quoteIdentifier(catalog)}.information_schema`
  return `
    select used.table_name, used.constraint_name, constraint.constraint_type, used.column_name,
      target.table_catalog, target.table_schema, target.table_name, target.column_name,
      reference.unique_constraint_catalog, reference.unique_constraint_schema,
      reference.unique_constraint_name, used.position_in_unique_constraint
    from ${from}.key_column_usage as used
    join ${from}.table_constraints as constraint on ${SAME_CONSTRAINT('used', 'constraint')}
    left join ${from}.referential_constraints as reference on ${SAME_CONSTRAINT('used', 'reference')}
    left join ${from}.key_column_usage as target
      on ${SAME_CONSTRAINT('reference', 'target', 'unique_')}
      and target.ordinal_position = used.position_in_unique_constraint
    where used.table_schema = :schema
    order by used.table_name, used.constraint_name, used.ordinal_position`
}

function tagsStatement(catalog: string): string {
  const from = `${quoteIdentifier(catalog)}.information_schema`
  return `
    select null as table_name, null as column_name, tag_name, tag_value
    from ${from}.schema_tags where schema_name = :schema
    union all
    select table_name, null, tag_name, tag_value from ${from}.table_tags where schema_name = :schema
    union all
    select table_name, column_name, tag_name, tag_value
    from ${from}.column_tags where schema_name = :schema
    order by 1, 2, 3, 4`
}
