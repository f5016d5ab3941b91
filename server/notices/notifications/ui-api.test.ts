import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { openMailPost } from '../../../test/mailing.ts'
import { listNotifications, notifyAll } from '../../../test/notifications.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, type World } from '../../../test/world.ts'
import type { PersonName } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { deleteExpiredNotifications } from './distribution-service.ts'
import { ALL_NOTIFICATION_KINDS } from './kinds.ts'
import type { ChannelSettings, NotificationSettings } from './notification.ts'

const SETTINGS = '/ui/notification-settings'
const MARK = '/ui/notifications/mark'

const readSettings = (world: World) =>
  readJson<NotificationSettings>(world.asPerson('Uo', 'GET', SETTINGS))

const toPath = (channel: string): string => `/ui/teams/a/channels/${channel}/notifications`

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const countUnread = async (person: PersonName): Promise<number> =>
    (await readJson<{ count: number }>(world.asPerson(person, 'GET', '/ui/notifications/unread')))
      .count

  const getKind = async (person: PersonName, kind: string) =>
    (await readJson<NotificationSettings>(world.asPerson(person, 'GET', SETTINGS))).kinds.find(
      (one) => one.kind === kind,
    )

  /** Makes breaking changes of a product of team A, a notification each for its members. */
  async function notify(count: number): Promise<void> {
    const id = randomUUID()
    const path = `/api/dataproducts/${id}`
    for (let at = 0; at <= count; at += 1) {
      const body = odps(id, { outputPorts: [{ name: `port-${at}`, version: '1' }] })
      await expectOk(world.as('O', 'PUT', path, { body }))
    }
    await notifyAll(world)
  }

  describe('GET /ui/notifications', () => {
    test('200: pages of 50, the newest first, and filters', async () => {
      await notify(52)
      const page = await readJson<{ notifications: { id: string }[]; hasNext: boolean }>(
        world.asPerson('Ue', 'GET', '/ui/notifications'),
      )
      assert.equal(page.notifications.length, 50)
      assert.equal(page.hasNext, true)
      const ids = page.notifications.map(({ id }) => id)
      assert.deepEqual(ids, ids.toSorted().toReversed())
      const rest = await readJson<typeof page>(
        world.asPerson('Ue', 'GET', `/ui/notifications?before=${ids.at(-1)}`),
      )
      assert.equal(rest.notifications.length, 2)
      assert.equal(rest.hasNext, false)
      assert.equal((await listNotifications(world, 'Ue', '?kind=mention')).length, 0)
      assert.equal((await listNotifications(world, 'Ue', '?kind=breaking_change')).length, 50)
      assert.equal((await listNotifications(world, 'Uo')).length, 0)
    })

    test('400 for an unknown kind, and for an id that is none', async () => {
      for (const query of ['kind=x', 'before=x', 'unread=x']) {
        await expectProblem(world.asPerson('Ue', 'GET', `/ui/notifications?${query}`), 400)
      }
    })
  })

  describe('POST /ui/notifications/mark', () => {
    test('200: marks some, or all up to one, as read or unread, for the caller only', async () => {
      const [first, second, third] = (await listNotifications(world, 'Um')).map(({ id }) => id)
      const mark = (body: object) => readJson(world.asPerson('Um', 'POST', MARK, { body }))
      const all = await countUnread('Um')
      assert.deepEqual(await mark({ ids: [first] }), { count: all - 1 })
      assert.equal((await listNotifications(world, 'Um', '?unread=true'))[0]?.id, second)
      assert.notEqual((await listNotifications(world, 'Um'))[0]?.readAt, null)
      assert.deepEqual(await mark({ ids: [first], isRead: false }), { count: all })
      assert.deepEqual(await mark({ upTo: third }), { count: 2 })
      assert.deepEqual(await mark({ upTo: first }), { count: 0 })
      assert.equal(await countUnread('Ue'), all)
    })

    test('422 for neither or both, and for too many ids', async () => {
      const id = randomUUID()
      for (const body of [
        {},
        { ids: [id], upTo: id },
        { ids: Array.from({ length: 201 }, () => id) },
        { ids: ['x'] },
      ]) {
        await expectProblem(world.asPerson('Um', 'POST', MARK, { body }), 422)
      }
    })
  })

  test('GET /ui/notifications/unread › counts up to 100', async () => {
    await notify(60)
    assert.equal(await countUnread('Ue'), 100)
  })

  test('GET /ui/notification-settings › reports whether a mail server is configured', async () => {
    assert.equal((await readSettings(world)).sendsMail, false)
    const post = await openMailPost()
    try {
      const other = await newWorld(newProduct(store(), { mailing: post.mailing }))
      assert.equal((await readSettings(other)).sendsMail, true)
    } finally {
      await post.close()
    }
  })

  describe('PUT /ui/notification-settings', () => {
    test('204: changes one kind for the caller; the others have their defaults', async () => {
      const { kinds } = await readSettings(world)
      assert.deepEqual(
        kinds.map(({ kind, onPage, email, isDefault }) => ({ kind, onPage, email, isDefault })),
        ALL_NOTIFICATION_KINDS.map(({ kind, onPage, email }) => ({
          kind,
          onPage,
          email,
          isDefault: true,
        })),
      )
      for (const email of ['off', 'digest'] as const) {
        const body = { kind: 'mention', onPage: false, email }
        await readText(world.asPerson('Uo', 'PUT', SETTINGS, { body }), 204)
        const setting = await getKind('Uo', 'mention')
        assert.deepEqual([setting?.onPage, setting?.email], [false, email])
      }
      assert.equal((await getKind('Uo', 'deleted'))?.isDefault, true)
      assert.equal((await getKind('Ue', 'mention'))?.isDefault, true)
    })

    test('a notification for e-mail only is not on the page', async () => {
      const body = { kind: 'breaking_change', onPage: false, email: 'immediate' }
      await readText(world.asPerson('Um', 'PUT', SETTINGS, { body }), 204)
      const before = await countUnread('Um')
      await notify(1)
      assert.equal(await countUnread('Um'), before)
      const { rows } = await sql<{ email: string }>`
        select email
        from notification_recipient
        where user_id = ${world.userIds.Um} and not on_page
      `.execute(store().db)
      assert.deepEqual(rows, [{ email: 'immediate' }])
    })

    test('422 for an unknown kind or choice', async () => {
      for (const body of [
        { kind: 'x', onPage: true, email: 'off' },
        { kind: 'mention', onPage: true, email: 'x' },
      ]) {
        await expectProblem(world.asPerson('Um', 'PUT', SETTINGS, { body }), 422)
      }
    })
  })

  describe('/ui/teams/{id}/channels/{channelId}/notifications', () => {
    test('200 and 204 for people who can edit the team', async () => {
      const body = {
        id: 'c',
        name: 'c',
        type: 'slack',
        endpoint: 'https://x.example',
        enabled: true,
      }
      await expectOk(world.as('O', 'PUT', '/api/teams/a/notification-channels/c', { body }))
      const isEnabled = async (kind: string): Promise<boolean | undefined> =>
        (await readJson<ChannelSettings>(world.asPerson('Uo', 'GET', toPath('c')))).kinds.find(
          (one) => one.kind === kind,
        )?.isEnabled
      assert.equal(await isEnabled('deleted'), true)
      assert.equal(await isEnabled('key_expiring'), undefined)
      for (const enabled of [true, false, true]) {
        const change = { kind: 'mention', isEnabled: enabled }
        await readText(world.asPerson('Uo', 'PUT', toPath('c'), { body: change }), 204)
        assert.equal(await isEnabled('mention'), enabled)
      }
      const refused = { kind: 'key_expiring', isEnabled: true }
      await readText(world.asPerson('Uo', 'PUT', toPath('c'), { body: refused }), 422)
    })

    test('403 for others, 404 for an unknown channel', async () => {
      const body = { kind: 'deleted', isEnabled: false }
      for (const person of ['Ue', 'Um'] as const) {
        await expectProblem(world.asPerson(person, 'GET', toPath('c')), 403)
        await expectProblem(world.asPerson(person, 'PUT', toPath('c'), { body }), 403)
      }
      await expectProblem(world.asPerson('Uo', 'GET', toPath('unknown')), 404)
      await expectProblem(world.asPerson('Uo', 'PUT', toPath('unknown'), { body }), 404)
    })
  })

  describe('the number of notifications', () => {
    test('notifications of more than 90 days, and more than 1000 of a person, are deleted', async () => {
      const { db } = world.services
      await sql`
        with added as (
          insert into notification (
            organization_id, id, kind, occasion, subject_kind, subject_id, data, audience,
            occurred_at, created_at, distributed_at
          )
          select ${world.organizationId}, gen_random_uuid(), 'mention', 'x/' || number, 'team', 'a',
            '{}', '[]', now(), now(), now()
          from generate_series(1, 1100) as number
          returning id
        )
        insert into notification_recipient (
          organization_id, notification_id, user_id, reason, on_page, email
        )
        select ${world.organizationId}, id, ${world.userIds.Ue}, 'owner', true, 'off'
        from added
      `.execute(db)
      const count = async (): Promise<number> => {
        const { rows } = await sql`
          select from notification_recipient where user_id = ${world.userIds.Ue}
        `.execute(db)
        return rows.length
      }
      const clock = world.services.clock
      await deleteExpiredNotifications({ db, clock })
      assert.equal(await count(), 1000)
      await deleteExpiredNotifications({ db, clock: fixedClock('2099-01-01T00:00:00Z') })
      assert.equal(await count(), 0)
    })
  })
})
