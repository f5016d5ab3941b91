import assert from 'node:assert/strict'
import test from 'node:test'
import {
  assertFails,
  assetAt,
  complete,
  paths,
  read,
  startSource,
  type Given,
} from '../../../test/iceberg-reading.ts'
import { iceberg } from './connector.ts'

test('iceberg › reads namespaces, tables and views completely', async (t) => {
  const from = await startSource(t, { prefix: 'main' })
  from.getEntityTag = () => undefined
  from.state.namespace('sales', { comment: 'What is sold', owner: 'ada', location: 's3://sales' })
  from.state.table(
    'sales',
    'orders',
    {
      id: { type: 'long', required: true, doc: 'Its number' },
      amount: 'decimal(10, 2)',
      hash: 'fixed[16]',
      at: 'timestamptz required',
      address: { struct: { city: 'string required', geo: { struct: { lat: 'double' } } } },
      lines: { list: { struct: { sku: 'string', 'unit price': 'float' } } },
      labels: { map: ['string', { list: 'int' }] },
    },
    {
      comment: 'All orders',
      owner: 'grace',
      primaryKey: ['id', 'at'],
      partitionBy: ['day(at)', 'bucket[16](id)', 'amount', 'void(hash)'],
      rows: 1234,
      sizeBytes: 5_000_000_000,
    },
  )
  from.state.view('sales', 'recent', 'select * from orders', { id: 'long' })
  const reading = await read(from)
  assert.deepEqual(reading.scopes, [
    { path: ['sales'], kind: 'namespace', reading: 'sales', decision: 'included' },
  ])
  assert.deepEqual(complete(reading), ['sales'])
  const [namespace, table, view] = reading.assets
  assert.deepEqual(namespace, {
    kind: 'namespace',
    path: ['sales'],
    scope: ['sales'],
    description: 'What is sold',
    ownerName: 'ada',
    custom: { location: 's3://sales' },
  })
  assert.ok(table && view)
  const { sourceId, custom, statistic, ...rest } = table
  assert.match(String(sourceId), /^[\da-f-]{36}$/)
  assert.deepEqual(custom, { location: `s3://scripted/${sourceId}`, formatVersion: 2 })
  assert.deepEqual(statistic, {
    rowCount: 1234,
    sizeBytes: 5_000_000_000,
    changedAt: '2026-01-01T00:00:01.000Z',
    changedMeans: 'data',
  })
  assert.deepEqual(rest, {
    kind: 'table',
    path: ['sales', 'orders'],
    scope: ['sales'],
    description: 'All orders',
    ownerName: 'grace',
    primaryKey: ['id', 'at'],
    partitionColumns: ['day(at)', 'bucket(16, id)', 'amount'],
    columns: [
      { name: 'id', type: 'long', required: true, description: 'Its number' },
      { name: 'amount', type: 'decimal(10,2)' },
      { name: 'hash', type: 'fixed(16)' },
      { name: 'at', type: 'timestamptz', required: true },
      {
        name: 'address',
        type: 'struct<city:string NOT NULL,geo:struct<lat:double>>',
        properties: [
          { name: 'city', type: 'string', required: true },
          {
            name: 'geo',
            type: 'struct<lat:double>',
            properties: [{ name: 'lat', type: 'double' }],
          },
        ],
      },
      {
        name: 'lines',
        type: 'list<struct<sku:string,`unit price`:float>>',
        items: {
          name: 'element',
          type: 'struct<sku:string,`unit price`:float>',
          properties: [
            { name: 'sku', type: 'string' },
            { name: 'unit price', type: 'float' },
          ],
        },
      },
      {
        name: 'labels',
        type: 'map<string,list<int>>',
        properties: [
          { name: 'key', type: 'string' },
          { name: 'value', type: 'list<int>', items: { name: 'element', type: 'int' } },
        ],
      },
    ],
  })
  assert.equal(view.kind, 'view')
  assert.equal(view.viewDefinition, 'select * from orders')
  assert.deepEqual(view.columns, [{ name: 'id', type: 'long' }])
  assert.equal(view.custom?.['dialect'], 'spark')
  assert.ok(from.requests.slice(1).every(({ target }) => target.startsWith('/v1/main/')))
  assert.equal(reading.sent.length, from.requests.length)
})

