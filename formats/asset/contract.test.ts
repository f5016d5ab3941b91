import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  createColumns,
  createDraftCheck,
  createTable,
  listTypes,
  LOCATIONS,
} from '../../test/contract-drafts.ts'
import { TABLE as DATABRICKS } from '../schema/types/databricks.ts'
import { TABLE as HIVE } from '../schema/types/hive.ts'
import { TABLE as ICEBERG } from '../schema/types/iceberg.ts'
import { TABLE as BIGQUERY } from '../schema/types/bigquery.ts'
import { TABLE as MYSQL } from '../schema/types/mysql.ts'
import { TABLE as SQLSERVER } from '../schema/types/sqlserver.ts'
import { TABLE as POSTGRESQL } from '../schema/types/postgresql.ts'
import { TABLE as SNOWFLAKE } from '../schema/types/snowflake.ts'
import type { TypeTable } from '../schema/types/type-table.ts'
import { getField, jsonText, type ObjectValue, type Value, valueAt } from '../text/value.ts'
import { draftContract } from './contract.ts'
import { assetModel } from './model.ts'
import { buildAsset } from './read.ts'

const TYPES: readonly (readonly [string, TypeTable])[] = [
  ['postgres', POSTGRESQL],
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
  ['mssql', SQLSERVER],
  ['fabric', SQLSERVER],
  ['snowflake', SNOWFLAKE],
  ['databricks', DATABRICKS],
  ['glue', HIVE],
  ['iceberg', ICEBERG],
  ['bigquery', BIGQUERY],
]

/** The names of servers in the standard that differ from that of the source. */
const SERVER_TYPES: Readonly<Record<string, string>> = {
  mariadb: 'mysql',
  mssql: 'sqlserver',
  fabric: 'sqlserver',
  iceberg: 'custom',
}

for (const [source, table] of TYPES) {
  test(`${source} › every type makes a valid draft that reads back as the same model`, (t) => {
    const draft = createDraftCheck(t)?.([createTable(source, createColumns(listTypes(table)))])
    if (draft === undefined) return
    assert.equal(valueAt(draft, ['servers', 0, 'type']), SERVER_TYPES[source] ?? source)
  })
}

test('a draft › of a Snowflake table has a server of its account, database and schema', (t) => {
  const more = { tableKind: 'iceberg', clusteringKey: 'LINEAR(ID)' }
  const draft = createDraftCheck(t)?.([
    createTable('snowflake', createColumns(['NUMBER(38,0)', 'VARIANT', 'VECTOR']), more),
  ])
  if (draft === undefined) return
  assert.deepEqual(getField(draft, 'servers'), [
    { server: 'snowflake', type: 'snowflake', ...LOCATIONS['snowflake'] },
  ])
})

test('a draft › has id, owner, status, server, keys and relationships', (t) => {
  const columns = [
    { name: 'id', type: 'bigint', required: true, unique: true },
    { name: 'customer', type: 'bigint', description: 'Who' },
  ]
  const references = ['shop', 'public', 'customers']
  const foreignKeys = [{ columns: ['customer'], references, referencedColumns: ['id'] }]
  const table = createTable('postgres', columns, { primaryKey: ['id'], foreignKeys })
  const draft = createDraftCheck(t)?.([table])
  if (draft === undefined) return
  assert.deepEqual(draft, {
    apiVersion: 'v3.2.0',
    kind: 'DataContract',
    id: 'orders',
    name: 'orders',
    version: '0.1.0',
    status: 'draft',
    description: { purpose: 'Orders' },
    team: { name: 'a' },
    servers: [{ server: 'postgres', type: 'postgres', ...LOCATIONS['postgres'] }],
    schema: [
      {
        name: 'orders',
        physicalName: 'orders',
        physicalType: 'table',
        description: 'Orders',
        properties: [
          {
            name: 'id',
            physicalType: 'bigint',
            required: true,
            unique: true,
            primaryKey: true,
            primaryKeyPosition: 1,
            logicalType: 'integer',
          },
          {
            name: 'customer',
            physicalType: 'bigint',
            description: 'Who',
            logicalType: 'integer',
            relationships: [{ type: 'foreignKey', to: 'customers.id' }],
          },
        ],
      },
    ],
  })
})

