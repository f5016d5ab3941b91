import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftContract } from '../../../formats/asset/contract.ts'
import { buildAsset } from '../../../formats/asset/read.ts'
import {
  listComplete,
  listPaths,
  newTable,
  startGlueSource,
} from '../../../test/warehouses/glue/source.ts'
import { glue } from './connector.ts'

const CUSTOM = { account: '123456789012', region: 'eu-central-1' }

function newColumn(name: string, type: string, comment?: string): object {
  return { Name: name, Type: type, ...(comment === undefined ? {} : { Comment: comment }) }
}

test('glue › reads databases, tables and views with all facts', async (t) => {
  const source = await startGlueSource(t)
  const { model } = source
  model.details = { sales: { Description: 'What is sold', LocationUri: 's3://lake/sales' } }
  const sql = Buffer.from(JSON.stringify({ originalSql: 'SELECT 1' })).toString('base64')
  model.databases = {
    sales: [
      newTable('orders', {
        Description: 'One row per order',
        Owner: 'ann',
        UpdateTime: Date.UTC(2026, 0, 2) / 1000 + 0.5,
        VersionId: '7',
        StorageDescriptor: {
          Columns: [
            newColumn('id', 'bigint', 'Key'),
            newColumn('lines', 'array<struct<sku:string,amount:decimal(10,2)>>'),
          ],
          Location: 's3://lake/sales/orders',
        },
        PartitionKeys: [newColumn('year', 'int'), newColumn('month', 'int', 'From 1')],
        Parameters: {
          classification: 'Parquet',
          recordCount: '1234',
          sizeKey: '5000000000',
          comment: 'not used',
        },
      }),
      newTable('recent', {
        TableType: 'VIRTUAL_VIEW',
        ViewOriginalText: `/* Presto View: ${sql} */`,
        ViewExpandedText: '/* Presto View */',
        Parameters: { presto_view: 'true', comment: 'Of this week' },
      }),
      newTable('plain', { TableType: 'MANAGED_TABLE', Owner: 'owner', Description: '' }),
      newTable('governed', { TableType: 'GOVERNED' }),
      { Name: 'bare' },
    ],
    empty: [],
  }
  const reading = await source.read()
  assert.deepEqual(reading.scopes, [
    {
      path: ['sales'],
      kind: 'database',
      reading: 'sales',
      decision: 'included',
      details: { description: 'What is sold', location: 's3://lake/sales' },
    },
    { path: ['empty'], kind: 'database', reading: 'empty', decision: 'included' },
  ])
  assert.deepEqual(listComplete(reading), ['sales', 'empty'])
  assert.deepEqual(reading.table('sales'), {
    kind: 'database',
    path: ['sales'],
    scope: ['sales'],
    description: 'What is sold',
    custom: { ...CUSTOM, database: 'sales', location: 's3://lake/sales' },
  })
  const element = 'struct<sku:string,amount:decimal(10,2)>'
  assert.deepEqual(reading.table('sales', 'orders'), {
    kind: 'external_table',
    path: ['sales', 'orders'],
    scope: ['sales'],
    description: 'One row per order',
    ownerName: 'ann',
    columns: [
      { name: 'id', type: 'bigint', description: 'Key' },
      {
        name: 'lines',
        type: `array<${element}>`,
        items: {
          name: 'element',
          type: element,
          properties: [
            { name: 'sku', type: 'string' },
            { name: 'amount', type: 'decimal(10,2)' },
          ],
        },
      },
      { name: 'year', type: 'int' },
      { name: 'month', type: 'int', description: 'From 1' },
    ],
    partitionColumns: ['year', 'month'],
    custom: { ...CUSTOM, database: 'sales', location: 's3://lake/sales/orders', format: 'parquet' },
    statistic: {
      rowCount: 1234,
      sizeBytes: 5_000_000_000,
      changedAt: '2026-01-02T00:00:00.500Z',
      changedMeans: 'definition',
    },
  })
  const columns = [{ name: 'id', type: 'bigint' }]
  const custom = { ...CUSTOM, database: 'sales' }
  const common = { scope: ['sales'], columns, custom }
  assert.deepEqual(reading.table('sales', 'recent'), {
    kind: 'view',
    path: ['sales', 'recent'],
    description: 'Of this week',
    viewDefinition: 'SELECT 1',
    ...common,
  })
  for (const name of ['plain', 'governed']) {
    const table = { kind: 'table', path: ['sales', name], ...common }
    assert.deepEqual(reading.table('sales', name), table)
  }
  assert.deepEqual(reading.table('sales', 'bare').columns, [])
})

