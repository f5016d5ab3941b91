// dbt has no types of its own: a project's adapter says whose types its columns have.

import type { Platform } from './native-type.ts'

/** https://docs.getdbt.com/docs/supported-data-platforms */
export const PLATFORM_OF_ADAPTER: ReadonlyMap<string, Platform> = new Map<string, Platform>([
  ['postgres', 'postgresql'],
  ['redshift', 'postgresql'],
  ['alloydb', 'postgresql'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['sqlserver', 'sqlserver'],
  ['synapse', 'sqlserver'],
  ['fabric', 'sqlserver'],
  ['snowflake', 'snowflake'],
  ['bigquery', 'bigquery'],
  ['databricks', 'databricks'],
  ['spark', 'databricks'],
  ['fabricspark', 'databricks'],
  ['hive', 'hive'],
  ['glue', 'hive'],
  ['athena', 'hive'],
  ['impala', 'hive'],
  ['trino', 'hive'],
])

/** Gives the platform of a dbt adapter (`adapter_type` of a manifest's metadata); undefined when no table fits. */
export function platformOfAdapter(adapter: string | undefined): Platform | undefined {
  return adapter === undefined ? undefined : PLATFORM_OF_ADAPTER.get(adapter.toLowerCase())
}
