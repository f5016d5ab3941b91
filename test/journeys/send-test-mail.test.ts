/** The operator checks the mail server. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailServer } from '../mail-server.ts'
import { runProduct } from '../process.ts'

test('send-test-mail › sends a message without a database, or prints in one line why not', async (t) => {
  const server = await startMailServer()
  t.after(() => server.close())
  const environment = {
    PORTBOOK_SMTP_URL: `smtp://127.0.0.1:${server.settings.port}`,
    PORTBOOK_SMTP_TLS: 'none',
    PORTBOOK_MAIL_FROM: 'Portbook <portbook@rail.example>',
  }
  const accepted = await runProduct(environment, ['send-test-mail', 'ada@rail.example'])
  assert.equal(accepted.code, 0, accepted.stderr)
  assert.match(accepted.stdout, /accepted a test message to ada@rail\.example\n$/)
  assert.deepEqual(server.recipients, ['ada@rail.example'])
  server.answerRecipient = () => ({ status: 550, text: '5.1.1 unknown person' })
  const rejected = await runProduct(environment, ['send-test-mail', 'eve@rail.example'])
  assert.equal(rejected.code, 1)
  assert.match(
    rejected.stderr,
    /^portbook: .+rejected the recipient \(550 5\.1\.1\).+unknown person.*\n$/,
  )
  const off = await runProduct({}, ['send-test-mail', 'ada@rail.example'])
  assert.equal(off.code, 1)
  assert.match(off.stderr, /^portbook: set PORTBOOK_SMTP_URL and PORTBOOK_MAIL_FROM.*\n$/)
})
