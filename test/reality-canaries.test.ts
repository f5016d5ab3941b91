/**
 * Names of logins of a source, and data in test results, appear only to those who may see them: in any answer, message, export
 * and table.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { api } from '../server/api.ts'
import { newEmailChannel } from '../server/notices/notification-mails/email-channel-service.ts'
import { enqueueDigests } from '../server/notices/notification-mails/digest-service.ts'
import { newChatChannel } from '../server/notices/team-channels/chat-channel-service.ts'
import { newWebhookFollower } from '../server/notices/webhooks/fan-out-service.ts'
import { fixedClock } from '../server/platform/kit/clock.ts'
import { ui } from '../server/ui.ts'
import {
  addAccess,
  addGrants,
  addIdentity,
  addMembers,
  addPorts,
  addReading,
  addTables,
  compare,
  newAccessWorld,
  toTable,
} from './access-rows.ts'
import { readJson } from './answers.ts'
import { startChatReceiver, type ChatReceiver } from './chat-receiver.ts'
import { openMailPost, type MailPost } from './mailing.ts'
import { listEvents, notifyAll } from './notifications.ts'
import { listDeliveries, startSending } from './sending.ts'
import { onStore } from './stores.ts'
import { addWebhook } from './webhooks.ts'
import { ALL_CALLERS, expectOk, odcs, putOne, type CallerName, type World } from './world.ts'

interface Canary {
  text: string
  /** The tables in which it belongs. */
  tables: RegExp
  readers: readonly CallerName[]
  /** A path whose answer has it for its readers. */
  shownAt: string
}

const LOGIN = 'canary7f3a'
const DATA = 'canary5d2c'
const RESULT = '/api/test-results/failed'
const CANARIES: readonly Canary[] = [
  {
    text: LOGIN,
    tables: /^(asset_grant|grantee_.*|staged_grant|grant_finding)$/,
    // Owners, and a key that approves access for the providing team.
    readers: ['Uo', 'T', 'O', 'Or'],
    shownAt: '/api/access-findings',
  },
  {
    text: DATA,
    tables: /^test_result$/,
    // Editors of the contract and of its provider.
    readers: ['Uo', 'Ue', 'T', 'O', 'Tn'],
    shownAt: RESULT,
  },
]

/** A result whose samples, texts and logs have data, in the forms of several programs. */
const FAILED = {
  id: 'failed',
  dataContractId: 'contract',
  server: 'production',
  result: 'failed',
  checks: [
    {
      name: 'complete',
      model: 'orders',
      field: 'email',
      result: 'failed',
      reason: `Invalid input "${DATA}"`,
      message: DATA,
      value: DATA,
      failedSamples: [{ email: DATA }],
    },
    {
      expectation_config: { type: 'expect_x', kwargs: { column: 'email' } },
      success: false,
      result: { observed_value: DATA, partial_unexpected_list: [DATA] },
      exception_info: { raised_exception: true, exception_message: DATA },
    },
    { unique_id: 'test.shop.unique_orders_email.0123456789', status: 'fail', message: DATA },
    { identities: { vc1: 'x' }, outcome: 'fail', diagnostics: { value: DATA } },
  ],
  logs: [{ level: 'ERROR', message: DATA }],
}
const SCHEMA = [{ name: 'orders', properties: [{ name: 'email', classification: 'restricted' }] }]
const SERVERS = [{ server: 'production', environment: 'prod', type: 'kafka', host: 'k:1' }]
const BASE_URL = 'https://portbook.test'

