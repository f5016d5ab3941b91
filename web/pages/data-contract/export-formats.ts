import type { DIALECTS, ExportFormat } from '../../../formats/data-contract/export.ts'

/** A dialect of SQL in which a contract can be exported. */
export type Dialect = (typeof DIALECTS)[number]

/** The name and purpose of a format. */
export interface DescribedFormat {
  title: string
  /** The ending of the file name. */
  ending: string
  what: string
}

/** The export formats of a contract. */
export const EXPORTS: Readonly<Record<ExportFormat, DescribedFormat>> = {
  odcs: { title: 'ODCS', ending: 'odcs.json', what: 'The whole contract in the open standard.' },
  'json-schema': {
    title: 'JSON Schema',
    ending: 'schema.json',
    what: 'For validating records and messages.',
  },
  avro: { title: 'Avro', ending: 'avsc', what: 'For Kafka and its schema registry.' },
  protobuf: { title: 'Protobuf', ending: 'proto', what: 'For gRPC and message queues.' },
  sql: { title: 'SQL', ending: 'sql', what: 'Tables with their comments, keys and checks.' },
  dbt: { title: 'dbt', ending: 'dbt.yaml', what: 'Models with columns and tests.' },
  bigquery: { title: 'BigQuery', ending: 'bigquery.json', what: 'A schema for bq and Terraform.' },
}

/** The dialects of SQL, with their names. */
export const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  sqlserver: 'SQL Server',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
  databricks: 'Databricks',
  hive: 'Hive',
}

/** Returns an export format by name; ODCS for unknown names. */
export function findExport(name: string): ExportFormat {
  return isFormat(name) ? name : 'odcs'
}

function isFormat(name: string): name is ExportFormat {
  return Object.hasOwn(EXPORTS, name)
}

/** Returns a dialect by name; undefined for that of the contract. */
export function findDialect(name: string): Dialect | undefined {
  return isDialect(name) ? name : undefined
}

function isDialect(name: string): name is Dialect {
  return Object.hasOwn(DIALECT_NAMES, name)
}