test('glue › recognizes open table formats and ignores unknown counts', async (t) => {
  const source = await startGlueSource(t)
  const parameters = {
    iceberg: {
      table_type: 'ICEBERG',
      classification: 'parquet',
      metadata_location: 's3://a/1.json',
    },
    delta: { 'spark.sql.sources.provider': 'delta', numRows: '-1', recordCount: 'many' },
    hudi: { table_type: 'hudi' },
    csv: { classification: 'csv', table_type: 'OTHER', numRows: '7', totalSize: '8' },
    unknown: { classification: 'UNKNOWN', recordCount: '99999999999999999999' },
  }
  source.model.databases = {
    lake: Object.entries(parameters).map(([name, Parameters]) => newTable(name, { Parameters })),
  }
  const reading = await source.read()
  const tables = Object.keys(parameters).map((name) => reading.table('lake', name))
  assert.deepEqual(
    tables.map(({ custom }) => custom?.['format']),
    ['iceberg', 'delta', 'hudi', 'csv', undefined],
  )
  const counts = { rowCount: 7, sizeBytes: 8 }
  assert.deepEqual(
    tables.map(({ statistic }) => statistic),
    [undefined, undefined, undefined, counts, undefined],
  )
})

test('glue › lists a partition key once, after the columns, ignoring case', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = {
    sales: [
      newTable('orders', {
        StorageDescriptor: {
          Columns: [
            newColumn('Day', 'string', 'Of the crawler'),
            newColumn('id', 'int'),
            newColumn('ID', 'bigint'),
          ],
        },
        PartitionKeys: [newColumn('day', 'date'), newColumn('DAY', 'string')],
      }),
    ],
  }
  const { columns, partitionColumns } = (await source.read()).table('sales', 'orders')
  assert.deepEqual(columns, [
    { name: 'id', type: 'int' },
    { name: 'day', type: 'date' },
  ])
  assert.deepEqual(partitionColumns, ['day'])
})

test('glue › signs the requests of every page', async (t) => {
  const source = await startGlueSource(t)
  source.model.pageSize = 2
  source.model.databases = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [name, [1, 2, 3].map((at) => newTable(`t${at}`))]),
  )
  const reading = await source.read()
  assert.equal(reading.assets.length, 12)
  assert.equal(source.proxy.requests.length, 2 + 3 * 2)
})

test('glue › requests pages of 100 tables, always with the catalog', async (t) => {
  const source = await startGlueSource(t)
  const tables = Array.from({ length: 250 }, (_, at) => newTable(`t${at}`))
  source.model.databases = { sales: tables, hundred: tables.slice(0, 100) }
  const reading = await source.read()
  assert.equal(reading.assets.length, 352)
  const operations = ['GetDatabases', 'GetTables', 'GetTables', 'GetTables', 'GetTables']
  assert.deepEqual(source.listOperations(), operations)
  for (const { body } of source.proxy.requests) {
    assert.equal((JSON.parse(body) as { CatalogId: string }).CatalogId, source.model.account)
  }
  const host = new URL(source.proxy.url).host
  assert.deepEqual(reading.statements.slice(0, 2), [
    `POST ${host}/ AWSGlue.GetDatabases`,
    `POST ${host}/ AWSGlue.GetTables`,
  ])
})

test('glue › keeps batches small', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = {
    sales: Array.from({ length: 2500 }, (_, at) => newTable(`table_${at}`)),
  }
  const { assets, batchSizes } = await source.read()
  assert.equal(assets.length, 2501)
  assert.ok(Math.max(...batchSizes) <= 1000, String(batchSizes))
})

test('glue › keeps the text of a type that cannot be parsed', async (t) => {
  const source = await startGlueSource(t)
  const deep = `${'array<'.repeat(100)}int${'>'.repeat(100)}`
  const Columns = [
    newColumn('deep', deep),
    newColumn('broken', 'struct<a:int'),
    { Name: 'untyped' },
  ]
  source.model.databases = { sales: [newTable('odd', { StorageDescriptor: { Columns } })] }
  assert.deepEqual((await source.read()).table('sales', 'odd').columns, [
    { name: 'deep', type: deep },
    { name: 'broken', type: 'struct<a:int' },
    { name: 'untyped', type: '' },
  ])
})

test('glue › returns the same assets when read again', async (t) => {
  const source = await startGlueSource(t)
  const { model } = source
  model.databases = { sales: [newTable('orders', { UpdateTime: 1_700_000_000 })] }
  const one = await source.read()
  model.databases = {
    sales: [newTable('orders', { UpdateTime: 1_800_000_000, Parameters: { numRows: '1' } })],
  }
  const two = await source.read()
  const withoutStatistic = ({ assets }: typeof one) =>
    assets.map((asset) => ({ ...asset, statistic: undefined }))
  assert.deepEqual(withoutStatistic(one), withoutStatistic(two))
})

