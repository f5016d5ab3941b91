import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listComplete,
  listPaths,
  newTable,
  startBigQuerySource,
} from '../../../test/warehouses/bigquery/source.ts'
import { draftContract } from '../../../formats/asset/contract.ts'
import { buildAsset } from '../../../formats/asset/read.ts'
import { bigquery } from './connector.ts'

const SALES = { project: 'shop', dataset: 'sales' }

function isValid(given: object): boolean {
  const { configuration } = bigquery.description
  return configuration.safeParse({ projects: 'shop-1', ...given }).success
}

test('bigquery › reads projects, datasets and tables with all facts', async (t) => {
  const source = await startBigQuerySource(t)
  const { model } = source
  model.details['shop.sales'] = {
    description: 'What is sold',
    friendlyName: 'Sales',
    location: 'EU',
    labels: { team: 'web', gold: '' },
  }
  const referencedTable = { projectId: 'shop', datasetId: 'crm', tableId: 'customers' }
  model.projects = {
    shop: {
      sales: [
        newTable('orders', {
          description: 'One row per order',
          friendlyName: 'Orders',
          location: 'EU',
          labels: { env: 'prod' },
          resourceTags: { '123456/tier': 'one' },
          schema: {
            fields: [
              { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: 'Key' },
              { name: 'day', type: 'DATE', defaultValueExpression: 'CURRENT_DATE()' },
              { name: 'mail', type: 'STRING', policyTags: { names: ['projects/p/policyTags/1'] } },
            ],
          },
          numRows: '1234',
          numBytes: '5000000000',
          lastModifiedTime: String(Date.UTC(2026, 0, 2)),
          timePartitioning: { type: 'DAY', field: 'day' },
          requirePartitionFilter: true,
          clustering: { fields: ['id', 'mail'] },
          tableConstraints: {
            primaryKey: { columns: ['id'] },
            foreignKeys: [
              {
                name: 'fk',
                referencedTable,
                columnReferences: [{ referencingColumn: 'mail', referencedColumn: 'mail' }],
              },
            ],
          },
        }),
        newTable('recent', { type: 'VIEW', view: { query: 'SELECT 1' }, numRows: '0' }),
        newTable('daily', { type: 'MATERIALIZED_VIEW', materializedView: { query: 'SELECT 2' } }),
        newTable('raw', {
          type: 'EXTERNAL',
          externalDataConfiguration: { sourceUris: ['gs://lake/raw/*'], sourceFormat: 'PARQUET' },
        }),
        newTable('lake', {
          biglakeConfiguration: { storageUri: 'gs://lake/t', tableFormat: 'ICEBERG' },
        }),
        newTable('loads', { timePartitioning: { type: 'HOUR' } }),
        newTable('ranges', { rangePartitioning: { field: 'id', range: {} } }),
        newTable('copy', { type: 'SNAPSHOT' }),
        newTable('churn', { type: 'MODEL' }),
      ],
    },
  }
  const reading = await source.read()
  assert.deepEqual(reading.scopes, [
    { path: ['shop'], kind: 'catalog', reading: 'shop', decision: 'included' },
    {
      path: ['shop', 'sales'],
      kind: 'schema',
      reading: 'shop',
      decision: 'included',
      details: { location: 'EU' },
    },
  ])
  assert.deepEqual(listComplete(reading), ['shop', 'shop.sales'])
  assert.deepEqual(reading.assets[0], {
    kind: 'catalog',
    path: ['shop'],
    scope: ['shop'],
    custom: { project: 'shop' },
  })
  assert.deepEqual(reading.table('shop', 'sales'), {
    kind: 'schema',
    path: ['shop', 'sales'],
    scope: ['shop', 'sales'],
    description: 'What is sold',
    tags: ['gold', 'team:web'],
    custom: { ...SALES, region: 'EU', friendlyName: 'Sales' },
  })
  assert.deepEqual(reading.table('shop', 'sales', 'orders'), {
    kind: 'table',
    path: ['shop', 'sales', 'orders'],
    scope: ['shop', 'sales'],
    description: 'One row per order',
    columns: [
      { name: 'id', type: 'INT64', description: 'Key', required: true },
      { name: 'day', type: 'DATE', default: 'CURRENT_DATE()' },
      { name: 'mail', type: 'STRING', tags: ['policyTag:projects/p/policyTags/1'] },
    ],
    primaryKey: ['id'],
    foreignKeys: [
      { columns: ['mail'], references: ['shop', 'crm', 'customers'], referencedColumns: ['mail'] },
    ],
    partitionColumns: ['day'],
    tags: ['env:prod', '123456/tier:one'],
    custom: {
      ...SALES,
      region: 'EU',
      friendlyName: 'Orders',
      partitioning: 'DAY',
      requirePartitionFilter: true,
      clusteringColumns: 'id, mail',
    },
    statistic: {
      rowCount: 1234,
      sizeBytes: 5_000_000_000,
      changedAt: '2026-01-02T00:00:00.000Z',
      changedMeans: 'any',
    },
  })
  const columns = [{ name: 'id', type: 'INT64' }]
  const expectTable = (name: string, more: object, custom: object = {}) =>
    assert.deepEqual(reading.table('shop', 'sales', name), {
      kind: 'table',
      path: ['shop', 'sales', name],
      scope: ['shop', 'sales'],
      columns,
      ...more,
      custom: { ...SALES, ...custom },
    })
  expectTable('recent', { kind: 'view', viewDefinition: 'SELECT 1' })
  expectTable('daily', { kind: 'materialized_view', viewDefinition: 'SELECT 2' })
  const external = { location: 'gs://lake/raw/*', format: 'parquet' }
  expectTable('raw', { kind: 'external_table' }, external)
  expectTable('lake', {}, { location: 'gs://lake/t', format: 'iceberg' })
  expectTable('loads', { partitionColumns: ['_PARTITIONTIME'] }, { partitioning: 'HOUR' })
  expectTable('ranges', { partitionColumns: ['id'] }, { partitioning: 'RANGE' })
  expectTable('copy', {})
  assert.ok(!listPaths(reading).includes('shop.sales.churn'))
})