describe('names of logins and data of results', () => {
  onStore((store) => {
    let world: World
    let post: MailPost
    let chat: ChatReceiver
    const ids = new Map<string, string>()
    before(async () => {
      post = await openMailPost()
      chat = await startChatReceiver()
      world = await newAccessWorld(store(), { mailing: post.mailing, baseUrl: BASE_URL })
      await addWebhook(world, { url: 'https://receiver.example/events' })
      const endpoint = `${chat.origin}/all`
      const channel = { id: 'all', name: 'all', type: 'slack', endpoint, enabled: true }
      const channels = '/api/teams/a/notification-channels/all'
      await expectOk(world.as('O', 'PUT', channels, { body: channel }))
      const key = await addReading(world)
      const paths = ['t0', 't1', 't2'].map((name) => toTable(name))
      const assets = await addTables(world, key, paths)
      const contract = odcs('contract', { schema: SCHEMA, servers: SERVERS })
      await putOne(world, 'datacontracts', contract)
      await addPorts(
        world,
        assets.map((id) => [id]),
        { id: 'product', contracts: ['contract', 'contract', 'contract'] },
      )
      const access = await addAccess(world, { product: 'product', port: 'port_1', ended: 30 })
      await addAccess(world, { product: 'product', port: 'port_2' })
      const login = (at: number): string => `${LOGIN}_login${at}`
      const role = `${LOGIN}_role`
      await addGrants(world, key, [
        { name: login(0), path: toTable('t0') },
        { name: role, path: toTable('t1') },
        { name: login(2), path: toTable('t2') },
        { name: login(2), path: toTable('t2'), effect: 'write' },
        { name: `${LOGIN}_unknown`, path: toTable('t0') },
      ])
      await addMembers(world, key, [{ role, member: login(1) }])
      for (const at of [0, 1, 2]) {
        await addIdentity(world, key, login(at), { kind: 'team', id: 'b' })
      }
      await compare(world, key)
      const [finding] = await readJson<{ id: string }[]>(
        world.as('O', 'GET', '/api/access-findings?dataProductId=product'),
      )
      const path = `/api/access-findings/${finding?.id}/acceptance`
      await expectOk(world.as('O', 'PUT', path, { body: { reason: 'Known' } }))
      await expectOk(world.as('O', 'DELETE', path))
      await expectOk(world.as('O', 'POST', '/api/test-results', { body: FAILED }))
      await notifyAll(world)
      const passed = { ...FAILED, id: 'passed', result: 'passed', checks: [], logs: [] }
      await expectOk(world.as('O', 'POST', '/api/test-results', { body: passed }))
      await notifyAll(world)
      const [incident] = await readJson<{ id: string }[]>(world.as('O', 'GET', '/api/incidents'))
      const { rows } = await sql<{ id: string }>`
        select external_id as id
        from integration
        where organization_id = ${world.organizationId}
      `.execute(store().db)
      ids.set('/api/dataproducts/{id}', 'product')
      ids.set('/api/datacontracts/{id}', 'contract')
      ids.set('/api/access-findings/{id}', finding?.id ?? '')
      ids.set('/api/incidents/{id}', incident?.id ?? '')
      ids.set('/api/access/{id}', access)
      ids.set('/api/teams/{id}', 'a')
      ids.set('/api/test-results/{id}', 'failed')
      ids.set('/api/assets/{id}', assets[0] ?? '')
      ids.set('/api/integrations/{externalId}', rows[0]?.id ?? '')
    })
    after(async () => {
      chat.close()
      await post.close()
    })

    // Routes whose resource is not of this world are left out.
    const listPaths = (): string[] =>
      [...api, ...ui]
        .filter(({ method }) => method === 'GET')
        .flatMap(({ path }) => {
          const [start = '', base = '', resource = ''] =
            /^\/(?:api|ui)(\/[a-z]+(?:-[a-z]+)*\/(\{\w+\}))?/u.exec(path) ?? []
          const id = ids.get(`/api${base}`)
          const filled = id === undefined ? path : path.replace(start, start.replace(resource, id))
          const whole = filled.replace('{portId}', 'port_1')
          return whole.includes('{') || /stream|sign-in|health/u.test(whole) ? [] : [whole]
        })

    test('are in no answer and export for those who may not see them', async () => {
      const paths = [...listPaths(), '/api/activity?format=csv', `${RESULT}?format=oors`]
      for (const { shownAt } of CANARIES) assert.ok(paths.includes(shownAt))
      assert.ok(paths.includes('/api/dataproducts/product/outputports/port_1/grants'))
      assert.ok(paths.includes(`${RESULT}/checks`))
      assert.ok(paths.some((path) => path.startsWith('/api/incidents/')))
      assert.ok(paths.length > 60, `${paths.length} paths`)
      for (const caller of ALL_CALLERS) {
        const hidden = CANARIES.filter(({ readers }) => !readers.includes(caller))
        if (hidden.length === 0) continue
        const seen: string[] = []
        for (const path of paths) {
          const answer = await world.as(caller, 'GET', path)
          const text = `${await answer.text()} ${JSON.stringify([...answer.headers])}`
          if (hidden.some((one) => text.includes(one.text))) seen.push(path)
        }
        assert.deepEqual(seen, [], caller)
      }
    })

    test('are in the answers for those who may see them', async () => {
      const grants = '/api/dataproducts/product/outputports/port_1/grants'
      for (const { text, readers, shownAt } of CANARIES) {
        for (const caller of readers) {
          for (const path of text === LOGIN ? [shownAt, grants] : [shownAt, `${RESULT}/checks`]) {
            const answer = await world.as(caller, 'GET', path)
            assert.ok((await answer.text()).includes(text), `${caller} ${path}`)
          }
        }
      }
    })

    test('are in no mail, digest, chat message and webhook', async () => {
      const { services, organizationId } = world
      const { db } = services
      await sql`
        update notification set created_at = '2026-01-01T00:00:00Z'
        where organization_id = ${organizationId}
      `.execute(db)
      await enqueueDigests({ db, clock: fixedClock('2026-01-02T23:30:00.000000Z') })
      const sending = await startSending(
        world,
        [
          newEmailChannel({ mailing: post.mailing, baseUrl: BASE_URL }),
          newChatChannel({ baseUrl: BASE_URL }),
        ],
        { certificate: chat.certificate },
      )
      await sending.untilDone(world)
      await sending.stop()
      const events = await listEvents(world)
      const follower = newWebhookFollower(services)
      await db
        .transaction()
        .execute((transaction) => follower.handle(transaction, organizationId, events))
      const deliveries = await listDeliveries(world)
      const webhooks = deliveries.filter(({ channel }) => channel === 'webhook')
      const texts = {
        mails: post.server.mails.map(({ raw, message }) => `${raw} ${JSON.stringify(message)}`),
        messages: chat.requests.map(({ body }) => body),
        webhooks: webhooks.map(({ payload }) => payload),
      }
      for (const [name, list] of Object.entries(texts)) {
        assert.ok(
          list.some((text) => /incident|tests fail/i.test(text)),
          `${name}: ${list.length}`,
        )
        const seen = list.filter((text) => CANARIES.some((one) => text.includes(one.text)))
        assert.deepEqual(seen, [], name)
      }
    })

    test('are in no table but their own: no event, entry, notification, mail or search entry', async () => {
      const { db } = store()
      const { rows } = await sql<{ name: string }>`
        select tablename as name
        from pg_tables
        where schemaname = current_schema()
        order by 1
      `.execute(db)
      for (const { text, tables } of CANARIES) {
        const names: string[] = []
        for (const { name } of rows) {
          const { rows: hits } = await sql`
            select
            from ${sql.table(name)} as one
            where one::text like ${`%${text}%`}
            limit 1
          `.execute(db)
          if (hits.length > 0) names.push(name)
        }
        assert.ok(names.some((name) => tables.test(name)))
        assert.deepEqual(
          names.filter((name) => !tables.test(name)),
          [],
        )
      }
    })
  })
})
