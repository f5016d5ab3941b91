import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getRetryDelayMs } from './delivery.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('getRetryDelayMs', () => {
  test('grows from seconds to six hours', () => {
    const delays = Array.from({ length: 9 }, (_, at) => getRetryDelayMs(at + 1, undefined, 0))
    assert.deepEqual(delays, [
      5 * SECOND,
      30 * SECOND,
      2 * MINUTE,
      10 * MINUTE,
      HOUR,
      3 * HOUR,
      6 * HOUR,
      6 * HOUR,
      6 * HOUR,
    ])
  })

  test('is at most a fifth longer', () => {
    assert.equal(getRetryDelayMs(1, undefined, 0.5), 5500)
    assert.ok(getRetryDelayMs(1, undefined, 0.999) < 6000)
  })

  test('is at least what the receiver asked for, up to a day', () => {
    assert.equal(getRetryDelayMs(1, MINUTE, 0), MINUTE)
    assert.equal(getRetryDelayMs(3, MINUTE, 0), 2 * MINUTE)
    assert.equal(getRetryDelayMs(1, 48 * HOUR, 0), 24 * HOUR)
  })
})
