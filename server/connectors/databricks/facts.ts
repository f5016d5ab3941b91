/** Keys and tags of a schema, which only a SQL warehouse can read. */

import { omitEmpty } from '../asset-parts.ts'
import type { SourceAsset, SourceColumn } from '../connector.ts'
import { foldName, spellReferences } from '../column-names.ts'
import {
  addForeignTargets,
  quoteIdentifier,
  type ForeignTarget,
  type GrowingKey,
} from './foreign-targets.ts'
import { FACT_LIMITS, readPages, type FactLimits, type WarehouseRow } from './fact-pages.ts'
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
  /** The reasons why the facts of some tables are unknown, by the name of the table without case. */
  faults: Map<string, string>
}

/**
 * Reads the keys and tags of a schema; undefined without a SQL warehouse. Errors: those of
 * runStatement.
 */
export async function readFacts(
  workspace: Workspace,
  catalog: string,
  schema: string,
  limits: FactLimits = FACT_LIMITS,
): Promise<SchemaFacts | undefined> {
  if (workspace.configuration.warehouseId === undefined) return undefined
  const facts: SchemaFacts = { tags: [], tables: new Map(), faults: new Map() }
  const onTooLarge = (table: string, message: string) =>
    void facts.faults.set(foldName(table), message)
  const read = (toSql: (isFirst: boolean) => string, what: string) => {
    const statement = { toSql, parameters: { schema }, what, onTooLarge }
    return readPages(workspace, statement, limits)
  }
  const name = `${catalog}.${schema}`
  const targets: ForeignTarget[] = []
  const keys = read((isFirst) => keysStatement(catalog, isFirst), `the keys of ${name}`)
  for await (const row of keys) addKey(facts, row, targets)
  await addForeignTargets(workspace, targets)
  const tags = read((isFirst) => tagsStatement(catalog, isFirst), `the tags of ${name}`)
  for await (const row of tags) addTag(facts, row)
  return facts
}

/** Returns the reason why the keys or tags of a table are unknown; undefined if they are known. */
export function getFault(facts: SchemaFacts | undefined, table: string): string | undefined {
  return facts?.faults.get(foldName(table))
}

/** Adds keys and tags to a schema, or to a table with its columns. */
export function addFacts(asset: SourceAsset, facts: SchemaFacts | undefined): SourceAsset {
  if (facts === undefined) return asset
  if (asset.kind === 'schema') return { ...asset, ...omitEmpty({ tags: facts.tags }) }
  const own = facts.tables.get(foldName(asset.path.at(-1) ?? ''))
  if (own === undefined) return asset
  const { primaryKey, foreignKeys, tags, columnTags } = own
  return spellReferences({
    ...asset,
    ...omitEmpty({ primaryKey, foreignKeys: [...foreignKeys.values()], tags }),
    columns: (asset.columns ?? []).map((column): SourceColumn => ({
      ...column,
      ...omitEmpty({ tags: columnTags.get(foldName(column.name)) }),
    })),
  })
}

/** Writes the keys and tags of a table as a text that differs if they differ; empty = none. */
export function writeTableFacts(facts: SchemaFacts | undefined, table: string): string {
  const own = facts?.tables.get(foldName(table))
  if (own === undefined) return ''
  const { primaryKey, foreignKeys, tags, columnTags } = own
  return JSON.stringify([primaryKey, [...foreignKeys], tags, [...columnTags]])
}

function addKey(facts: SchemaFacts, row: WarehouseRow, targets: ForeignTarget[]): void {
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

function addTag(facts: SchemaFacts, [table, column, name, value]: WarehouseRow): void {
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
function keysStatement(catalog: string, isFirst: boolean): string {
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
    where used.table_schema = :schema${isFirst ? '' : ' and used.table_name > :after'}
    order by used.table_name, used.constraint_name, used.ordinal_position`
}

function tagsStatement(catalog: string, isFirst: boolean): string {
  const from = `${quoteIdentifier(catalog)}.information_schema`
  const ofSchema = `
    select null as table_name, null as column_name, tag_name, tag_value
    from ${from}.schema_tags where schema_name = :schema
    union all`
  const condition = `schema_name = :schema${isFirst ? '' : ' and table_name > :after'}`
  return `${isFirst ? ofSchema : ''}
    select table_name, null as column_name, tag_name, tag_value
    from ${from}.table_tags where ${condition}
    union all
    select table_name, column_name, tag_name, tag_value
    from ${from}.column_tags where ${condition}
    order by 1, 2, 3, 4`
}
