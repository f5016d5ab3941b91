import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCounts, fill, newIngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'

// Assets that a run did not see are not necessarily gone: each of these cases could empty a
// catalog.

onStore((store) => {
  test('a first run creates the assets of the source', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], {
      description: 'Every order',
      columns: [
        { name: 'id', type: 'integer', required: true },
        { name: 'note', type: 'text' },
      ],
    })
    const run = await world.run()
    assert.deepEqual([run.status, run.message, run.assets_processed], ['SUCCESS', '1 schema', 3])
    assert.deepEqual(getCounts(run), [3, 0, 0, 0])
    const assets = await world.assets()
    assert.deepEqual([...assets.keys()].toSorted(), ['shop', 'shop.sales', 'shop.sales.orders'])
    const orders = assets.get('shop.sales.orders')
    assert.equal(orders?.document.id, orders?.id)
    assert.deepEqual(orders?.document.relationships, [
      { relationshipType: 'parent', assetId: assets.get('shop.sales')?.id },
    ])
    assert.equal(orders?.document.info.description, 'Every order')
    assert.match(orders?.id ?? '', /^scripted-[a-z2-7]{26}$/)
    assert.equal(await world.eventCount(), 3)
  })

  test('an unchanged run changes nothing and emits no events', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 250)
    await world.run()
    const [assets, events] = [await world.assets(), await world.eventCount()]
    const second = await world.run()
    assert.equal(second.status, 'SUCCESS')
    assert.deepEqual(getCounts(second), [0, 0, 0, 0])
    assert.equal(second.assets_processed, 252)
    assert.deepEqual(await world.assets(), assets)
    assert.equal(await world.eventCount(), events)
  })

  test('a changed row count is not a change of the asset', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], { rowCount: 1 })
    await world.run()
    world.source.put(['shop', 'sales', 'orders'], { rowCount: 2 })
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
  })

  test('a dropped table is deleted, and revived when it reappears', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 3)
    await world.run()
    const before = await world.assets()
    world.source.drop(paths[0] ?? ['', '', ''])
    assert.deepEqual(getCounts(await world.run()), [0, 0, 1, 0])
    assert.equal((await world.assets()).has('shop.sales.table_0'), false)
    world.source.put(paths[0] ?? ['', '', ''])
    assert.deepEqual(getCounts(await world.run()), [1, 0, 0, 0])
    const revived = (await world.assets()).get('shop.sales.table_0')
    assert.equal(revived?.id, before.get('shop.sales.table_0')?.id)
    assert.equal(revived?.version, 2)
  })

  test('a source error during the listing deletes nothing of that schema', async () => {
    const world = await newIngestionWorld(store())
    const [first] = fill(world, 'sales', 150)
    fill(world, 'stock', 5)
    await world.run()
    world.source.drop(first ?? ['', '', ''])
    world.source.drop(['shop', 'stock', 'table_4'])
    world.source.fail('read end', 'protocol', { schema: 'sales' })
    const run = await world.run()
    // The failure ends the reading of the database, so the next schema is not read either.
    assert.equal(run.status, 'FAILED')
    assert.equal((await world.assets()).size, 158)
    world.source.heal()
    world.source.fail('read end', 'protocol', { schema: 'stock' })
    const second = await world.run()
    assert.equal(second.status, 'SUCCESS')
    assert.equal(second.message, '1 of 2 schemas; not readable: stock')
    assert.deepEqual(getCounts(second), [0, 0, 1, 0])
    assert.equal((await world.assets()).has('shop.stock.table_4'), true)
  })

  test('a source that closes the connection is read again, and nothing is counted twice', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 150)
    world.source.fail('read end', 'unreachable', { times: 2 })
    const run = await world.run()
    assert.equal(run.status, 'SUCCESS')
    assert.equal(run.assets_processed, 152)
    assert.equal(world.source.openCount, 3)
  })

  test('an empty listing fails the run and deletes nothing', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 3)
    await world.run()
    world.source.clear()
    const run = await world.run()
    assert.equal(run.status, 'FAILED')
    assert.match(run.message ?? '', /shows no schema/)
    world.source.schema('shop', 'sales')
    const second = await world.run()
    assert.equal(second.status, 'FAILED')
    assert.match(second.message ?? '', /now shows no tables/)
    assert.equal((await world.assets()).size, 5)
    const forced = await world.run({ forced: true })
    assert.deepEqual([forced.status, ...getCounts(forced)], ['SUCCESS', 0, 0, 3, 0])
  })

  test('a truncated listing deletes nothing', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 150)
    await world.run()
    for (const path of paths.slice(100)) world.source.drop(path)
    world.source.fail('read end', 'unreachable')
    const run = await world.run()
    assert.equal(run.status, 'FAILED')
    assert.equal((await world.assets()).size, 152)
  })

  test('a lost permission on one schema keeps its assets and names it', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    fill(world, 'stock', 2)
    await world.run()
    world.source.deny('shop', 'stock')
    const run = await world.run()
    assert.equal(run.message, '1 of 2 schemas; not readable: stock')
    assert.deepEqual([run.status, ...getCounts(run)], ['SUCCESS', 0, 0, 0, 0])
    assert.equal((await world.assets()).size, 7)
  })

  test('a narrowed filter holds the assets that it excludes until a person confirms', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 3)
    fill(world, 'stock', 2)
    await world.run()
    await world.setFilters({ exclude: { schema: ['stock'], table: ['*_2'] } })
    const run = await world.run()
    assert.deepEqual([run.status, ...getCounts(run)], ['SUCCESS', 0, 0, 0, 4])
    assert.equal(run.held_state, 'pending')
    assert.match(run.message ?? '', /4 assets that the settings leave out/)
    assert.equal((await world.assets()).size, 8)
    await world.setFilters({})
    const second = await world.run()
    assert.deepEqual(getCounts(second), [0, 0, 0, 0])
    assert.equal((await world.find(run.id)).held_state, 'superseded')
  })

  test('assets of a disabled kind are held, not deleted', async () => {
    const world = await newIngestionWorld(store())
    const [path = ['', '', '']] = fill(world, 'sales', 3)
    await world.run()
    world.source.drop([path[0], path[1], path[2]])
    world.source.kindsLeftOut = ['table']
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 1])
    world.source.kindsLeftOut = []
    assert.deepEqual(getCounts(await world.run()), [0, 0, 1, 0])
  })

  test('more than a fifth and more than fifty deletes are held, new assets are published', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 200)
    fill(world, 'stock', 20)
    await world.run()
    for (const path of paths.slice(0, 51)) world.source.drop(path)
    world.source.put(['shop', 'sales', 'fresh'])
    const run = await world.run()
    assert.deepEqual([run.status, ...getCounts(run)], ['SUCCESS', 1, 0, 0, 51])
    assert.match(run.message ?? '', /51 deletes at once are held/)
    // After one of them was restored, the guard no longer applies.
    world.source.put(paths[0] ?? ['', '', ''])
    assert.deepEqual(getCounts(await world.run()), [0, 1, 50, 0])
  })

  test('more than half of at least ten tables are held until a person confirms them', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 9)
    fill(world, 'stock', 1)
    await world.run()
    for (const path of paths.slice(0, 6)) world.source.drop(path)
    const run = await world.run()
    assert.deepEqual([run.status, ...getCounts(run)], ['SUCCESS', 0, 0, 0, 6])
    assert.match(run.message ?? '', /6 deletes at once are held/)
    world.source.put(paths[0] ?? ['', '', ''])
    assert.deepEqual(getCounts(await world.run()), [0, 1, 5, 0])
  })

  test('a whole schema of more than twenty tables is held', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 21)
    fill(world, 'stock', 300)
    await world.run()
    for (const path of paths) world.source.drop(path)
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 21])
    assert.equal((await world.assets()).size, 324)
  })

  test('a preview shows the change set and publishes nothing', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 3)
    await world.run()
    const [assets, events] = [await world.assets(), await world.eventCount()]
    world.source.drop(paths[0] ?? ['', '', ''])
    world.source.put(paths[1] ?? ['', '', ''], { description: 'new words' })
    world.source.put(['shop', 'sales', 'fresh'])
    const preview = await world.run({ kind: 'preview' })
    assert.deepEqual([preview.status, ...getCounts(preview)], ['SUCCESS', 1, 1, 1, 0])
    assert.match(preview.message ?? '', /nothing was published/)
    assert.deepEqual(await world.assets(), assets)
    assert.equal(await world.eventCount(), events)
    assert.deepEqual(getCounts(await world.run()), [1, 1, 1, 0])
  })
})
