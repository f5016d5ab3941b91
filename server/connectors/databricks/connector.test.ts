import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listComplete,
  listPaths,
  newColumn,
  newTable,
  startUnitySource,
} from '../../../test/warehouses/unity/source.ts'
import { databricks } from './connector.ts'

function withMetadata(name: string, metadata: object): object {
  return {
    name,
    type_json: JSON.stringify({ name, type: 'integer', nullable: true, metadata }),
  }
}

function isValid(given: object): boolean {
  const { configuration } = databricks.description
  return configuration.safeParse({ url: 'https://x.example', ...given }).success
}

test('databricks › reads catalogs, schemas and tables with all facts', async (t) => {
  const source = await startUnitySource(t)
  const { model } = source
  model.details = {
    main: { comment: 'Everything', owner: 'admins', id: 'c-1' },
    'main.sales': { comment: 'Orders', owner: 'sales', schema_id: 's-1' },
  }
  model.catalogs['main'] = {
    sales: [
      newTable('orders', {
        table_id: 't-1',
        comment: 'One row per order',
        owner: 'ann',
        data_source_format: 'DELTA',
        storage_location: 's3://lake/orders',
        updated_at: Date.UTC(2026, 0, 2),
        columns: [
          newColumn('day', '"date"', { type_text: 'date', position: 1, partition_index: 0 }),
          newColumn('id', '"long"', {
            type_text: 'bigint',
            position: 0,
            nullable: false,
            comment: 'Key',
          }),
        ],
      }),
      newTable('paid', { table_type: 'VIEW', view_definition: 'select 1' }),
      newTable('daily', { table_type: 'MATERIALIZED_VIEW' }),
      newTable('raw', { table_type: 'EXTERNAL' }),
    ],
    information_schema: [newTable('tables')],
  }
  const reading = await source.read()
  assert.deepEqual(listPaths(reading), [
    'main',
    'main.sales',
    'main.sales.orders',
    'main.sales.paid',
    'main.sales.daily',
    'main.sales.raw',
  ])
  const host = '127.0.0.1'
  assert.deepEqual(reading.table('main'), {
    kind: 'catalog',
    path: ['main'],
    scope: ['main'],
    sourceId: 'c-1',
    description: 'Everything',
    ownerName: 'admins',
    custom: { host, catalog: 'main' },
  })
  const { version, ...orders } = reading.table('main', 'sales', 'orders')
  assert.ok(version?.startsWith(`${Date.UTC(2026, 0, 2)} `), String(version))
  assert.deepEqual(orders, {
    kind: 'table',
    path: ['main', 'sales', 'orders'],
    scope: ['main', 'sales'],
    sourceId: 't-1',
    description: 'One row per order',
    ownerName: 'ann',
    columns: [
      { name: 'id', type: 'bigint', description: 'Key', required: true },
      { name: 'day', type: 'date' },
    ],
    partitionColumns: ['day'],
    custom: {
      host,
      catalog: 'main',
      schema: 'sales',
      location: 's3://lake/orders',
      format: 'delta',
    },
    statistic: { changedAt: '2026-01-02T00:00:00.000Z', changedMeans: 'definition' },
  })
  const kinds = ['paid', 'daily', 'raw'].map((name) => reading.table('main', 'sales', name).kind)
  assert.deepEqual(kinds, ['view', 'materialized_view', 'external_table'])
  assert.equal(reading.table('main', 'sales', 'paid').viewDefinition, 'select 1')
  assert.deepEqual(listComplete(reading), ['main', 'main.sales'])
})

test('databricks › reads nested types, defaults, generated columns and identities', async (t) => {
  const source = await startUnitySource(t)
  const struct =
    '{"type":"struct","fields":[{"name":"city name","type":"string","nullable":false,"metadata":{"comment":"Town"}},{"name":"geo","type":{"type":"array","elementType":"double","containsNull":false},"nullable":true,"metadata":{}}]}'
  const map = `{"type":"map","keyType":"string","valueType":${struct},"valueContainsNull":true}`
  source.model.catalogs = {
    main: {
      sales: [
        {
          name: 'orders',
          columns: [
            newColumn('address', struct),
            newColumn('by_key', map, { type_text: 'map<string,struct<…>>' }),
            newColumn('plain', '{"type":"map","keyType":"string","valueType":"long"}'),
            withMetadata('preset', { CURRENT_DEFAULT: '1' }),
            withMetadata('computed', { 'delta.generationExpression': 'id + 1' }),
            withMetadata('numbered', { 'delta.identity.start': 1 }),
            { name: 'old', type_json: 'string', type_name: 'STRING' },
          ],
        },
      ],
    },
  }
  const reading = await source.read()
  const { columns = [] } = reading.table('main', 'sales', 'orders')
  const properties = [
    { name: 'city name', type: 'string', description: 'Town', required: true },
    {
      name: 'geo',
      type: 'array<double>',
      items: { name: 'element', type: 'double', required: true },
    },
  ]
  const type = 'struct<`city name`:string NOT NULL,geo:array<double>>'
  assert.deepEqual(columns, [
    { name: 'address', type, properties },
    {
      name: 'by_key',
      type: 'map<string,struct<…>>',
      properties: [
        { name: 'key', type: 'string' },
        { name: 'value', type, properties },
      ],
    },
    { name: 'plain', type: 'map<string,bigint>' },
    { name: 'preset', type: 'int', default: '1' },
    { name: 'computed', type: 'int', generated: 'id + 1' },
    { name: 'numbered', type: 'int', generated: 'generated as identity' },
    { name: 'old', type: 'string' },
  ])
})

