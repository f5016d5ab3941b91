/** Daily e-mails, on a real mail server. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { openMailPost, type MailPost } from '../../../test/mailing.ts'
import { followEvents } from '../../../test/notifications.ts'
import { listDeliveries, startSending, type Sending } from '../../../test/sending.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { distribute } from '../notifications/distribution-service.ts'
import { enqueueDigests } from './digest-service.ts'
import { newEmailChannel } from './email-channel-service.ts'

const SETTINGS = '/ui/notification-settings'
const HOUR = '/ui/notification-digest'

/** Deletes data products, of which the editor is notified in the digest. */
async function deleteProducts(world: World, names: readonly string[]): Promise<void> {
  const setting = { kind: 'deleted', onPage: true, email: 'digest' }
  await expectOk(world.asPerson('Ue', 'PUT', SETTINGS, { body: setting }))
  for (const [index, name] of names.entries()) {
    await putOne(world, 'dataproducts', odps(`p${index}`, { name }))
    await expectOk(world.as('O', 'DELETE', `/api/dataproducts/p${index}`))
  }
  await followEvents(world)
  await distribute(world.services)
}

/** Sets when the notifications of an organization were created, and enqueues the digests that are due at a time. */
async function digestAt(world: World, at: string, createdAt?: string): Promise<void> {
  const { db } = world.services
  if (createdAt !== undefined) {
    await sql`
      update notification set created_at = ${createdAt}
      where organization_id = ${world.organizationId}
    `.execute(db)
  }
  await enqueueDigests({ db, clock: fixedClock(at) })
}

async function listDigests(world: World): Promise<string[]> {
  const rows = await listDeliveries(world)
  return rows.filter(({ topic }) => topic === 'digest').map(({ payload }) => payload)
}