test('bigquery › reads nested and repeated fields, parameters, and types it does not know', async (t) => {
  const source = await startBigQuerySource(t)
  const geo = { name: 'geo', type: 'FLOAT', mode: 'REPEATED' }
  const town = { name: 'town name', type: 'STRING', mode: 'REQUIRED', description: 'Of the parcel' }
  const fields = [
    { name: 'address', type: 'RECORD', mode: 'NULLABLE', fields: [town, geo] },
    { name: 'lines', type: 'STRUCT', mode: 'REPEATED', fields: [{ name: 'sku', type: 'BOOLEAN' }] },
    { name: 'amount', type: 'NUMERIC', precision: '10', scale: '2' },
    { name: 'short', type: 'STRING', maxLength: '5' },
    { name: 'valid', type: 'RANGE', rangeElementType: { type: 'DATE' } },
    { name: 'future', type: 'vector', mode: 'LATER' },
    { name: 'void', type: 'RECORD' },
  ]
  source.model.projects = { shop: { sales: [{ name: 'orders', schema: { fields } }] } }
  const properties = [
    { name: 'town name', type: 'STRING', description: 'Of the parcel', required: true },
    { name: 'geo', type: 'ARRAY<FLOAT64>', items: { name: 'element', type: 'FLOAT64' } },
  ]
  const line = { type: 'STRUCT<sku BOOL>', properties: [{ name: 'sku', type: 'BOOL' }] }
  assert.deepEqual((await source.read()).table('shop', 'sales', 'orders').columns, [
    { name: 'address', type: 'STRUCT<`town name` STRING, geo ARRAY<FLOAT64>>', properties },
    { name: 'lines', type: 'ARRAY<STRUCT<sku BOOL>>', items: { name: 'element', ...line } },
    { name: 'amount', type: 'NUMERIC(10,2)' },
    { name: 'short', type: 'STRING(5)' },
    { name: 'valid', type: 'RANGE<DATE>' },
    { name: 'future', type: 'vector' },
    { name: 'void', type: 'STRUCT<>', properties: [] },
  ])
})

test('bigquery › requests nothing of what the filters exclude', async (t) => {
  const source = await startBigQuerySource(t)
  source.model.projects = {
    shop: {
      sales: [newTable('orders'), newTable('tmp_1'), newTable('v', { type: 'VIEW' })],
      raw: [newTable('x')],
      _hidden: [newTable('x')],
    },
    'other.example:lab': { sales: [newTable('x')] },
  }
  const configuration = { projects: 'shop, other.example:lab,shop' }
  const filters = {
    include: { catalog: ['shop'], schema: ['sales'] },
    exclude: { table: ['tmp_*'] },
  }
  const given = { filters, configuration: { ...configuration, includeViews: false } }
  const reading = await source.read(given)
  assert.deepEqual(listPaths(reading), ['shop', 'shop.sales', 'shop.sales.orders'])
  const decisions = reading.scopes.map(({ path, decision }) => `${path.join('.')} ${decision}`)
  assert.deepEqual(decisions, [
    'shop included',
    'shop.sales included',
    'shop.raw excluded',
    'shop._hidden excluded',
    'other.example:lab excluded',
  ])
  assert.equal(source.proxy.requests.length, 4)
  const all = listPaths(await source.read({ configuration }))
  assert.ok(all.includes('other.example:lab.sales.x') && !all.includes('shop._hidden'))
  const hidden = { include: { schema: ['_hidden'] }, exclude: {} }
  assert.ok(listPaths(await source.read({ filters: hidden })).includes('shop._hidden.x'))
})

