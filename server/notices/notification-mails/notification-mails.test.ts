/** E-mails about notifications, on a real mail server. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { readText } from '../../../test/answers.ts'
import type { ReceivedMail } from '../../../test/mail-server.ts'
import { openMailPost, type MailPost } from '../../../test/mailing.ts'
import { followEvents } from '../../../test/notifications.ts'
import { listDeliveries, startSending, type Sending } from '../../../test/sending.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne, type World } from '../../../test/world.ts'
import type { SendOutcome } from '../../delivery/deliveries/channel.ts'
import type { OutgoingDelivery } from '../../delivery/deliveries/delivery.ts'
import { openHttpClient } from '../../platform/kit/http-client.ts'
import { distribute } from '../notifications/distribution-service.ts'
import { newEmailChannel } from './email-channel-service.ts'

const BASE_URL = 'https://portbook.test'

/** Deletes a data product of team a, which notifies its members, the editor and the member. */
async function deleteProduct(world: World, name = 'Orders'): Promise<void> {
  await putOne(world, 'dataproducts', odps('orders', { name }))
  await expectOk(world.as('O', 'DELETE', '/api/dataproducts/orders'))
  await followEvents(world)
  await distribute(world.services)
}

onStore((store) => {
  let post: MailPost
  let sending: Sending
  before(async () => {
    post = await openMailPost()
    const world = await createWorld()
    const channel = newEmailChannel({ mailing: post.mailing, baseUrl: BASE_URL })
    sending = await startSending(world, [channel])
  })
  after(async () => {
    await sending.stop()
    await post.close()
  })
  beforeEach(() => {
    post.server.mails.length = 0
    post.server.recipients.length = 0
    post.server.answerRecipient = () => undefined
    post.server.answerMessage = () => undefined
  })

  const createWorld = async (): Promise<World> =>
    await newWorld(newProduct(store(), { mailing: post.mailing, baseUrl: BASE_URL }))

  /** Makes one attempt, without the queue. */
  const sendOne = async (world: World, payload: object): Promise<SendOutcome> => {
    const { organizationId, services } = world
    const delivery: OutgoingDelivery = {
      organizationId,
      id: randomUUID(),
      channel: 'email',
      target: 'email',
      subject: 'x',
      topic: 'x',
      eventId: null,
      payload: JSON.stringify(payload),
      attemptCount: 0,
    }
    const http = await openHttpClient(services.dialer)
    const channel = newEmailChannel({ mailing: post.mailing, baseUrl: BASE_URL })
    return await channel.send({ ...services, http }, delivery, AbortSignal.timeout(5000))
  }

  const receive = async (world: World): Promise<ReceivedMail[]> => {
    await sending.untilDone(world)
    return post.server.mails.toSorted((a, b) => a.to.localeCompare(b.to))
  }

  test('a notification › is sent at once to each recipient, with its reason and a way to switch it off', async () => {
    const world = await createWorld()
    await deleteProduct(world)
    const mails = await receive(world)
    assert.deepEqual(
      mails.map(({ to, message }) => [to.replace(/-.*/, ''), message.subject]),
      [
        ['editor', 'Orders was deleted'],
        ['member', 'Orders was deleted'],
      ],
    )
    const [mail] = mails
    assert.match(mail?.message.text ?? '', /The data product was deleted/)
    assert.match(mail?.message.text ?? '', /Your team owns it\./)
    assert.match(
      mail?.raw ?? '',
      /^List-Unsubscribe: <https:\/\/portbook\.test\/unsubscribe\?token=[\w-]+>\r$/m,
    )
    assert.match(mail?.raw ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    assert.equal(new Set(mails.map(({ message }) => message.messageId)).size, 2)
  })

  test('a notification › greylisting and an ended connection are repeated with the same Message-ID', async () => {
    const world = await createWorld()
    const replies = [{ status: 451, text: '4.7.1 greylisted' }, 'drop', undefined] as const
    const counts = new Map<string, number>()
    post.server.answerMessage = (to) => {
      const count = counts.get(to) ?? 0
      counts.set(to, count + 1)
      return replies[Math.min(count, 2)]
    }
    await deleteProduct(world)
    const mails = await receive(world)
    assert.equal(mails.length, 2)
    const rows = await listDeliveries(world)
    assert.ok(rows.every(({ state, attempts }) => state === 'delivered' && attempts >= 2))
  })

  test('a notification › a rejected recipient is final, and does not delay the others', async () => {
    const world = await createWorld()
    post.server.answerRecipient = (to) =>
      to.startsWith('editor') ? { status: 550, text: '5.1.1 canary' } : undefined
    await deleteProduct(world)
    const mails = await receive(world)
    assert.deepEqual(
      mails.map(({ to }) => to.startsWith('member')),
      [true],
    )
    const rows = await listDeliveries(world)
    const ends = rows.map(({ state, attempts }) => `${state} ${attempts}`)
    assert.deepEqual(new Set(ends), new Set(['delivered 1', 'failed 1']))
    const [failed] = rows.filter(({ state }) => state === 'failed')
    assert.match(failed?.error ?? '', /rejected the recipient \(550 5\.1\.1\)/)
    assert.doesNotMatch(JSON.stringify(rows), /canary|@example/)
  })

  test('a notification › is not sent to a person who left or switched the kind off before it was sent', async () => {
    const world = await createWorld()
    await putOne(world, 'dataproducts', odps('orders'))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/orders'))
    await followEvents(world)
    await distribute({ ...world.services, mailing: undefined })
    const { rows } = await sql<{ id: string }>`
      select id from notification where organization_id = ${world.organizationId}
    `.execute(world.services.db)
    const send = async (userId: string): Promise<SendOutcome> =>
      await sendOne(world, { userId, notificationIds: rows.map(({ id }) => id) })
    assert.equal((await send(world.userIds.Ue)).result, 'delivered')
    const setting = { kind: 'deleted', onPage: true, email: 'off' }
    await expectOk(world.asPerson('Ue', 'PUT', '/ui/notification-settings', { body: setting }))
    assert.partialDeepStrictEqual(await send(world.userIds.Ue), { result: 'canceled' })
    assert.equal((await send(world.userIds.Um)).result, 'delivered')
    await expectOk(world.asPerson('Uo', 'DELETE', `/ui/members/${world.userIds.Um}`))
    assert.partialDeepStrictEqual(await send(world.userIds.Um), { result: 'canceled' })
    assert.partialDeepStrictEqual(await send(world.userIds.Uo), { result: 'canceled' })
    assert.equal(post.server.mails.length, 2)
  })

  test('a notification › without a mail server nothing is enqueued, and nothing is sent later', async () => {
    const world = await createWorld()
    await putOne(world, 'dataproducts', odps('orders'))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/orders'))
    await followEvents(world)
    await distribute({ ...world.services, mailing: undefined })
    await distribute(world.services)
    assert.deepEqual(await listDeliveries(world), [])
  })

  test('a notification › hostile names are text in the subject, the text and the HTML part', async () => {
    const world = await createWorld()
    await deleteProduct(
      world,
      'x\u202E"><img src=https://evil.test>\u2028Bcc: eve@evil.test {{link}}',
    )
    const [mail] = await receive(world)
    assert.ok(mail !== undefined)
    assert.match(mail.message.subject ?? '', /^x "><img src=https:\/\/evil\.test> Bcc: eve/)
    assert.doesNotMatch(String(mail.message.html), /<img/)
    assert.doesNotMatch(mail.raw, /^Bcc:/m)
    assert.ok(!post.server.recipients.some((to) => to.includes('eve')))
  })

  test('a notification › uses the template of its kind, and is not sent if that is switched off', async () => {
    const world = await createWorld()
    const put = async (template: object): Promise<string> =>
      await readText(
        world.as('O', 'PUT', '/api/settings/email-templates', {
          body: { templates: { deleted: template } },
        }),
      )
    const body = 'Gone: {{title}}. {{reason}}'
    await put({ languages: { en: { subject: '[{{organization}}] {{title}}', body } } })
    await deleteProduct(world)
    const [mail] = await receive(world)
    assert.match(mail?.message.subject ?? '', /^\[Organization \w+\] Orders was deleted$/)
    assert.match(mail?.message.text ?? '', /^Gone: Orders was deleted\. Your team owns it\.\n/)
    assert.match(mail?.message.text ?? '', /\/unsubscribe#[\w-]/)
    const off = await createWorld()
    await readText(
      off.as('O', 'PUT', '/api/settings/email-templates', {
        body: { templates: { deleted: { enabled: false } } },
      }),
    )
    await deleteProduct(off)
    await sending.untilDone(off)
    assert.deepEqual(
      new Set((await listDeliveries(off)).map(({ state }) => state)),
      new Set(['canceled']),
    )
  })
})
