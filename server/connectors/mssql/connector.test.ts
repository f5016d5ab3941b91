import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DatabaseModel, ObjectModel } from '../../../test/warehouses/mssql/catalog.ts'
import {
  listPaths,
  newDatabase,
  newTable,
  startMssqlSource,
} from '../../../test/warehouses/mssql/source.ts'

const ORDERS: ObjectModel = {
  id: 1010,
  schema: 'sales',
  name: 'orders',
  description: 'What was ordered',
  owner: 'auditor',
  columns: [
    { name: 'line', type: 'int', isNullable: false, description: 'From 1' },
    { name: 'order_id', type: 'bigint', isNullable: false, identity: ['100', '5'] },
    { name: 'reference', type: 'nvarchar', maxLength: 80, default: `(N'it''s')` },
    { name: 'note', type: 'nvarchar', maxLength: -1, labels: ['Confidential', 'Contact Info'] },
    { name: 'amount', type: 'decimal', precision: 12, scale: 2, isNullable: false },
    { name: 'doubled', type: 'decimal', precision: 13, scale: 2, computed: '([amount]*(2))' },
    { name: 'kept', type: 'int', computed: '([line]+(1))', isPersisted: true },
    { name: 'paid_at', type: 'datetime2', scale: 3 },
    { name: 'valid_from', type: 'datetime2', scale: 7, isNullable: false, generatedAlways: 1 },
    { name: 'country', type: 'char', maxLength: 2 },
    { name: 'region', type: 'varchar', maxLength: 8 },
  ],
  keys: [
    { isPrimary: true, columns: ['order_id', 'line'] },
    { columns: ['reference'] },
    { columns: ['country', 'region'] },
    { columns: ['note'], isFiltered: true },
    { columns: ['region'], isDisabled: true },
  ],
  foreignKeys: [
    {
      name: 'z_region',
      columns: ['country', 'region'],
      references: ['geo', 'region', 'country', 'code'],
    },
    { name: 'a_parent', columns: ['kept'], references: ['sales', 'orders', 'line'] },
  ],
  partitionColumn: 'paid_at',
  rows: 12,
  bytes: 16_384,
  labels: [null, 'Financial'],
}

const PAID: ObjectModel = {
  ...newTable('paid', { id: 1011, schema: 'sales', type: 'V' }),
  definition: 'create view sales.paid as select id from sales.orders',
  dependencies: [
    ['sales', 'orders'],
    ['geo', 'region'],
  ],
}

const SHOP: DatabaseModel = {
  id: 5,
  owner: 'sa',
  description: 'All that is sold',
  schemas: {
    dbo: { id: 1 },
    sales: { id: 7, owner: 'shop_owner', description: 'Orders and payments' },
    geo: { id: 6 },
    cdc: { id: 8 },
    sys: { id: 4 },
    guest: { id: 2 },
    INFORMATION_SCHEMA: { id: 3 },
    db_owner: { id: 16_384 },
  },
  objects: [{ ...ORDERS, updatedAt: '2026-01-02T03:04:05.678' }, PAID],
  showsState: true,
}