test('bigquery › keeps names as they are, with their case', async (t) => {
  const source = await startBigQuerySource(t)
  const names = ['orders', 'Orders', 'a b', 'ä 日本', "it's", 'a/b?c=d&e#f%2e', '..x']
  source.model.projects = { shop: { Sales: names.map((name) => newTable(name)), sales: [] } }
  const reading = await source.read()
  assert.deepEqual(
    reading.assets.flatMap(({ path }) => (path.length === 3 ? [path] : [])),
    names.map((name) => ['shop', 'Sales', name]),
  )
  assert.deepEqual(listComplete(reading), ['shop', 'shop.Sales', 'shop.sales'])
})

test('bigquery › reads an empty project, a table without columns and one with 1,600', async (t) => {
  const source = await startBigQuerySource(t)
  const fields = Array.from({ length: 1600 }, (_, at) => ({ name: `c${at}`, type: 'STRING' }))
  source.model.projects = { shop: {} }
  assert.deepEqual(listComplete(await source.read()), ['shop'])
  const many = { name: 'many', schema: { fields } }
  const none = [{ name: 'none' }, { name: 'nil', schema: {} }]
  source.model.projects = { shop: { sales: [many, ...none] } }
  const reading = await source.read()
  assert.equal(reading.table('shop', 'sales', 'many').columns?.length, 1600)
  for (const { name } of none) {
    assert.deepEqual(reading.table('shop', 'sales', name).columns, [])
  }
})

for (const addsEmptyPages of [false, true]) {
  for (const count of [4, 5]) {
    test(`bigquery › reads ${count} tables in pages of 2, ${addsEmptyPages ? 'with' : 'without'} empty pages between them`, async (t) => {
      const source = await startBigQuerySource(t)
      const names = Array.from({ length: count }, (_, at) => `table_${at}`)
      const sales = names.map((name) => newTable(name))
      source.model.projects = { shop: { sales, other: [], last: [] } }
      Object.assign(source.proxy, { pageSize: 2, addsEmptyPages })
      const reading = await source.read()
      const tables = reading.assets.flatMap(({ path }) => path[2] ?? [])
      assert.deepEqual(tables, names)
      assert.deepEqual(listComplete(reading), ['shop', 'shop.sales', 'shop.other', 'shop.last'])
    })
  }
}

test('bigquery › a second reading returns the same, in bounded batches', async (t) => {
  const source = await startBigQuerySource(t)
  const tables = Array.from({ length: 150 }, (_, at) =>
    newTable(`t${at}`, { description: 'x'.repeat(10_000) }),
  )
  source.model.projects = { shop: { sales: tables } }
  const [first, second] = [await source.read(), await source.read()]
  assert.deepEqual(first.assets, second.assets)
  assert.equal(first.assets.length, 152)
  assert.ok(Math.max(...first.batchSizes) < 60, String(first.batchSizes))
})

test('bigquery › the configuration requires project ids and a safe token endpoint', () => {
  assert.ok(isValid({}))
  assert.ok(isValid({ projects: 'a1, example.com:b2\nc3' }))
  for (const projects of ['', ' , ', 'Shop', 'a/b', '`x`', 'a'.repeat(200)]) {
    assert.ok(!isValid({ projects }), projects)
  }
  assert.ok(isValid({ tokenEndpoint: 'https://oauth.example/token' }))
  assert.ok(!isValid({ tokenEndpoint: 'http://oauth.example/token' }))
  const endpoint = 'http://127.0.0.1:9050'
  assert.ok(isValid({ endpoint, tokenEndpoint: `${endpoint}/token` }))
  assert.ok(!isValid({ endpoint, tokenEndpoint: 'http://127.0.0.1:9051/token' }))
})

test('bigquery › the draft contract of a table has its project and dataset as the server', async (t) => {
  const source = await startBigQuerySource(t)
  const { path, kind, columns, custom } = (await source.read()).table('shop', 'sales', 'orders')
  const document = {
    id: 'orders',
    info: { source: bigquery.source, type: `bigquery_${kind}`, name: path.at(-1) ?? '' },
    columns: (columns ?? []).map(({ name, type }) => ({ name, type })),
    custom: { ...custom },
  }
  const [server] = draftContract(buildAsset(document, 'orders'), [document])['servers'] as object[]
  assert.deepEqual(server, { server: 'bigquery', type: bigquery.description.serverType, ...SALES })
})
