import assert from 'node:assert/strict'
import test from 'node:test'
import { waitMsOf } from './transport.ts'

test('waitMsOf › reads seconds and dates, and nothing else', () => {
  const now = Date.UTC(2026, 6, 1, 12)
  assert.equal(waitMsOf('0', now), 0)
  assert.equal(waitMsOf('120', now), 120_000)
  assert.equal(waitMsOf('Wed, 01 Jul 2026 12:00:30 GMT', now), 30_000)
  assert.equal(waitMsOf('Wed, 01 Jul 2026 11:00:00 GMT', now), 0)
  for (const text of [undefined, '', 'soon', '-5 s', '99999999999999']) {
    assert.equal(waitMsOf(text, now), undefined, String(text))
  }
})