test('iceberg › lists nested namespaces as separate scopes with dotted names', async (t) => {
  const from = await startSource(t, { pageSize: 2 })
  for (const parts of [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a.b'], ['d`e'], ['z']]) {
    from.state.table(parts, 'orders', { id: 'int' })
  }
  const reading = await read(from)
  assert.deepEqual(paths(reading.scopes).toSorted(), ['`a.b`', '`d``e`', 'a', 'a.b', 'a.b.c', 'z'])
  assert.equal(complete(reading).length, 6)
  assert.equal(assetAt(reading, 'a.b', 'orders').scope[0], 'a.b')
  const nested = from.requests.find(({ name }) => name === 'tables a.b.c')
  assert.match(String(nested?.target), /namespaces\/a%1Fb%1Fc\/tables/)
})

test('iceberg › keeps the exact spelling of names', async (t) => {
  const from = await startSource(t, { pageSize: 3 })
  const names = [
    'Orders',
    'orders',
    'with space',
    'ünïcode',
    '日本',
    '🚲',
    'a/b',
    'a%2Fb',
    'q"u\'o`te',
  ]
  for (const name of [...names, 'line\nbreak', 'a+b', 'a?b#c', 'dots.in.it']) {
    from.state.table('Sales & Co', name, { 'Größe "x"': 'int' })
  }
  const reading = await read(from)
  assert.deepEqual(complete(reading), ['Sales & Co'])
  assert.equal(reading.assets.length, 14)
  for (const name of names) assetAt(reading, 'Sales & Co', name)
})

test('iceberg › follows every page, including empty ones with a token', async (t) => {
  const from = await startSource(t, { pageSize: 7 })
  from.state.tables('sales', 50)
  for (let number = 0; number < 20; number += 1) from.state.namespace(`empty_${number}`)
  from.fail('tables *', 'empty page')
  from.fail('namespaces', 'empty page')
  const reading = await read(from)
  assert.equal(reading.scopes.length, 21)
  assert.equal(reading.assets.filter(({ kind }) => kind === 'table').length, 50)
  assert.equal(complete(reading).length, 21)
  assert.equal(from.count('tables sales'), 16)
})

test('iceberg › puts a namespace into its nearest included ancestor', async (t) => {
  const from = await startSource(t)
  for (const name of [['sales'], ['sales', 'eu'], ['sales', 'eu', 'de']]) from.state.namespace(name)
  const parentsIn = async (given: Given) =>
    (await read(from, given)).assets.map(({ path, parent }) => [path[0], parent?.[0]])
  assert.deepEqual(await parentsIn({}), [
    ['sales', undefined],
    ['sales.eu', 'sales'],
    ['sales.eu.de', 'sales.eu'],
  ])
  const filters = { exclude: { namespace: ['sales.eu'] } }
  assert.deepEqual(await parentsIn({ filters }), [
    ['sales', undefined],
    ['sales.eu.de', 'sales'],
  ])
})

test('iceberg › logs a namespace or table with an empty name and reads the rest', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 2)
  from.fail('namespaces', { text: '{"namespaces":[[""],["sales"],["sales",""]]}' })
  const names = ['', 'table_0001'].map((name) => ({ namespace: ['sales'], name }))
  from.fail('tables sales', { text: JSON.stringify({ identifiers: names }) })
  const reading = await read(from)
  assert.deepEqual(
    reading.scopes.map(({ path, decision }) => [path[0], decision]),
    [
      ['``', 'denied'],
      ['sales', 'included'],
      ['sales.``', 'denied'],
    ],
  )
  assert.match(reading.scopes[0]?.message ?? '', /empty name/)
  assert.deepEqual(complete(reading), ['sales'])
  assert.deepEqual(paths(reading.assets), ['sales', 'sales|table_0001'])
  assert.deepEqual(paths(reading.unreadable), ['sales|'])
})

function map(valueRequired: boolean, value: unknown): object {
  const ids = { 'key-id': 10, 'value-id': 11 }
  return { type: 'map', ...ids, key: 'string', value, 'value-required': valueRequired }
}

