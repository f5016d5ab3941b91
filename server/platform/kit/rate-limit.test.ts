import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateLimit } from './rate-limit.ts'

test('rateLimit › allows each caller exactly the limit', () => {
  const limit = rateLimit(3, () => 0)
  const allowed = Array.from({ length: 5 }, () => limit('one'))
  assert.deepEqual(
    allowed.map(({ allowed: is, remaining }) => [is, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ],
  )
  assert.deepEqual(limit('other'), { allowed: true, remaining: 2, resetSeconds: 60 })
})

test('rateLimit › resets after a minute, and returns the remaining seconds', () => {
  let nowMs = 1000
  const limit = rateLimit(1, () => nowMs)
  assert.equal(limit('one').resetSeconds, 60)
  nowMs += 59_001
  assert.deepEqual(limit('one'), { allowed: false, remaining: 0, resetSeconds: 1 })
  nowMs += 998
  assert.deepEqual(limit('one'), { allowed: false, remaining: 0, resetSeconds: 1 })
  nowMs += 1
  assert.deepEqual(limit('one'), { allowed: true, remaining: 0, resetSeconds: 60 })
})

test('rateLimit › uses real time by default', () => {
  const limit = rateLimit(1)
  assert.equal(limit('one').allowed, true)
  assert.equal(limit('one').allowed, false)
})
