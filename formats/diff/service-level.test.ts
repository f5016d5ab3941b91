import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../text/value.ts'
import type { Verdict } from './model-changes.ts'
import { compareServiceLevels, type Promised } from './service-level.ts'

function compare(property: string, before: Value | Promised, after: Value | Promised): Verdict {
  return compareServiceLevels(property, promised(before), promised(after))
}

function promised(one: Value | Promised): Promised {
  const isPromised = typeof one === 'object' && one !== null && 'value' in one
  return isPromised ? { ...one, value: one.value } : { value: one }
}

test('compareServiceLevels › more of what is good and less of what is bad is a promise more', () => {
  for (const property of ['availability', 'generalAvailability', 'retention', 'throughput']) {
    assert.equal(compare(property, 90, 95), 'narrower', property)
    assert.equal(compare(property, 95, 90), 'wider', property)
  }
  for (const property of ['latency', 'Time To Repair', 'support_response_time', 'errorRate']) {
    assert.equal(compare(property, 95, 90), 'narrower', property)
    assert.equal(compare(property, 90, 95), 'wider', property)
  }
})

test('compareServiceLevels › another unit of the same amount is equal', () => {
  assert.equal(compare('latency', { value: 1, unit: 'd' }, { value: 24, unit: 'h' }), 'same')
  assert.equal(compare('latency', { value: 1, unit: 'd' }, { value: 25, unit: 'h' }), 'wider')
  assert.equal(compare('retention', '1y', 'unlimited'), 'narrower')
  assert.equal(compare('retention', 'forever', 'unlimited'), 'same')
})

test('compareServiceLevels › a share needs no unit, where only a share can be meant', () => {
  assert.equal(compare('availability', '99.9%', 99.9), 'same')
  assert.equal(compare('availability', '99.9%', 99), 'wider')
  assert.equal(compare('retention', '99.9%', 99.9), 'different')
})

test('compareServiceLevels › what is not understood may be less than before', () => {
  assert.equal(compare('latency', 'soon', 'sooner'), 'different')
  assert.equal(compare('latency', { value: 1, unit: 'd' }, { value: 1, unit: 'rows' }), 'different')
  assert.equal(compare('unheard-of', 1, 2), 'different')
  assert.equal(compare('unheard-of', 1, 1), 'same')
})

const range = (value: number, valueExt: number) => ({ value, valueExt, unit: 'h' })

test('compareServiceLevels › a range whose upper end changed cannot be ordered', () => {
  assert.equal(compare('latency', range(1, 5), range(1, 5)), 'same')
  assert.equal(compare('latency', range(1, 5), range(1, 4)), 'different')
  assert.equal(compare('latency', range(2, 5), range(1, 5)), 'narrower')
})

test('compareServiceLevels › data that is available from an earlier day on is better', () => {
  assert.equal(compare('generalAvailability', '2026-02-01', '2026-01-01'), 'narrower')
  assert.equal(compare('endOfSupport', '2026-02-01', '2026-01-01'), 'wider')
})

test('compareServiceLevels › ways of delivery go from the slowest to the fastest', () => {
  assert.equal(compare('frequencytype', 'batch', 'streaming'), 'narrower')
  assert.equal(compare('frequencytype', 'streaming', 'micro-batching'), 'wider')
  assert.equal(compare('frequencytype', 'batch', 'by hand'), 'different')
})
