/** The servers of ODCS, with every field. */

import { type ObjectValue, type Value } from '../formats/text/value.ts'

const SERVER_FIELDS: { [name: string]: Value } = {
  port: 5432,
  location: 'sftp://example.com/a',
  endpointUrl: 'https://example.com',
  catalogUrl: 'https://example.com/catalog',
  stagingDir: 's3://bucket/dir',
  staging_dir: 's3://bucket/dir',
  format: 'json',
  delimiter: 'new_line',
}

const ALL_FIELDS =
  'account catalog database dataset delimiter endpointUrl format host location path port project region regionName schema serviceName stagingDir warehouse'

/** The fields of each type of server. */
export const ODCS_SERVERS: { [type: string]: string } = {
  api: 'location',
  athena: 'stagingDir schema catalog regionName',
  azure: 'location format delimiter',
  bigquery: 'project dataset',
  clickhouse: 'host port database',
  databricks: 'catalog schema host',
  denodo: 'host port database',
  dremio: 'host port schema',
  duckdb: 'database',
  glue: 'account database location format',
  cloudsql: 'host port database schema',
  db2: 'host port database schema',
  informix: 'host database port',
  kafka: 'host format',
  kinesis: 'region format',
  local: 'path format',
  mysql: 'host port database',
  oracle: 'host port serviceName',
  postgresql: 'host port database schema',
  postgres: 'host port database schema',
  presto: 'host catalog schema',
  pubsub: 'project',
  redshift: 'database schema host region account',
  s3: 'location endpointUrl format delimiter',
  sftp: 'location format delimiter',
  snowflake: 'account database schema host port warehouse',
  sqlserver: 'host database schema port',
  synapse: 'host port database',
  trino: 'host port catalog schema',
  vertica: 'host port database schema',
  custom: ALL_FIELDS,
}

/** Creates a server with the named fields. */
export function createServer(names: string): ObjectValue {
  return Object.fromEntries(
    names.split(' ').map((name): [string, Value] => [name, SERVER_FIELDS[name] ?? 'x']),
  )
}
