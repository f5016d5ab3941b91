import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { afterEach, before, test } from 'node:test'
import { newIngestionWorld } from '../../../test/ingestion.ts'
import {
  annotate,
  find,
  findNames,
  readIndex,
  type IndexedRow,
} from '../../../test/search/index-rows.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps } from '../../../test/world.ts'
import { releaseAssets } from '../../catalog/assets/removal-service.ts'
import { undoPublished } from '../../catalog/assets/undo-service.ts'
import { deleteDocument } from '../store.ts'
import { newEvents } from '../../ledger/events/event.ts'
import { insertRun } from '../../ingestion/runs/run-store.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { repairIndex } from './rebuild-service.ts'

function columns(name: string): object {
  return { columns: [{ name, type: 'text' }] }
}

function withoutTime(rows: readonly IndexedRow[]): object[] {
  return rows.map((row) => ({ ...row, updated_at: undefined }))
}

onStore((store) => {
  let db: Database
  before(() => {
    db = store().db
  })
  afterEach(async () => {
    assert.equal(await repairIndex(db), 0, 'every write has indexed its documents')
  })

  test('finds assets that a run published by name, path, columns and integration', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], {
      description: 'Ordered goods',
      tags: ['nightly'],
      columns: [{ name: 'buyerIban', type: 'text', description: 'Who pays' }],
    })
    world.source.put(['shop', 'sales', 'quotes'])
    await world.run()
    const queries = [
      'orders',
      'shop.sales.orders',
      'buyer_iban',
      'goods',
      'nightly',
      'pays',
      'scripted orders',
      'ordres',
    ]
    for (const query of queries)
      assert.deepEqual(await findNames(db, world, query), ['orders'], query)
    const id = (await world.assets()).get('shop.sales.orders')?.id ?? ''
    assert.deepEqual(await findNames(db, world, id), ['orders'])
    const [result] = await find(db, world.organizationId, 'buyerIban')
    const { source, status, type, tags, description, resourceType } = result ?? assert.fail()
    assert.deepEqual(
      { source, status, type, tags, description, resourceType },
      {
        source: 'scripted',
        status: 'active',
        type: 'scripted_table',
        tags: ['nightly'],
        description: 'Ordered goods',
        resourceType: 'DATA_ASSET',
      },
    )
    assert.deepEqual(result?.why, [{ field: 'column', how: 'exact', path: 'orders.buyerIban' }])
  })

  test('finds published assets, and neither previews nor removed assets', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    await world.run({ kind: 'preview' })
    assert.deepEqual(await findNames(db, world, 'orders'), [])
    await world.run()
    world.source.put(['shop', 'sales', 'stays'])
    world.source.drop(['shop', 'sales', 'orders'])
    await world.run()
    assert.deepEqual(
      [await findNames(db, world, 'orders'), await findNames(db, world, 'stays')],
      [[], ['stays']],
    )
    world.source.put(['shop', 'sales', 'orders'])
    await world.run()
    assert.deepEqual(await findNames(db, world, 'orders'), ['orders'])
    world.source.rename(['shop', 'sales', 'orders'], ['shop', 'sales', 'purchases'])
    await world.run()
    assert.deepEqual(
      [await findNames(db, world, 'orders'), await findNames(db, world, 'purchases')],
      [[], ['purchases']],
    )
  })

  test('shows what people added and searches both, also after the next run', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], { description: 'Of the machine', tags: ['raw'] })
    await world.run()
    await annotate(db, world, 'shop.sales.orders', {
      description: 'Described by humans',
      tags: ['gold'],
    })
    const check = async (): Promise<void> => {
      for (const query of ['machine', 'humans', 'raw', 'gold']) {
        const [result] = await find(db, world.organizationId, query)
        assert.deepEqual(
          [result?.description, result?.tags],
          ['Described by humans', ['gold']],
          query,
        )
      }
    }
    await check()
    const columns = [{ name: 'fresh', type: 'text' }]
    world.source.put(['shop', 'sales', 'orders'], {
      description: 'Of the machine',
      tags: ['raw'],
      columns,
    })
    assert.equal((await world.run()).assets_updated, 1)
    await check()
    assert.deepEqual(await findNames(db, world, 'fresh'), ['orders'])
    await annotate(db, world, 'shop.sales.orders', { description: null, tags: null })
    assert.deepEqual(
      [await findNames(db, world, 'humans'), await findNames(db, world, 'machine')],
      [[], ['orders']],
    )
  })

  test('an undo restores the entries', async () => {
    const world = await newIngestionWorld(store())
    const { organizationId, integrationId } = world
    world.source.put(['shop', 'sales', 'orders'], columns('first'))
    world.source.put(['shop', 'sales', 'gone'])
    await world.run()
    const before = await readIndex(db, organizationId)
    world.source.put(['shop', 'sales', 'orders'], columns('second'))
    world.source.put(['shop', 'sales', 'more'])
    world.source.drop(['shop', 'sales', 'gone'])
    const { id: undone } = await world.run()
    await db.transaction().execute(async (transaction) => {
      const runId = randomUUIDv7()
      const run = { organizationId, id: runId, integrationId, principal: 'test', forced: false }
      await insertRun(transaction, storeClock, { ...run, kind: 'undo' })
      const correction = { organizationId, integrationId, runId, principal: 'test' }
      await undoPublished(transaction, storeClock, correction, undone)
    })
    assert.deepEqual(withoutTime(await readIndex(db, organizationId)), withoutTime(before))
  })

  test('finds assets that were kept without their integration, and no deleted ones', async () => {
    for (const fate of ['keep', 'delete'] as const) {
      const world = await newIngestionWorld(store())
      const { organizationId, integrationId } = world
      world.source.put(['shop', 'sales', 'orders'], { description: 'Goods' })
      await world.run()
      await annotate(db, world, 'shop.sales.orders', {
        description: 'Described by humans',
        tags: null,
      })
      const release = { organizationId, integrationId, principal: 'test', requestId: 'r' }
      await db
        .transaction()
        .execute((transaction) => releaseAssets(transaction, storeClock, release, fate))
      assert.deepEqual(await findNames(db, world, 'humans'), fate === 'keep' ? ['orders'] : [])
    }
  })

  test('a write that is rolled back does not change the index', async () => {
    const world = await newWorld(newProduct(store()))
    const { organizationId } = world
    await expectOk(
      world.as('O', 'PUT', '/api/dataproducts/p', { body: odps('p', { name: 'Basalt' }) }),
    )
    const before = await readIndex(db, organizationId)
    const metadata = { organizationId, principal: 'test', requestId: 'r' }
    const undone = db.transaction().execute(async (transaction) => {
      const kind = 'data-product' as const
      const deletion = { kind, metadata, externalId: 'p', version: 1, events: newEvents([]) }
      assert.ok(await deleteDocument(transaction, storeClock, deletion))
      assert.deepEqual(await find(transaction, organizationId, 'basalt'), [])
      throw new Error('rolled back')
    })
    await assert.rejects(undone, /rolled back/)
    assert.deepEqual(await readIndex(db, organizationId), before)
  })
})
