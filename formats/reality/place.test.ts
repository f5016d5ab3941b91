import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareAddresses, listSourceAddresses } from '../data-contract/server-address.ts'
import { plainModel } from '../schema/plain.ts'
import type { ObjectValue } from '../text/value.ts'
import { findPlace, LOCATION_PLATFORMS, PLATFORM_ASSETS } from './place.ts'

type Row = [type: string, server: ObjectValue, physicalName: string | undefined, place: string]

function place(type: string, properties: ObjectValue, physicalName?: string): string {
  const model = plainModel('Orders', '')
  if (physicalName !== undefined) model.physicalName = physicalName
  const found = findPlace({ name: 's', type, properties, origin: '' }, model, { models: [model] })
  const { platform, address, path, unplacedBecause } = found
  return [platform ?? '-', address ?? '-', path?.join(' | ') ?? unplacedBecause].join(' ; ')
}

function findSpecified(
  schemaType: string,
  type: string,
  properties: ObjectValue,
  namespace: string,
): string | undefined {
  const model = { ...plainModel('Orders', ''), namespace }
  const server = { name: 's', type, properties, origin: '' }
  const { path, unplacedBecause } = findPlace(server, model, { models: [model], schemaType })
  return path?.join(' | ') ?? unplacedBecause
}

const ROWS: readonly Row[] = [
  // The parts of each type of server.
  [
    'postgres',
    { host: 'DB.example.', database: 'd', schema: 's' },
    'orders',
    'postgres ; db.example:5432 ; d | s | orders',
  ],
  [
    'postgresql',
    { host: 'h', port: 6432, database: 'd' },
    undefined,
    'postgres ; h:6432 ; d | public | Orders',
  ],
  [
    'cloudsql',
    { host: 'h', database: 'd', schema: 's' },
    undefined,
    'postgres ; h:5432 ; d | s | Orders',
  ],
  [
    'redshift',
    { host: 'h', database: 'd', schema: 's' },
    undefined,
    'redshift ; h:5439 ; d | s | Orders',
  ],
  ['redshift', { database: 'd', schema: 's' }, undefined, 'redshift ; - ; d | s | Orders'],
  ['mysql', { host: 'h', database: 'd' }, undefined, 'mysql ; h:3306 ; d | Orders'],
  ['sqlserver', { host: 'h', database: 'd' }, undefined, 'sqlserver ; h:1433 ; d | dbo | Orders'],
  [
    'synapse',
    { host: 'h', port: 1500, database: 'd', schema: 's' },
    undefined,
    'sqlserver ; h:1500 ; d | s | Orders',
  ],
  [
    'snowflake',
    { account: 'ORG.acc', database: 'D', schema: 'S' },
    undefined,
    'snowflake ; org-acc ; D | S | Orders',
  ],
  ['bigquery', { project: 'p', dataset: 'd' }, undefined, 'bigquery ; - ; p | d | Orders'],
  [
    'databricks',
    { host: 'https://x.example/', catalog: 'c', schema: 's' },
    undefined,
    'databricks ; x.example ; c | s | Orders',
  ],
  ['databricks', { catalog: 'c', schema: 's' }, undefined, 'databricks ; - ; c | s | Orders'],
  [
    'glue',
    { account: '1234-5678-9012', database: 'd' },
    undefined,
    'glue ; account=123456789012 ; d | Orders',
  ],
  [
    'athena',
    { schema: 'd', regionName: 'eu-west-1' },
    undefined,
    'glue ; region=eu-west-1 ; d | Orders',
  ],
  [
    'iceberg',
    { catalogUrl: 'https://c.example/iceberg/v1', namespace: 'a.b' },
    undefined,
    'iceberg ; c.example/iceberg ; a.b | Orders',
  ],
  [
    'kafka',
    { host: 'b2:9092, B1:9092' },
    'sales.orders.v1',
    'kafka ; b1:9092,b2:9092 ; sales.orders.v1',
  ],
  ['kafka', { host: 'b:1', topic: 'orders-topic' }, undefined, 'kafka ; b:1 ; orders-topic'],
  ['s3', { location: 's3://b/orders.parquet' }, undefined, 's3 ; - ; s3://b/orders.parquet'],
  ['s3', { location: 's3://b/{model}/*.csv' }, 'orders', 's3 ; - ; s3://b/Orders/*.csv'],
  ['local', { path: './a.csv' }, undefined, 'local ; - ; ./a.csv'],
  [
    'oracle',
    { host: 'H', port: 1521, serviceName: 'x' },
    undefined,
    'oracle ; h:1521 ; x | Orders',
  ],
  ['teradata', { host: 'h', database: 'd' }, undefined, 'teradata ; h ; d | Orders'],
  [
    'trino',
    { host: 'h', port: 8080, catalog: 'c', schema: 's' },
    undefined,
    'trino ; h:8080 ; c | s | Orders',
  ],
  ['duckdb', { database: 'd.db', schema: 'main' }, undefined, 'duckdb ; - ; d.db | main | Orders'],
  ['api', { location: 'https://a.example' }, undefined, '- ; - ; An API has no tables.'],
  ['custom', {}, undefined, '- ; - ; The server has no type that is a platform.'],
  // A qualified name overrides the parts of the server from the right.
  [
    'postgres',
    { host: 'h', database: 'd', schema: 's' },
    'sales.orders',
    'postgres ; h:5432 ; d | sales | orders',
  ],
  [
    'postgres',
    { host: 'h', database: 'd', schema: 's' },
    'e.sales.orders',
    'postgres ; h:5432 ; e | sales | orders',
  ],
  [
    'postgres',
    { host: 'h', database: 'd' },
    '"a.b".orders',
    'postgres ; h:5432 ; d | a.b | orders',
  ],
  ['postgres', { host: 'h', database: 'd' }, '"a.b"', 'postgres ; h:5432 ; d | public | a.b'],
  ['mysql', { host: 'h', database: 'd' }, 'e.orders', 'mysql ; h:3306 ; e | orders'],
  ['mysql', { host: 'h', database: 'd' }, '`e.f`', 'mysql ; h:3306 ; d | e.f'],
  ['sqlserver', { host: 'h', database: 'd' }, '[x].[y.z]', 'sqlserver ; h:1433 ; d | x | y.z'],
  ['bigquery', { project: 'p', dataset: 'd' }, '`q.e.t`', 'bigquery ; - ; q | e | t'],
  ['bigquery', { project: 'p', dataset: 'd' }, 'e.t', 'bigquery ; - ; p | e | t'],
  ['glue', { account: 'a', database: 'd' }, 'e.t', 'glue ; account=a ; e | t'],
  [
    'iceberg',
    { catalogUrl: 'c.example', namespace: 'n' },
    'a.b.t',
    'iceberg ; c.example ; a.b | t',
  ],
  [
    'postgres',
    { host: 'h', database: 'd' },
    'orders_v1.2',
    'postgres ; h:5432 ; d | public | orders_v1.2',
  ],
  // A place that the contract does not give.
  [
    'postgres',
    { host: 'h', database: '${DB}' },
    undefined,
    'postgres ; h:5432 ; The database is a variable.',
  ],
  ['postgres', { host: '${HOST}', database: 'd' }, undefined, 'postgres ; - ; d | public | Orders'],
  ['postgres', { host: 'h' }, undefined, 'postgres ; h:5432 ; The server has no database.'],
  [
    'postgres',
    { host: 'h', database: 'd' },
    '${T}',
    'postgres ; h:5432 ; The name of the table is a variable.',
  ],
  ['postgres', { host: 'h', database: '${DB}' }, 'e.s.t', 'postgres ; h:5432 ; e | s | t'],
  [
    'postgres',
    { host: '{{ host }}', database: '{{ target.database }}' },
    undefined,
    'postgres ; - ; The database is a variable.',
  ],
  [
    'sqlserver',
    { host: '$(Host)', database: 'd', schema: '$(Schema)' },
    undefined,
    'sqlserver ; - ; The schema is a variable.',
  ],
  [
    'bigquery',
    { project: 'p', dataset: 'd_{{ env }}' },
    undefined,
    'bigquery ; - ; The dataset is a variable.',
  ],
  [
    'snowflake',
    { account: 'a', database: 'd', schema: 's' },
    '{{ schema }}.orders',
    'snowflake ; a ; The name of the table is a variable.',
  ],
  ['kafka', { host: 'b:1' }, 'a-{{ env }}', 'kafka ; b:1 ; The name of the topic is a variable.'],
  ['s3', { location: 's3://$(Bucket)/a' }, undefined, 's3 ; - ; The location is a variable.'],
  [
    'oracle',
    { serviceName: '$(db)' },
    undefined,
    'oracle ; - ; The database of the server is a variable.',
  ],
  // A custom server is of the type that it names.
  [
    'custom',
    {
      customProperties: [{ property: 'customType', value: 'CockroachDB' }],
      host: 'h',
      database: 'd',
    },
    undefined,
    'postgres ; h:26257 ; d | public | Orders',
  ],
  [
    'custom',
    { customType: 'iceberg', catalogUrl: 'https://c.example', schema: 'n' },
    undefined,
    'iceberg ; c.example ; n | Orders',
  ],
  [
    'custom',
    { customProperties: [{ property: 'customType', value: 'exadata' }], host: 'h', database: 'd' },
    undefined,
    'exadata ; h ; d | Orders',
  ],
  [
    'custom',
    { customProperties: [{ property: 'customType', value: 'api' }] },
    undefined,
    '- ; - ; An API has no tables.',
  ],
  [
    'snowflake',
    { account: 'a', database: 'd' },
    undefined,
    'snowflake ; a ; The server has no schema.',
  ],
  ['kafka', { host: 'b:1' }, 'a-${ENV}', 'kafka ; b:1 ; The name of the topic is a variable.'],
  ['s3', {}, undefined, 's3 ; - ; The server has no location.'],
]

