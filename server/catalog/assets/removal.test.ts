import { settleReality } from '../../reality/settle-service.ts'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { listEventsOfSubject, eventsSoFar, summarizeEvent } from '../../../test/feed.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../../test/ingested-assets.ts'
import type { TestIntegration } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched, selectTwin, type Twin } from '../../../test/twin.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { purgeAssets, releaseAssets } from './removal-service.ts'
import { deleteGone, hideAsset } from './removal-store.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const release = ({ id }: TestIntegration, fate: 'keep' | 'delete'): Promise<number> => {
    const { db, clock } = world.services
    const { organizationId } = world
    const origin = { organizationId, integrationId: id, principal: 'system', requestId: 'r' }
    return db.transaction().execute(async (transaction) => {
      const count = await releaseAssets(transaction, clock, origin, fate)
      await sql`
        delete from integration
        where organization_id = ${organizationId}
          and id = ${id}
      `.execute(transaction)
      return count
    })
  }

  const refused = async (): Promise<string[]> => {
    const verdicts = await verifyStore(world.services.db)
    return verdicts.filter(({ findings }) => findings.length > 0).map(({ rule }) => rule)
  }

  test('releaseAssets › keep: they become like PUT assets and keep their annotations', async () => {
    const integration = await addIntegration(world, { owner: 'a' })
    const tables = Array.from({ length: 1203 }, (_, at) =>
      sourceTable(['d', 'public', `t${at}`], { statistic: { rowCount: at } }),
    )
    const ids = await ingest(world, integration, tables)
    const [first = '', second = '', gone = ''] = ids
    const body = { description: 'Written by people', owner: 'b', tags: ['x'] }
    await expectOk(world.asPerson('Uo', 'PUT', `/ui/assets/${first}/annotation`, { body }))
    await markGone(world, gone)
    const toStoredDocument = (id: string) =>
      readJson<Record<string, unknown>>(world.as('Or', 'GET', `/api/assets/${id}`))
    const before = await Promise.all([first, second].map(toStoredDocument))

    assert.equal(await release(integration, 'keep'), 1202)
    const after = await Promise.all([first, second].map(toStoredDocument))
    for (const [at, shown] of before.entries()) {
      const { ingestion: _, statistic: _measured, ...kept } = shown
      assert.deepEqual(after[at], kept)
    }
    await expectProblem(world.as('Or', 'GET', `/api/assets/${gone}`), 404)
    assert.deepEqual((await listEventsOfSubject(world, second)).map(summarizeEvent), [
      'AssetCreatedEvent',
      'AssetUpdatedEvent',
    ])
    const listed = await readJson<unknown[]>(world.as('Or', 'GET', '/api/assets?owner=a&p=1'))
    assert.equal(listed.length, 201)
    assert.deepEqual(await refused(), [])

    const path = `/api/assets/${second}`
    await expectOk(world.as('T', 'PUT', path, { body: after[1] ?? {} }))
    assert.equal(
      (await listEventsOfSubject(world, second)).length,
      2,
      'the same document changes nothing',
    )
    await expectOk(world.as('T', 'PUT', path, { body: { ...after[1], tags: ['y'] } }))
    await expectProblem(world.as('T', 'DELETE', `/api/assets/${first}`), 403)
    await expectOk(world.as('T', 'DELETE', path))
  })

  test('releaseAssets › delete: removes them with events and keeps their versions', async () => {
    const integration = await addIntegration(world)
    const other = await addIntegration(world)
    const word = uniqueId()
    const [id = '', gone = ''] = await ingest(
      world,
      integration,
      ['x', 'y'].map((name) => sourceTable([word, 'public', name])),
    )
    const [kept = ''] = await ingest(world, other, [sourceTable([word, 'public', 'x'])])
    await expectOk(
      world.asPerson('Uo', 'PUT', `/ui/assets/${id}/annotation`, { body: { tags: ['x'] } }),
    )
    await markGone(world, gone)
    assert.equal(await release(integration, 'delete'), 1)
    const listed = await readJson<{ id: string }[]>(world.as('Or', 'GET', `/api/assets?q=${word}`))
    assert.deepEqual(
      listed.map((asset) => asset.id),
      [kept],
    )
    await expectProblem(world.as('Or', 'GET', `/api/assets/${id}`), 404)
    const events = (await eventsSoFar(world)).filter(({ subject }) => [id, gone].includes(subject))
    assert.deepEqual(events.map(summarizeEvent).toSorted(), [
      'AssetCreatedEvent',
      'AssetCreatedEvent',
      'AssetDeletedEvent',
      'AssetDeletedEvent',
      'AssetUpdatedEvent',
    ])
    const versions = await readJson<{ validTo: string | null }[]>(
      world.as('Or', 'GET', `/api/assets/${id}/versions`),
    )
    assert.ok(versions.length === 2 && versions.every(({ validTo }) => validTo !== null))
    assert.deepEqual(await refused(), [])
  })

  for (const fate of ['keep', 'delete'] as const) {
    test(`releaseAssets › ${fate}: another integration with the same paths stays as it is`, async () => {
      const integration = await addIntegration(world, { owner: 'a' })
      const other = await addIntegration(world, { owner: 'a' })
      const path = [uniqueId(), 'public']
      const tables = ['live', 'gone'].map((name) =>
        sourceTable([...path, name], { statistic: { rowCount: 1 } }),
      )
      let id = ''
      for (const holder of [integration, other]) {
        const [live = '', gone = ''] = await ingest(world, holder, tables)
        id = live
        const body = { description: 'Written by people' }
        await expectOk(world.asPerson('Uo', 'PUT', `/ui/assets/${live}/annotation`, { body }))
        await markGone(world, gone)
      }
      const { services, organizationId } = world
      const select = (where: Record<string, string>): Promise<Twin> =>
        selectTwin(services.db, { organization_id: organizationId, ...where })
      const twins = [
        await addTwin(world),
        await select({ integration_id: other.id }),
        await select({ asset_id: id }),
      ]
      await expectUntouched(twins, () => release(integration, fate))
    })
  }

  test('deleteGone › keeps the live assets of the integration', async () => {
    const integration = await addIntegration(world)
    const tables = ['live', 'gone'].map((name) => sourceTable([uniqueId(), 'public', name]))
    const [live = '', gone = ''] = await ingest(world, integration, tables)
    await markGone(world, gone)
    await deleteGone(world.services.db, world.organizationId, integration.id)
    await expectOk(world.as('Or', 'GET', `/api/assets/${live}`))
    await expectProblem(world.as('Or', 'GET', `/api/assets/${gone}`), 404)
  })

  test('hideAsset › hides the given version of a live ingested asset, and nothing else', async () => {
    const { services, organizationId } = world
    const { db, clock } = services
    const tables = ['x', 'y'].map((name) => sourceTable([uniqueId(), 'public', name]))
    const [id = '', another = ''] = await ingest(world, await addIntegration(world), tables)
    const sent = uniqueId()
    const body = { id: sent, info: { name: 'Sent', owner: 'a' } }
    await expectOk(world.as('T', 'PUT', `/api/assets/${sent}`, { body }))
    const hide = (asset: string, version: number): Promise<boolean> => {
      const metadata = { organizationId, principal: 'system', requestId: 'r' }
      return hideAsset(db, clock, { ...metadata, id: asset, version })
    }
    const twins = [
      await addTwin(world),
      await selectTwin(db, { organization_id: organizationId, external_id: another }),
      await selectTwin(db, { organization_id: organizationId, external_id: sent }),
    ]
    await expectUntouched(twins, async () => {
      assert.equal(await hide(sent, 1), false)
      assert.equal(await hide(id, 2), false)
      assert.equal(await hide(id, 1), true)
      assert.equal(await hide(id, 1), false)
    })
  })

  test('purgeAssets › purges assets that are gone for 14 days and that no product names', async () => {
    const integration = await addIntegration(world)
    const tables = ['live', 'recent', 'old', 'named'].map((name) =>
      sourceTable([uniqueId(), 'public', name]),
    )
    const [live = '', recent = '', old = '', named = ''] = await ingest(world, integration, tables)
    await markGone(world, recent, 13)
    await markGone(world, old, 15)
    await markGone(world, named, 15)
    const user = uniqueId()
    const product = { id: user, info: { title: 'P', owner: 'a' }, assets: [named] }
    await expectOk(world.as('T', 'PUT', `/api/dataproducts/${user}`, { body: product }))
    // A product of another organization names an asset with the id of one that no product names.
    const other = await newWorld(world)
    const theirs = { ...product, assets: [old] }
    await expectOk(other.as('T', 'PUT', `/api/dataproducts/${user}`, { body: theirs }))
    const { db, clock } = world.services
    assert.equal(await purgeAssets(db, clock, settleReality), 1)
    assert.equal(await purgeAssets(db, clock, settleReality), 0)
    await expectProblem(world.as('Or', 'GET', `/api/assets/${old}`), 404)
    for (const id of [live, recent, named])
      await expectOk(world.as('Or', 'GET', `/api/assets/${id}`))
    await expectOk(world.as('T', 'DELETE', `/api/dataproducts/${user}`))
    assert.equal(await purgeAssets(db, clock, settleReality), 1)
  })
})
