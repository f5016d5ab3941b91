import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listProblems } from '../test/config-problems.ts'
import { readConfig } from './platform/config.ts'

const MAIL = {
  PORTBOOK_SMTP_URL: 'smtp://mail.example',
  PORTBOOK_MAIL_FROM: 'portbook@rail.example',
}

function readMail(url: string) {
  return readConfig({ ...MAIL, PORTBOOK_SMTP_URL: url }).mail
}

test('readConfig › reads the user, the password and the usual port of the URL of a mail server', () => {
  const expected = { user: 'p@rail', password: 'a/b:c', tls: 'verified' }
  const smtp = readMail('smtp://p%40rail:a%2Fb:c@MAIL.example')
  assert.partialDeepStrictEqual(smtp, { ...expected, port: 587, isImplicitTls: false })
  const smtps = readMail('smtps://p%40rail:a%2Fb:c@[2001:db8::1]')
  assert.partialDeepStrictEqual(smtps, { ...expected, host: '2001:db8::1', port: 465 })
  assert.equal(smtps?.isImplicitTls, true)
})

test('readConfig › rejects settings of e-mail that do not fit together', () => {
  const { PORTBOOK_SMTP_URL: url, PORTBOOK_MAIL_FROM: from } = MAIL
  const rows: readonly [NodeJS.ProcessEnv, RegExp][] = [
    [{ PORTBOOK_SMTP_URL: url }, /^PORTBOOK_MAIL_FROM must also be set/],
    [{ PORTBOOK_MAIL_FROM: from }, /^PORTBOOK_MAIL_FROM also needs PORTBOOK_SMTP_URL$/],
    [{ ...MAIL, PORTBOOK_SMTP_USER: 'a' }, /must both be set, or neither$/],
    [{ ...MAIL, PORTBOOK_SMTP_PASSWORD: 'a' }, /must both be set, or neither$/],
    [
      { ...MAIL, PORTBOOK_SMTP_URL: 'smtps://mail.example', PORTBOOK_SMTP_TLS: 'none' },
      /but the URL begins with smtps/,
    ],
    [
      { ...MAIL, PORTBOOK_SMTP_URL: 'smtp://a:canary@mail.example', PORTBOOK_SMTP_TLS: 'none' },
      /in the clear$/,
    ],
  ]
  for (const [environment, problem] of rows) {
    const problems = listProblems(environment)
    assert.equal(problems.length, 1, problems.join('; '))
    assert.match(problems[0] ?? '', problem)
    assert.doesNotMatch(problems[0] ?? '', /canary/)
  }
  const local = { PORTBOOK_SMTP_URL: 'smtp://a:b@localhost:25', PORTBOOK_SMTP_TLS: 'none' }
  assert.equal(readConfig({ ...MAIL, ...local }).mail?.tls, 'none')
})
