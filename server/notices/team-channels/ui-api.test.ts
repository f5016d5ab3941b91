import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { startChatReceiver, type ChatReceiver } from '../../../test/chat-receiver.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, type World } from '../../../test/world.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import { openHttpClient } from '../../platform/kit/http-client.ts'
import { testChannel } from './channel-service.ts'

const CHANNELS = '/api/teams/a/notification-channels'
const TEST = '/ui/teams/a/notification-channels/alerts/test'

onStore((store) => {
  let receiver: ChatReceiver
  let world: World
  before(async () => {
    receiver = await startChatReceiver()
    world = await newWorld(newProduct(store()))
  })
  after(() => receiver.close())
  beforeEach(async () => {
    receiver.requests.length = 0
    await put({})
  })

  const put = (more: object): Promise<unknown> =>
    expectOk(
      world.as('O', 'PUT', `${CHANNELS}/alerts`, {
        body: {
          id: 'alerts',
          name: '#data <!channel>',
          type: 'slack',
          endpoint: `${receiver.origin}/services/canary`,
          enabled: true,
          ...more,
        },
      }),
    )

  test('testChannel › posts to the channel, and returns why it failed without the address', async () => {
    const { services, organizationId } = world
    const http = await openHttpClient(services.dialer, {}, [receiver.certificate])
    after(() => http.close())
    const caller: Caller = {
      ...(await services.authenticator.authenticate(world.keys.O ?? '')),
      organizationId,
    }
    const key = { team: 'a', channelId: 'alerts' }
    assert.equal(await testChannel({ ...services, http }, caller, key), undefined)
    assert.equal(receiver.requests[0]?.path, '/services/canary')
    assert.match(receiver.requests[0]?.body ?? '', /Test message of Portbook/)
    receiver.answer = () => ({ status: 404, body: 'no_service' })
    const problem = await testChannel({ ...services, http }, caller, key)
    assert.match(problem ?? '', /does not have this webhook any more.+\(404\)/)
  })

  test(`POST ${TEST} › 200 with the reason if the webhook is not trusted or not allowed`, async () => {
    const untrusted = await readJson<{ problem: string }>(world.asPerson('Uo', 'POST', TEST))
    assert.match(untrusted.problem, /certificate/)
    const product = newProduct(store())
    product.services.dialer = newDialer({
      privateAddresses: 'deny',
      allowed: [],
      ownStore: undefined,
    })
    const denying = await newWorld(product)
    await expectOk(
      denying.as('O', 'PUT', `${CHANNELS}/alerts`, {
        body: { name: 'x', type: 'teams', endpoint: `${receiver.origin}/canary`, enabled: true },
      }),
    )
    const { problem } = await readJson<{ problem: string }>(denying.asPerson('Uo', 'POST', TEST))
    assert.match(problem, /private address/)
    assert.doesNotMatch(untrusted.problem + problem, /canary/)
    assert.equal(receiver.requests.length, 0)
  })

  test(`POST ${TEST} › 403 without TEAM_EDIT, 404 for an unknown channel, 422 if it is disabled`, async () => {
    for (const person of ['Ue', 'Um'] as const) {
      await expectProblem(world.asPerson(person, 'POST', TEST), 403)
    }
    const other = await newWorld(world)
    await expectProblem(other.asPerson('Uo', 'POST', TEST), 404)
    await expectProblem(world.asPerson('Uo', 'POST', TEST.replace('alerts', 'other')), 404)
    await put({ enabled: false })
    await expectProblem(world.asPerson('Uo', 'POST', TEST), 422, /disabled/)
    assert.equal(receiver.requests.length, 0)
  })
})
