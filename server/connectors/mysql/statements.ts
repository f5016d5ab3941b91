import type { Cell, Row, MysqlStatement } from './connection.ts'
import type { MysqlFlavour } from './flavour.ts'

/**
 * One statement returns all facts about a database's tables, sorted so that the rows of a table are
 * adjacent: nothing needs to be buffered, and the number of statements does not depend on the
 * number of tables. MariaDB opens every table for each part of such a statement, so parts that
 * cannot return rows are omitted.
 */

/** The kinds of rows, in the order in which the rows of a table arrive. */
export const ROW_KINDS = {
  database: 0,
  table: 1,
  column: 2,
  unique: 3,
  foreignKey: 4,
  json: 5,
  view: 6,
  storage: 7,
  viewUsage: 8,
} as const

/** The optional parts of a statement about databases. */
interface FactOptions {
  views: boolean
  /** Which text columns hold JSON. */
  json: boolean
}

/** A row of the facts statement. */
export interface FactRow {
  database: string
  /** Empty in the row of the database. */
  table: string
  kind: number
  /** The columns of this kind of row; they depend on its part of the statement. */
  facts: readonly Cell[]
}

const FACTS_COUNT = 7
// Slightly more than a document keeps, so that truncation is visible.
const VIEW_CHARACTERS_MAX = 70_000

