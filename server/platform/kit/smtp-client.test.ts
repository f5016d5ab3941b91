/** The client of mail servers, on a real one. */

import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { LOCALHOST_CERTIFICATE } from '../../../test/certificate.ts'
import { startMailServer, type MailServer } from '../../../test/mail-server.ts'
import { MailFailure, newMailClient, type Mail, type MailClient } from './smtp-client.ts'

const MAIL: Mail = {
  to: 'nora@rail.example',
  subject: 'A contract changes',
  text: 'One sentence.\n',
  html: '<p>One sentence.</p>',
  id: 'delivery-1',
  headers: { 'List-Unsubscribe': '<https://portbook.test/unsubscribe?token=abc>' },
}

type ServerOptions = Parameters<typeof startMailServer>[0]

async function serve(t: TestContext, options?: ServerOptions): Promise<MailServer> {
  const server = await startMailServer(options)
  t.after(() => server.close())
  return server
}

function connect(
  t: TestContext,
  settings: MailServer['settings'],
  limits: Parameters<typeof newMailClient>[1] = {},
  authorities?: readonly string[],
): MailClient {
  const client = newMailClient(settings, limits, authorities)
  t.after(() => client.close())
  return client
}

async function assertFails(
  sending: Promise<void>,
  isPermanent: boolean,
  message: RegExp,
): Promise<void> {
  await assert.rejects(sending, (error) => {
    assert.ok(error instanceof MailFailure, String(error))
    assert.match(error.message, message)
    assert.equal(error.isPermanent, isPermanent, error.message)
    return true
  })
}

test('MailClient › sends a text and an HTML part with the headers of an automatic message', async (t) => {
  const server = await serve(t)
  await connect(t, server.settings).send(MAIL)
  const [mail] = server.mails
  assert.ok(mail !== undefined && server.mails.length === 1)
  const { message } = mail
  assert.equal(mail.to, MAIL.to)
  assert.equal(message.subject, MAIL.subject)
  assert.equal(message.text, MAIL.text)
  assert.equal(message.html, MAIL.html)
  assert.equal(message.messageId, '<delivery-1@rail.example>')
  assert.equal(message.from?.text, '"Rail catalog" <catalog@rail.example>')
  assert.equal(message.headers.get('auto-submitted'), 'auto-generated')
  assert.match(
    mail.raw,
    /^List-Unsubscribe: <https:\/\/portbook\.test\/unsubscribe\?token=abc>\r$/m,
  )
  assert.match(mail.raw, /^Content-Type: multipart\/alternative/m)
})

test('MailClient › encrypts with STARTTLS or TLS, verifies the certificate, and signs in', async (t) => {
  const certificate = LOCALHOST_CERTIFICATE
  const account = { user: 'portbook', password: 'canary of the mail server' }
  for (const isImplicitTls of [false, true]) {
    const server = await serve(t, { certificate, account, isImplicitTls })
    const { settings } = server
    await connect(t, settings, {}, [certificate.cert]).send(MAIL)
    assert.partialDeepStrictEqual(server.mails, [{ isSecure: true, user: 'portbook' }])
    await assertFails(connect(t, settings).send(MAIL), false, /cannot be encrypted or verified/)
    const named = { ...settings, host: '127.0.0.1' }
    const unnamed = connect(t, named, {}, [certificate.cert])
    await assertFails(unnamed.send(MAIL), false, /cannot be encrypted or verified/)
    await connect(t, { ...named, tls: 'unverified' }).send(MAIL)
    assert.equal(server.mails.length, 2)
  }
})

test('MailClient › does not send to a server without STARTTLS unless TLS is none', async (t) => {
  const account = { user: 'portbook', password: 'canary of the mail server' }
  const server = await serve(t, { account })
  for (const tls of ['verified', 'unverified'] as const) {
    const client = connect(t, { ...server.settings, tls })
    await assertFails(client.send(MAIL), false, /cannot be encrypted or verified/)
  }
  assert.deepEqual([server.recipients, server.mails], [[], []])
})

test('MailClient › a wrong password is temporary, because it is not the fault of the message', async (t) => {
  const server = await serve(t, { account: { user: 'portbook', password: 'right' } })
  const client = connect(t, { ...server.settings, password: 'canary' })
  await assertFails(client.send(MAIL), false, /rejected the user or the password/)
})