test('glue › requests nothing of what the filters exclude', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = {
    sales: [newTable('orders'), newTable('tmp_1'), newTable('v', { TableType: 'VIRTUAL_VIEW' })],
    secret: [newTable('x')],
    other: [newTable('x')],
  }
  const filters = {
    include: { database: ['s*'] },
    exclude: { database: ['secret'], table: ['tmp_*'] },
  }
  const reading = await source.read({ filters })
  assert.deepEqual(listPaths(reading), ['sales', 'sales.orders', 'sales.v'])
  assert.deepEqual(
    reading.scopes.map(({ path, decision }) => [path[0], decision]),
    [
      ['sales', 'included'],
      ['secret', 'excluded'],
      ['other', 'excluded'],
    ],
  )
  assert.equal(source.proxy.requests.length, 2)
  const configuration = { includeViews: false }
  const plain = await source.read({ filters, configuration })
  assert.deepEqual(listPaths(plain), ['sales', 'sales.orders'])
  assert.deepEqual(glue.description.kindsLeftOut(configuration), ['view', 'materialized_view'])
})

test('glue › reads the tags of Lake Formation with five concurrent requests', async (t) => {
  const source = await startGlueSource(t)
  const { model, proxy } = source
  const tables = Array.from({ length: 11 }, (_, at) => newTable(`t${at}`))
  model.databases = { sales: [newTable('orders'), ...tables] }
  model.tags = {
    sales: { LFTagOnDatabase: [{ TagKey: 'team', TagValues: ['sales'] }] },
    'sales.orders': {
      LFTagOnDatabase: [{ TagKey: 'team', TagValues: ['sales'] }],
      LFTagsOnTable: [{ TagKey: 'zone', TagValues: ['gold', 'eu'] }, { TagKey: 'plain' }],
      LFTagsOnColumns: [{ Name: 'ID', LFTags: [{ TagKey: 'pii', TagValues: ['no'] }] }],
    },
    'sales.t3': 'EntityNotFoundException',
  }
  const reading = await source.read({ configuration: { includeTags: true } })
  assert.deepEqual(reading.table('sales').tags, ['team:sales'])
  const { tags, columns } = reading.table('sales', 'orders')
  assert.deepEqual(tags, ['zone:gold', 'zone:eu', 'plain'])
  assert.deepEqual(columns, [{ name: 'id', type: 'bigint', tags: ['pii:no'] }])
  assert.equal(reading.table('sales', 't1').tags, undefined)
  // It was dropped after it was listed, or is hidden.
  assert.deepEqual(
    reading.unreadable.map(({ path }) => path),
    [['sales', 't3']],
  )
  assert.deepEqual(listComplete(reading), ['sales'])
  assert.equal(proxy.count('POST /GetResourceLFTags'), 13)
  const stalled = proxy.stall('"Table"')
  const before = proxy.requests.length
  const second = source.read({ configuration: { includeTags: true } })
  await stalled.reached
  while (proxy.requests.length < before + 3 + 5) await new Promise((done) => setImmediate(done))
  for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done))
  assert.equal(proxy.requests.length, before + 3 + 5)
  stalled.release()
  await second
})

test('glue › fails a database whose tags are denied, so that no asset loses them', async (t) => {
  const source = await startGlueSource(t)
  const configuration = { includeTags: true }
  source.model.databases = { sales: [newTable('orders')], other: [] }
  for (const name of ['sales', 'sales.orders']) {
    source.model.tags = { [name]: 'AccessDeniedException' }
    const reading = await source.read({ configuration })
    assert.deepEqual(listComplete(reading), ['other'])
    const failure = reading.outcomes[0]?.failure
    assert.equal(failure?.kind, 'permission')
    assert.equal(failure?.message, `Lake Formation does not show the tags of ${name}.`)
  }
})

test('glue › the contract of a table has a server of its type', async (t) => {
  const source = await startGlueSource(t)
  const storage = { Columns: [newColumn('id', 'int')], Location: 's3://lake/orders' }
  source.model.databases = { sales: [newTable('orders', { StorageDescriptor: storage })] }
  const { kind, columns = [], custom = {} } = (await source.read()).table('sales', 'orders')
  const info = { source: glue.source, type: `glue_${kind}`, name: 'orders' }
  const document = {
    id: 'orders',
    info,
    columns: columns.map(({ name, type }) => ({ name, type })),
    custom: { ...custom },
  }
  const draft = draftContract(buildAsset(document, 'orders'), [document])
  const [server] = draft['servers'] as Record<string, unknown>[]
  assert.equal(server?.['type'], glue.description.serverType)
  assert.equal(server?.['account'], source.model.account)
  assert.equal(server?.['database'], 'sales')
  assert.equal(server?.['location'], 's3://lake/orders')
})
