import { storeClock } from '../../platform/kit/clock.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCounts, fill, newIngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { decideHeld } from './correction-store.ts'
import { listScopes } from './run-store.ts'

// The reports of a run about databases and schemas, and the decisions of people about missing ones.

const REJECTION = { ...SYSTEM, at: storeClock.now }

onStore((store) => {
  test('keeps a schema that is no longer listed for the grace period', async () => {
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
    assert.deepEqual(getCounts(run), [0, 0, 0, 0])
    await store().pool.query(
      `update missing_scope set missing_since = missing_since - interval '15 days'
       where integration_id = '${world.integrationId}'`,
    )
    assert.deepEqual(getCounts(await world.run()), [0, 0, 3, 0])
    fill(world, 'stock', 2)
    assert.deepEqual(getCounts(await world.run()), [3, 0, 0, 0])
  })

  test('a partially visible schema changes no table that is not completely visible', async () => {
    const world = await newIngestionWorld(store())
    const whole = [
      { name: 'id', type: 'integer' },
      { name: 'note', type: 'text' },
    ]
    const [id] = whole
    const toColumns = async (name: string) =>
      (await world.assets()).get(`shop.sales.${name}`)?.document.columns?.map((one) => one.name)
    for (const name of ['a', 'b']) world.source.put(['shop', 'sales', name], { columns: whole })
    await world.run()
    for (const name of ['a', 'b', 'new']) {
      world.source.put(['shop', 'sales', name], { columns: id === undefined ? [] : [id] })
    }
    world.source.showPartly('sales', [['shop', 'sales', 'b']])
    const run = await world.run()
    assert.deepEqual(
      [run.status, run.message, ...getCounts(run)],
      ['FAILED', run.message, 0, 0, 0, 0],
    )
    world.source.put(['shop', 'stock', 'c'])
    const other = await world.run()
    assert.deepEqual([other.status, ...getCounts(other)], ['SUCCESS', 3, 1, 0, 0])
    assert.deepEqual(
      [await toColumns('a'), await toColumns('b'), await toColumns('new')],
      [['id', 'note'], ['id'], ['id']],
    )
    assert.equal((await world.run()).assets_updated, 0)
  })

  test('the ledger lists an excluded database only if it has assets', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 1)
    world.source.put(['former', 'public', 'kept'])
    await world.run()
    for (const name of ['former', 'a', 'b']) {
      world.source.put([name, 'public', 'other'])
      world.source.otherDatabases.push(name)
    }
    const run = await world.run()
    const ledger = await listScopes(world.engine.db, world.organizationId, run.id)
    assert.deepEqual(ledger.map(({ scope, state }) => `${scope.join('.')} ${state}`).toSorted(), [
      'former skipped',
      'shop complete',
      'shop.sales complete',
    ])
    assert.equal(run.held_count, 3)
  })

  test('a forced run deletes a schema that is no longer listed, and holds a large one', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    fill(world, 'stock', 2)
    fill(world, 'large', 21)
    await world.run()
    world.source.dropSchema('shop', 'stock')
    assert.deepEqual(getCounts(await world.run({ forced: true })), [0, 0, 3, 0])
    world.source.dropSchema('shop', 'large')
    const held = await world.run({ forced: true })
    assert.deepEqual(getCounts(held), [0, 0, 0, 22])
    assert.equal(held.held_state, 'pending')
  })

  test('a forced run of a source without any schema deletes its assets', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    await world.run()
    world.source.clear()
    assert.equal((await world.run()).status, 'FAILED')
    assert.deepEqual(getCounts(await world.run({ forced: true })).slice(2), [4, 0])
  })

  test('neither a run nor a preview reports a renamed schema as no longer listed', async () => {
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
    assert.deepEqual([run.message, ...getCounts(run)], ['2 schemas', 0, 4, 0, 0])
  })

  test('without any readable schema the run reports why its database is closed', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    world.source.closedDatabases = ['shop']
    const run = await world.run()
    assert.deepEqual(
      [run.status, run.message],
      ['FAILED', 'Nothing could be read: shop rejects connections. Nothing was published.'],
    )
  })

  test('rejected deletes are not held again until something changes', async () => {
    const world = await newIngestionWorld(store())
    const paths = fill(world, 'sales', 80)
    const { db } = world.engine
    const decide = async (runId: string): Promise<boolean> =>
      await decideHeld(db, { ...world, runId }, 'rejected', REJECTION)
    await world.run()
    for (const path of paths.slice(0, 60)) world.source.drop(path)
    const first = await world.run()
    assert.deepEqual([first.held_count, first.held_state], [60, 'pending'])
    await decide(first.id)
    for (let night = 0; night < 2; night += 1) {
      const again = await world.run()
      assert.deepEqual([again.held_count, again.held_state], [60, 'rejected'])
      assert.equal(again.message, '1 schema; 60 deletes were rejected before and remain rejected')
    }
    // Another table is gone, which requires a new decision.
    for (const path of paths.slice(60, 61)) world.source.drop(path)
    const more = await world.run()
    assert.deepEqual([more.held_count, more.held_state], [61, 'pending'])
    await decide(more.id)
    // Some reappear and disappear again.
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
    await decideHeld(world.engine.db, { ...world, runId: id }, 'rejected', REJECTION)
    assert.equal((await world.run({ forced: true })).held_state, 'pending')
  })

  test('keeps the contents of a database that rejects the log-in for any time', async () => {
    const world = await newIngestionWorld(store())
    fill(world, 'sales', 2)
    world.source.put(['other', 'public', 'stays'])
    await world.run()
    const longAgo = `insert into missing_scope values (
      '${world.organizationId}', '${world.integrationId}', '["shop","sales"]', now() - interval '1 year'
    ) on conflict (organization_id, integration_id, scope) do update
    set missing_since = excluded.missing_since`
    world.source.closedDatabases = ['shop']
    await store().pool.query(longAgo)
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
    world.source.closedDatabases = []
    world.source.dropSchema('shop', 'sales')
    world.source.hiddenPaths = [['shop', 'sales']]
    await store().pool.query(longAgo)
    assert.deepEqual(getCounts(await world.run()), [0, 0, 0, 0])
    assert.equal((await world.assets()).size, 7)
  })
})
