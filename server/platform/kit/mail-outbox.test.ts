import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { eventually } from '../../../test/eventually.ts'
import { newMailOutbox, type MailOutbox } from './mail-outbox.ts'
import { MailFailure, type Mail, type MailClient } from './smtp-client.ts'

const MAIL: Mail = { to: 'a@b.example', subject: 's', text: 'canary', html: 'canary', id: 'x' }
const ABOUT = { organizationId: 'one', mail: 'x' }
const LATER = new MailFailure('later', { isPermanent: false })
const NEVER = new MailFailure('never', { isPermanent: true })

interface Scripted {
  outbox: MailOutbox
  attempts: Mail[]
  lines: string[]
}

/** Creates an outbox whose attempts fail with the given errors, one after the other. */
function script(failures: readonly unknown[], delaysMs: readonly number[] = [1, 1]): Scripted {
  const attempts: Mail[] = []
  const lines: string[] = []
  const client: MailClient = {
    async send(mail) {
      const failure = failures[attempts.length]
      attempts.push(mail)
      if (failure !== undefined) throw failure
    },
    close() {},
  }
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  return { outbox: newMailOutbox(client, log, delaysMs), attempts, lines }
}

async function untilLogged(lines: readonly string[], text: string): Promise<void> {
  await eventually(2000, async () => lines.some((line) => line.includes(text)), text)
}

test('MailOutbox › repeats a temporary failure, with the same message', async () => {
  const { outbox, attempts, lines } = script([LATER, LATER])
  assert.equal(outbox.post(MAIL, ABOUT), true)
  await untilLogged(lines, 'was sent')
  assert.deepEqual(attempts, [MAIL, MAIL, MAIL])
  assert.doesNotMatch(lines.join(''), /canary/)
})

test('MailOutbox › gives up after a permanent failure, an unexpected error, or the last delay', async () => {
  for (const [failures, count] of [
    [[NEVER], 1],
    [[new Error('canary')], 1],
    [[LATER, LATER, LATER, LATER], 3],
  ] as const) {
    const { outbox, attempts, lines } = script(failures)
    outbox.post(MAIL, ABOUT)
    await untilLogged(lines, 'could not be sent"')
    assert.equal(attempts.length, count)
    assert.doesNotMatch(lines.join(''), /canary/)
  }
})

test('MailOutbox › organizations take turns at the mail server', async () => {
  const sent: string[] = []
  const ends: (() => void)[] = []
  const client: MailClient = {
    async send({ id }) {
      sent.push(id)
      await new Promise<void>((done) => ends.push(done))
    },
    close() {},
  }
  const outbox = newMailOutbox(client, pino({ level: 'silent' }))
  for (const id of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2']) {
    outbox.post({ ...MAIL, id }, { organizationId: id.slice(0, 1), mail: id })
  }
  await eventually(2000, async () => ends.length === 3, 'all connections are used')
  while (sent.length < 7 || ends.length > 0) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  assert.deepEqual(sent, ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5'])
  outbox.stop()
})

test('MailOutbox › one organization leaves places to others, and none is sent after it was stopped', async () => {
  const { outbox, attempts, lines } = script(
    Array.from({ length: 400 }, () => LATER),
    [60_000],
  )
  const post = (organizationId: string, count: number): number =>
    Array.from({ length: count }, () => outbox.post(MAIL, { organizationId, mail: 'x' })).filter(
      Boolean,
    ).length
  assert.equal(post('one', 300), 100)
  assert.equal(post('other', 1), 1)
  assert.equal(post('other', 300), 49)
  assert.equal(post('third', 1), 1)
  await untilLogged(lines, 'too many are waiting')
  await eventually(2000, async () => attempts.length === 151, 'each is attempted once')
  outbox.stop()
})
