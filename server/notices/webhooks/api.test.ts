import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addWebhook } from '../../../test/webhooks.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import type { Webhook, WebhookWithSecret } from './webhook.ts'

const URL_OK = 'https://192.0.2.1/hook'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const get = async (id: string): Promise<Webhook> =>
    await readJson<Webhook>(world.as('O', 'GET', `/api/webhooks/${id}`))

  const post = (body: object): Promise<Response> =>
    world.as('O', 'POST', '/api/webhooks', { body: { name: 'Endpoint', url: URL_OK, ...body } })

  const put = (id: string, body: object): Promise<Response> =>
    world.as('O', 'PUT', `/api/webhooks/${id}`, {
      body: { name: 'Endpoint', url: URL_OK, ...body },
    })

  describe('POST /api/webhooks', () => {
    test('201 with the secret, which no other answer has', async () => {
      const created = await addWebhook(world, {
        url: URL_OK,
        eventTypes: ['DataProductCreatedEvent'],
        filterTeamId: 'a',
      })
      assert.match(created.secret, /^whsec_[\w+/]{32}$/)
      const { secret, ...rest } = created
      assert.deepEqual(await get(created.id), rest)
      assert.partialDeepStrictEqual(rest, {
        name: 'Endpoint',
        url: URL_OK,
        teamId: null,
        filterTeamId: 'a',
        eventTypes: ['DataProductCreatedEvent'],
        enabled: true,
        disabledAt: null,
        failingSince: null,
        version: 1,
      })
      const list = await readText(world.as('O', 'GET', '/api/webhooks'))
      assert.ok(list.includes(created.id))
      assert.ok(!list.includes(secret))
      const { rows } = await sql<{ sealed: string }>`
        select encode(sealed, 'escape') as sealed from webhook_secret
      `.execute(store().db)
      assert.ok(rows.every(({ sealed }) => !sealed.includes(secret.slice(6))))
    })

    test('a change leaves an entry of activity, without the path of the address', async () => {
      const created = await addWebhook(world, { url: 'https://192.0.2.1/hook/token?key=token' })
      const url = 'https://192.0.2.2/token'
      await expectOk(put(created.id, { url, enabled: false }))
      await expectOk(world.as('O', 'POST', `/api/webhooks/${created.id}/rotate-secret`))
      await expectOk(world.as('O', 'DELETE', `/api/webhooks/${created.id}`))
      const entries = (await listEntries(world, 'webhook')).filter(
        ({ subject }) => subject === created.id,
      )
      assert.deepEqual(
        entries.map(({ action, details }) => [action, details]),
        [
          ['created', { host: '192.0.2.1', enabled: true, eventTypes: [] }],
          ['updated', { host: '192.0.2.2', enabled: false, eventTypes: [] }],
          ['secret_replaced', { host: '192.0.2.2', enabled: false, eventTypes: [] }],
          ['deleted', { host: '192.0.2.2', enabled: false, eventTypes: [] }],
        ],
      )
    })

    test('422 for an invalid field', async () => {
      for (const [body, message] of [
        [{ name: ' ' }, /name/],
        [{ name: 'x'.repeat(201) }, /name/],
        [{ url: 'ftp://192.0.2.1/' }, /must be a URL with https/],
        [{ url: '/hook' }, /must be a URL with https/],
        [{ url: 'https://user:secret@192.0.2.1/' }, /user or a password/],
        [{ url: 'https://192.0.2.1/#x' }, /fragment/],
        [{ url: `https://192.0.2.1/${'x'.repeat(2048)}` }, /2048/],
        [{ eventTypes: ['com.example.X'] }, /name of an event/],
        [{ eventTypes: Array.from({ length: 101 }, () => 'TeamCreatedEvent') }, /100/],
        [{ teamId: 'unknown' }, /Unknown team "unknown"/],
        [{ filterTeamId: 'unknown' }, /Unknown team "unknown"/],
        [{ teamId: 'a', filterTeamId: 'b' }, /only allowed for endpoints of the organization/],
        [{ secret: 'mine' }, /secret/],
      ] as const) {
        await expectProblem(post(body), 422, message)
      }
    })

    test('422 for a private address, and for http, unless the operator allows them', async () => {
      const { services } = world
      const strict = { privateAddresses: 'deny', allowed: [], ownStore: undefined } as const
      const former = services.dialer
      const url = 'http://127.0.0.1:9/'
      const { id } = await readJson<Webhook>(post({ url }), 201)
      services.dialer = newDialer(strict)
      try {
        // An address that stays as it is need not be allowed any more.
        await expectOk(put(id, { url, name: 'Renamed' }))
        for (const refused of [
          'https://127.0.0.1/',
          'https://[::1]/',
          'https://10.0.0.1/',
          'https://169.254.169.254/latest',
          'https://0x7f000001/',
          'https://localhost:8443/',
        ]) {
          await expectProblem(post({ url: refused }), 422, /address|private/)
        }
        await expectProblem(post({ url: 'http://192.0.2.1/' }), 422, /must begin with https/)
        await expectOk(post({ url: 'https://unknown.invalid/' }))
      } finally {
        services.dialer = former
      }
      await expectOk(post({ url }))
    })

    test('200 for http to a private address in a range that the operator allows', async () => {
      const { services } = world
      const allowed = [
        '10.1.0.0/16',
        'fd00:1::/32',
        '192.0.2.0/24',
        '203.0.114.0/24',
        'Hooks.Internal',
      ]
      const former = services.dialer
      services.dialer = newDialer({ privateAddresses: 'deny', allowed, ownStore: undefined })
      try {
        for (const url of [
          'http://10.1.2.3/hook',
          'http://10.1.2.3:8080/hook',
          'http://[fd00:1::7]/hook',
          'http://[::ffff:10.1.2.3]/hook',
          'http://hooks.internal/hook',
        ]) {
          await expectOk(post({ url }))
        }
        for (const url of [
          'http://10.2.0.1/hook',
          'http://203.0.114.7/hook',
          'http://example.com/hook',
        ]) {
          await expectProblem(post({ url }), 422, /must begin with https/)
        }
        await expectProblem(post({ url: 'https://10.2.0.1/hook' }), 422, /private address/)
      } finally {
        services.dialer = former
      }
    })

    test('409 for the 51st endpoint, also with many at once', async () => {
      const own = await newWorld(newProduct(store()))
      const add = (): Promise<Response> =>
        own.as('O', 'POST', '/api/webhooks', { body: { name: 'E', url: URL_OK } })
      const answers = await Promise.all(Array.from({ length: 55 }, add))
      const statuses = answers.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 201).length, 50)
      assert.equal(statuses.filter((status) => status === 409).length, 5)
      await expectProblem(add(), 409, /50 webhook endpoints/)
    })
  })

  describe('PUT /api/webhooks/{id}', () => {
    test('200: replaces everything but team and secret, and counts versions', async () => {
      const { id } = await addWebhook(world, { url: URL_OK, eventTypes: ['TeamCreatedEvent'] })
      const changed = await readJson<Webhook>(
        put(id, { name: 'Renamed', url: 'https://192.0.2.2/', enabled: false }),
      )
      assert.partialDeepStrictEqual(changed, {
        name: 'Renamed',
        url: 'https://192.0.2.2/',
        eventTypes: [],
        enabled: false,
        version: 2,
      })
      assert.deepEqual(await get(id), changed)
    })

    test('412 if the endpoint was changed since the version that is sent', async () => {
      const { id } = await addWebhook(world, { url: URL_OK })
      await expectOk(put(id, { version: 1 }))
      await expectProblem(put(id, { version: 1 }), 412, /changed since/)
      await expectOk(put(id, { version: 2 }))
    })

    test('422 for another team, and for a filter of an endpoint of a team', async () => {
      const { id } = await addWebhook(world, { url: URL_OK, teamId: 'a' })
      await expectProblem(put(id, { teamId: 'b' }), 422, /teamId/)
      await expectProblem(put(id, { filterTeamId: 'b' }), 422, /filterTeamId/)
    })

    test('200: an endpoint whose filter is no longer valid can be disabled, and not enabled', async () => {
      const { id } = await addWebhook(world, { url: URL_OK })
      await sql`
        update webhook_endpoint set filter_team = 'gone' where id = ${id}
      `.execute(store().db)
      await expectOk(put(id, { filterTeamId: 'gone', enabled: false }))
      await expectProblem(put(id, { filterTeamId: 'gone', enabled: true }), 422, /gone/)
    })

    test('200: enabling an endpoint ends what disabled it', async () => {
      const { id } = await addWebhook(world, { url: URL_OK })
      await sql`
        update webhook_endpoint
        set enabled = false, disabled_at = now(), disabled_because = 'x', failing_since = now()
        where id = ${id}
      `.execute(store().db)
      const still = await readJson<Webhook>(put(id, { name: 'Renamed', enabled: false }))
      assert.equal(still.disabledBecause, 'x')
      const enabled = await readJson<Webhook>(put(id, { enabled: true }))
      assert.partialDeepStrictEqual(enabled, {
        enabled: true,
        disabledAt: null,
        disabledBecause: null,
        failingSince: null,
      })
    })
  })

  test('POST /api/webhooks/{id}/rotate-secret › a new secret, and the former one for a day', async () => {
    const { id, secret } = await addWebhook(world, { url: URL_OK })
    const rotate = (): Promise<WebhookWithSecret> =>
      readJson(world.as('O', 'POST', `/api/webhooks/${id}/rotate-secret`))
    const second = await rotate()
    assert.notEqual(second.secret, secret)
    const hours = (Date.parse(second.formerSecretUntil ?? '') - Date.now()) / 3_600_000
    assert.ok(hours > 23.9 && hours < 24.1)
    await rotate()
    const { rows } = await sql<{ expires: boolean }>`
      select expires_at is not null as expires from webhook_secret
      where endpoint_id = ${id} order by expires_at nulls first
    `.execute(store().db)
    assert.deepEqual(
      rows.map(({ expires }) => expires),
      [false, true],
    )
  })

  test('POST /api/webhooks/{id}/rotate-secret › simultaneous ones leave one secret without an end', async () => {
    const { id } = await addWebhook(world, { url: URL_OK })
    const path = `/api/webhooks/${id}/rotate-secret`
    await Promise.all(Array.from({ length: 5 }, () => expectOk(world.as('O', 'POST', path))))
    const { rows } = await sql`
      select from webhook_secret where endpoint_id = ${id} and expires_at is null
    `.execute(store().db)
    assert.equal(rows.length, 1)
  })

  test('DELETE /api/webhooks/{id} › 204, and then 404', async () => {
    const { id } = await addWebhook(world, { url: URL_OK })
    assert.equal(await readText(world.as('O', 'DELETE', `/api/webhooks/${id}`), 204), '')
    await expectProblem(world.as('O', 'GET', `/api/webhooks/${id}`), 404)
    await expectProblem(world.as('O', 'DELETE', `/api/webhooks/${id}`), 404)
  })

  test('DELETE /api/teams/{id} › deletes the endpoints of the team', async () => {
    const team = uniqueId()
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { id: team, name: 'Gone' } }))
    const { id } = await addWebhook(world, { url: URL_OK, teamId: team })
    await expectOk(world.as('O', 'DELETE', `/api/teams/${team}`))
    await expectProblem(world.as('O', 'GET', `/api/webhooks/${id}`), 404)
  })

  test('/api/webhooks › 404 for an endpoint of another organization', async () => {
    const { id } = await addWebhook(world, { url: URL_OK })
    const other = await newWorld(newProduct(store()))
    for (const [method, more] of [
      ['GET', ''],
      ['PUT', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
      ['DELETE', ''],
    ] as const) {
      const path = `/api/webhooks/${id}${more}`
      await expectProblem(other.as('O', method, path, { body: {} }), 404)
    }
    assert.deepEqual(await readJson(other.as('O', 'GET', '/api/webhooks')), [])
  })
})