describe('read', () => {
  test('read › returns databases, schemas, tables and views with all facts', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = SHOP
    const result = await source.read()
    const { host, port } = source.server
    const shared = { sourceIdScope: 'SCRIPTED' }
    const id = '5@2024-01-02T03:04:05.678'
    const [database, , , sales] = result.assets
    assert.deepEqual(database, {
      kind: 'database',
      path: ['shop'],
      scope: ['shop'],
      sourceId: id,
      ...shared,
      ownerName: 'sa',
      description: 'All that is sold',
      custom: { host, port, database: 'shop' },
    })
    assert.deepEqual(result.table('shop', 'sales'), {
      kind: 'schema',
      path: ['shop', 'sales'],
      scope: ['shop', 'sales'],
      sourceId: `${id}.s7`,
      ...shared,
      ownerName: 'shop_owner',
      description: 'Orders and payments',
      custom: { host, port, database: 'shop', schema: 'sales' },
    })
    assert.equal(sales?.kind, 'schema')
    assert.deepEqual(result.table('shop', 'sales', 'orders'), {
      kind: 'table',
      path: ['shop', 'sales', 'orders'],
      scope: ['shop', 'sales'],
      sourceId: `${id}.1010`,
      ...shared,
      description: 'What was ordered',
      ownerName: 'auditor',
      columns: [
        { name: 'line', type: 'int', description: 'From 1', required: true },
        { name: 'order_id', type: 'bigint', required: true, generated: 'identity(100,5)' },
        { name: 'reference', type: 'nvarchar(40)', unique: true, default: `(N'it''s')` },
        { name: 'note', type: 'nvarchar(max)', tags: ['Confidential', 'Contact Info'] },
        { name: 'amount', type: 'decimal(12,2)', required: true },
        { name: 'doubled', type: 'decimal(13,2)', generated: '([amount]*(2))' },
        { name: 'kept', type: 'int', generated: '([line]+(1)) persisted' },
        { name: 'paid_at', type: 'datetime2(3)' },
        {
          name: 'valid_from',
          type: 'datetime2(7)',
          required: true,
          generated: 'generated always as row start',
        },
        { name: 'country', type: 'char(2)' },
        { name: 'region', type: 'varchar(8)' },
      ],
      primaryKey: ['order_id', 'line'],
      uniqueKeys: [['country', 'region']],
      foreignKeys: [
        {
          columns: ['kept'],
          references: ['shop', 'sales', 'orders'],
          referencedColumns: ['line'],
        },
        {
          columns: ['country', 'region'],
          references: ['shop', 'geo', 'region'],
          referencedColumns: ['country', 'code'],
        },
      ],
      partitionColumns: ['paid_at'],
      tags: ['Financial'],
      custom: { host, port, database: 'shop', schema: 'sales' },
      statistic: {
        rowCount: 12,
        sizeBytes: 16_384,
        changedAt: '2026-01-02T03:04:05.678Z',
        changedMeans: 'data',
      },
    })
    const paid = result.table('shop', 'sales', 'paid')
    assert.equal(paid.kind, 'view')
    assert.equal(paid.ownerName, 'shop_owner')
    assert.equal(paid.viewDefinition, PAID.definition)
    assert.deepEqual(paid.viewDependencies, [
      { references: ['shop', 'geo', 'region'] },
      { references: ['shop', 'sales', 'orders'] },
    ])
    assert.deepEqual(
      result.outcomes.map(({ failure }) => failure),
      [undefined, undefined, undefined, undefined],
    )
  })

  test('read › returns the same twice, with a number of statements that does not depend on the tables', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = SHOP
    const first = await source.read()
    const second = await source.read()
    assert.deepEqual(second.assets, first.assets)
    const tables = Array.from({ length: 2500 }, (_, at) => newTable(`t${at}`, { id: 1000 + at }))
    source.model.databases['shop'] = newDatabase(tables)
    const many = await source.read()
    assert.equal(many.assets.filter(({ kind }) => kind === 'table').length, 2500)
    assert.deepEqual(many.statements, first.statements)
    assert.equal(many.statements.length, 10)
    assert.ok(many.batchSizes.every((size) => size <= 1000))
  })

  test('read › excludes what belongs to the platform, unless it is named exactly', async (t) => {
    const source = await startMssqlSource(t)
    const { databases } = source.model
    for (const name of ['tempdb', 'msdb', 'SSISDB', 'ReportServerTempDB']) {
      databases[name] = newDatabase([])
    }
    databases['shop'] = {
      ...SHOP,
      objects: [
        newTable('kept', { id: 1 }),
        newTable('sysdiagrams', { id: 2 }),
        newTable('shipped', { id: 3, isShipped: true }),
        newTable('history', { id: 4, temporalType: 1 }),
        newTable('versioned', { id: 5, temporalType: 2 }),
        newTable('ledger_history', { id: 51, ledgerType: 1 }),
        newTable('ledger', { id: 52, ledgerType: 2 }),
        newTable('procedure', { id: 6, type: 'P' }),
        newTable('changes', { id: 7, schema: 'cdc' }),
        newTable('remote', { id: 8, isExternal: true }),
      ],
    }
    const result = await source.read()
    assert.deepEqual(listPaths(result), [
      'shop',
      'shop.dbo',
      'shop.sales',
      'shop.geo',
      'shop.dbo.kept',
      'shop.dbo.versioned',
      'shop.dbo.ledger',
      'shop.dbo.remote',
    ])
    assert.equal(result.table('shop', 'dbo', 'remote').kind, 'external_table')
    const included = {
      database: ['shop'],
      schema: ['cdc', 'dbo'],
      table: ['sysdiagrams', 'changes'],
    }
    const exact = await source.read({ filters: { include: included, exclude: {} } })
    assert.deepEqual(listPaths(exact).slice(3), ['shop.dbo.sysdiagrams', 'shop.cdc.changes'])
  })

  test('read › applies filters, and leaves out views if configured', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = SHOP
    source.model.databases['other'] = newDatabase([newTable('x')])
    const filters = {
      include: { database: ['sh*'] },
      exclude: { schema: ['geo', 'dbo'], table: ['ord*'] },
    }
    const result = await source.read({ filters })
    assert.deepEqual(listPaths(result), ['shop', 'shop.sales', 'shop.sales.paid'])
    const left = await source.read({ filters, configuration: { includeViews: false } })
    assert.deepEqual(listPaths(left), ['shop', 'shop.sales'])
  })

  test('read › keeps odd names exactly, also those that differ only by case', async (t) => {
    const source = await startMssqlSource(t)
    const names = [
      'orders',
      'Orders',
      `it's [quoted]`,
      'a.b',
      'with space',
      'Größe ☃',
      '__proto__',
      'x]]y',
    ]
    const columns = names.map((name) => ({ name, type: 'int' }))
    const database = `the "shop" ]of[ it's.us`
    source.model.databases = {
      master: newDatabase([]),
      [database]: newDatabase(
        names.map((name, at) => newTable(name, { id: 10 + at, columns })),
        { id: 9 },
      ),
      [database.toUpperCase()]: newDatabase([newTable('t')], { id: 10 }),
    }
    const result = await source.read()
    for (const name of names) {
      const { columns: found = [] } = result.table(database, 'dbo', name)
      assert.deepEqual(
        found.map((column) => column.name),
        names,
      )
    }
    assert.ok(result.table(database.toUpperCase(), 'dbo', 't'))
  })

  test('read › returns an empty source and an empty database, and a table without columns as unreadable', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = newDatabase([newTable('bare', { columns: [] })])
    source.model.databases['empty'] = newDatabase([], { schemas: {} })
    const result = await source.read()
    assert.deepEqual(listPaths(result), ['shop', 'shop.dbo', 'empty'])
    assert.deepEqual(
      result.unreadable.map(({ path, message }) => [path.join('.'), message]),
      [['shop.dbo.bare', 'The server does not show its columns.']],
    )
    source.model.databases = { master: newDatabase([]) }
    const { assets, scopes } = await source.read()
    assert.deepEqual([assets.length, scopes.map(({ decision }) => decision)], [0, ['excluded']])
  })

  test('read › reports only a table with too many facts as unreadable', async (t) => {
    const source = await startMssqlSource(t)
    const columns = Array.from({ length: 200_000 }, (_, at) => ({ name: `c${at}`, type: 'int' }))
    source.model.databases['shop'] = newDatabase([
      newTable('small', { id: 10 }),
      newTable('wide', { id: 11, columns }),
      newTable('tiny', { id: 12 }),
    ])
    const result = await source.read()
    assert.deepEqual(listPaths(result), ['shop', 'shop.dbo', 'shop.dbo.small', 'shop.dbo.tiny'])
    assert.deepEqual(
      result.unreadable.map(({ path, message }) => [path.at(-1), message]),
      [['wide', 'It has more than 200000 facts.']],
    )
    assert.ok(result.outcomes.every(({ failure }) => failure === undefined))
  })

  test('read › returns an encrypted view without its text', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = newDatabase([
      newTable('secret', { type: 'V', definition: null }),
    ])
    const view = (await source.read()).table('shop', 'dbo', 'secret')
    assert.equal(view.kind, 'view')
    assert.equal(view.viewDefinition, undefined)
    assert.equal(view.columns?.length, 1)
  })
})