test('iceberg › keeps properties of a map that its type cannot express', async (t) => {
  const from = await startSource(t)
  from.state.table('sales', 'orders', { id: 'long' })
  const metadata = from.state.getMetadata(['sales'], 'tables', 'orders') as object
  const struct = {
    type: 'struct',
    fields: [{ id: 12, name: 'city', type: 'string', doc: 'Where' }],
  }
  const fields = [
    { id: 1, name: 'plain', type: map(false, 'int') },
    { id: 2, name: 'required', type: map(true, 'int') },
    { id: 3, name: 'documented', type: map(false, struct) },
  ]
  const schema = { 'schema-id': 7, fields }
  const text = { metadata: { ...metadata, schemas: [schema], 'current-schema-id': 7 } }
  from.fail('table sales.orders', { text: JSON.stringify(text) })
  const key = { name: 'key', type: 'string' }
  assert.deepEqual(assetAt(await read(from), 'sales', 'orders').columns, [
    { name: 'plain', type: 'map<string,int>' },
    {
      name: 'required',
      type: 'map<string,int>',
      properties: [key, { name: 'value', type: 'int', required: true }],
    },
    {
      name: 'documented',
      type: 'map<string,struct<city:string>>',
      properties: [
        key,
        {
          name: 'value',
          type: 'struct<city:string>',
          properties: [{ name: 'city', type: 'string', description: 'Where' }],
        },
      ],
    },
  ])
})

test('iceberg › loads only namespaces and tables that the filters include', async (t) => {
  const from = await startSource(t)
  for (const name of ['orders', 'orders_tmp', 'customers']) {
    from.state.table('sales', name, { id: 'int' })
    from.state.table('secret', name, { id: 'int' })
  }
  const filters = {
    include: { namespace: ['s*'] },
    exclude: { namespace: ['secret'], table: ['*_tmp'] },
  }
  const reading = await read(from, { filters })
  assert.deepEqual(
    reading.scopes.map(({ path, decision }) => [path[0], decision]),
    [
      ['sales', 'included'],
      ['secret', 'excluded'],
    ],
  )
  assert.deepEqual(paths(reading.assets), ['sales', 'sales|customers', 'sales|orders'])
  assert.equal(from.count('table sales.orders_tmp') + from.count('*secret*.*'), 0)
})

test('iceberg › requests no views without includeViews or if the catalog has none', async (t) => {
  const from = await startSource(t)
  from.state.view('sales', 'recent', 'select 1')
  assert.equal((await read(from, { configuration: { includeViews: false } })).assets.length, 1)
  from.offersViews = false
  const reading = await read(from)
  assert.equal(reading.assets.length, 1)
  assert.ok(reading.log.includes('The catalog offers no views'))
  assert.equal(from.count('view*'), 0)
  from.offersViews = true
  assert.equal((await read(from)).assets.length, 2)
})

test('iceberg › lists a catalog without nested namespaces', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 1)
  from.fail('namespaces sales', { status: 400 })
  assert.deepEqual(complete(await read(from)), ['sales'])
  from.heal()
  from.fail('namespaces sales', { text: '{"namespaces":[["sales"],["other"]]}' })
  assert.deepEqual(paths((await read(from)).scopes), ['sales'])
})

test('iceberg › sends the warehouse and accepts an address with a path or a slash', async (t) => {
  const from = await startSource(t)
  from.state.namespace('sales')
  const configuration = { uri: `${from.url}/`, warehouse: 's3://lake/a b' }
  assert.equal((await read(from, { configuration })).scopes.length, 1)
  const [config] = from.requests
  assert.equal(
    new URL(config?.target ?? '', from.url).searchParams.get('warehouse'),
    's3://lake/a b',
  )
  await assertFails(read(from, { configuration: { uri: `${from.url}/lake` } }), 'protocol')
})

test('iceberg › reads a namespace of many tables in batches with eight concurrent requests', async (t) => {
  const from = await startSource(t, { pageSize: 500 })
  from.state.tables('sales', 1500)
  const reading = await read(from)
  assert.equal(reading.assets.length, 1501)
  assert.ok(reading.batches > 20)
  // Configuration, namespaces twice, the namespace, three pages, a page of views, the tables.
  assert.equal(from.requests.length, 1508)
})

test('iceberg › rejects invalid addresses and unknown fields in the configuration', () => {
  const shape = iceberg.description.configuration
  for (const given of [
    {},
    { uri: 'catalog.example' },
    { uri: 'ftp://catalog.example' },
    { uri: 'http://user:canary@catalog.example' },
    { uri: 'http://catalog.example?a=b' },
    { uri: 'http://catalog.example#a' },
    { uri: 'http://catalog.example', authentication: 'oauth2' },
    { uri: 'http://catalog.example', token: 'canary' },
    { uri: 'http://catalog.example', includeViews: 'yes' },
  ]) {
    assert.ok(!shape.safeParse(given).success, JSON.stringify(given))
  }
  assert.deepEqual(shape.parse({ uri: 'https://catalog.example/iceberg' }), {
    uri: 'https://catalog.example/iceberg',
    authentication: 'none',
    includeViews: true,
  })
})