onStore((store) => {
  let post: MailPost
  let sending: Sending
  before(async () => {
    post = await openMailPost()
    const channel = newEmailChannel({ mailing: post.mailing, baseUrl: 'https://portbook.test' })
    sending = await startSending(await createWorld(), [channel])
  })
  after(async () => {
    await sending.stop()
    await post.close()
  })
  beforeEach(() => {
    post.server.mails.length = 0
  })

  const createWorld = async (): Promise<World> => await newWorld(newProduct(store()))

  test('a digest › lists the notifications of a day in one message, at 07:00 UTC', async () => {
    const world = await createWorld()
    await deleteProducts(world, ['Orders', 'Wagons <b>'])
    await digestAt(world, '2031-03-02T06:59:59Z', '2031-03-01T12:00:00Z')
    assert.deepEqual(await listDigests(world), [])
    await digestAt(world, '2031-03-02T07:00:00Z')
    await sending.untilDone(world)
    const [mail] = post.server.mails
    assert.ok(mail !== undefined && post.server.mails.length === 1)
    assert.match(mail.to, /^editor-/)
    assert.match(mail.message.subject ?? '', /^2 notifications of Organization \w+, 2031-03-02$/)
    assert.match(
      mail.message.text ?? '',
      /Orders was deleted: https:\/\/portbook\.test\/notifications/,
    )
    assert.match(mail.message.text ?? '', /Wagons <b> was deleted/)
    assert.doesNotMatch(String(mail.message.html), /<b>/)
  })

  test('a digest › is sent once a day, also by two processes at the same moment', async () => {
    const world = await createWorld()
    await deleteProducts(world, ['Orders'])
    await digestAt(world, '2031-03-02T00:00:00Z', '2031-03-01T12:00:00Z')
    await Promise.all(Array.from({ length: 8 }, () => digestAt(world, '2031-03-02T09:30:00Z')))
    assert.equal((await listDigests(world)).length, 1)
    // What is created after the hour waits for the next day, even if the process was away at the hour.
    await deleteProducts(world, ['Wagons'])
    await sql`
      update notification set created_at = '2031-03-02T08:00:00Z'
      where organization_id = ${world.organizationId} and subject_name = 'Wagons'
    `.execute(world.services.db)
    await digestAt(world, '2031-03-02T23:59:59Z')
    assert.equal((await listDigests(world)).length, 1)
    await digestAt(world, '2031-03-03T07:00:00Z')
    assert.equal((await listDigests(world)).length, 2)
    await digestAt(world, '2031-03-04T07:00:00Z')
    assert.equal((await listDigests(world)).length, 2)
  })

  test('a digest › is enqueued once by two statements that both found the same person', async () => {
    const world = await createWorld()
    const { db } = world.services
    await expectOk(world.asPerson('Ue', 'PUT', HOUR, { body: { hour: 7 } }))
    await deleteProducts(world, ['Orders'])
    await digestAt(world, '2031-03-02T00:00:00Z', '2031-03-01T12:00:00Z')
    const countBlocked = async (): Promise<number> => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `.execute(db)
      return rows.length
    }
    const both: Promise<void>[] = []
    await db.transaction().execute(async (transaction) => {
      await sql`
        select from mail_digest where organization_id = ${world.organizationId} for update
      `.execute(transaction)
      both.push(...[1, 2].map(() => digestAt(world, '2031-03-02T07:00:00Z')))
      await eventually(10_000, async () => (await countBlocked()) >= 2, 'both statements wait')
    })
    await Promise.all(both)
    assert.equal((await listDigests(world)).length, 1)
  })

  test('a digest › does not list what is older than a week', async () => {
    const world = await createWorld()
    await deleteProducts(world, ['Orders'])
    await digestAt(world, '2031-03-10T12:00:01Z', '2031-03-03T12:00:00Z')
    assert.deepEqual(await listDigests(world), [])
  })

  test('a digest › lists the newest hundred and the number of the others', async () => {
    const world = await createWorld()
    await deleteProducts(world, ['Orders'])
    await sql`
      with copy as (
        insert into notification
        select organization_id, gen_random_uuid(), kind, n::text, subject_kind, subject_id,
          subject_name, principal, data, audience, visible_to, occurred_at, created_at, distributed_at
        from notification, generate_series(1, 149) as n
        where organization_id = ${world.organizationId}
        returning organization_id, id
      )
      insert into notification_recipient (
        organization_id, notification_id, user_id, reason, on_page, email
      )
      select organization_id, id, ${world.userIds.Ue}, 'owner', true, 'digest'
      from copy
    `.execute(world.services.db)
    await digestAt(world, '2031-03-02T07:00:00Z', '2031-03-01T12:00:00Z')
    await sending.untilDone(world)
    const text = post.server.mails[0]?.message.text ?? ''
    assert.match(post.server.mails[0]?.message.subject ?? '', /^150 notifications/)
    assert.equal(text.match(/Orders was deleted/g)?.length, 100)
    assert.match(text, /50 more are on the page\. All notifications: https:/)
  })

  test(`PUT ${HOUR} › 200, and the digest comes at that hour; 422 for other hours`, async () => {
    const world = await createWorld()
    assert.deepEqual(await readJson(world.asPerson('Ue', 'GET', HOUR)), { hour: 7 })
    for (const hour of [-1, 24, 7.5, '7', null]) {
      await expectProblem(world.asPerson('Ue', 'PUT', HOUR, { body: { hour } }), 422)
    }
    await expectOk(world.asPerson('Ue', 'PUT', HOUR, { body: { hour: 18 } }))
    assert.deepEqual(await readJson(world.asPerson('Ue', 'GET', HOUR)), { hour: 18 })
    assert.deepEqual(await readJson(world.asPerson('Um', 'GET', HOUR)), { hour: 7 })
    await deleteProducts(world, ['Orders'])
    await digestAt(world, '2031-03-02T17:59:59Z', '2031-03-02T12:00:00Z')
    assert.deepEqual(await listDigests(world), [])
    await digestAt(world, '2031-03-02T18:00:00Z')
    assert.equal((await listDigests(world)).length, 1)
    await expectOk(world.asPerson('Ue', 'PUT', HOUR, { body: { hour: 20 } }))
    await deleteProducts(world, ['Wagons'])
    await digestAt(world, '2031-03-02T20:00:00Z', '2031-03-02T19:00:00Z')
    assert.equal((await listDigests(world)).length, 1)
  })
})