test('a draft › a source without a server type in the standard, or without a location, is a custom server', (t) => {
  const checkDraft = createDraftCheck(t)
  if (checkDraft === undefined) return
  const columns = createColumns(['string', 'array<struct<a:int>>'])
  const iceberg = checkDraft([createTable('iceberg', columns)])
  assert.deepEqual(getField(iceberg, 'servers'), [
    {
      server: 'iceberg',
      type: 'custom',
      catalog: 'prod',
      schema: 'sales',
      customProperties: [{ property: 'customType', value: 'iceberg' }],
    },
  ])
  const nowhere = checkDraft([
    { ...createTable('postgres', createColumns(['int4', 'jsonb'])), custom: {} },
  ])
  assert.equal(valueAt(nowhere, ['servers', 0, 'type']), 'custom')
  const sourceless = checkDraft([{ info: { name: 'x', owner: 'a' } }])
  assert.equal(getField(sourceless, 'servers'), undefined)
})

test('the draft of a product with the protocol of another one › names the product as its server', (t) => {
  const checkDraft = createDraftCheck(t)
  if (checkDraft === undefined) return
  const columns = createColumns(['character varying(20)', 'super', 'timestamp with time zone'])
  const table = createTable('postgres', columns)
  const draftServers = (type: string): Value =>
    getField(
      checkDraft([{ ...table, info: { ...(table['info'] as ObjectValue), type } }]),
      'servers',
    ) ?? null
  const { port, ...address } = LOCATIONS['postgres'] ?? {}
  const location = { port, ...address }
  const portOnly = [{ property: 'port', value: port }]
  const customProperties = [{ property: 'customType', value: 'cockroachdb' }]
  assert.deepEqual(draftServers('redshift_external_table'), [
    // The standard's Redshift server has no port.
    { server: 'redshift', type: 'redshift', ...address, customProperties: portOnly },
  ])
  assert.deepEqual(draftServers('cockroachdb_table'), [
    { server: 'cockroachdb', type: 'custom', ...location, customProperties },
  ])
  // A hypertable is in a PostgreSQL server.
  assert.deepEqual(draftServers('timescaledb_table'), [
    { server: 'postgres', type: 'postgres', ...location },
  ])
})

test('the draft of an asset without an owner › names no team', () => {
  const table = { info: { name: 'x' } }
  assert.equal(getField(draftContract(buildAsset(table, 'x'), [table]), 'team'), undefined)
})

const NAME = fc.oneof(
  fc.stringMatching(/^[a-z_]{1,8}$/),
  fc.constantFrom('__proto__', 'constructor', 'a.b', 'a"b', "O'Hara", 'naïve', '数', 'a\nb', '😀'),
)

const TYPE = fc.oneof(
  fc.constantFrom(...listTypes(POSTGRESQL), ...listTypes(MYSQL)),
  fc.constantFrom('struct<a:int,b:array<string>>', 'map<string,int>', 'list', 'struct', ''),
  fc.string(),
)

const COLUMN = fc.letrec<{ column: ObjectValue }>((tie) => ({
  column: fc.record(
    {
      name: NAME,
      type: TYPE,
      description: fc.string(),
      required: fc.boolean(),
      unique: fc.boolean(),
      tags: fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 2 }),
      properties: fc.uniqueArray(tie('column'), {
        maxLength: 2,
        selector: (column) => getField(column, 'name'),
      }),
      items: tie('column'),
    },
    { requiredKeys: ['name', 'type'] },
  ),
})).column

const TABLE = fc
  .record({
    source: fc.constantFrom('postgres', 'mysql', 'mariadb', 'iceberg', 'unheard-of'),
    columns: fc.uniqueArray(COLUMN, {
      maxLength: 5,
      selector: (column) => getField(column, 'name'),
    }),
    keys: fc.nat(2),
    target: fc.array(NAME, { minLength: 1, maxLength: 3 }),
  })
  .map(({ source, columns, keys, target }) => {
    const names = columns.map((column) => getField(column, 'name') ?? '')
    const foreignKeys = [
      { columns: names.slice(0, keys), references: target, referencedColumns: names },
    ]
    return createTable(source, columns, {
      primaryKey: names.slice(0, keys).toReversed(),
      foreignKeys,
    })
  })