/** Parses the rows of the facts statement. */
export async function* readFactRows(
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<FactRow[]> {
  for await (const rows of pages) yield rows.map(readFactRow)
}

function readFactRow([database, table, kind, , ...facts]: Row): FactRow {
  return { database: String(database), table: String(table), kind: Number(kind), facts }
}

/** Lists the names of the databases, sorted by their bytes. */
export function databasesStatement(): MysqlStatement {
  return {
    name: 'databases',
    text: `
select schema_name
from information_schema.schemata
order by convert(schema_name using utf8mb4) collate utf8mb4_bin`,
  }
}

/**
 * Returns a statement that finds columns that may hold JSON, which MariaDB stores as text with a
 * check: one row if there are any.
 */
export function jsonStatement(databases: readonly string[]): MysqlStatement {
  return {
    name: 'columns that may hold JSON',
    text: `
select 1
from information_schema.columns
where ${isIn('table_schema', databases)}
and data_type = 'longtext'
and collation_name = 'utf8mb4_bin'
limit 1`,
    values: databases,
  }
}

/**
 * Returns the statement for all facts about databases; `readFactRows` parses its rows, sorted by
 * database, table, kind, position.
 */
export function factsStatement(
  databases: readonly string[],
  flavour: MysqlFlavour,
  options: FactOptions,
): MysqlStatement {
  const parts = [
    tablePart,
    columnPart,
    uniquePart,
    foreignKeyPart,
    ...(options.json ? [jsonPart] : []),
    ...(options.views ? [viewPart] : []),
    storagePart,
    ...(options.views && flavour.hasViewUsage ? [viewUsagePart] : []),
    // Last: a database that is still visible now was visible all the time.
    databasePart(flavour),
  ]
  const selects = parts.map((part) => toSelect(part, databases))
  return {
    name: databases.length === 1 ? `tables of ${databases[0]}` : `tables of ${databases.length}`,
    text: `${selects.join('\nunion all')}\norder by 1, 2, 3, 4`,
    values: parts.flatMap(() => databases),
  }
}

/**
 * Returns a statement for the condition of the given tables: name, comment, row count. If a table
 * cannot be opened, the server's message replaces the comment.
 */
export function conditionsStatement(database: string, tables: readonly string[]): MysqlStatement {
  return {
    name: `tables in doubt of ${database}`,
    // Selecting the row count makes the server open the tables.
    text: `
select table_name, table_comment, table_rows
from information_schema.tables
where table_schema = ?
and table_name in (${tables.map(() => '?').join(', ')})`,
    values: [database, ...tables],
  }
}

/**
 * Returns a statement about a table that does not exist. A user who may see every table of the
 * database gets the error 1146 (no such table); a user who may see single tables, or nothing, is
 * denied (1142). It needs no privileges beyond those for the information schema, and includes
 * roles.
 */
export function visibilityStatement(database: string, table: string): MysqlStatement {
  return {
    name: `sight of ${database}`,
    text: `show create table ${quoteName(database)}.${quoteName(table)}`,
  }
}

/**
 * Returns a statement that lists the tables of a database that are granted directly to the user as
 * a whole, by any privilege that shows columns. Other tables may have hidden columns, which no
 * statement reveals.
 */
export function wholeTablesStatement(database: string): MysqlStatement {
  return {
    name: `tables granted of ${database}`,
    text: `
select distinct table_name
from information_schema.table_privileges
where table_schema = ?
and privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
and replace(grantee, '''', '') = current_user()`,
    values: [database],
  }
}

/** Returns a statement that lists the databases that have views with hidden definitions. */
export function hiddenViewsStatement(databases: readonly string[]): MysqlStatement {
  const selects = databases.map(
    () => `
(select table_schema
from information_schema.views
where table_schema = ?
and coalesce(view_definition, '') = ''
limit 1)`,
  )
  return { name: 'texts of views', text: selects.join('\nunion all'), values: databases }
}

/** Quotes a name. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** One select of the facts statement. */
interface Part {
  kind: number
  from: string
  /** The expressions for the database, the table and the position within its kind. */
  database?: string
  table?: string
  position?: string
  facts: readonly string[]
  and?: string
  isGrouped?: boolean
}

const tablePart: Part = {
  kind: ROW_KINDS.table,
  from: 'tables',
  facts: ['table_type', 'table_comment', 'engine'],
}

const columnPart: Part = {
  kind: ROW_KINDS.column,
  from: 'columns',
  position: 'ordinal_position',
  facts: [
    'column_name',
    'column_type',
    'is_nullable',
    'column_default',
    'extra',
    'generation_expression',
    'column_comment',
  ],
}

// Not table_constraints: it does not mark an index over the beginning of a text, which is not a
// key.
const uniquePart: Part = {
  kind: ROW_KINDS.unique,
  from: 'statistics',
  position: 'seq_in_index',
  facts: ['index_name', 'column_name', 'sub_part'],
  and: 'non_unique = 0',
}

const foreignKeyPart: Part = {
  kind: ROW_KINDS.foreignKey,
  from: 'key_column_usage',
  position: 'ordinal_position',
  facts: [
    'constraint_name',
    'column_name',
    'referenced_table_schema',
    'referenced_table_name',
    'referenced_column_name',
  ],
  and: 'referenced_table_name is not null',
}

const jsonPart: Part = {
  kind: ROW_KINDS.json,
  from: 'check_constraints',
  database: 'constraint_schema',
  facts: ['constraint_name', 'check_clause'],
  and: `check_clause like 'json_valid(%'`,
}

const viewPart: Part = {
  kind: ROW_KINDS.view,
  from: 'views',
  facts: [`left(view_definition, ${VIEW_CHARACTERS_MAX})`],
}

// https://dev.mysql.com/doc/refman/8.4/en/information-schema-view-table-usage-table.html
const viewUsagePart: Part = {
  kind: ROW_KINDS.viewUsage,
  from: 'view_table_usage',
  database: 'view_schema',
  table: 'view_name',
  facts: ['table_schema', 'table_name'],
}

// Values that change by themselves, and the partitioning: one row per partition or table. MySQL 8 caches the values of `tables`
// for a day, but not those of `partitions`, whose view passes 0 as the time at which they were cached:
// https://github.com/mysql/mysql-server/blob/8.0/sql/dd/impl/system_views/partitions.cc
const storagePart: Part = {
  kind: ROW_KINDS.storage,
  from: 'partitions',
  facts: [
    'max(partition_expression)',
    'max(subpartition_expression)',
    'sum(table_rows)',
    'sum(data_length) + sum(index_length)',
    `date_format(max(update_time), '%Y-%m-%dT%H:%i:%sZ')`,
  ],
  isGrouped: true,
}

function databasePart(flavour: MysqlFlavour): Part {
  return {
    kind: ROW_KINDS.database,
    from: 'schemata',
    database: 'schema_name',
    table: `''`,
    facts: flavour.hasDatabaseComments ? ['schema_comment'] : [],
  }
}

function toSelect(part: Part, databases: readonly string[]): string {
  const { database = 'table_schema', table = 'table_name', position = '0', facts } = part
  // Each flavour has several collations here, which it neither unites nor sorts as bytes.
  const names = [database, table].map(
    (name) => `convert(${name} using utf8mb4) collate utf8mb4_bin`,
  )
  const columns = Array.from({ length: FACTS_COUNT }, (_, at) => facts[at] ?? 'null')
  const texts = columns.map((fact) => `convert(${fact} using utf8mb4)`)
  return `
select ${[...names, part.kind, position, ...texts].join(', ')}
from information_schema.${part.from}
where ${isIn(database, databases)}${part.and === undefined ? '' : `\nand ${part.and}`}${
    part.isGrouped === true ? `\ngroup by ${names.join(', ')}` : ''
  }`
}

// MariaDB opens only the requested database if the condition is an equality.
function isIn(column: string, databases: readonly string[]): string {
  return databases.length === 1
    ? `${column} = ?`
    : `${column} in (${databases.map(() => '?').join(', ')})`
}
