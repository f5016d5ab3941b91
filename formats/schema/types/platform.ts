// Maps servers to the platform of their types. Contracts contain the product of a server; several
// products share a platform.

import type { Platform } from './native-type.ts'

const PLATFORM_OF_SERVER: ReadonlyMap<string, Platform> = new Map<string, Platform>([
  ['postgresql', 'postgresql'],
  ['postgres', 'postgresql'],
  ['redshift', 'postgresql'],
  ['cloudsql', 'postgresql'],
  ['alloydb', 'postgresql'],
  ['cockroachdb', 'postgresql'],
  ['yugabytedb', 'postgresql'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['sqlserver', 'sqlserver'],
  ['mssql', 'sqlserver'],
  ['azure-sql', 'sqlserver'],
  ['synapse', 'sqlserver'],
  ['fabric', 'sqlserver'],
  ['snowflake', 'snowflake'],
  ['bigquery', 'bigquery'],
  ['databricks', 'databricks'],
  ['spark', 'databricks'],
  ['hive', 'hive'],
  ['glue', 'hive'],
  ['athena', 'hive'],
  ['impala', 'hive'],
  ['trino', 'hive'],
  ['presto', 'hive'],
  ['iceberg', 'iceberg'],
])

/** Returns the platform of a server by its type, in any case; undefined if its types have no table. */
export function getServerPlatform(serverType: string | undefined): Platform | undefined {
  return serverType === undefined ? undefined : PLATFORM_OF_SERVER.get(serverType.toLowerCase())
}

// The other products of a platform have words and clauses of their own.
const NAMESAKES: ReadonlyMap<string, Platform> = new Map<string, Platform>([
  ['postgresql', 'postgresql'],
  ['postgres', 'postgresql'],
  ['mysql', 'mysql'],
  ['sqlserver', 'sqlserver'],
  ['mssql', 'sqlserver'],
  ['snowflake', 'snowflake'],
  ['bigquery', 'bigquery'],
  ['databricks', 'databricks'],
  ['hive', 'hive'],
])

/** Returns whether a server is the very product that a platform is named after: MariaDB is not MySQL. */
export function isNamesake(serverType: string | undefined, platform: Platform): boolean {
  return serverType !== undefined && NAMESAKES.get(serverType.toLowerCase()) === platform
}