test('MailClient › distinguishes deferred and rejected recipients and messages', async (t) => {
  const server = await serve(t)
  const client = connect(t, server.settings)
  const rows = [
    [
      'answerRecipient',
      451,
      '4.7.1 greylisted canary',
      false,
      /deferred the recipient \(451 4\.7\.1\)/,
    ],
    ['answerRecipient', 550, '5.1.1 no canary', true, /rejected the recipient \(550 5\.1\.1\)/],
    ['answerMessage', 452, 'full canary', false, /deferred the message \(452/],
    ['answerMessage', 554, '5.7.1 spam canary', true, /rejected the message \(554 5\.7\.1\)/],
  ] as const
  for (const [when, status, text, isPermanent, message] of rows) {
    server[when] = () => ({ status, text })
    const failure = await client.send(MAIL).catch((error: unknown) => error)
    assert.ok(failure instanceof MailFailure)
    assert.doesNotMatch(failure.message, /canary/)
    await assertFails(client.send(MAIL), isPermanent, message)
    server[when] = () => undefined
  }
  await client.send(MAIL)
  assert.equal(server.mails.length, 1)
})

test('MailClient › fails in time if the server hangs, and ends the attempt', async (t) => {
  const server = await serve(t)
  server.answerMessage = () => 'hang'
  const byIdle = connect(t, server.settings, { idleTimeoutMs: 50 })
  await assertFails(byIdle.send(MAIL), false, /did not answer in time/)
  const byTotal = connect(t, server.settings, { totalTimeoutMs: 150 })
  await assertFails(byTotal.send(MAIL), false, /did not answer in time/)
  const silent = await serve(t, { isSilent: true })
  const byGreeting = connect(t, silent.settings, { connectTimeoutMs: 50 })
  await assertFails(byGreeting.send(MAIL), false, /did not answer in time/)
})

test('MailClient › a connection that ends or is rejected is temporary', async (t) => {
  const server = await serve(t)
  const client = connect(t, server.settings)
  server.answerMessage = () => 'drop'
  await assertFails(client.send(MAIL), false, /failed|closed/)
  server.answerMessage = () => undefined
  await client.send(MAIL)
  const { port } = server.settings
  await assertFails(
    connect(t, { ...server.settings, host: 'mail.invalid' }).send(MAIL),
    false,
    /host name of mail\.invalid/,
  )
  await server.close()
  const closed = connect(t, server.settings)
  await assertFails(closed.send(MAIL), false, new RegExp(`Nothing listens at 127.0.0.1:${port}`))
  const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  t.after(() => web.close())
  await once(web.listen(0, '127.0.0.1'), 'listening')
  const webPort = (web.address() as AddressInfo).port
  await assertFails(
    connect(t, { ...server.settings, port: webPort }).send(MAIL),
    false,
    /mail server/,
  )
})

test('MailClient › rejects further messages while too many are waiting, and after it was closed', async (t) => {
  const server = await serve(t)
  server.answerMessage = () => 'hang'
  const client = connect(t, server.settings, { pendingMax: 2, totalTimeoutMs: 500 })
  const waiting = [client.send(MAIL), client.send(MAIL)]
  await assertFails(client.send(MAIL), false, /too many messages are waiting/)
  client.close()
  for (const sending of waiting) await assert.rejects(sending, MailFailure)
  await assertFails(client.send(MAIL), false, /is stopping/)
})

test('MailClient › line breaks and controls in a subject or an address add no header and no recipient', async (t) => {
  const server = await serve(t)
  const client = connect(t, server.settings)
  await client.send({ ...MAIL, subject: 'a\r\nBcc: eve@rail.example\r\n\r\nbody\n.\u0000' })
  const [mail] = server.mails
  assert.equal(mail?.message.bcc, undefined)
  assert.deepEqual(server.recipients, [MAIL.to])
  assert.ok(mail?.message.subject?.startsWith('a'))
  for (const to of ['nora@rail.example\r\nRCPT TO:<eve@rail.example>', 'a@b>, <eve@rail.example']) {
    await assertFails(client.send({ ...MAIL, to }), true, /address of the recipient/)
  }
  assert.ok(!server.recipients.includes('eve@rail.example'))
  await assert.rejects(client.send({ ...MAIL, headers: { 'List-Unsubscribe': 'a\r\nBcc: x' } }))
})
