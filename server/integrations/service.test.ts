import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addIntegration } from '../../test/integrations.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../test/world.ts'
import { CONNECTORS } from '../connectors/connectors.ts'
import { secretBox } from '../kit/secret-box.ts'
import { problemOfIntegrationId, slugOf, SOURCES } from './integration.ts'
import { openCredentials, resealCredentials } from './service.ts'

test('every connector is a source that the API knows', () => {
  for (const source of CONNECTORS.keys()) {
    assert.ok(
      SOURCES.some((known) => known === source),
      source,
    )
  }
})

for (const [name, slug] of [
  ['Sales', 'sales'],
  ['  Sales -- Köln! ', 'sales-koln'],
  ['Ærø', 'r'],
  ['東京', 'postgres'],
  ['', 'postgres'],
  ['Test', 'test-postgres'],
  ['x'.repeat(200), 'x'.repeat(60)],
  [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
] as const) {
  test(`slugOf › ${name.slice(0, 20)}`, () => {
    assert.equal(slugOf(name, 'postgres'), slug)
    assert.equal(problemOfIntegrationId(slug), undefined)
  })
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function idOf(externalId: string): Promise<string> {
    const row = store().db.selectFrom('integration').select('id')
    return (await row.where('external_id', '=', externalId).executeTakeFirstOrThrow()).id
  }

  test('openCredentials › opens the secrets where they belong, and nowhere else', async () => {
    const { secretBox: box } = world.services
    const { db } = store()
    const one = await idOf(await addIntegration(world, 'a', { secrets: { password: 'one' } }))
    const two = await idOf(await addIntegration(world, 'a', { secrets: { password: 'two' } }))
    assert.deepEqual(await openCredentials(db, box, world.organizationId, one), { password: 'one' })
    const other = await newWorld(world)
    assert.deepEqual(await openCredentials(db, box, other.organizationId, one), {})
    const sealed = db.selectFrom('credential').select('sealed').where('integration_id', '=', one)
    await db.updateTable('credential').set({ sealed }).where('integration_id', '=', two).execute()
    await assert.rejects(openCredentials(db, box, world.organizationId, two))
    await db.deleteFrom('credential').where('integration_id', '=', two).execute()
  })

  test('resealCredentials › seals all with the new key, also when it is repeated and in part done', async () => {
    const { db } = store()
    const { secretBox: from } = world.services
    const to = secretBox(Buffer.alloc(32, 9))
    const secrets = { password: `p-${uniqueId()}`, clientKey: `k-${uniqueId()}` }
    const ids: string[] = []
    for (let index = 0; index < 60; index += 1) {
      ids.push(await idOf(await addIntegration(world, 'a', { secrets })))
    }
    const count = await resealCredentials(db, from, to)
    assert.ok(count >= 120)
    assert.equal(await resealCredentials(db, from, to), 0)
    for (const id of ids) {
      assert.deepEqual(await openCredentials(db, to, world.organizationId, id), secrets)
      await assert.rejects(openCredentials(db, from, world.organizationId, id))
    }
    // A secret that is set after all that has the old key, until it is repeated.
    const late = await idOf(await addIntegration(world, 'a', { secrets }))
    assert.equal(await resealCredentials(db, from, to), 2)
    assert.deepEqual(await openCredentials(db, to, world.organizationId, late), secrets)
    assert.equal(await resealCredentials(db, to, from), count + 2)
  })
})
