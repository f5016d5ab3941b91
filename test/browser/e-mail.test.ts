/** E-mail in the browser, with a real mail server: a test message, an invitation, and a link that switches e-mails off. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { atEnd } from '../at-end.ts'
import { eventually } from '../eventually.ts'
import { startMailServer, type MailServer, type ReceivedMail } from '../mail-server.ts'
import { findViolations } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import type { Person } from './catalog.ts'
import { navigate } from './navigation.ts'
import {
  acceptInvitation,
  newSignedInVisitor,
  productDocument,
  putTeam,
  request,
  requestJson,
  startSite,
  type Site,
} from './people.ts'

inBrowser('e-mail', (browser) => {
  let server: MailServer
  let site: Site
  let owner: Visitor
  let member: Person
  before(async () => {
    server = await startMailServer()
    atEnd(() => server.close())
    site = await startSite({
      PORTBOOK_SMTP_URL: `smtp://127.0.0.1:${server.settings.port}`,
      PORTBOOK_SMTP_TLS: 'none',
      PORTBOOK_MAIL_FROM: 'Portbook <portbook@rail.example>',
    })
    owner = await newSignedInVisitor(browser(), site, site.owner)
    member = await acceptInvitation(owner, site, { email: 'nora@rail.example', name: 'Nora' })
    await putTeam(owner, 'yard', [{ emailAddress: member.email, role: 'Editor' }])
  })

  const receive = async (subject: RegExp): Promise<ReceivedMail> => {
    const find = (): ReceivedMail | undefined =>
      server.mails.find(({ message }) => subject.test(message.subject ?? ''))
    await eventually(20_000, async () => find() !== undefined, `an e-mail ${subject.source}`)
    return find() ?? assert.fail()
  }

  test('about › shows the mail server, and sends a test message to the owner', async () => {
    const { page } = owner
    await navigate(page, '/settings/about')
    await page.getByText('portbook@rail.example').waitFor()
    await page.getByRole('button', { name: 'Send test message' }).click()
    await page.getByText(`Sent to ${site.owner.email}`).waitFor()
    assert.deepEqual(await findViolations(page), [])
    assert.equal((await receive(/^Test message/)).to, site.owner.email)
  })

  test('members › an invitation is sent, and can also be copied', async () => {
    const { page } = owner
    await navigate(page, '/settings/members')
    await page.getByRole('button', { name: 'Invite' }).first().click()
    await page.getByLabel('E-mail address').fill('ida@rail.example')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Invitation sent to ida@rail.example' }).waitFor()
    assert.deepEqual(await findViolations(page), [])
    const { message } = await receive(/invited you to/)
    assert.match(message.text ?? '', /\/invitation#pbi_\w+/)
  })

  test('a notification › is sent, and its link switches the kind off without signing in', async () => {
    const product = productDocument('wagons', 'yard')
    await requestJson(owner, 'PUT', '/api/dataproducts/wagons', product)
    assert.ok((await request(owner, 'DELETE', '/api/dataproducts/wagons')).ok())
    const mail = await receive(/was deleted$/)
    assert.equal(mail.to, member.email)
    const link = /\/unsubscribe#[\w-]+/.exec(mail.message.text ?? '')?.[0] ?? ''
    const { page } = await newVisitor(browser(), site.url)
    await page.goto(link)
    await page.getByText('e-mails of the kind "Deleted"').waitFor()
    assert.deepEqual(await findViolations(page), [])
    assert.ok(!page.url().includes('#'), page.url())
    await page.getByRole('button', { name: 'Stop these e-mails' }).click()
    await page.getByRole('heading', { name: 'The e-mails are off' }).waitFor()
    const reader = await newSignedInVisitor(browser(), site, member)
    const { kinds } = await requestJson<{ kinds: { kind: string; email: string }[] }>(
      reader,
      'GET',
      '/ui/notification-settings',
    )
    assert.equal(kinds.find(({ kind }) => kind === 'deleted')?.email, 'off')
    const oneClick = /<(.+\/unsubscribe\?token=.+)>/.exec(mail.raw.replaceAll(/\r\n\s/g, ''))?.[1]
    await page.goto(oneClick ?? '')
    await page.getByText('e-mails of the kind "Deleted"').waitFor()
  })
})
