import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { addAgreement } from '../../../test/agreements.ts'
import { eventually } from '../../../test/eventually.ts'
import { eventsSoFar } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { startReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import { addWebhook, ENDED_MS_MAX, listDeliveries, startWebhooks } from '../../../test/webhooks.ts'
import { untilDelivery, untilFollowed, type RunningWebhooks } from '../../../test/webhooks.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { DeliveryDetails, DeliverySummary } from '../../delivery/deliveries/delivery.ts'
import type { CloudEvent } from '../../ledger/events/event.ts'
import type { Webhook, WebhookWithSecret } from './webhook.ts'

onStore((store) => {
  let world: World
  let receiver: WebhookReceiver
  let running: RunningWebhooks
  before(async () => {
    // An organization has an end of its feed only after its first event was followed.
    running = await startWebhooks(newProduct(store()))
  })
  after(async () => await running.stop())
  beforeEach(async () => {
    world = await newWorld(newProduct(store()))
    await untilFollowed(world)
    receiver = await startReceiver()
  })
  afterEach(async () => await receiver.close())

  const add = async (more: object = {}): Promise<WebhookWithSecret> =>
    await addWebhook(world, { url: `${receiver.url}/hook`, ...more })

  async function put(kind: 'dataproducts' | 'datacontracts', owner = 'a'): Promise<string> {
    const id = uniqueId()
    const build = kind === 'dataproducts' ? odps : odcs
    const body = build(id, { team: { name: owner } })
    await expectOk(world.as('O', 'PUT', `/api/${kind}/${id}`, { body }))
    return id
  }

  const untilState = (
    endpoint: Webhook,
    subject: string,
    state: DeliverySummary['state'],
  ): Promise<DeliveryDetails> => untilDelivery(world, endpoint, subject, state)
  const ledger = (endpoint: Webhook, query = ''): Promise<DeliverySummary[]> =>
    listDeliveries(world, endpoint, query)

  const listTopics = async (endpoint: Webhook, subject: string): Promise<string[]> =>
    (await ledger(endpoint))
      .filter((one) => one.subject.endsWith(`/${subject}`))
      .map(({ topic }) => topic)
      .toReversed()

  describe('the events of an endpoint', () => {
    test('are those of the chosen types', async () => {
      const eventTypes = ['DataContractCreatedEvent']
      const endpoints = [await add({ eventTypes }), await add({ eventTypes, teamId: 'a' })]
      const product = await put('dataproducts')
      const contract = await put('datacontracts')
      for (const endpoint of endpoints) {
        await untilState(endpoint, contract, 'delivered')
        assert.deepEqual(await listTopics(endpoint, product), [])
      }
    })

    test('of a team are those of what it and the teams below it own', async () => {
      const body = { id: 'below', name: 'Below', parent: 'a' }
      await expectOk(world.as('O', 'PUT', '/api/teams/below', { body }))
      const ofTeam = await add({ teamId: 'a' })
      const filtered = await add({ filterTeamId: 'a' })
      const all = await add()
      const foreign = await put('dataproducts', 'b')
      const below = await put('datacontracts', 'below')
      const own = await put('dataproducts', 'a')
      await expectOk(world.as('O', 'PUT', '/api/teams/a', { body: { id: 'a', name: 'Renamed' } }))
      await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${own}`))
      const result = { id: uniqueId(), dataContractId: below, result: 'failed' }
      await expectOk(world.as('O', 'POST', '/api/test-results', { body: result }))
      await untilState(all, result.id, 'delivered')
      for (const endpoint of [ofTeam, filtered]) {
        await untilState(endpoint, result.id, 'delivered')
        const subjects = (await ledger(endpoint))
          .map(({ topic, subject }) => `${topic} ${subject}`)
          // Its creation may be followed before or after the endpoint exists.
          .filter((one) => one !== 'TeamCreatedEvent team/below')
        assert.deepEqual(subjects.toReversed(), [
          `DataContractCreatedEvent data-contract/${below}`,
          `DataProductCreatedEvent data-product/${own}`,
          'TeamUpdatedEvent team/a',
          `DataProductDeletedEvent data-product/${own}`,
          `TestResultsCreatedEvent test-result/${result.id}`,
        ])
      }
      assert.equal((await listTopics(all, foreign)).length, 1)
    })

    test('of a team include deletions: of test results, and of agreements for both sides', async () => {
      const provider = await add({ teamId: 'a' })
      const consumer = await add({ teamId: 'b' })
      const contract = await put('datacontracts', 'a')
      const result = { id: uniqueId(), dataContractId: contract, result: 'failed' }
      await expectOk(world.as('O', 'POST', '/api/test-results', { body: result }))
      await expectOk(world.as('O', 'DELETE', `/api/test-results/${result.id}`))
      const path = await addAgreement(world, { isApproved: true })
      const agreement = path.split('/').at(-1) ?? ''
      await expectOk(world.as('O', 'DELETE', path))
      const last = await put('dataproducts', 'a')
      const lastOfConsumer = await put('dataproducts', 'b')
      await untilState(provider, last, 'delivered')
      await untilState(consumer, lastOfConsumer, 'delivered')
      for (const endpoint of [provider, consumer]) {
        const topics = await listTopics(endpoint, agreement)
        assert.deepEqual(topics.slice(-2), ['AccessDeactivatedEvent', 'AccessDeletedEvent'])
        assert.equal(topics.length, 6)
      }
      assert.deepEqual(await listTopics(provider, result.id), [
        'TestResultsCreatedEvent',
        'TestResultsDeletedEvent',
      ])
      assert.deepEqual(await listTopics(consumer, result.id), [])
      const deleted = (await eventsSoFar(world)).filter(({ type }) =>
        /AccessDeleted|TestResultsDeleted/.test(type),
      )
      for (const { data } of deleted) {
        assert.deepEqual(
          Object.keys(data).filter(
            (name) => !['id', 'timestamp', 'version', 'status'].includes(name),
          ),
          [],
        )
      }
    })

    test('of a team include the deletion of teams below it, and of what they owned', async () => {
      const ofTeam = await add({ teamId: 'a' })
      const filtered = await add({ filterTeamId: 'a' })
      const other = await add({ teamId: 'b' })
      const teams = ['child', 'grandchild']
      for (const [id, parent] of [
        ['child', 'a'],
        ['grandchild', 'child'],
      ]) {
        const body = { id, name: id, parent }
        await expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body }))
      }
      const product = await put('dataproducts', 'grandchild')
      // The follower looks for owners when all of them are gone.
      await running.stop()
      try {
        await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${product}`))
        for (const id of teams.toReversed()) {
          await expectOk(world.as('O', 'DELETE', `/api/teams/${id}`))
        }
      } finally {
        running = await startWebhooks(newProduct(store()))
      }
      const last = await put('dataproducts', 'a')
      const lastOfOther = await put('dataproducts', 'b')
      await untilState(other, lastOfOther, 'delivered')
      for (const endpoint of [ofTeam, filtered]) {
        await untilState(endpoint, last, 'delivered')
        assert.equal((await listTopics(endpoint, product)).at(-1), 'DataProductDeletedEvent')
        for (const id of teams) {
          assert.equal((await listTopics(endpoint, id)).at(-1), 'TeamDeletedEvent')
        }
      }
      for (const id of [...teams, product]) assert.deepEqual(await listTopics(other, id), [])
    })

    test('of a team include the deletion of a team below it whose id other documents have', async () => {
      const other = await newWorld(world)
      const ofTeam = await add({ teamId: 'a' })
      const id = uniqueId()
      const child = { id, name: 'Child', parent: 'a' }
      await expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body: child }))
      await expectOk(other.as('O', 'PUT', `/api/teams/${id}`, { body: { ...child, parent: 'b' } }))
      // Their versions are newer than those of the team, and have no parent.
      for (const tag of ['x', 'y', 'z']) {
        const body = odps(id, { team: { name: 'b' }, tags: [tag] })
        await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
        const changed = { ...child, parent: 'b', description: tag }
        await expectOk(other.as('O', 'PUT', `/api/teams/${id}`, { body: changed }))
      }
      await running.stop()
      try {
        await expectOk(world.as('O', 'DELETE', `/api/teams/${id}`))
      } finally {
        running = await startWebhooks(newProduct(store()))
      }
      const last = await put('dataproducts', 'a')
      await untilState(ofTeam, last, 'delivered')
      assert.equal((await listTopics(ofTeam, id)).at(-1), 'TeamDeletedEvent')
    })

    test('arrive in the order of each subject', async () => {
      const endpoint = await add()
      receiver.answer((response) => {
        response.writeHead(Math.random() < 0.3 ? 503 : 200).end()
      })
      const id = uniqueId()
      for (let version = 1; version <= 10; version += 1) {
        const body = odps(id, { tags: [`t${version}`] })
        await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
      }
      const isDone = async (): Promise<boolean> =>
        (await ledger(endpoint, '?state=delivered')).length === 10
      await eventually(ENDED_MS_MAX, isDone, 'all are delivered')
      const versions = receiver.requests.map(({ body }) => JSON.parse(body) as CloudEvent)
      const order = versions.map(({ data }) => data.version)
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      )
      assert.equal(new Set(order).size, 10)
    })

    test('a disabled endpoint gets none, except a test event', async () => {
      const endpoint = await add({ enabled: false })
      const witness = await add({ name: 'Witness' })
      const subject = await put('dataproducts')
      await untilState(witness, subject, 'delivered')
      assert.deepEqual(await ledger(endpoint), [])
      await expectOk(world.as('O', 'POST', `/api/webhooks/${endpoint.id}/test`))
      const isTested = async (): Promise<boolean> =>
        (await ledger(endpoint))[0]?.state === 'delivered'
      await eventually(ENDED_MS_MAX, isTested, 'the test event arrives')
    })
  })
})
