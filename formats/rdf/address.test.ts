import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createServer, ODCS_SERVERS } from '../../test/full-servers.ts'
import type { Value } from '../text/value.ts'
import { findPortAddress, listServerAddresses } from './address.ts'

function find(type: string, properties: { [key: string]: Value }): string | undefined {
  const server = { name: 's', type, properties, origin: '/servers/0' }
  return listServerAddresses([server])[0]
}

/** The address of a server with every field of its type, and `x` as each text. */
const ADDRESSES: Readonly<Record<string, string | undefined>> = {
  api: 'sftp://example.com/a',
  athena: undefined,
  azure: 'sftp://example.com/a',
  bigquery: 'bigquery://x/x',
  clickhouse: 'clickhouse://x:5432/x',
  cloudsql: 'cloudsql://x:5432/x',
  custom: 'sftp://example.com/a',
  databricks: 'databricks://x/x/x',
  db2: 'db2://x:5432/x',
  denodo: 'denodo://x:5432/x',
  dremio: 'dremio://x:5432/x',
  duckdb: undefined,
  glue: 'sftp://example.com/a',
  informix: 'informix://x:5432/x',
  kafka: 'kafka://x',
  kinesis: undefined,
  local: undefined,
  mysql: 'mysql://x:5432/x',
  oracle: 'oracle://x:5432/x',
  postgres: 'postgresql://x:5432/x',
  postgresql: 'postgresql://x:5432/x',
  presto: 'presto://x/x/x',
  pubsub: 'pubsub://x',
  redshift: 'redshift://x/x',
  s3: 'sftp://example.com/a',
  sftp: 'sftp://example.com/a',
  snowflake: 'snowflake://x/x/x',
  sqlserver: 'sqlserver://x:5432/x',
  synapse: 'synapse://x:5432/x',
  trino: 'trino://x:5432/x/x',
  vertica: 'vertica://x:5432/x',
}

/** The types that v3.2.0 adds, and synonyms. */
const NEW_TYPES: readonly [string, { [key: string]: Value }, string | undefined][] = [
  ['hana', { host: 'h', port: 30015, database: 'D' }, 'hana://h:30015/D'],
  ['exasol', { host: 'h', port: 8563, schema: 'S' }, 'exasol://h:8563/S'],
  ['teradata', { host: 'h', database: 'd' }, 'teradata://h/d'],
  ['ingres', { host: 'h', port: '21064', database: 'd' }, 'ingres://h:21064/d'],
  ['vectorwise', { host: 'h', database: 'd' }, 'vectorwise://h/d'],
  ['versant', { host: 'localhost', database: 'd' }, 'versant://localhost/d'],
  ['poet', { database: 'd' }, undefined],
  ['fastobjects', { host: 'h', database: 'd' }, 'poet://h/d'],
  ['btrieve', { host: 'h', database: 'd' }, 'zen://h/d'],
  ['hive', { host: 'h', database: 'd' }, 'hive://h/d'],
  ['impala', { host: 'h', database: 'd' }, 'impala://h/d'],
  ['iceberg', { catalog: 'c', catalogUrl: 'https://i.example/v1' }, 'https://i.example/v1'],
  ['PostgreSQL', { host: 'h', port: 5432, database: 'd' }, 'postgresql://h:5432/d'],
]

