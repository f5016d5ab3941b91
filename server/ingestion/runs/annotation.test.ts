import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { annotateAsset } from '../../catalog/assets/annotation-service.ts'
import { getAsset } from '../../catalog/assets/read-service.ts'
import { keyedQueue } from '../../platform/kit/keyed-queue.ts'

interface AssetView {
  info: { description?: string }
  tags?: string[]
  columns: { name: string }[]
}

async function annotate(world: IngestionWorld, id: string, description: string): Promise<void> {
  const { engine, organizationId } = world
  const caller: Caller = {
    organizationId,
    organizationName: 'O',
    vanityUrl: 'o',
    principal: 'user:1',
    keyId: undefined,
    userId: undefined,
    responsibleId: undefined,
    keyName: 'session',
    scope: 'user',
    team: undefined,
    readOnly: false,
    allowed: undefined,
    organizationOwner: true,
    customRoles: undefined,
    hasOnlyManagedTags: false,
    roles: new Map(),
  }
  const value = { description, tags: ['gold'] }
  const conditions = { ifMatch: undefined, ifNoneMatch: undefined }
  const { db, clock, settleReality } = engine
  const work = { db, clock, settleReality, serialize: keyedQueue() }
  await annotateAsset(work, caller, { id, value, conditions, requestId: randomUUID() })
}

async function readAsset(
  { engine, organizationId }: IngestionWorld,
  id: string,
): Promise<AssetView> {
  const { document } = await getAsset(engine.db, organizationId, id, 'merged')
  return JSON.parse(document) as AssetView
}

onStore((store) => {
  test('annotations survive every run: a change, a rename, a deletion and a revival', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'], { description: 'of the source', sourceId: '7' })
    world.source.put(['shop', 'sales', 'stays'])
    await world.run()
    const id = (await world.assets()).get('shop.sales.orders')?.id ?? ''
    await annotate(world, id, 'of people')
    // An annotation is not a change in the source.
    assert.equal((await world.run()).assets_updated, 0)
    world.source.put(['shop', 'sales', 'orders'], {
      description: 'other words',
      columns: [{ name: 'n', type: 'integer' }],
    })
    assert.equal((await world.run()).assets_updated, 1)
    world.source.rename(['shop', 'sales', 'orders'], ['shop', 'sales', 'purchases'])
    assert.equal((await world.run()).assets_updated, 1)
    world.source.drop(['shop', 'sales', 'purchases'])
    assert.equal((await world.run()).assets_deleted, 1)
    world.source.put(['shop', 'sales', 'purchases'], { sourceId: '7' })
    assert.equal((await world.run()).assets_created, 1)
    const { info, tags } = await readAsset(world, id)
    assert.deepEqual([info.description, tags], ['of people', ['gold']])
    const layer = await getAsset(world.engine.db, world.organizationId, id, 'source')
    assert.equal((JSON.parse(layer.document) as AssetView).info.description, undefined)
  })

  test('concurrent annotations and runs lose no changes and leave no gaps in versions', async () => {
    const world = await newIngestionWorld(store())
    const fill = (description: string): void => {
      for (let at = 0; at < 50; at += 1) {
        world.source.put(['shop', 'sales', `t${at}`], { description })
      }
    }
    fill('generation 0')
    await world.run()
    const ids = [...(await world.assets()).values()].map(({ id }) => id)
    const annotating = (async () => {
      for (const id of ids) await annotate(world, id, `of people, ${id}`)
    })()
    for (let at = 1; at <= 3; at += 1) {
      fill(`generation ${at}`)
      const run = await world.run()
      assert.deepEqual([run.status, run.assets_updated], ['SUCCESS', 50])
    }
    await annotating
    for (const id of ids) {
      assert.equal((await readAsset(world, id)).info.description, `of people, ${id}`)
    }
    const { rows } = await store().pool.query(
      `select external_id, count(*)::int as versions, max(version)::int as last
       from revision where organization_id = '${world.organizationId}'
       group by external_id having count(*) <> max(version)`,
    )
    assert.deepEqual(rows, [])
  })
})