test('databricks › reads keys and tags through the SQL warehouse, chunk by chunk', async (t) => {
  const source = await startUnitySource(t)
  const { model } = source
  model.catalogs = { main: { sales: [newTable('orders'), newTable('lines')] } }
  model.pendingStates = 2
  model.results = {
    key_column_usage: [
      [['lines', 'fk', 'FOREIGN KEY', 'id', 'main', 'sales', 'orders', 'id']],
      [['orders', 'pk', 'PRIMARY KEY', 'id', null, null, null, null] as string[]],
    ],
    column_tags: [
      [
        [null, null, 'team', 'sales'],
        ['orders', null, 'gold', ''],
        ['orders', 'id', 'pii', 'no'],
      ] as string[][],
    ],
  }
  const reading = await source.read({ configuration: { warehouseId: 'abc1' } })
  assert.deepEqual(reading.table('main', 'sales', 'orders').primaryKey, ['id'])
  assert.deepEqual(reading.table('main', 'sales', 'lines').foreignKeys, [
    { columns: ['id'], references: ['main', 'sales', 'orders'], referencedColumns: ['id'] },
  ])
  assert.deepEqual(reading.table('main', 'sales').tags, ['team:sales'])
  assert.deepEqual(reading.table('main', 'sales', 'orders').tags, ['gold'])
  assert.deepEqual(reading.table('main', 'sales', 'orders').columns?.[0]?.tags, ['pii:no'])
  // Two statements, each polled twice.
  assert.deepEqual(source.waitsMs, [50, 100, 50, 100])
})

/** Returns a column of a foreign key as the information schema of its own catalog has it. */
function toOther(table: string, column: string, name: string, position: string): string[] {
  const target = [null, null, null, null, 'crm', 'people', name, position]
  return [table, `fk_${name}`, 'FOREIGN KEY', column, ...target] as string[]
}

test('databricks › reads the targets of foreign keys in another catalog', async (t) => {
  const source = await startUnitySource(t)
  const { model } = source
  const columns = ['customer', 'country', 'x'].map((name) => newColumn(name, '"string"'))
  const tables = ['lines', 'notes'].map((name) => newTable(name, { columns }))
  model.catalogs = { main: { sales: tables } }
  const keys = [
    [
      toOther('lines', 'customer', 'customer_pk', '2'),
      toOther('lines', 'country', 'customer_pk', '1'),
      toOther('notes', 'x', 'hidden_pk', '1'),
    ],
  ]
  model.results = {
    'from `crm`.information_schema.key_column_usage': [
      [
        ['people', 'customer_pk', '1', 'people', 'customer', 'country'],
        ['people', 'customer_pk', '2', 'people', 'customer', 'number'],
        ['other', 'hidden_pk', '1', 'other', 'twin', 'x'],
      ],
    ],
    key_column_usage: keys,
  }
  const configuration = { warehouseId: 'abc1' }
  const reading = await source.read({ configuration })
  assert.deepEqual(reading.table('main', 'sales', 'lines').foreignKeys, [
    {
      columns: ['customer', 'country'],
      references: ['crm', 'people', 'customer'],
      referencedColumns: ['number', 'country'],
    },
  ])
  // Its target has another schema than the key of the same name.
  const unknown = { columns: ['x'], references: ['crm', 'people'], referencedColumns: [] }
  assert.deepEqual(reading.table('main', 'sales', 'notes').foreignKeys, [unknown])

  for (const code of ['INSUFFICIENT_PERMISSIONS', 'CATALOG_NOT_FOUND']) {
    model.results = {
      'from `crm`.information_schema.key_column_usage': { error_code: code, message: 'canary' },
      key_column_usage: keys,
    }
    const denied = await source.read({ configuration })
    assert.deepEqual(denied.table('main', 'sales', 'lines').foreignKeys, [
      { columns: ['customer', 'country'], references: ['crm', 'people'], referencedColumns: [] },
    ])
  }
})

test('databricks › requests nothing of what the filters exclude', async (t) => {
  const source = await startUnitySource(t)
  source.model.catalogs = {
    main: { sales: [newTable('orders'), newTable('tmp_1')], other: [newTable('x')] },
    dev: { sales: [newTable('x')] },
    system: { access: [newTable('x')] },
    lake: { public: [] },
  }
  source.model.details = { lake: { catalog_type: 'FOREIGN_CATALOG' } }
  const filters = {
    include: { catalog: ['main', 'lake'], schema: ['sales'] },
    exclude: { table: ['tmp_*'] },
  }
  const reading = await source.read({ filters })
  assert.deepEqual(listPaths(reading), ['main', 'main.sales', 'main.sales.orders'])
  const decisions = reading.scopes.map(({ path, decision }) => `${path.join('.')} ${decision}`)
  assert.deepEqual(decisions, [
    'main included',
    'main.sales included',
    'main.other excluded',
    'dev excluded',
    'system excluded',
    'lake excluded',
  ])
  assert.equal(source.proxy.requests.length, 3)
  const foreign = await source.read({ filters, configuration: { includeForeign: true } })
  assert.ok(listPaths(foreign).includes('lake'))
  const plain = await source.read({ configuration: { includeViews: false } })
  assert.ok(listPaths(plain).includes('dev.sales.x'))
})

test('databricks › the configuration requires what its authentication needs', () => {
  assert.ok(!isValid({}))
  assert.ok(isValid({ clientId: 'a' }))
  assert.ok(!isValid({ authentication: 'entra', clientId: 'a' }))
  assert.ok(isValid({ authentication: 'entra', clientId: 'a', tenantId: 'b' }))
  assert.ok(!isValid({ clientId: 'a', tokenEndpoint: 'http://other.example/token' }))
  assert.ok(!isValid({ authentication: 'none', warehouseId: '/sql/1.0/warehouses/a' }))
})
