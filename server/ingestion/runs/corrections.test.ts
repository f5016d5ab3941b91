import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct } from '../../../test/world.ts'
import { undoPublished, deleteHeld } from '../../catalog/assets/undo-service.ts'
import type { ChangeCounts } from '../../catalog/assets/change.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { ensureIndex } from '../../documents/search/rebuild-service.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { randomUUIDv7 } from 'node:crypto'
import { newOwnerCaller } from '../../demo/register.ts'
import { ASSETS } from '../../catalog/assets/service.ts'
import { deleteDocument } from '../../documents/deletion-service.ts'
import { insertRun } from './run-store.ts'

// The endpoints have their own tests; these test the effects on the assets.

async function correct(
  world: IngestionWorld,
  kind: 'undo' | 'confirm',
  runId: string,
): Promise<ChangeCounts & { leftCount?: number }> {
  const { engine, organizationId, integrationId } = world
  const id = randomUUIDv7()
  const run = { organizationId, id, integrationId, kind, principal: 'test', forced: false }
  return await engine.db.transaction().execute(async (transaction) => {
    await insertRun(transaction, storeClock, run)
    const correction = { organizationId, integrationId, runId: id, principal: 'test' }
    await sql`
      update ingestion_run set status = 'SUCCESS', completed_at = now() where id = ${id}
    `.execute(transaction)
    if (kind === 'confirm') return await deleteHeld(transaction, storeClock, correction, runId)
    const { counts, leftCount } = await undoPublished(transaction, storeClock, correction, runId)
    return { ...counts, leftCount }
  })
}

/** Returns the assets of the catalog without their versions, which only increase. */
async function listVisibleAssets(world: IngestionWorld): Promise<object[]> {
  const assets = await world.assets()
  return [...assets]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { id, document }]) => ({ path, id, document }))
}

onStore((store) => {
  before(async () => {
    await ensureIndex(store().db)
  })

  test('an undo restores created, updated, renamed and deleted assets', async () => {
    const world = await newIngestionWorld(store())
    for (const name of ['a', 'b', 'c']) world.source.put(['shop', 'sales', name])
    await world.run()
    const before = await listVisibleAssets(world)
    world.source.put(['shop', 'sales', 'd'])
    world.source.put(['shop', 'sales', 'a'], { description: 'other words' })
    world.source.rename(['shop', 'sales', 'b'], ['shop', 'sales', 'bb'])
    world.source.drop(['shop', 'sales', 'c'])
    const run = await world.run()
    assert.deepEqual([run.assets_created, run.assets_updated, run.assets_deleted], [1, 2, 1])
    const after = await listVisibleAssets(world)
    const undone = await correct(world, 'undo', run.id)
    assert.deepEqual(
      [undone.created, undone.updated, undone.deleted, undone.leftCount],
      [1, 2, 1, 0],
    )
    assert.deepEqual(await listVisibleAssets(world), before)
    // The source is unchanged: the next run repeats the changes.
    const again = await world.run()
    assert.deepEqual([again.assets_created, again.assets_updated, again.assets_deleted], [1, 2, 1])
    assert.deepEqual(await listVisibleAssets(world), after)
  })

  test('an undo after three runs restores what no later run has changed, and reports the rest', async () => {
    const world = await newIngestionWorld(store())
    for (const name of ['a', 'b', 'c']) world.source.put(['shop', 'sales', name])
    await world.run()
    for (const name of ['a', 'b', 'c']) {
      world.source.put(['shop', 'sales', name], { description: 'first' })
    }
    const run = await world.run()
    world.source.put(['shop', 'sales', 'a'], { description: 'second' })
    await world.run()
    world.source.drop(['shop', 'sales', 'b'])
    await world.run()
    world.source.put(['shop', 'sales', 'd'])
    await world.run()
    const undone = await correct(world, 'undo', run.id)
    assert.deepEqual([undone.updated, undone.leftCount], [1, 2])
    const assets = await world.assets()
    assert.equal(assets.get('shop.sales.a')?.document.info.description, 'second')
    assert.equal(assets.has('shop.sales.b'), false)
    assert.equal(assets.get('shop.sales.c')?.document.info.description, undefined)
    assert.equal(assets.has('shop.sales.d'), true)
  })

  test('an undo of the first run removes everything, and an undo of that restores it', async () => {
    const world = await newIngestionWorld(store())
    for (const name of ['a', 'b']) world.source.put(['shop', 'sales', name])
    const run = await world.run()
    const before = await listVisibleAssets(world)
    assert.equal((await correct(world, 'undo', run.id)).deleted, 4)
    assert.deepEqual(await listVisibleAssets(world), [])
    assert.equal((await world.run()).assets_created, 4)
    assert.deepEqual(await listVisibleAssets(world), before)
  })

  test('an undo leaves out what was deleted since without a run', async () => {
    const world = await newIngestionWorld(store())
    for (const name of ['a', 'b']) world.source.put(['shop', 'sales', name])
    const run = await world.run()
    const id = (await world.assets()).get('shop.sales.a')?.id ?? ''
    const conditions = { ifMatch: undefined, ifNoneMatch: undefined }
    const owner = newOwnerCaller(world.organizationId, 'user:1')
    const removal = { id, conditions, requestId: randomUUIDv7() }
    await deleteDocument(newProduct(store()).services, owner, ASSETS, removal)
    const { deleted, leftCount } = await correct(world, 'undo', run.id)
    assert.deepEqual({ deleted, leftCount }, { deleted: 3, leftCount: 1 })
  })

  test('confirming held deletes deletes them, except those that reappeared', async () => {
    const world = await newIngestionWorld(store())
    for (let at = 0; at < 30; at += 1) world.source.put(['shop', 'sales', `t${at}`])
    for (let at = 0; at < 100; at += 1) world.source.put(['shop', 'stock', `t${at}`])
    await world.run()
    for (let at = 0; at < 30; at += 1) world.source.drop(['shop', 'sales', `t${at}`])
    const run = await world.run()
    assert.equal(run.held_count, 30)
    assert.equal((await world.assets()).size, 133)
    const done = await correct(world, 'confirm', run.id)
    assert.equal(done.deleted, 30)
    assert.equal((await world.assets()).size, 103)
    assert.equal((await world.run()).held_count, 0)
  })

  test('verify reports no problems in a store whose runs were undone and confirmed', async () => {
    const verdicts = await verifyStore(store().db)
    assert.deepEqual(
      verdicts.filter(({ count }) => count > 0),
      [],
    )
  })
})
