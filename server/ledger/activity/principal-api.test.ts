import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { addIntegration } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import type { NamedPrincipal } from '../principals/principal.ts'

const PRINCIPALS = '/ui/principals'

const findKeyId = async (of: World): Promise<string> => {
  const settings = of.as('O', 'GET', '/api/organization/settings')
  const { caller } = await readJson<{ caller: { organizationApiKeyId: string } }>(settings)
  return caller.organizationApiKeyId
}

onStore((store) => {
  let world: World
  let other: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    other = await newWorld(product)
  })

  const named = (ids: readonly string[], of = world): Promise<NamedPrincipal[]> => {
    const query = new URLSearchParams(ids.map((id) => ['id', id]))
    return readJson<NamedPrincipal[]>(of.asPerson('Um', 'GET', `${PRINCIPALS}?${String(query)}`))
  }

  test(`GET ${PRINCIPALS} › 200 with a name for each, once, in the order of the request`, async () => {
    const { externalId } = await addIntegration(world)
    const user = `user:${world.userIds.Ue}`
    const key = `api-key:${await findKeyId(world)}`
    const names = await named([key, user, 'system', `integration:${externalId}`, user])
    assert.match(names[1]?.name ?? '', /^editor-/)
    assert.deepEqual(names, [
      { principal: key, kind: 'api-key', name: 'organization' },
      { principal: user, kind: 'user', name: names[1]?.name },
      { principal: 'system', kind: 'system', name: 'Portbook' },
      { principal: `integration:${externalId}`, kind: 'integration', name: externalId },
    ])
  })

  test(`GET ${PRINCIPALS} › null for unknown principals and those of another organization`, async () => {
    const ids = [
      `user:${randomUUID()}`,
      `user:${other.userIds.Uo}`,
      `api-key:${randomUUID()}`,
      `api-key:${await findKeyId(other)}`,
      `integration:${(await addIntegration(other)).externalId}`,
    ]
    for (const { name } of await named(ids)) assert.equal(name, null)
    const own = await named(ids, other)
    assert.deepEqual(
      own.map(({ name }) => name === null),
      [true, false, true, false, false],
    )
  })

  test(`GET ${PRINCIPALS} › treats an invalid principal as the catalog itself`, async () => {
    const odd = ['', 'user:', 'user:x', "api-key:' or 1=1", 'User:1', 'integration', ':', 'x:y']
    for (const { kind, name } of await named(odd)) {
      assert.deepEqual([kind, name], ['system', 'Portbook'])
    }
    assert.deepEqual(await named([]), [])
  })

  test(`GET ${PRINCIPALS} › accepts at most 100, 400 above`, async () => {
    const ids = Array.from({ length: 101 }, () => `user:${randomUUID()}`)
    assert.equal((await named(ids.slice(1))).length, 100)
    const path = `${PRINCIPALS}?${ids.map((id) => `id=${id}`).join('&')}`
    await expectProblem(world.asPerson('Um', 'GET', path), 400)
  })
})
