/** Notification channels of teams, whose addresses are secrets. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { CALLERS, expectOk, newProduct, newWorld, type World } from '../../test/world.ts'

const LIST = '/api/teams/a/notification-channels'
const SECRET = 'T0000-secret-path'
const CHANNEL = {
  id: 'alerts',
  name: 'Alerts',
  type: 'slack',
  endpoint: `https://hooks.chat.example/${SECRET}?x=${SECRET}`,
  enabled: true,
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    await expectOk(world.as('O', 'PUT', `${LIST}/alerts`, { body: CHANNEL }))
  })

  const put = (body: object): Promise<Response> =>
    world.as('O', 'PUT', `${LIST}/${String(Reflect.get(body, 'id'))}`, { body })

  test('PUT /api/teams/{id}/notification-channels/{channelId} › links the page of the team', async () => {
    const answer = await expectOk(put(CHANNEL))
    assert.equal(answer.headers.get('location-html'), 'http://portbook.test/teams/a')
    assert.deepEqual(await answer.json(), CHANNEL)
  })

  test('PUT …/{channelId} › 422 for missing members, other types, and addresses that are not https', async () => {
    const invalid = (more: object): Promise<Response> => put({ ...CHANNEL, id: 'new', ...more })
    await expectViolations(put({ id: 'new' }), 422, ['enabled', 'endpoint', 'name', 'type'])
    await expectViolations(invalid({ type: 'Slack' }), 422, ['type'])
    await expectViolations(invalid({ enabled: 'true' }), 422, ['enabled'])
    for (const endpoint of ['http://hooks.chat.example/x', 'hooks.chat.example', 'javascript:x']) {
      const { violations = [] } = await expectProblem(invalid({ endpoint }), 422)
      assert.ok(violations.every(({ field }) => field === 'endpoint') && violations.length > 0)
    }
  })

  test('GET …/{channelId} › only callers who may edit the team see the address', async () => {
    const seen: Record<string, boolean> = {}
    for (const caller of CALLERS.slice(1)) {
      const one = await readText(world.as(caller, 'GET', `${LIST}/alerts`))
      const all = await readText(world.as(caller, 'GET', LIST))
      assert.equal(one.includes(SECRET), all.includes(SECRET), caller)
      seen[caller] = one.includes(SECRET)
      if (seen[caller]) continue
      const channel = { ...CHANNEL, endpoint: 'https://hooks.chat.example/***' }
      assert.deepEqual(JSON.parse(one), channel)
      assert.deepEqual(JSON.parse(all), [channel])
    }
    const expected = { Uo: true, Ue: false, Um: false, Ur: false, T: true, Tr: false, O: true }
    assert.deepEqual(seen, { ...expected, Or: false })
  })

  test('GET …/{channelId} › the ETag without the address is another one', async () => {
    const [full, hidden] = await Promise.all(
      (['O', 'Or'] as const).map(async (caller) =>
        (await world.as(caller, 'GET', `${LIST}/alerts`)).headers.get('etag'),
      ),
    )
    assert.ok(full && hidden)
    assert.notEqual(full, hidden)
  })

  test('PUT …/{channelId} › two teams may have channels with the same id', async () => {
    const ofB = '/api/teams/b/notification-channels'
    await expectOk(world.as('O', 'PUT', `${ofB}/alerts`, { body: { ...CHANNEL, name: 'Of B' } }))
    const names = async (list: string): Promise<string[]> => {
      const channels = await readJson<{ name: string }[]>(world.as('O', 'GET', list))
      return channels.map(({ name }) => name)
    }
    assert.deepEqual(await names(LIST), ['Alerts'])
    assert.deepEqual(await names(ofB), ['Of B'])
    await expectOk(world.as('O', 'DELETE', `${ofB}/alerts`))
    assert.deepEqual([await names(LIST), await names(ofB)], [['Alerts'], []])
  })

  test('DELETE /api/teams/{id} › deletes the channels of the team', async () => {
    const other = await newWorld(world)
    await expectOk(other.as('O', 'PUT', `${LIST}/alerts`, { body: CHANNEL }))
    await expectOk(other.as('O', 'DELETE', '/api/teams/a'))
    await expectOk(other.as('O', 'PUT', '/api/teams/a', { body: { name: 'A' } }))
    assert.equal(await readText(other.as('O', 'GET', LIST)), '[]')
  })
})
