import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addIntegration } from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { CONNECTORS } from '../../connectors/connectors.ts'
import { secretBox } from '../../platform/kit/secret-box.ts'
import { findIntegrationIdProblem, createSlug, SOURCES, WIRE_SOURCES } from './integration.ts'
import { resealSecrets } from '../../platform/sealed-secrets.ts'
import { openCredentials } from './service.ts'

test('the API lists the platforms that strict clients know, and every connector', () => {
  assert.deepEqual(SOURCES.slice(0, WIRE_SOURCES.length), WIRE_SOURCES)
  for (const source of CONNECTORS.keys()) assert.ok(SOURCES.includes(source), source)
  assert.equal(new Set(SOURCES).size, SOURCES.length)
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
  test(`createSlug › ${name.slice(0, 20)}`, () => {
    assert.equal(createSlug(name, 'postgres'), slug)
    assert.equal(findIntegrationIdProblem(slug), undefined)
  })
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function findId(externalId: string): Promise<string> {
    const row = store().db.selectFrom('integration').select('id')
    return (await row.where('external_id', '=', externalId).executeTakeFirstOrThrow()).id
  }

  test('openCredentials › decrypts secrets only for their integration and field', async () => {
    const { secretBox: box } = world.services
    const { db } = store()
    const one = await findId(await addIntegration(world, 'a', { secrets: { password: 'one' } }))
    const two = await findId(await addIntegration(world, 'a', { secrets: { password: 'two' } }))
    assert.deepEqual(await openCredentials(db, box, world.organizationId, one), { password: 'one' })
    const other = await newWorld(world)
    assert.deepEqual(await openCredentials(db, box, other.organizationId, one), {})
    const sealed = db.selectFrom('credential').select('sealed').where('integration_id', '=', one)
    await db.updateTable('credential').set({ sealed }).where('integration_id', '=', two).execute()
    await assert.rejects(openCredentials(db, box, world.organizationId, two))
    await db.deleteFrom('credential').where('integration_id', '=', two).execute()
  })

  test('resealSecrets › encrypts all secrets with the new key, also after a partial run', async () => {
    const { db } = store()
    const { secretBox: from } = world.services
    const to = secretBox(Buffer.alloc(32, 9))
    const secrets = { password: `p-${uniqueId()}`, clientKey: `k-${uniqueId()}` }
    const ids: string[] = []
    for (let index = 0; index < 60; index += 1) {
      ids.push(await findId(await addIntegration(world, 'a', { secrets })))
    }
    const count = await resealSecrets(db, from, to)
    assert.ok(count >= 120)
    assert.equal(await resealSecrets(db, from, to), 0)
    for (const id of ids) {
      assert.deepEqual(await openCredentials(db, to, world.organizationId, id), secrets)
      await assert.rejects(openCredentials(db, from, world.organizationId, id))
    }
    // A secret that is set later has the old key until the next call.
    const late = await findId(await addIntegration(world, 'a', { secrets }))
    assert.equal(await resealSecrets(db, from, to), 2)
    assert.deepEqual(await openCredentials(db, to, world.organizationId, late), secrets)
    assert.equal(await resealSecrets(db, to, from), count + 2)
  })
})
