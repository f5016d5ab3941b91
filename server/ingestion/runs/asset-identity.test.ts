import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCounts, fill, newIngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'

// An asset keeps its identity and its history if its table is renamed or created again.

onStore((store) => {
  test('a renamed table is the same asset with a new path', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    world.source.put(['shop', 'sales', 'stays'])
    await world.run()
    const before = (await world.assets()).get('shop.sales.orders')
    world.source.rename(['shop', 'sales', 'orders'], ['shop', 'sales', 'purchases'])
    assert.deepEqual(getCounts(await world.run()), [0, 1, 0, 0])
    const after = (await world.assets()).get('shop.sales.purchases')
    assert.deepEqual([after?.id, after?.version, after?.document.id], [before?.id, 2, before?.id])
    // Its old name is available for another table, which is another asset.
    world.source.put(['shop', 'sales', 'orders'])
    assert.deepEqual(getCounts(await world.run()), [1, 0, 0, 0])
    const fresh = (await world.assets()).get('shop.sales.orders')
    assert.notEqual(fresh?.id, before?.id)
    assert.match(fresh?.id ?? '', /^scripted-[a-z2-7]{26}$/)
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
  })

  test('a table that is recreated under its name is the same asset', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], { sourceId: '1' })
    await world.run()
    const before = (await world.assets()).get('shop.sales.orders')
    world.source.put(['shop', 'sales', 'orders'], { sourceId: '2' })
    assert.deepEqual(getCounts(await world.run()), [0, 1, 0, 0])
    assert.equal((await world.assets()).get('shop.sales.orders')?.id, before?.id)
  })

  test('tables can exchange or rotate their names in one publication', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'a'], { sourceId: '1', description: 'one' })
    world.source.put(['shop', 'sales', 'b'], { sourceId: '2', description: 'two' })
    world.source.put(['shop', 'sales', 'c'], { sourceId: '3', description: 'three' })
    await world.run()
    world.source.drop(['shop', 'sales', 'a'])
    world.source.put(['shop', 'sales', 'b'], { sourceId: '1', description: 'one' })
    world.source.put(['shop', 'sales', 'd'], { sourceId: '2', description: 'two' })
    const run = await world.run()
    assert.equal(run.status, 'SUCCESS')
    const assets = await world.assets()
    assert.equal(assets.get('shop.sales.b')?.document.info.description, 'one')
    assert.equal(assets.get('shop.sales.d')?.document.info.description, 'two')
    assert.equal(assets.size, 5)
  })

  test('the same name in two schemas and in two spellings is four assets', async () => {
    const world = await newIngestionWorld(store())
    for (const schema of ['sales', 'Sales']) {
      for (const name of ['orders', 'Orders']) world.source.put(['shop', schema, name])
    }
    await world.run()
    assert.equal((await world.assets()).size, 7)
    const ids = new Set([...(await world.assets()).values()].map(({ id }) => id))
    assert.equal(ids.size, 7)
  })

  test('names with quotes, dots, spaces, newlines and emoji are preserved and distinguished', async () => {
    const world = await newIngestionWorld(store())
    const names = [
      'a.b',
      'a b',
      'a"b',
      `a'b`,
      'a\nb',
      'a\tb',
      'a\\b',
      '🎈',
      'é'.repeat(31),
      '{a}',
      'NULL',
      '',
    ]
    for (const name of names) world.source.put(['shop', 'x.y', name])
    const run = await world.run()
    assert.equal(run.status, 'SUCCESS')
    assert.equal(run.assets_created, names.length + 2)
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
  })

  test('a table that the source lists twice is one asset', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    const { connector } = world.source
    const twice = {
      ...connector,
      open: async (setup: Parameters<typeof connector.open>[0]) => {
        const session = await connector.open(setup)
        return {
          ...session,
          read: async function* (scopes: Parameters<typeof session.read>[0]) {
            for await (const batch of session.read(scopes)) {
              yield batch
              yield { assets: [...batch.assets, ...batch.assets] }
            }
          },
        }
      },
    }
    world.engine.connectors = new Map([['scripted', twice]])
    const run = await world.run()
    assert.deepEqual([run.status, ...getCounts(run)], ['SUCCESS', 3, 0, 0, 0])
  })

  test('an existing asset that cannot be read stays unchanged', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    await world.run()
    const path = ['shop', 'sales', 'table_0']
    world.source.drop(['shop', 'sales', 'table_0'])
    const { connector } = world.source
    const unreadable = {
      ...connector,
      open: async (setup: Parameters<typeof connector.open>[0]) => {
        const session = await connector.open(setup)
        return {
          ...session,
          read: async function* (scopes: Parameters<typeof session.read>[0]) {
            const scope = ['shop', 'sales']
            yield {
              assets: [],
              unreadable: [
                { path, scope, kind: 'table' as const, message: 'it is broken' },
                // This asset was never read completely.
                { path: [...scope, 'new'], scope, kind: 'table' as const, message: 'it is broken' },
              ],
            }
            yield* session.read(scopes)
          },
        }
      },
    }
    world.engine.connectors = new Map([['scripted', unreadable]])
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
    assert.equal((await world.assets()).has('shop.sales.table_0'), true)
  })
})