describe('findPlace', () => {
  for (const [type, server, physicalName, expected] of ROWS) {
    test(`${type} ${JSON.stringify(server)} ${physicalName ?? ''} › ${expected}`, () => {
      assert.equal(place(type, server, physicalName), expected)
    })
  }

  test('uses the topic of the server for the only model of a contract', () => {
    const model = plainModel('Orders', '')
    const server = { name: 's', type: 'kafka', properties: { topic: 't' }, origin: '' }
    assert.deepEqual(findPlace(server, model, { models: [model, model] }).path, ['Orders'])
  })
})

describe('findPlace of a specification', () => {
  test('has the schema of its statements and the dataset of its table', () => {
    const postgres = { database: 'd', schema: 'public' }
    assert.equal(findSpecified('sql-ddl', 'postgres', postgres, 'sales'), 'd | sales | Orders')
    const bigquery = { project: 'p', dataset: 'd' }
    assert.equal(findSpecified('bigquery', 'bigquery', bigquery, 'other.e'), 'other | e | Orders')
    assert.equal(findSpecified('avro', 'postgres', postgres, 'com.example'), 'd | public | Orders')
  })

  test('has the database of a script with three names, and keeps the dots of PostgreSQL', () => {
    const snowflake = { account: 'a', database: 'd', schema: 's' }
    assert.equal(findSpecified('sql-ddl', 'snowflake', snowflake, 'e.x'), 'e | x | Orders')
    const postgres = { database: 'd', schema: 's' }
    assert.equal(findSpecified('sql-ddl', 'postgres', postgres, 'd.x'), 'd | x | Orders')
    assert.equal(findSpecified('sql-ddl', 'postgres', postgres, 'a.b'), 'd | a.b | Orders')
    assert.equal(findSpecified('sql-ddl', 'mysql', { database: 'd' }, 'e'), 'e | Orders')
  })

  test('is unknown for a schema that is a placeholder', () => {
    const because = findSpecified('sql-ddl', 'postgres', { database: 'd' }, '{{ s }}')
    assert.equal(because, 'The schema of the table is a variable.')
  })

  test('is unknown for a schema of dbt, which its project combines with others', () => {
    const because = findSpecified('dbt', 'postgres', { database: 'd' }, 'marts')
    assert.equal(because, 'The schema of "marts" depends on the settings of the dbt project.')
  })
})

