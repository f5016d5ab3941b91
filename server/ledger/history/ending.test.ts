import assert from 'node:assert/strict'
import test from 'node:test'
import { isEnding, readEnding } from './ending.ts'

const NONE = { status: null, endOfSupport: null, endOfLife: null }

test('readEnding › reads statuses that end, and the flag', () => {
  assert.deepEqual(readEnding({}, undefined), NONE)
  assert.deepEqual(readEnding({ deprecated: 'true' }, 'active'), NONE)
  assert.equal(readEnding({}, 'End of Life').status, 'End of Life')
  assert.equal(readEnding({ deprecated: true }, 'active').status, 'deprecated')
  assert.equal(readEnding({ deprecated: true }, 'retired').status, 'retired')
})

test('readEnding › reads dates of custom properties and service levels, however they are written', () => {
  const dates = { ...NONE, endOfSupport: '2029-12-31', endOfLife: '2030-06-30' }
  const custom = { end_of_support: '2029-12-31', 'End of life': ' 2030-06-30 ' }
  assert.deepEqual(readEnding({ custom }, undefined), dates)
  const properties = Object.entries(custom).map(([property, value]) => ({ property, value }))
  assert.deepEqual(readEnding({ customProperties: properties }, undefined), dates)
  assert.deepEqual(readEnding({ slaProperties: properties }, undefined), dates)
  const ofElements = properties.map((property) => ({ ...property, element: 'orders' }))
  assert.deepEqual(readEnding({ slaProperties: ofElements }, undefined), NONE)
})

test('readEnding › ignores values of other types, and clips long texts', () => {
  for (const value of [null, 2030, true, '', ' ', [], {}]) {
    assert.deepEqual(readEnding({ customProperties: [{ property: 'endOfLife', value }] }, ''), NONE)
  }
  assert.deepEqual(readEnding({ customProperties: 'x', custom: ['endOfLife'] }, ''), NONE)
  const long = readEnding({ custom: { endOfLife: 'x'.repeat(1000) } }, '')
  assert.equal(long.endOfLife?.length, 40)
  assert.deepEqual([isEnding(long), isEnding(NONE)], [true, false])
})
