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

/** Keycloak with the realm `portbook`: its client `portbook`, and ada, who is in two groups. */
export const KEYCLOAK: PeerServer = {
  peer: 'keycloak',
  executable: 'keycloak-26.7.3/bin/kc.sh',
  getArguments: (port) => [
    'start',
    '--optimized',
    '--import-realm',
    '--http-enabled=true',
    '--hostname-strict=false',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
  ],
  getEnvironment: () => ({
    JAVA_OPTS: ['-Xms64m', '-XX:MaxMetaspaceSize=256m', ...JAVA_FLAGS].join(' '),
    KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
    KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin',
  }),
  readyPath: '/realms/portbook/.well-known/openid-configuration',
}

/** Nessie's catalog in memory, with the warehouse `lake` in a bucket of moto. */
export const NESSIE: PeerServer = {
  peer: 'nessie',
  executable: './java',
  needs: MOTO,
  getArguments(port, _directory, installed, motoUrl) {
    const s3 = 'nessie.catalog.service.s3.default-options'
    const settings = {
      'quarkus.http.host': '127.0.0.1',
      'quarkus.http.port': port,
      'quarkus.management.port': 0,
      'nessie.version.store.type': 'IN_MEMORY',
      'nessie.catalog.default-warehouse': 'lake',
      'nessie.catalog.warehouses.lake.location': 's3://lake/warehouse',
      [`${s3}.endpoint`]: `${motoUrl}/`,
      [`${s3}.region`]: 'us-east-1',
      [`${s3}.path-style-access`]: true,
      [`${s3}.access-key`]: 'urn:nessie-secret:quarkus:keys',
      'keys.name': 'any',
      'keys.secret': 'any',
    }
    const flags = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`)
    return [...JAVA_FLAGS, ...flags, '-jar', join(installed, 'nessie-quarkus-runner.jar')]
  },
  readyPath: '/iceberg/v1/config',
}

/** Answers like the open-source Unity Catalog, in memory and without authentication. */
export const UNITY: PeerServer = {
  peer: 'uc-server',
  executable: 'bin/uc-server',
  getArguments: (port) => ['serve', '--host', '127.0.0.1', '--port', String(port), '--no-ui'],
  readyPath: '/api/2.1/unity-catalog/catalogs?max_results=0',
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