describe('PLATFORM_ASSETS', () => {
  test('separates Redshift from PostgreSQL, which one connector reads', () => {
    const [redshift, postgresql] = ['redshift', 'postgres'].map((one) => PLATFORM_ASSETS.get(one))
    assert.deepEqual(redshift, [{ source: 'postgres', only: 'redshift_' }])
    assert.deepEqual(postgresql, [{ source: 'postgres', never: 'redshift_' }])
  })

  test('has every platform that a connector reads, and no files or streams', () => {
    const platforms = 'postgres redshift mysql sqlserver snowflake bigquery databricks glue iceberg'
    assert.deepEqual([...PLATFORM_ASSETS.keys()], platforms.split(' '))
    assert.deepEqual(LOCATION_PLATFORMS, ['s3', 'azure', 'sftp', 'local', 'kinesis', 'pubsub'])
  })
})

describe('compareAddresses', () => {
  const rows: readonly [promised: string | undefined, addresses: string[], result: string][] = [
    [
      'h:5432',
      listSourceAddresses('postgres', { host: 'H', port: 5432, database: ['a', 'b'] }),
      'same',
    ],
    ['h:5432', listSourceAddresses('postgres', { host: 'h', port: 5433 }), 'different'],
    ['h:5432', [], 'unknown'],
    [undefined, ['h:5432'], 'unknown'],
    ['org-acc', listSourceAddresses('snowflake', { account: 'ORG-ACC' }), 'same'],
    ['account=1', listSourceAddresses('glue', { region: 'eu-west-1' }), 'unknown'],
    [
      'region=eu-west-1',
      listSourceAddresses('glue', { region: 'eu-west-1', catalogId: '1' }),
      'same',
    ],
    [
      'region=eu-west-2',
      listSourceAddresses('glue', { region: 'eu-west-1', catalogId: '1' }),
      'different',
    ],
    ['b1:9092,b2:9092', ['b2:9092,b3:9092'], 'same'],
    ['b1:9092', ['b2:9092,b3:9092'], 'different'],
    ['x.example', listSourceAddresses('databricks', { url: 'https://x.example' }), 'same'],
    [
      'c.example/iceberg',
      listSourceAddresses('iceberg', { uri: 'https://c.example/iceberg/' }),
      'same',
    ],
  ]
  for (const [promised, addresses, result] of rows) {
    test(`${promised} and ${addresses.join(' ') || 'none'} › ${result}`, () => {
      assert.equal(compareAddresses(promised, addresses), result)
    })
  }
})
