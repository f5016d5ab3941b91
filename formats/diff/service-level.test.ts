import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../text/value.ts'
import type { Verdict } from './model-changes.ts'
import { compareServiceLevels, type ServicePromise } from './service-level.ts'

function compare(
  property: string,
  before: Value | ServicePromise,
  after: Value | ServicePromise,
): Verdict {
  return compareServiceLevels(property, toServiceLevel(before), toServiceLevel(after))
}

function toServiceLevel(one: Value | ServicePromise): ServicePromise {
  const isPromised = typeof one === 'object' && one !== null && 'value' in one
  return isPromised ? { ...one, value: one.value } : { value: one }
}

test('compareServiceLevels › a higher availability and a lower latency promise more', () => {
  for (const property of ['availability', 'generalAvailability', 'retention', 'throughput']) {
    assert.equal(compare(property, 90, 95), 'narrower', property)
    assert.equal(compare(property, 95, 90), 'wider', property)
  }
  for (const property of ['latency', 'Time To Repair', 'support_response_time', 'errorRate']) {
    assert.equal(compare(property, 95, 90), 'narrower', property)
    assert.equal(compare(property, 90, 95), 'wider', property)
  }
})

test('compareServiceLevels › the same amount in another unit is the same', () => {
  assert.equal(compare('latency', { value: 1, unit: 'd' }, { value: 24, unit: 'h' }), 'same')
  assert.equal(compare('latency', { value: 1, unit: 'd' }, { value: 25, unit: 'h' }), 'wider')
  assert.equal(compare('retention', '1y', 'unlimited'), 'narrower')
  assert.equal(compare('retention', 'forever', 'unlimited'), 'same')
})

test('compareServiceLevels › a percentage needs no unit if only a percentage is possible', () => {
  assert.equal(compare('availability', '99.9%', 99.9), 'same')
  assert.equal(compare('availability', '99.9%', 99), 'wider')
  assert.equal(compare('retention', '99.9%', 99.9), 'different')
})

test('compareServiceLevels › a value that cannot be parsed may be less than before', () => {
  assert.equal(compare('latency', 'soon', 'sooner'), 'different')
  assert.equal(compare('latency', { value: 1, unit: 'd' }, { value: 1, unit: 'rows' }), 'different')
  assert.equal(compare('unheard-of', 1, 2), 'different')
  assert.equal(compare('unheard-of', 1, 1), 'same')
})

const range = (value: number, valueExt: number) => ({ value, valueExt, unit: 'h' })

test('compareServiceLevels › ranges with different upper ends cannot be ordered', () => {
  assert.equal(compare('latency', range(1, 5), range(1, 5)), 'same')
  assert.equal(compare('latency', range(1, 5), range(1, 4)), 'different')
  assert.equal(compare('latency', range(2, 5), range(1, 5)), 'narrower')
})

test('compareServiceLevels › an earlier day of availability is better', () => {
  assert.equal(compare('generalAvailability', '2026-02-01', '2026-01-01'), 'narrower')
  assert.equal(compare('endOfSupport', '2026-02-01', '2026-01-01'), 'wider')
})

test('compareServiceLevels › faster ways of delivery are better', () => {
  assert.equal(compare('frequencytype', 'batch', 'streaming'), 'narrower')
  assert.equal(compare('frequencytype', 'streaming', 'micro-batching'), 'wider')
  assert.equal(compare('frequencytype', 'batch', 'by hand'), 'different')
})