test('generated tables › make valid drafts that read back as the same models', (t) => {
  const checkDraft = createDraftCheck(t)
  if (checkDraft === undefined) return
  fc.assert(
    fc.property(TABLE, (table) => {
      checkDraft([table])
    }),
    { seed: 1, numRuns: 700 },
  )
})

test('a draft › domains and enums have a logical type, and an enum its values', (t) => {
  const checkDraft = createDraftCheck(t)
  if (checkDraft === undefined) return
  const columns = [
    { name: 'price', type: 'public.price', custom: { baseType: 'numeric(10,2)' } },
    { name: 'mood', type: 'public.mood', custom: { enumValues: ['sad', "O'Brien"] } },
    {
      name: 'moods',
      type: 'public.mood[]',
      items: { name: 'items', type: 'public.mood', custom: { enumValues: ['sad', 'ok'] } },
    },
    {
      name: 'labels',
      type: 'map<string,string>',
      properties: [
        { name: 'key', type: 'string' },
        { name: 'value', type: 'string', required: true, description: 'Its text' },
      ],
    },
  ]
  const properties = valueAt(checkDraft([createTable('postgres', columns)]), [
    'schema',
    0,
    'properties',
  ])
  assert.ok(Array.isArray(properties))
  assert.deepEqual(
    properties
      .slice(0, 3)
      .map((one) => [getField(one, 'logicalType'), getField(one, 'physicalType')]),
    [
      ['number', 'public.price'],
      ['string', 'public.mood'],
      ['array', 'public.mood[]'],
    ],
  )
})

test('a draft › Databricks and Glue have the servers of the standard, with the rest as custom properties', (t) => {
  const checkDraft = createDraftCheck(t)
  if (checkDraft === undefined) return
  const location = { location: 's3://lake/orders', format: 'parquet' }
  const getServer = (source: string, more: ObjectValue): Value | undefined =>
    valueAt(checkDraft([createTable(source, createColumns(['int']), more)]), ['servers', 0])
  assert.deepEqual(getServer('glue', location), {
    server: 'glue',
    type: 'glue',
    account: '123456789012',
    database: 'sales',
    ...location,
    customProperties: [{ property: 'region', value: 'eu-central-1' }],
  })
  assert.deepEqual(getServer('databricks', location), {
    server: 'databricks',
    type: 'databricks',
    ...LOCATIONS['databricks'],
    customProperties: [
      { property: 'location', value: 's3://lake/orders' },
      { property: 'format', value: 'parquet' },
    ],
  })
  // The standard requires an address in the form of a URI.
  const odd = getServer('glue', { location: 'lake/a b' })
  assert.equal(valueAt(odd ?? null, ['type']), 'glue')
  assert.equal(valueAt(odd ?? null, ['location']), undefined)
})

const NESTED_TYPES = [
  'array<struct<sku:string,amount:decimal(10,2)>>',
  'map<string,array<struct<a:int,b:map<int,timestamp>>>>',
  'struct<a:struct<b:struct<c:varchar(10)>>,`city name`:string>',
  "struct<a:int not null comment 'Key, or <none>',b:array<double>>",
  'array<array<date>>',
  'array<map<string,struct<x:binary>>>',
]

for (const source of ['databricks', 'glue']) {
  test(`a draft › nested types of ${source} are written completely`, (t) => {
    const checkDraft = createDraftCheck(t)
    if (checkDraft === undefined) return
    const draft = checkDraft([createTable(source, createColumns(NESTED_TYPES))])
    const properties = valueAt(draft, ['schema', 0, 'properties'])
    assert.ok(Array.isArray(properties))
    assert.deepEqual(
      properties.map((one) => getField(one, 'logicalType')),
      ['array', 'map', 'object', 'object', 'array', 'array'],
    )
    const text = jsonText(draft)
    for (const name of ['sku', 'city name', 'x', 'c']) assert.ok(text.includes(`"${name}"`), name)
    assert.deepEqual(listUnknown(assetModel(createTable(source, createColumns(NESTED_TYPES)))), [])
  })
}

function listUnknown(model: object): string[] {
  return [...JSON.stringify(model).matchAll(/"logicalType":"unknown"/g)].map(([match]) => match)
}
