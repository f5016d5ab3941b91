/** Invitations and reset links by e-mail, on a real mail server. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import type { ReceivedMail } from '../../../test/mail-server.ts'
import { openMailPost, type MailPost } from '../../../test/mailing.ts'
import {
  newMember,
  newPerson,
  setUpOwner,
  signInPerson,
  type Browser,
} from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { createOrganization } from './service.ts'

interface Created {
  link: string
  mailed: boolean
}

const TEMPLATES = '/api/settings/email-templates'

function newEmail(): string {
  return `m-${uniqueId()}@example.test`
}

onStore((store) => {
  let post: MailPost
  let product: Product
  let owner: Browser
  let ownerEmail: string
  const lines: string[] = []
  before(async () => {
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
    post = await openMailPost(log)
    product = newProduct(store(), { mailing: post.mailing, log })
    const setUp = await setUpOwner(product)
    owner = setUp.browser
    ownerEmail = setUp.session.user.email
  })
  after(() => post.close())
  beforeEach(() => {
    post.server.answerMessage = () => undefined
  })

  const invite = (email: string): Promise<Created> =>
    readJson<Created>(owner.ask('POST', '/ui/invitations', { email, role: 'Member' }), 201)

  const receive = async (email: string): Promise<ReceivedMail> => {
    const find = (): ReceivedMail | undefined => post.server.mails.find(({ to }) => to === email)
    await eventually(5000, async () => find() !== undefined, `an e-mail to ${email}`)
    return find() ?? assert.fail()
  }

  const putTemplate = (invitation: object): Promise<string> =>
    readText(owner.ask('PUT', TEMPLATES, { templates: { invitation } }))

  test('POST /ui/invitations › sends the link by e-mail, and neither logs nor stores it', async () => {
    const email = newEmail()
    const { link, mailed } = await invite(email)
    assert.equal(mailed, true)
    const { message } = await receive(email)
    assert.match(message.subject ?? '', /^Olga Owner invited you to .+ on Portbook$/)
    assert.ok(message.text?.includes(link))
    assert.ok(String(message.html).includes(`href="${link}"`))
    const token = new URL(link).hash.slice(1)
    assert.ok(lines.some((line) => line.includes('an e-mail was sent')))
    assert.ok(!lines.join('').includes(token))
    const { rows } = await store().pool.query('select invitation::text as row from invitation')
    assert.ok(!JSON.stringify(rows).includes(token))
  })

  test('POST /ui/members/{userId}/password-reset › sends the link by e-mail', async () => {
    const person = await newPerson(product, owner)
    const path = `/ui/members/${person.session.user.id}/password-reset`
    const { link, mailed } = await readJson<Created>(owner.ask('POST', path), 201)
    assert.equal(mailed, true)
    const { message } = await receive(person.email)
    assert.equal(message.subject, 'Set a new password for Portbook')
    assert.ok(message.text?.includes(link))
    assert.ok(!lines.join('').includes(new URL(link).hash.slice(1)))
  })

  test('POST /ui/invitations › 201 at once, also if the mail server hangs', async () => {
    post.server.answerMessage = () => 'hang'
    assert.equal((await invite(newEmail())).mailed, true)
  })

  test('POST /ui/invitations › uses the template of the organization, unless it is switched off', async () => {
    const body = '<b>Welcome</b> to {{organization}}'
    await putTemplate({ languages: { en: { subject: 'Welcome, {{inviter}} waits', body } } })
    const email = newEmail()
    const { link } = await invite(email)
    const { message } = await receive(email)
    assert.equal(message.subject, 'Welcome, Olga Owner waits')
    assert.match(message.text ?? '', /^<b>Welcome<\/b> to /)
    assert.match(String(message.html), /&lt;b&gt;Welcome/)
    assert.ok(message.text?.includes(link))
    await putTemplate({ enabled: false })
    assert.equal((await invite(newEmail())).mailed, false)
    await putTemplate({})
  })

  test('POST /ui/invitations › a hostile name is text in the subject and the body', async () => {
    const name = '\u202EAda <script>alert(1)</script> "Bcc: eve@evil.test'
    await readText(owner.ask('PUT', '/ui/profile', { name }))
    const email = newEmail()
    await invite(email)
    const { message, raw } = await receive(email)
    assert.doesNotMatch(message.subject ?? '', /\u202E/)
    assert.match(message.subject ?? '', /^Ada <script>/)
    assert.doesNotMatch(String(message.html), /<script/)
    assert.doesNotMatch(raw, /^Bcc/m)
    assert.ok(!post.server.recipients.includes('eve@evil.test'))
    await readText(owner.ask('PUT', '/ui/profile', { name: 'Olga Owner' }))
  })

  test('POST /ui/invitations › 201 without a mail server, or above the limit of messages', async () => {
    const limited = newProduct(store(), {
      mailing: { ...post.mailing, rate: () => ({ allowed: false, remaining: 0, resetSeconds: 1 }) },
    })
    for (const one of [limited, newProduct(store())]) {
      const browser = await signInPerson(one, ownerEmail)
      const body = { email: newEmail(), role: 'Member' }
      const answer = browser.ask('POST', '/ui/invitations', body)
      assert.equal((await readJson<Created>(answer, 201)).mailed, false)
    }
  })

  test('POST /ui/sign-in › a break-glass owner: all owners of that organization get an e-mail, others none', async () => {
    const { db } = store()
    const organizationId = await createOrganization(db, 'Strict')
    const twinId = await createOrganization(db, 'Strict')
    const glass = await newMember(product, organizationId, 'Owner', 'Gala Glass')
    const other = await newMember(product, organizationId, 'Owner')
    const member = await newMember(product, organizationId, 'Member')
    const outsider = await newMember(product, twinId, 'Owner')
    const { id } = glass.session.user
    await sql`insert into break_glass (organization_id, user_id, created_by)
      values (${organizationId}, ${id}, 'system')`.execute(db)
    const setRule = (rule: string) =>
      sql`insert into organization_sign_in (organization_id, rule, updated_by)
        values (${organizationId}, ${rule}, 'system')
        on conflict (organization_id) do update set rule = excluded.rule`.execute(db)
    await setRule('any')
    await signInPerson(product, glass.email)
    await setRule('provider')
    await signInPerson(product, glass.email)
    const { message } = await receive(other.email)
    assert.equal(message.subject, 'Gala Glass signed in to Strict without the identity provider')
    await receive(glass.email)
    const addresses = [glass, other, member, outsider].map(({ email }) => email)
    const received = post.server.mails.map(({ to }) => to).filter((to) => addresses.includes(to))
    assert.deepEqual(received.toSorted(), [glass.email, other.email].toSorted())
  })
})
