/** The servers of peers, one record each. */

import { join } from 'node:path'
import type { PeerServer } from './server.ts'

/** Answers like AWS, for every access key and without pages. */
export const MOTO: PeerServer = {
  peer: 'moto',
  executable: 'bin/moto_server',
  getArguments: (port) => ['-H', '127.0.0.1', '-p', String(port)],
  readyPath: '/moto-api/data.json',
}

/** Answers like BigQuery, with the project `test`, for every token and without page tokens. */
export const BQEMULATOR: PeerServer = {
  peer: 'bqemulator',
  executable: 'bin/python',
  getArguments: (port) => [
    join(import.meta.dirname, 'start_bqemulator.py'),
    'start',
    `--rest-port=${port}`,
    '--grpc-port=0',
    '--project=test',
  ],
  readyPath: '/bigquery/v2/projects/test/datasets',
}

// A server of tests runs briefly, so that the optimizing compiler does not pay.
const JAVA_FLAGS = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/** The reference server of the Iceberg REST catalog, with nested namespaces and views. */
export const ICEBERG: PeerServer = {
  peer: 'iceberg',
  executable: 'java',
  getArguments: (_port, _directory, installed) => [
    ...JAVA_FLAGS,
    '-cp',
    join(installed, 'lib/*'),
    'org.apache.iceberg.rest.RESTCatalogServer',
  ],
  getEnvironment: (port, directory) => ({
    CATALOG_CATALOG__IMPL: 'org.apache.iceberg.jdbc.JdbcCatalog',
    CATALOG_URI: `jdbc:sqlite:${join(directory, 'catalog.db')}`,
    CATALOG_WAREHOUSE: join(directory, 'warehouse'),
    CATALOG_JDBC_SCHEMA__VERSION: 'V1',
    CATALOG_CLIENTS: '1',
    CATALOG_REST_PORT: String(port),
  }),
  readyPath: '/v1/config',
}

/** The token that the server SNOWFLAKE accepts. */
export const SNOWFLAKE_TOKEN = 'canary-token-of-the-facade'

/** Speaks Snowflake's SQL API on the SQL of fakesnow, which runs on DuckDB. */
export const SNOWFLAKE: PeerServer = {
  peer: 'fakesnow',
  executable: 'bin/python',
  getArguments: (port) => [
    join(import.meta.dirname, '../warehouses/snowflake/facade.py'),
    String(port),
    SNOWFLAKE_TOKEN,
  ],
  readyPath: '/facade/health',
}
