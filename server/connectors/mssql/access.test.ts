import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  listPaths,
  newDatabase,
  newTable,
  startMssqlSource,
} from '../../../test/warehouses/mssql/source.ts'
import type { SourceReading } from '../../../test/source-reading.ts'
import { mssql } from './connector.ts'
import { OPTIONAL_VIEWS } from './statements.ts'

const FULL = newTable('orders', {
  columns: [{ name: 'reference', type: 'nvarchar', maxLength: 80, default: `('x')` }],
  keys: [{ isPrimary: true, columns: ['reference'] }],
  labels: ['Confidential', null],
})

describe('permissions', () => {
  test('scopes › denies only a database that is offline, forbidden or fails', async (t) => {
    const source = await startMssqlSource(t)
    const { databases } = source.model
    databases['archive'] = newDatabase([], { state: 'RESTORING' })
    databases['hr'] = newDatabase([], { isGranted: false })
    databases['odd'] = newDatabase([], { rejected: new Set(['all_views']) })
    const result = await source.read()
    assert.deepEqual(listDenied(result), [
      ['archive', 'The database archive is not online but RESTORING.'],
      ['hr', 'reader may not open the database hr.'],
      ['odd', 'The server rejected a query (error 15871).'],
    ])
    assert.deepEqual(listPaths(result), ['shop', 'shop.dbo', 'shop.dbo.orders'])
  })

  test('read › does not prove the absence of tables in a schema that hides some', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = newDatabase(
      [
        newTable('granted', { id: 1, schema: 'closed', isGranted: true }),
        newTable('one column', { id: 2, schema: 'closed', isGranted: false }),
        newTable('hidden', { id: 3, schema: 'closed' }),
        newTable('open', { id: 4 }),
      ],
      { schemas: { dbo: { id: 1 }, closed: { id: 5, isHidden: true } } },
    )
    const result = await source.read()
    assert.deepEqual(listPaths(result).slice(3), [
      'shop.closed.granted',
      'shop.closed.one column',
      'shop.dbo.open',
    ])
    const [own, dbo, closed] = result.outcomes
    assert.deepEqual([own, dbo], [{ path: ['shop'] }, { path: ['shop', 'dbo'] }])
    assert.equal(closed?.failure?.kind, 'permission')
    assert.match(closed?.failure?.message ?? '', /Grant VIEW DEFINITION on the database\.$/)
    assert.deepEqual(closed?.whole, [['shop', 'closed', 'granted']])
  })

  test('read › does not prove the absence of tables where the permission is denied for some', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = newDatabase([newTable('orders')], { hasDenial: true })
    const { outcomes } = await source.read()
    const orders = ['shop', 'dbo', 'orders']
    assert.deepEqual(
      outcomes.map(({ failure, whole }) => [failure?.kind, whole]),
      [
        [undefined, undefined],
        ['permission', [orders]],
      ],
    )
  })

  test('scopes › reports that databases or schemas may be hidden', async (t) => {
    const source = await startMssqlSource(t)
    const { model } = source
    const listHidden = async (): Promise<unknown> => {
      const session = await mssql.open(source.setup())
      for await (const scope of session.scopes()) assert.ok(scope)
      await session.close()
      return session.hiddenPaths?.()
    }
    assert.deepEqual(await listHidden(), [])
    model.hidesDatabases = true
    assert.deepEqual(await listHidden(), [[]])
    model.hidesDatabases = false
    model.databases['shop'] = newDatabase([], { schemas: { closed: { id: 5, isHidden: true } } })
    assert.deepEqual(await listHidden(), [['shop']])
  })
})

describe('permissions of single views', () => {
  test('read › omits the dependencies of views without the permission to read them', async (t) => {
    const source = await startMssqlSource(t)
    const view = newTable('v', { type: 'V', definition: 'x', dependencies: [['dbo', 'orders']] })
    for (const isOwner of [true, false]) {
      source.model.databases['shop'] = newDatabase([view], { isOwner })
      const { viewDefinition, viewDependencies } = (await source.read()).table('shop', 'dbo', 'v')
      assert.deepEqual(
        [viewDefinition, viewDependencies],
        ['x', isOwner ? [{ references: ['shop', 'dbo', 'orders'] }] : undefined],
      )
    }
    assert.deepEqual(source.log, [])
  })
})

describe('products', () => {
  test('read › uses one connection for each database where the server cannot change it', async (t) => {
    const source = await startMssqlSource(t)
    source.model.edition = 5
    source.model.databases['other'] = newDatabase([newTable('x')])
    source.model.databases['hr'] = newDatabase([], { isGranted: false })
    const result = await source.read({ configuration: { database: 'shop' } })
    assert.deepEqual(
      listPaths(result).filter((path) => path.split('.').length === 3),
      ['shop.dbo.orders', 'other.dbo.x'],
    )
    assert.deepEqual(listDenied(result), [
      ['hr', 'reader cannot open the database: it does not exist or is not granted.'],
    ])
    const opened = source.server.logins.map(({ database }) => database)
    assert.deepEqual(opened, ['shop', 'other', 'hr'])
  })

  test('read › works without every optional part of the catalog', async (t) => {
    const source = await startMssqlSource(t)
    const columns = [
      'columns.generated_always_type',
      'tables.is_external',
      'tables.temporal_type',
      'tables.ledger_type',
    ]
    const missing = new Set<string>([...OPTIONAL_VIEWS, ...columns])
    source.model.databases['shop'] = newDatabase([FULL], { missing })
    const result = await source.read()
    const orders = result.table('shop', 'dbo', 'orders')
    assert.deepEqual(orders.columns?.[0], { name: 'reference', type: 'nvarchar(40)' })
    assert.deepEqual(orders.primaryKey, [])
  })

  test('read › reads tables and columns if the product rejects the complete statement', async (t) => {
    const source = await startMssqlSource(t)
    const rejected = new Set(['sensitivity_classifications'])
    source.model.databases['shop'] = newDatabase([FULL], { rejected })
    const result = await source.read()
    assert.equal(result.table('shop', 'dbo', 'orders').columns?.length, 1)
    assert.deepEqual(source.log, [
      'warn shop rejected the statement for all facts. Only tables, columns and types are read.',
    ])
  })

  test('read › sets short locks only where the server supports it', async (t) => {
    const source = await startMssqlSource(t)
    assert.ok((await source.read()).statements.includes('session settings'))
    source.model.edition = 11
    const { statements } = await source.read({ configuration: { database: 'shop' } })
    assert.ok(!statements.includes('session settings'))
  })
})

function listDenied({ scopes }: SourceReading): (string | undefined)[][] {
  return scopes
    .filter(({ decision }) => decision === 'denied')
    .map(({ path, message }) => [path.join('.'), message])
}