describe('listServerAddresses', () => {
  test('has a row for every type of server', () => {
    assert.deepEqual(Object.keys(ADDRESSES).toSorted(), Object.keys(ODCS_SERVERS).toSorted())
  })

  for (const [type, names] of Object.entries(ODCS_SERVERS)) {
    test(`${type} › ${ADDRESSES[type] ?? 'no address'}`, () => {
      assert.equal(find(type, createServer(names)), ADDRESSES[type])
    })
  }

  for (const [type, properties, expected] of NEW_TYPES) {
    test(`${type} ${JSON.stringify(properties)} › ${expected ?? 'no address'}`, () => {
      assert.equal(find(type, properties), expected)
    })
  }

  test('lists each address once, at most ten', () => {
    const servers = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((port) => ({
      name: 's',
      type: 'mysql',
      properties: { host: 'h', port },
      origin: '',
    }))
    const addresses = listServerAddresses(servers)
    assert.equal(addresses.length, 10)
    assert.deepEqual(addresses.slice(0, 2), ['mysql://h:1', 'mysql://h:2'])
  })

  const UNKNOWN: readonly [string, { [key: string]: Value }][] = [
    ['s3', { location: 's3://${BUCKET}/a' }],
    ['s3', { location: '${LOCATION:-s3://bucket/a}', endpointUrl: 'https://minio.example' }],
    ['postgresql', { host: '${DB_HOST}', port: 5432, database: 'd' }],
    ['postgresql', { host: 'h', port: '${DB_PORT:-5432}', database: 'd' }],
    ['postgresql', { host: 'h', port: 5432, database: '${DB}' }],
    ['postgresql', { host: 'h/../x', database: 'd' }],
    ['postgresql', { host: 'user@h', database: 'd' }],
    ['postgresql', { host: '', database: 'd' }],
    ['postgresql', { host: ['h'], database: 'd' }],
    ['two words', { host: 'h', database: 'd' }],
    ['__proto__', { host: 'h', database: 'd' }],
    ['api', { location: '/relative' }],
    ['api', { location: 'host:9092' }],
    ['api', { location: 'C:\\data' }],
    ['api', { location: 'https://' }],
    ['api', { location: 'mailto:ada@example.com' }],
    ['api', { location: 'javascript://%0aalert(1)' }],
    ['local', { location: 'file:///home/ada' }],
    ['api', { location: `https://h/${'x'.repeat(2000)}` }],
    ['api', { location: 'https://h/?sig=abc' }],
    ['custom', { location: 'jdbc:oracle:thin:scott/tiger@h:1521/x' }],
  ]
  for (const [type, properties] of UNKNOWN) {
    test(`${type} ${JSON.stringify(properties).slice(0, 80)} › no address`, () => {
      assert.equal(find(type, properties), undefined)
    })
  }

  const LOCATIONS: readonly [string, string][] = [
    ['postgresql://ada:secret@h:5432/d', 'postgresql://h:5432/d'],
    [
      'abfss://container@account.dfs.core.windows.net/a',
      'abfss://container@account.dfs.core.windows.net/a',
    ],
    ['s3://bucket/a b/{date}/<x>/*.csv', 's3://bucket/a%20b/%7Bdate%7D/%3Cx%3E/*.csv'],
    ['https://h/100%/%41#a#b', 'https://h/100%25/%41#a%23b'],
    ['https://[::1]:8080/a[0]', 'https://[::1]:8080/a%5B0%5D'],
    ['https://höst/ü', 'https://h%C3%B6st/%C3%BC'],
    ['jdbc:postgresql://h:5432/d', 'jdbc:postgresql://h:5432/d'],
    ['arn:aws:kinesis:eu:1:stream/orders', 'arn:aws:kinesis:eu:1:stream/orders'],
  ]
  for (const [location, expected] of LOCATIONS) {
    test(`${location} › ${expected}`, () => {
      assert.equal(find('api', { location }), expected)
    })
  }

  test('kafka › the first server of a list, with the topic', () => {
    const properties = { host: 'a.example:9092, b.example:9092', topic: 'orders.v1' }
    assert.equal(find('kafka', properties), 'kafka://a.example:9092/orders.v1')
  })
})

describe('findPortAddress', () => {
  const port = { key: 'p', id: 'p', name: 'p', tags: [] }

  test('prefers the location of a port to its server', () => {
    const server = { host: 'h', database: 'd' }
    const both = { ...port, type: 'mysql', location: 'https://x.example', server }
    assert.equal(findPortAddress(both), 'https://x.example')
    assert.equal(findPortAddress({ ...port, type: 'mysql', server }), 'mysql://h/d')
    assert.equal(findPortAddress({ ...port, server: { type: 'mysql', host: 'h' } }), 'mysql://h')
    assert.equal(findPortAddress(port), undefined)
  })
})
