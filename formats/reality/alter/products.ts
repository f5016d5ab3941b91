// The statements by which each product changes a table. They differ in more than their words: some products state the
// whole column again, some only widen types, and some have no constraints.

import { newTable } from '../../name/table.ts'
import type { Platform } from '../../schema/types/native-type.ts'

/** A column as statements name it. */
export interface AlteredColumn {
  /** The name in quotes. */
  name: string
  /** The type, as the product declares it. */
  type: string
  isRequired: boolean
  /** The comment that the column has, as a literal; undefined = none. */
  comment: string | undefined
}

/** Returns the statement for a table whose name is in quotes. */
type Write = (table: string, column: AlteredColumn) => string

/** The statements of a product; one without an action does not change tables in that way. */
export interface AlteringProduct {
  /** The name of the product for people. */
  title: string
  /** The platform whose types and quotes it has. */
  platform: Platform
  add: Write
  setType?: Write
  require?: Write
  relax?: Write
  /** Returns the statement that adds a primary key of columns in quotes. */
  addKey?: (table: string, columns: string) => string
  addUnique?: (table: string, columns: string) => string
  /** The limits of `setType`, as a sentence. */
  typeNote?: string
}

const alter = (table: string, action: string): string => `ALTER TABLE ${table} ${action}`

const STANDARD = {
  add: (table, { name, type }) => alter(table, `ADD COLUMN ${name} ${type}`),
  require: (table, { name }) => alter(table, `ALTER COLUMN ${name} SET NOT NULL`),
  relax: (table, { name }) => alter(table, `ALTER COLUMN ${name} DROP NOT NULL`),
  addKey: (table, columns) => alter(table, `ADD PRIMARY KEY (${columns})`),
  addUnique: (table, columns) => alter(table, `ADD UNIQUE (${columns})`),
} satisfies Partial<AlteringProduct>

const POSTGRESQL: AlteringProduct = {
  ...STANDARD,
  title: 'PostgreSQL',
  platform: 'postgresql',
  setType: (table, { name, type }) =>
    alter(table, `ALTER COLUMN ${name} TYPE ${type} USING ${name}::${type}`),
  typeNote: 'It fails if a value cannot be converted, and may rewrite the table.',
}

// https://docs.cockroachlabs.com/docs/stable/alter-table#alter-primary-key
const COCKROACHDB: AlteringProduct = {
  ...POSTGRESQL,
  title: 'CockroachDB',
  addKey: (table, columns) => alter(table, `ALTER PRIMARY KEY USING COLUMNS (${columns})`),
}

// https://docs.aws.amazon.com/redshift/latest/dg/r_ALTER_TABLE.html
const REDSHIFT: AlteringProduct = {
  title: 'Redshift',
  platform: 'postgresql',
  add: STANDARD.add,
  setType: (table, { name, type }) => alter(table, `ALTER COLUMN ${name} TYPE ${type}`),
  addKey: STANDARD.addKey,
  addUnique: STANDARD.addUnique,
  typeNote: 'Redshift only changes the length of texts. Another type needs a new column.',
}

// MODIFY states the whole column again: what it leaves out is gone.
const redefine: Write = (table, { name, type, isRequired, comment }) => {
  const parts = [name, type, isRequired ? 'NOT NULL' : 'NULL']
  if (comment !== undefined) parts.push(`COMMENT ${comment}`)
  return alter(table, `MODIFY COLUMN ${parts.join(' ')}`)
}

const MYSQL: AlteringProduct = {
  ...STANDARD,
  title: 'MySQL and MariaDB',
  platform: 'mysql',
  add: (table, { name, type }) => alter(table, `ADD COLUMN ${name} ${type} NULL`),
  setType: redefine,
  require: redefine,
  relax: redefine,
  typeNote:
    'MODIFY COLUMN states the whole column: add its default, AUTO_INCREMENT or collation if it has one.',
}

const restate: Write = (table, { name, type, isRequired }) =>
  alter(table, `ALTER COLUMN ${name} ${type} ${isRequired ? 'NOT NULL' : 'NULL'}`)

