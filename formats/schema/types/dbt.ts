// dbt has no types of its own: the adapter of a project determines the platform of its column types.

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

/**
 * Returns the platform of a dbt adapter (`adapter_type` in a manifest's metadata); undefined if it has
 * no table.
 */
export function platformOfAdapter(adapter: string | undefined): Platform | undefined {
  return adapter === undefined ? undefined : PLATFORM_OF_ADAPTER.get(adapter.toLowerCase())
}
