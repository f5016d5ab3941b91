import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { fill, getCounts, newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'

const FIRST = ['shop', 'sales', 'table_0'] as const

onStore((store) => {
  const newVersionedWorld = async (): Promise<IngestionWorld> => {
    const world = await newIngestionWorld(store())
    world.source.hasVersions = true
    fill(world, 'sales', 3)
    await world.run()
    return world
  }

  test('a run does not read unchanged assets again, and keeps them', async () => {
    const world = await newVersionedWorld()
    const before = await world.assets()
    assert.equal(world.source.unchangedCount, 0)
    const run = await world.run()
    assert.equal(world.source.unchangedCount, 3)
    assert.deepEqual(getCounts(run), [0, 0, 0, 0])
    assert.equal(run.assets_processed, 5)
    assert.deepEqual(await world.assets(), before)
  })

  test('a run keeps the only table of a schema, if it is unchanged', async () => {
    const world = await newIngestionWorld(store())
    world.source.hasVersions = true
    fill(world, 'sales', 1)
    await world.run()
    const run = await world.run()
    assert.equal(world.source.unchangedCount, 1)
    assert.deepEqual([run.status, ...getCounts(run)], ['SUCCESS', 0, 0, 0, 0])
  })

  test('a renamed table that is unchanged keeps its id and its statistics', async () => {
    const world = await newIngestionWorld(store())
    world.source.hasVersions = true
    world.source.put(['shop', 'sales', 'old'], { rowCount: 7 })
    await world.run()
    world.source.rename(['shop', 'sales', 'old'], ['shop', 'sales', 'new'])
    await world.run()
    const before = await world.assets()
    world.source.measuresUnchanged = false
    const run = await world.run()
    assert.equal(world.source.unchangedCount, 1)
    assert.deepEqual([run.status, ...getCounts(run)], ['SUCCESS', 0, 0, 0, 0])
    assert.deepEqual(await world.assets(), before)
    const { rows } = await sql<{ count: number }>`
      select row_count::int as count
      from asset_statistic
      where organization_id = ${world.organizationId}
        and asset_id = ${before.get('shop.sales.new')?.id}
    `.execute(world.engine.db)
    assert.deepEqual(rows, [{ count: 7 }])
  })

  test('a run reads only what changed', async () => {
    const world = await newVersionedWorld()
    world.source.put(FIRST, { description: 'Orders' })
    world.source.drop(['shop', 'sales', 'table_1'])
    const run = await world.run()
    assert.equal(world.source.unchangedCount, 1)
    assert.deepEqual(getCounts(run), [0, 1, 1, 0])
    assert.equal(
      (await world.assets()).get('shop.sales.table_0')?.document.info.description,
      'Orders',
    )
  })

  test('a run reads every asset again if it is forced, if the configuration changed, or after some days', async () => {
    const world = await newVersionedWorld()
    await world.run({ forced: true })
    assert.equal(world.source.unchangedCount, 0)
    await sql`
      update integration set configuration = '{"option":"other"}'
      where id = ${world.integrationId}
    `.execute(world.engine.db)
    await world.run()
    assert.equal(world.source.unchangedCount, 0)
    await world.run()
    assert.equal(world.source.unchangedCount, 3)
    await age(world)
    world.source.unchangedCount = 0
    await world.run()
    assert.equal(world.source.unchangedCount, 0)
  })

  test('a run reads an asset again that is not as it was read', async () => {
    const world = await newVersionedWorld()
    await sql`
      update asset set digest = 'restored'
      where integration_id = ${world.integrationId} and path = ${JSON.stringify(FIRST)}
    `.execute(world.engine.db)
    const run = await world.run()
    assert.equal(world.source.unchangedCount, 2)
    assert.deepEqual(getCounts(run), [0, 1, 0, 0])
  })

  test('a run creates a deleted asset again that its source reports with the old version', async () => {
    const world = await newVersionedWorld()
    world.source.drop(FIRST)
    await world.run()
    world.source.put(FIRST, { sourceId: '1' })
    const run = await world.run()
    assert.deepEqual(getCounts(run), [1, 0, 0, 0])
    assert.ok((await world.assets()).has('shop.sales.table_0'))
  })

  test('a preview remembers no versions', async () => {
    const world = await newIngestionWorld(store())
    world.source.hasVersions = true
    fill(world, 'sales', 3)
    await world.run({ kind: 'preview' })
    const run = await world.run()
    assert.equal(world.source.unchangedCount, 0)
    assert.deepEqual(getCounts(run), [5, 0, 0, 0])
  })

  test('a scope fails if it reports an unknown asset as unchanged', async () => {
    const world = await newVersionedWorld()
    world.source.reportsUnchanged = true
    world.source.put(['shop', 'sales', 'new'])
    const run = await world.run()
    assert.equal(run.status, 'FAILED')
    assert.match(run.message ?? '', /shop\.sales\.new has no known version/)
  })
})

async function age(world: IngestionWorld): Promise<void> {
  await sql`
    update asset_source_version set read_at = read_at - interval '8 days'
    where organization_id = ${world.organizationId}
  `.execute(world.engine.db)
}