const SQL_SERVER: AlteringProduct = {
  ...STANDARD,
  title: 'SQL Server',
  platform: 'sqlserver',
  add: (table, { name, type }) => alter(table, `ADD ${name} ${type} NULL`),
  setType: restate,
  require: restate,
  relax: restate,
  typeNote:
    'ALTER COLUMN states the whole type: add its collation if it differs from that of the database.',
}

// https://learn.microsoft.com/fabric/data-warehouse/table-constraints
const FABRIC: AlteringProduct = {
  title: 'Microsoft Fabric',
  platform: 'sqlserver',
  add: SQL_SERVER.add,
}

// https://docs.snowflake.com/sql-reference/sql/alter-table-column
const SNOWFLAKE: AlteringProduct = {
  ...STANDARD,
  title: 'Snowflake',
  platform: 'snowflake',
  setType: (table, { name, type }) => alter(table, `ALTER COLUMN ${name} SET DATA TYPE ${type}`),
  typeNote: 'Snowflake only changes lengths and digits. Another type needs a new column.',
}

// https://cloud.google.com/bigquery/docs/managing-table-schemas
const BIGQUERY: AlteringProduct = {
  title: 'BigQuery',
  platform: 'bigquery',
  add: STANDARD.add,
  relax: STANDARD.relax,
  setType: (table, { name, type }) => alter(table, `ALTER COLUMN ${name} SET DATA TYPE ${type}`),
  addKey: (table, columns) => alter(table, `ADD PRIMARY KEY (${columns}) NOT ENFORCED`),
  typeNote: 'BigQuery only changes a type to a wider one. Another type needs a new column.',
}

// https://docs.databricks.com/sql/language-manual/sql-ref-syntax-ddl-alter-table-manage-column
const DATABRICKS: AlteringProduct = {
  ...STANDARD,
  title: 'Databricks',
  platform: 'databricks',
  setType: (table, { name, type }) => alter(table, `ALTER COLUMN ${name} TYPE ${type}`),
  typeNote:
    "Databricks only changes a type to a wider one, and only if the table has delta.enableTypeWidening = 'true'.",
}

// Unique columns are unknown to Spark.
const { addUnique: _, ...DATABRICKS_ONLY } = DATABRICKS

// https://docs.aws.amazon.com/athena/latest/ug/alter-table-add-columns.html
const HIVE: AlteringProduct = {
  title: 'Athena and Hive',
  platform: 'hive',
  add: (table, { name, type }) => alter(table, `ADD COLUMNS (${name} ${type})`),
  setType: (table, { name, type }) => alter(table, `CHANGE COLUMN ${name} ${name} ${type}`),
  typeNote: 'The files keep their types: change the type only if every file can be read with it.',
}

// https://iceberg.apache.org/docs/latest/spark-ddl/
const ICEBERG: AlteringProduct = {
  title: 'Iceberg with Spark',
  platform: 'databricks',
  add: (table, { name, type }) => alter(table, `ADD COLUMNS (${name} ${type})`),
  setType: (table, { name, type }) => alter(table, `ALTER COLUMN ${name} TYPE ${type}`),
  relax: STANDARD.relax,
  typeNote: 'Iceberg only widens int, float and the digits of decimals.',
}

const PRODUCTS = newTable<AlteringProduct>({
  postgres: POSTGRESQL,
  yugabytedb: { ...POSTGRESQL, title: 'YugabyteDB' },
  cockroachdb: COCKROACHDB,
  redshift: REDSHIFT,
  mysql: MYSQL,
  mariadb: MYSQL,
  mssql: SQL_SERVER,
  sqlserver: SQL_SERVER,
  fabric: FABRIC,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
  databricks: DATABRICKS_ONLY,
  glue: HIVE,
  iceberg: ICEBERG,
})

/** Returns the statements of a product by its name in assets, such as `redshift`; undefined = none are written for it. */
export function getAlteringProduct(product: string): AlteringProduct | undefined {
  return PRODUCTS[product]
}
