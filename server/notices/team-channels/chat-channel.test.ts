/** Notifications in the channels of teams, on a real receiver. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import {
  startChatReceiver,
  type ChatReceiver,
  type ChatRequest,
} from '../../../test/chat-receiver.ts'
import { CHAT_SHAPES } from '../../../test/chat-shapes.ts'
import { eventually } from '../../../test/eventually.ts'
import { openMailPost } from '../../../test/mailing.ts'
import { followEvents } from '../../../test/notifications.ts'
import {
  listDeliveries,
  startSending,
  type LedgerRow,
  type Sending,
} from '../../../test/sending.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne, type World } from '../../../test/world.ts'
import type { Mailing } from '../../platform/kit/mailing.ts'
import { newEmailChannel } from '../notification-mails/email-channel-service.ts'
import { distribute } from '../notifications/distribution-service.ts'
import { newChatChannel } from './chat-channel-service.ts'

const BASE_URL = 'https://portbook.test'
const CHANNELS = '/api/teams/a/notification-channels'

async function deleteProduct(world: World, name = 'Orders', mailing?: Mailing): Promise<void> {
  await putOne(world, 'dataproducts', odps('orders', { name }))
  await expectOk(world.as('O', 'DELETE', '/api/dataproducts/orders'))
  await followEvents(world)
  await distribute({ ...world.services, mailing })
}

onStore((store) => {
  let receiver: ChatReceiver
  let sending: Sending
  before(async () => {
    receiver = await startChatReceiver()
    const channels = [newChatChannel({ baseUrl: BASE_URL })]
    const options = { certificate: receiver.certificate, attemptMs: 10_000 }
    sending = await startSending(await createWorld(), channels, options)
  })
  after(async () => {
    await sending.stop()
    receiver.close()
  })
  beforeEach(() => {
    receiver.requests.length = 0
    receiver.answer = () => ({ status: 200 })
  })

  const createWorld = async (): Promise<World> => await newWorld(newProduct(store()))

  const putChannel = async (world: World, id: string, more: object = {}): Promise<void> => {
    const endpoint = `${receiver.origin}/${world.organizationId}/${id}/canary`
    const body = { id, name: id, type: 'slack', endpoint, enabled: true, ...more }
    await expectOk(world.as('O', 'PUT', `${CHANNELS}/${id}`, { body }))
  }

  const receive = async (world: World): Promise<{ requests: ChatRequest[]; rows: LedgerRow[] }> => {
    await sending.untilDone(world)
    const rows = await listDeliveries(world)
    assert.doesNotMatch(JSON.stringify(rows), /canary/)
    const requests = receiver.requests.filter(({ path }) => path.includes(world.organizationId))
    return { requests, rows }
  }

  for (const system of ['slack', 'teams', 'googlechat'] as const) {
    test(`a notification › is posted to the ${system} channel of the team`, async () => {
      const world = await createWorld()
      await putChannel(world, 'alerts', { type: system })
      await deleteProduct(world, 'Orders <!channel> <users/all>')
      const { requests, rows } = await receive(world)
      assert.deepEqual(
        rows.map(({ channel, state, attempts }) => [channel, state, attempts]),
        [['chat', 'delivered', 1]],
      )
      const body = requests[0]?.body ?? ''
      CHAT_SHAPES[system].parse(JSON.parse(body))
      assert.match(body, /was deleted/)
      assert.match(body, /https:\/\/portbook\.test\/notifications/)
    })
  }

  test('a notification › is posted to every enabled channel that has not switched its kind off', async () => {
    const world = await createWorld()
    await putChannel(world, 'one')
    await putChannel(world, 'two', { type: 'teams' })
    await putChannel(world, 'off', { enabled: false })
    await putChannel(world, 'quiet')
    await expectOk(
      world.asPerson('Uo', 'PUT', '/ui/teams/a/channels/quiet/notifications', {
        body: { kind: 'deleted', isEnabled: false },
      }),
    )
    await deleteProduct(world)
    const { requests } = await receive(world)
    assert.deepEqual(
      new Set(requests.map(({ path }) => path.split('/')[2])),
      new Set(['one', 'two']),
    )
    assert.equal(requests.length, 2)
  })

  test('a notification › waits for the channel, and is canceled once that is disabled or deleted', async () => {
    const world = await createWorld()
    await putChannel(world, 'one')
    await putChannel(world, 'two')
    receiver.answer = () => ({ status: 503 })
    await deleteProduct(world)
    const hasFailed = async (): Promise<boolean> =>
      (await listDeliveries(world)).every(({ attempts }) => attempts > 0)
    await eventually(10_000, hasFailed, 'both channels have failed')
    await putChannel(world, 'one', { enabled: false })
    await expectOk(world.as('O', 'DELETE', `${CHANNELS}/two`))
    const { rows } = await receive(world)
    const ends = rows.map(({ state, error }) => `${state}: ${error}`)
    assert.deepEqual(
      new Set(ends),
      new Set(['canceled: The channel is disabled.', 'canceled: The channel was deleted.']),
    )
  })

  test('a notification › a webhook that no longer exists is final, with the reason in the ledger', async () => {
    const world = await createWorld()
    await putChannel(world, 'one')
    receiver.answer = () => ({ status: 404, body: 'no_service canary' })
    await deleteProduct(world)
    const { rows } = await receive(world)
    assert.partialDeepStrictEqual(rows, [{ state: 'failed', attempts: 1 }])
    assert.match(rows[0]?.error ?? '', /Slack does not have this webhook any more/)
    const path = '/ui/teams/a/channel-deliveries'
    assert.partialDeepStrictEqual(await readJson(world.asPerson('Uo', 'GET', path)), [
      { channelId: 'one', state: 'failed', topic: 'deleted', attempts: 1, error: rows[0]?.error },
    ])
    await expectProblem(world.asPerson('Ue', 'GET', path), 403)
    assert.deepEqual(await readJson((await createWorld()).asPerson('Uo', 'GET', path)), [])
  })

  test('a notification › too many messages are repeated until they are accepted', async () => {
    const world = await createWorld()
    await putChannel(world, 'one')
    let count = 0
    receiver.answer = () => {
      count += 1
      return count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 }
    }
    await deleteProduct(world)
    const { rows } = await receive(world)
    assert.partialDeepStrictEqual(rows, [{ state: 'delivered', attempts: 2 }])
  })

  test('a mail server that hangs delays no message to a channel', async () => {
    const world = await createWorld()
    const post = await openMailPost()
    post.server.answerMessage = () => 'hang'
    const channels = [newEmailChannel({ mailing: post.mailing, baseUrl: BASE_URL })]
    const mails = await startSending(world, channels, { attemptMs: 1000 })
    await putChannel(world, 'one')
    await deleteProduct(world, 'Orders', post.mailing)
    const isPosted = async (): Promise<boolean> =>
      (await listDeliveries(world)).some(
        ({ channel, state }) => channel === 'chat' && state === 'delivered',
      )
    await eventually(10_000, isPosted, 'the message is posted')
    const states = (await listDeliveries(world)).map(({ channel, state }) => `${channel} ${state}`)
    assert.deepEqual(states.toSorted(), ['chat delivered', 'email pending', 'email pending'])
    post.server.answerMessage = () => undefined
    await mails.untilDone(world)
    await mails.stop()
    await post.close()
  })
})
