import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { Webhook as Verifier } from 'standardwebhooks'
import { readJson } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { eventsSoFar } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { respond, startReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import {
  addWebhook,
  ENDED_MS_MAX,
  startWebhooks,
  untilDelivery,
  untilFollowed,
} from '../../../test/webhooks.ts'
import type { RunningWebhooks } from '../../../test/webhooks.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import type { DeliveryDetails, DeliverySummary } from '../../delivery/deliveries/delivery.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
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
  const untilAttempted = (endpoint: Webhook, subject: string): Promise<DeliveryDetails> =>
    untilDelivery(world, endpoint, subject)

  describe('a message', () => {
    test('is the event of the feed, and has a signature that others can verify', async () => {
      const endpoint = await add()
      const subject = await put('dataproducts')
      const delivery = await untilState(endpoint, subject, 'delivered')
      const request = receiver.requests.find(({ body }) => body.includes(subject))
      assert.ok(request)
      assert.equal(request.path, '/hook')
      assert.equal(request.headers['content-type'], 'application/cloudevents+json; charset=utf-8')
      const headers = request.headers as Record<string, string>
      const verified = new Verifier(endpoint.secret).verify(request.body, headers)
      const event = (await eventsSoFar(world)).find((one) => one.subject === subject)
      assert.deepEqual(verified, event)
      assert.throws(() => new Verifier(endpoint.secret).verify(`${request.body} `, headers))
      assert.equal(delivery.payload, request.body)
      assert.equal(delivery.eventId, event?.id)
      assert.equal(delivery.topic, 'DataProductCreatedEvent')
      assert.equal(delivery.attemptList[0]?.status, 204)
    })

    test('has the signatures of both secrets after a change', async () => {
      const endpoint = await add()
      const rotated = await readJson<WebhookWithSecret>(
        world.as('O', 'POST', `/api/webhooks/${endpoint.id}/rotate-secret`),
      )
      const subject = await put('dataproducts')
      await untilState(endpoint, subject, 'delivered')
      const request = receiver.requests.find(({ body }) => body.includes(subject))
      const headers = request?.headers as Record<string, string>
      for (const { secret } of [endpoint, rotated]) {
        new Verifier(secret).verify(request?.body ?? '', headers)
      }
    })

    test('has the same id at every attempt', async () => {
      const endpoint = await add()
      let count = 0
      receiver.answer((response) => {
        count += 1
        response.writeHead(count === 1 ? 500 : 200).end()
      })
      const sent = await readJson<{ deliveryId: string }>(
        world.as('O', 'POST', `/api/webhooks/${endpoint.id}/test`),
        202,
      )
      await eventually(ENDED_MS_MAX, async () => receiver.requests.length === 2, 'it is repeated')
      const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
      assert.deepEqual(new Set(ids), new Set([`msg_${sent.deliveryId.replaceAll('-', '')}`]))
    })
  })

  describe('an answer', () => {
    test('of any 2xx status is a success, with any body', async () => {
      const endpoint = await add()
      for (const answering of [
        respond(200, 'ok'),
        respond(299),
        respond(200, '\u0000\uFFFD'),
        (response) =>
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('compressed')),
        (response) => response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00, 0x80])),
      ] satisfies Parameters<WebhookReceiver['answer']>[0][]) {
        receiver.answer(answering)
        const subject = await put('dataproducts')
        const { attemptList } = await untilState(endpoint, subject, 'delivered')
        assert.equal(attemptList.length, 1)
      }
    })

    test('that never ends is read up to a kilobyte', async () => {
      const endpoint = await add()
      receiver.answer((response) => {
        response.writeHead(200)
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', more)
        more()
      })
      const subject = await put('dataproducts')
      const { attemptList } = await untilState(endpoint, subject, 'delivered')
      assert.equal(attemptList[0]?.response, 'x'.repeat(1024))
    })

    for (const [name, answering, error] of [
      ['of another status', respond(500, 'oops'), /the status 500/],
      ['of status 404', respond(404), /the status 404/],
      ['that redirects is not followed', respond(302, '', { location: '/other' }), /redirect/],
      ['that breaks off', (response) => response.destroy(), /incomplete|closed|reset/],
      [
        'that is not HTTP',
        (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
        /not HTTP|incomplete/,
      ],
    ] satisfies [string, Parameters<WebhookReceiver['answer']>[0], RegExp][]) {
      test(`${name} › is a failure, and the message arrives when the receiver recovers`, async () => {
        const endpoint = await add()
        receiver.answer(answering)
        const subject = await put('dataproducts')
        const failed = await untilAttempted(endpoint, subject)
        assert.match(failed.attemptList[0]?.error ?? '', error)
        assert.ok((await get(endpoint)).failingSince)
        receiver.answer(respond(204))
        const { attemptList } = await untilState(endpoint, subject, 'delivered')
        assert.ok(attemptList.length >= 2)
        assert.ok(receiver.requests.every(({ path }) => path === '/hook'))
      })
    }

    test('that does not come in time is a failure', async () => {
      const own = await startWebhooks(newProduct(store()), { attemptMs: 200 })
      await running.stop()
      try {
        const endpoint = await add()
        receiver.answer(() => undefined)
        const subject = await put('dataproducts')
        const failed = await untilAttempted(endpoint, subject)
        assert.match(failed.attemptList[0]?.error ?? '', /No complete answer within/)
        assert.ok((await get(endpoint)).failingSince)
        receiver.answer(respond(204))
        await untilState(endpoint, subject, 'delivered')
      } finally {
        await own.stop()
        running = await startWebhooks(newProduct(store()))
      }
    })

    test('with Retry-After postpones the next attempt', async () => {
      const endpoint = await add()
      receiver.answer(respond(429, '', { 'retry-after': '3600' }))
      const own = await startWebhooks(newProduct(store()), {
        retryDelayMs: (_, asked) => asked ?? 0,
      })
      await running.stop()
      try {
        const subject = await put('dataproducts')
        const { nextAttemptAt } = await untilAttempted(endpoint, subject)
        const seconds = (Date.parse(nextAttemptAt ?? '') - Date.now()) / 1000
        assert.ok(seconds > 3500 && seconds < 3601)
      } finally {
        await own.stop()
        running = await startWebhooks(newProduct(store()))
      }
    })
  })

  const get = async ({ id }: Webhook): Promise<Webhook> =>
    await readJson(world.as('O', 'GET', `/api/webhooks/${id}`))

  describe('an endpoint', () => {
    test('that answers 410 is disabled at once, and what is pending is canceled', async () => {
      const endpoint = await add()
      receiver.answer(respond(410))
      const subject = await put('dataproducts')
      await untilState(endpoint, subject, 'failed')
      assert.partialDeepStrictEqual(await get(endpoint), { enabled: false })
      assert.match((await get(endpoint)).disabledBecause ?? '', /410 Gone/)
      assert.ok((await get(endpoint)).disabledAt)
      assert.equal((await get(endpoint)).version, endpoint.version + 1)
      const entries = await sql<{ principal: string }>`
        select principal from activity_entry
        where subject = ${endpoint.id} and action = 'disabled'
      `.execute(store().db)
      assert.deepEqual(entries.rows, [{ principal: 'system' }])
      const { rows } = await sql<{ message: string }>`
        select data ->> 'message' as message
        from notification
        where kind = 'webhook_disabled'
          and subject_id = ${endpoint.id}
      `.execute(store().db)
      assert.match(rows[0]?.message ?? '', /410 Gone/)
    })

    test('that fails for three days is disabled', async () => {
      const endpoint = await add()
      receiver.answer(respond(500))
      const subject = await put('dataproducts')
      await untilAttempted(endpoint, subject)
      assert.equal((await get(endpoint)).enabled, true)
      await sql`
        update webhook_endpoint set failing_since = failing_since - interval '3 days'
        where id = ${endpoint.id}
      `.execute(store().db)
      await untilState(endpoint, subject, 'canceled')
      assert.match((await get(endpoint)).disabledBecause ?? '', /failed for three days/)
    })

    test('that is disabled or deleted gets nothing more, also of what waits for hours', async () => {
      await running.stop()
      running = await startWebhooks(newProduct(store()), { retryDelayMs: () => 6 * 3_600_000 })
      try {
        const disabled = await add()
        const deleted = await add()
        receiver.answer(respond(500))
        const subject = await put('dataproducts')
        await untilAttempted(disabled, subject)
        await untilAttempted(deleted, subject)
        const { id, name, url } = disabled
        const body = { name, url, enabled: false }
        await expectOk(world.as('O', 'PUT', `/api/webhooks/${id}`, { body }))
        await expectOk(world.as('O', 'DELETE', `/api/webhooks/${deleted.id}`))
        const isOver = async (): Promise<boolean> => {
          const { rows } = await sql<{ state: string }>`
            select state from delivery where target in (${id}, ${deleted.id})
          `.execute(store().db)
          return rows.every(({ state }) => state === 'canceled')
        }
        await eventually(ENDED_MS_MAX, isOver, 'the deliveries are canceled')
      } finally {
        await running.stop()
        running = await startWebhooks(newProduct(store()))
      }
    })

    test('that answers again is no longer failing', async () => {
      const endpoint = await add()
      receiver.answer(respond(500))
      const subject = await put('dataproducts')
      await untilAttempted(endpoint, subject)
      receiver.answer(respond(200))
      await untilState(endpoint, subject, 'delivered')
      const isWell = async (): Promise<boolean> => {
        await expectOk(world.as('O', 'POST', `/api/webhooks/${endpoint.id}/test`))
        return (await get(endpoint)).failingSince === null
      }
      await eventually(ENDED_MS_MAX, isWell, 'it is not failing')
    })

    test('at a private address that was allowed before is refused at the connection', async () => {
      const endpoint = await add()
      const product = newProduct(store())
      const rules = { privateAddresses: 'deny', allowed: [], ownStore: undefined } as const
      product.services.dialer = newDialer(rules)
      await running.stop()
      const strict = await startWebhooks(product)
      try {
        const subject = await put('dataproducts')
        const { attemptList } = await untilAttempted(endpoint, subject)
        assert.match(attemptList[0]?.error ?? '', /private address/)
        assert.deepEqual(receiver.requests, [])
      } finally {
        await strict.stop()
        running = await startWebhooks(newProduct(store()))
      }
    })

    test('that was deleted gets nothing more', async () => {
      const endpoint = await add()
      receiver.answer(respond(500))
      const subject = await put('dataproducts')
      await untilAttempted(endpoint, subject)
      await expectOk(world.as('O', 'DELETE', `/api/webhooks/${endpoint.id}`))
      const isOver = async (): Promise<boolean> => {
        const { rows } = await sql<{ state: string }>`
          select state from delivery where target = ${endpoint.id}
        `.execute(store().db)
        return rows.every(({ state }) => state === 'canceled')
      }
      await eventually(ENDED_MS_MAX, isOver, 'the deliveries are canceled')
    })
  })

  describe('POST /api/webhooks/{id}/replay', () => {
    test('202: sends the deliveries of a time range again', async () => {
      const endpoint = await add()
      const first = await put('dataproducts')
      const { createdAt } = await untilState(endpoint, first, 'delivered')
      const second = await put('dataproducts')
      await untilState(endpoint, second, 'delivered')
      receiver.requests.length = 0
      const body = { from: createdAt, state: 'delivered' }
      const { count } = await readJson<{ count: number }>(
        world.as('O', 'POST', `/api/webhooks/${endpoint.id}/replay`, { body }),
        202,
      )
      assert.equal(count, 2)
      await eventually(ENDED_MS_MAX, async () => receiver.requests.length === 2, 'both arrive')
    })

    test('202: sends one delivery again', async () => {
      const endpoint = await add()
      const subject = await put('dataproducts')
      const { id } = await untilState(endpoint, subject, 'delivered')
      receiver.requests.length = 0
      const path = `/api/webhooks/${endpoint.id}/deliveries/${id}/replay`
      await readJson(world.as('O', 'POST', path), 202)
      await eventually(ENDED_MS_MAX, async () => receiver.requests.length === 1, 'it arrives')
    })
  })
})
