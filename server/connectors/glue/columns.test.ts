import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SourceColumn } from '../connector.ts'
import { glueTable } from './answers.ts'
import { readColumns, type GlueColumns } from './columns.ts'
import { getView } from './view-text.ts'

type Given = readonly [name: string, type: string, parameters?: Record<string, string>]

function read(columns: readonly Given[], more: object = {}): GlueColumns {
  const table = glueTable.parse({
    Name: 't',
    StorageDescriptor: {
      Columns: columns.map(([Name, Type, Parameters]) => ({ Name, Type, Parameters })),
    },
    ...more,
  })
  return readColumns(table, table.TableType === 'VIRTUAL_VIEW' ? getView(table) : undefined)
}

function listNames({ columns }: GlueColumns): string[] {
  return columns.map(({ name }) => name)
}

const ICEBERG = { Parameters: { table_type: 'ICEBERG' } }
const DROPPED = { 'iceberg.field.current': 'false' }
const PLACEHOLDER: readonly Given[] = [['col', 'array<string>']]
const SPARK_SCHEMA = JSON.stringify({
  type: 'struct',
  fields: [
    { name: 'Id', type: 'long', nullable: false, metadata: { comment: 'The key' } },
    { name: 'tags', type: { type: 'array', elementType: 'string', containsNull: true } },
    { name: 'day', type: 'date', nullable: true, metadata: {} },
  ],
})
const SPARK_COLUMNS: readonly SourceColumn[] = [
  { name: 'Id', type: 'bigint', description: 'The key', required: true },
  { name: 'tags', type: 'array<string>', items: { name: 'element', type: 'string' } },
  { name: 'day', type: 'date' },
]

describe('columns of AWS Glue › Iceberg', () => {
  test('leaves out columns that were dropped', () => {
    const columns = read(
      [
        ['id', 'bigint'],
        ['old', 'string', DROPPED],
      ],
      ICEBERG,
    )
    assert.deepEqual(listNames(columns), ['id'])
  })

  test('shows a column once that was dropped and added again in another case', () => {
    const given: readonly Given[] = [
      ['Total', 'string', DROPPED],
      ['total', 'double', { 'iceberg.field.current': 'true' }],
    ]
    assert.deepEqual(read(given, ICEBERG).columns, [{ name: 'total', type: 'double' }])
  })

  test('marks required columns', () => {
    const given: readonly Given[] = [
      ['id', 'bigint', { 'iceberg.field.optional': 'false' }],
      ['note', 'string', { 'iceberg.field.optional': 'true' }],
    ]
    assert.deepEqual(read(given, ICEBERG).columns, [
      { name: 'id', type: 'bigint', required: true },
      { name: 'note', type: 'string' },
    ])
  })
})

describe('columns of AWS Glue › placeholders', () => {
  test('reads the schema that Spark stores as one text', () => {
    const parameters = {
      'spark.sql.sources.provider': 'delta',
      'spark.sql.sources.schema': SPARK_SCHEMA,
    }
    assert.deepEqual(read(PLACEHOLDER, { Parameters: parameters }).columns, SPARK_COLUMNS)
  })

  test('reads the schema that Spark stores in parts, with its partition columns', () => {
    const half = SPARK_SCHEMA.length / 2
    const parameters = {
      'spark.sql.sources.provider': 'delta',
      'spark.sql.sources.schema.numParts': '2',
      'spark.sql.sources.schema.part.0': SPARK_SCHEMA.slice(0, half),
      'spark.sql.sources.schema.part.1': SPARK_SCHEMA.slice(half),
      'spark.sql.sources.schema.numPartCols': '1',
      'spark.sql.sources.schema.partCol.0': 'day',
    }
    const { columns, partitionColumns } = read(PLACEHOLDER, { Parameters: parameters })
    assert.deepEqual(columns, SPARK_COLUMNS)
    assert.deepEqual(partitionColumns, ['day'])
  })

  test('lists partition columns of the entry last, once', () => {
    const parameters = {
      'spark.sql.sources.provider': 'parquet',
      'spark.sql.sources.schema': SPARK_SCHEMA,
    }
    const more = { Parameters: parameters, PartitionKeys: [{ Name: 'DAY', Type: 'date' }] }
    const { columns, partitionColumns } = read(PLACEHOLDER, more)
    assert.deepEqual(listNames({ columns, partitionColumns }), ['Id', 'tags', 'DAY'])
    assert.deepEqual(partitionColumns, ['DAY'])
  })

  test('shows no columns if the schema is stored outside of the entry, or incomplete', () => {
    for (const parameters of [
      { 'spark.sql.sources.provider': 'delta' },
      { table_type: 'DELTA' },
      { 'spark.sql.sources.schema': '{' },
      { 'spark.sql.sources.schema': '{"type":"struct","fields":[{"name":1}]}' },
      { 'spark.sql.sources.schema.numParts': '2', 'spark.sql.sources.schema.part.0': SPARK_SCHEMA },
      { 'spark.sql.sources.schema.numParts': '99999999999' },
    ]) {
      assert.deepEqual(read(PLACEHOLDER, { Parameters: parameters }).columns, [])
    }
  })

  test('shows no columns if Hive could not determine the schema of an Avro table', () => {
    const names = ['error_error_error_error_error_error_error', 'cannot_determine_schema', 'check']
    const given = names.map((name): Given => [name, 'string'])
    assert.deepEqual(read(given).columns, [])
  })

  test('keeps a real column that is called like the placeholder', () => {
    assert.deepEqual(listNames(read(PLACEHOLDER)), ['col'])
    const named: readonly Given[] = [...PLACEHOLDER, ['id', 'bigint']]
    const delta = { Parameters: { 'spark.sql.sources.provider': 'delta' } }
    assert.deepEqual(listNames(read(named, delta)), ['col', 'id'])
    assert.deepEqual(listNames(read([['col', 'string']], delta)), ['col'])
  })

  test('keeps the columns of the entry beside a schema of Spark', () => {
    const parameters = {
      'spark.sql.sources.provider': 'parquet',
      'spark.sql.sources.schema': SPARK_SCHEMA,
    }
    const columns = read([['id', 'bigint']], { Parameters: parameters })
    assert.deepEqual(listNames(columns), ['id'])
  })

  test('reads the columns of a view that Trino stores', () => {
    const view = { originalSql: 'select 1', columns: [{ name: 'a', type: 'varchar' }] }
    const encoded = Buffer.from(JSON.stringify(view)).toString('base64')
    const more = { TableType: 'VIRTUAL_VIEW', ViewOriginalText: `/* Presto View: ${encoded} */` }
    assert.deepEqual(read([['dummy', 'string']], more).columns, [{ name: 'a', type: 'varchar' }])
    const plain = { TableType: 'VIRTUAL_VIEW', ViewOriginalText: 'select dummy from t' }
    assert.deepEqual(listNames(read([['dummy', 'string']], plain)), ['dummy'])
  })
})
