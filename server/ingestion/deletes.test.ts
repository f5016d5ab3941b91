import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newIngestionWorld, type IngestionWorld } from '../../test/ingestion.ts'
import { onStore } from '../../test/stores.ts'
import { decideHeld } from './correction-store.ts'
import { listScopes } from './run-store.ts'

// What is not seen is not gone: each of these once emptied somebody's catalog.

type Path = [string, string, string]

function fill({ source }: IngestionWorld, schema: string, count: number): Path[] {
  const paths = Array.from({ length: count }, (_, at): Path => ['shop', schema, `table_${at}`])
  for (const path of paths) source.put(path)
  return paths
}

function counts(run: {
  assets_created: number
  assets_updated: number
  assets_deleted: number
  held_count: number
}): number[] {
  return [run.assets_created, run.assets_updated, run.assets_deleted, run.held_count]
}

onStore((store) => {
  test('a first run creates what the source has', async () => {
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
    assert.deepEqual(counts(run), [3, 0, 0, 0])
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

  test('an unchanged run changes nothing and tells nothing', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 250)
    await world.run()
    const [assets, events] = [await world.assets(), await world.eventCount()]
    const second = await world.run()
    assert.equal(second.status, 'SUCCESS')
    assert.deepEqual(counts(second), [0, 0, 0, 0])
    assert.equal(second.assets_processed, 252)
    assert.deepEqual(await world.assets(), assets)
    assert.equal(await world.eventCount(), events)
  })

  test('a row count that changes is no change of the asset', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], { rowCount: 1 })
    await world.run()
    world.source.put(['shop', 'sales', 'orders'], { rowCount: 2 })
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 0])
  })

  test('a dropped table is deleted, and revived when it reappears', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 3)
    await world.run()
    const before = await world.assets()
    world.source.drop(paths[0] ?? ['', '', ''])
    assert.deepEqual(counts(await world.run()), [0, 0, 1, 0])
    assert.equal((await world.assets()).has('shop.sales.table_0'), false)
    world.source.put(paths[0] ?? ['', '', ''])
    assert.deepEqual(counts(await world.run()), [1, 0, 0, 0])
    const revived = (await world.assets()).get('shop.sales.table_0')
    assert.equal(revived?.id, before.get('shop.sales.table_0')?.id)
    assert.equal(revived?.version, 2)
  })

  test('a source error mid-listing deletes nothing of that schema', async () => {
    const world = await newIngestionWorld(store())
    const [first] = fill(world, 'sales', 150)
    fill(world, 'stock', 5)
    await world.run()
    world.source.drop(first ?? ['', '', ''])
    world.source.drop(['shop', 'stock', 'table_4'])
    world.source.fail('read end', 'protocol', { schema: 'sales' })
    const run = await world.run()
    // The failure ends the reading of the database, so the schema read after it is unread too.
    assert.equal(run.status, 'FAILED')
    assert.equal((await world.assets()).size, 158)
    world.source.heal()
    world.source.fail('read end', 'protocol', { schema: 'stock' })
    const second = await world.run()
    assert.equal(second.status, 'SUCCESS')
    assert.equal(second.message, '1 of 2 schemas; not readable: stock')
    assert.deepEqual(counts(second), [0, 0, 1, 0])
    assert.equal((await world.assets()).has('shop.stock.table_4'), true)
  })

  test('a source that breaks off is read anew, and nothing is counted twice', async () => {
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
    assert.match(second.message ?? '', /now shows nothing/)
    assert.equal((await world.assets()).size, 5)
    const forced = await world.run({ forced: true })
    assert.deepEqual([forced.status, ...counts(forced)], ['SUCCESS', 0, 0, 3, 0])
  })

  test('a listing that is cut short without an end deletes nothing', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 150)
    await world.run()
    for (const path of paths.slice(100)) world.source.drop(path)
    world.source.fail('read end', 'unreachable')
    const run = await world.run()
    assert.equal(run.status, 'FAILED')
    assert.equal((await world.assets()).size, 152)
  })

  test('permission lost on one schema keeps its assets and names it', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    fill(world, 'stock', 2)
    await world.run()
    world.source.deny('shop', 'stock')
    const run = await world.run()
    assert.equal(run.message, '1 of 2 schemas; not readable: stock')
    assert.deepEqual([run.status, ...counts(run)], ['SUCCESS', 0, 0, 0, 0])
    assert.equal((await world.assets()).size, 7)
  })

  test('a narrowed filter holds what it leaves out until a person confirms', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 3)
    fill(world, 'stock', 2)
    await world.run()
    await world.setFilters({ exclude: { schema: ['stock'], table: ['*_2'] } })
    const run = await world.run()
    assert.deepEqual([run.status, ...counts(run)], ['SUCCESS', 0, 0, 0, 4])
    assert.equal(run.held_state, 'pending')
    assert.match(run.message ?? '', /4 assets that the settings leave out/)
    assert.equal((await world.assets()).size, 8)
    await world.setFilters({})
    const second = await world.run()
    assert.deepEqual(counts(second), [0, 0, 0, 0])
    assert.equal((await world.find(run.id)).held_state, 'superseded')
  })

  test('a kind that is no longer to be read is held, not deleted', async () => {
    const world = await newIngestionWorld(store())
    const [path = ['', '', '']] = fill(world, 'sales', 3)
    await world.run()
    world.source.drop([path[0], path[1], path[2]])
    world.source.kindsLeftOut = ['table']
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 1])
    world.source.kindsLeftOut = []
    assert.deepEqual(counts(await world.run()), [0, 0, 1, 0])
  })

  test('more than a fifth and more than fifty at once are held, what is new is published', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 200)
    fill(world, 'stock', 20)
    await world.run()
    for (const path of paths.slice(0, 51)) world.source.drop(path)
    world.source.put(['shop', 'sales', 'fresh'])
    const run = await world.run()
    assert.deepEqual([run.status, ...counts(run)], ['SUCCESS', 1, 0, 0, 51])
    assert.match(run.message ?? '', /51 deletes at once are held/)
    // One of them back, built anew, and it is no longer a storm.
    world.source.put(paths[0] ?? ['', '', ''])
    assert.deepEqual(counts(await world.run()), [0, 1, 50, 0])
  })

  test('a whole schema of more than twenty tables is held', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 21)
    fill(world, 'stock', 300)
    await world.run()
    for (const path of paths) world.source.drop(path)
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 21])
    assert.equal((await world.assets()).size, 324)
  })

  test('a schema that is no longer listed is kept for the time of grace', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    fill(world, 'stock', 2)
    await world.run()
    world.source.dropSchema('shop', 'stock')
    const run = await world.run()
    const { rows } = await store().pool.query<{ since: string; until: string }>(
      `select to_char(now(), 'YYYY-MM-DD') as since, to_char(now() + interval '14 days', 'YYYY-MM-DD') as until`,
    )
    const { since = '', until = '' } = rows[0] ?? {}
    assert.equal(
      run.message,
      `1 schema; no longer listed (since ${since}, kept until ${until}): stock`,
    )
    const { organizationId, engine } = world
    const ledger = await listScopes(engine.db, organizationId, run.id)
    assert.deepEqual(
      ledger.filter(({ state }) => state === 'missing'),
      [
        {
          scope: ['shop', 'stock'],
          kind: 'schema',
          state: 'missing',
          objects: 0,
          message: `Not listed since ${since}. Its assets are kept until ${until}; a forced run deletes them sooner.`,
        },
      ],
    )
    assert.deepEqual(counts(run), [0, 0, 0, 0])
    await store().pool.query(
      `update missing_scope set missing_since = missing_since - interval '15 days'
       where integration_id = '${world.integrationId}'`,
    )
    assert.deepEqual(counts(await world.run()), [0, 0, 3, 0])
    fill(world, 'stock', 2)
    assert.deepEqual(counts(await world.run()), [3, 0, 0, 0])
  })

  test('what a schema shows in part changes no table that it does not show whole', async () => {
    const world = await newIngestionWorld(store())
    const whole = [
      { name: 'id', type: 'integer' },
      { name: 'note', type: 'text' },
    ]
    const [id] = whole
    const columnsOf = async (name: string) =>
      (await world.assets()).get(`shop.sales.${name}`)?.document.columns?.map((one) => one.name)
    for (const name of ['a', 'b']) world.source.put(['shop', 'sales', name], { columns: whole })
    await world.run()
    for (const name of ['a', 'b', 'new']) {
      world.source.put(['shop', 'sales', name], { columns: id === undefined ? [] : [id] })
    }
    world.source.showPartly('sales', [['shop', 'sales', 'b']])
    const run = await world.run()
    assert.deepEqual([run.status, run.message, ...counts(run)], ['FAILED', run.message, 0, 0, 0, 0])
    world.source.put(['shop', 'stock', 'c'])
    const other = await world.run()
    assert.deepEqual([other.status, ...counts(other)], ['SUCCESS', 3, 1, 0, 0])
    assert.deepEqual(
      [await columnsOf('a'), await columnsOf('b'), await columnsOf('new')],
      [['id', 'note'], ['id'], ['id']],
    )
    assert.equal((await world.run()).assets_updated, 0)
  })

  test('a forced run deletes a schema that is no longer listed, and holds a large one', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    fill(world, 'stock', 2)
    fill(world, 'large', 21)
    await world.run()
    world.source.dropSchema('shop', 'stock')
    assert.deepEqual(counts(await world.run({ forced: true })), [0, 0, 3, 0])
    world.source.dropSchema('shop', 'large')
    const held = await world.run({ forced: true })
    assert.deepEqual(counts(held), [0, 0, 0, 22])
    assert.equal(held.held_state, 'pending')
  })

  test('a forced run of a source without any schema deletes what it had', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    await world.run()
    world.source.clear()
    assert.equal((await world.run()).status, 'FAILED')
    assert.deepEqual(counts(await world.run({ forced: true })).slice(2), [4, 0])
  })

  test('a renamed schema is not reported as no longer listed, also not by a preview', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'stock', 3)
    fill(world, 'sales', 1)
    await world.run()
    for (const [database, schema, name] of paths) {
      world.source.rename([database, schema, name], [database, 'storage', name])
    }
    world.source.renameSchema('shop', 'stock', 'storage')
    const preview = await world.run({ kind: 'preview' })
    assert.equal(preview.message, 'Preview, nothing was published; 2 schemas')
    const run = await world.run()
    assert.deepEqual([run.message, ...counts(run)], ['2 schemas', 0, 4, 0, 0])
  })

  test('without any readable schema the run reports why its database is closed', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    world.source.closedDatabases = ['shop']
    const run = await world.run()
    assert.deepEqual(
      [run.status, run.message],
      ['FAILED', 'Nothing could be read: shop lets nobody in. Nothing was published.'],
    )
  })

  test('rejected deletes are not held again until something changes', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 80)
    const { db } = world.engine
    const decide = async (runId: string): Promise<boolean> =>
      await decideHeld(db, world.organizationId, world.integrationId, runId, 'rejected')
    await world.run()
    for (const path of paths.slice(0, 60)) world.source.drop(path)
    const first = await world.run()
    assert.deepEqual([first.held_count, first.held_state], [60, 'pending'])
    await decide(first.id)
    for (let night = 0; night < 2; night += 1) {
      const again = await world.run()
      assert.deepEqual([again.held_count, again.held_state], [60, 'rejected'])
      assert.equal(again.message, '1 schema; 60 deletes were rejected before and stay so')
    }
    // One more table is gone: a new question.
    for (const path of paths.slice(60, 61)) world.source.drop(path)
    const more = await world.run()
    assert.deepEqual([more.held_count, more.held_state], [61, 'pending'])
    await decide(more.id)
    // Some are back, and go again.
    for (const path of paths.slice(0, 60)) world.source.put(path)
    await world.run()
    for (const path of paths.slice(0, 60)) world.source.drop(path)
    assert.equal((await world.run()).held_state, 'pending')
  })

  test('a forced run holds rejected deletes again, for a person to decide otherwise', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 80)
    await world.run()
    for (const path of paths.slice(0, 60)) world.source.drop(path)
    const { id } = await world.run()
    await decideHeld(world.engine.db, world.organizationId, world.integrationId, id, 'rejected')
    assert.equal((await world.run({ forced: true })).held_state, 'pending')
  })

  test('what lies below a database that no longer lets us in is kept, however long', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    world.source.put(['other', 'public', 'stays'])
    await world.run()
    const longAgo = `insert into missing_scope values (
      '${world.organizationId}', '${world.integrationId}', '["shop","sales"]', now() - interval '1 year'
    )`
    world.source.closedDatabases = ['shop']
    await store().pool.query(longAgo)
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 0])
    world.source.closedDatabases = []
    world.source.dropSchema('shop', 'sales')
    world.source.isHidden = (path) => path[1] === 'sales'
    await store().pool.query(longAgo)
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 0])
    assert.equal((await world.assets()).size, 7)
  })

  test('a renamed table stays the same asset, with a new path', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    world.source.put(['shop', 'sales', 'stays'])
    await world.run()
    const before = (await world.assets()).get('shop.sales.orders')
    world.source.rename(['shop', 'sales', 'orders'], ['shop', 'sales', 'purchases'])
    assert.deepEqual(counts(await world.run()), [0, 1, 0, 0])
    const after = (await world.assets()).get('shop.sales.purchases')
    assert.deepEqual([after?.id, after?.version, after?.document.id], [before?.id, 2, before?.id])
    // Its old name is free for another table, which is another asset.
    world.source.put(['shop', 'sales', 'orders'])
    assert.deepEqual(counts(await world.run()), [1, 0, 0, 0])
    const fresh = (await world.assets()).get('shop.sales.orders')
    assert.notEqual(fresh?.id, before?.id)
    assert.match(fresh?.id ?? '', /^scripted-[a-z2-7]{26}$/)
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 0])
  })

  test('a table that is built anew under its name stays the same asset', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], { sourceId: '1' })
    await world.run()
    const before = (await world.assets()).get('shop.sales.orders')
    world.source.put(['shop', 'sales', 'orders'], { sourceId: '2' })
    assert.deepEqual(counts(await world.run()), [0, 1, 0, 0])
    assert.equal((await world.assets()).get('shop.sales.orders')?.id, before?.id)
  })

  test('tables that exchange their names, and names that move in a ring, end in one publication', async () => {
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

  test('names with quotes, dots, spaces, newlines and emoji come through and stay apart', async () => {
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
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 0])
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
    assert.deepEqual([run.status, ...counts(run)], ['SUCCESS', 3, 0, 0, 0])
  })

  test('what is there and cannot be read stays as it is', async () => {
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
                // Nobody has ever seen this one whole.
                { path: [...scope, 'new'], scope, kind: 'table' as const, message: 'it is broken' },
              ],
            }
            yield* session.read(scopes)
          },
        }
      },
    }
    world.engine.connectors = new Map([['scripted', unreadable]])
    assert.deepEqual(counts(await world.run()), [0, 0, 0, 0])
    assert.equal((await world.assets()).has('shop.sales.table_0'), true)
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
    assert.deepEqual([preview.status, ...counts(preview)], ['SUCCESS', 1, 1, 1, 0])
    assert.match(preview.message ?? '', /nothing was published/)
    assert.deepEqual(await world.assets(), assets)
    assert.equal(await world.eventCount(), events)
    assert.deepEqual(counts(await world.run()), [1, 1, 1, 0])
  })
})
