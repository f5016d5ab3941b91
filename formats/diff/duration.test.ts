import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExactNumber, type Value } from '../text/value.ts'
import { readMeasure } from './duration.ts'

const DAY = 24 * 60 * 60

function seconds(value: Value, unit?: string): number | undefined {
  const measure = readMeasure(value, unit)
  return measure?.of === 'seconds' ? measure.amount : undefined
}

test('readMeasure › accepts the unit separately or in the text, in any spelling', () => {
  assert.equal(seconds(1, 'd'), DAY)
  assert.equal(seconds(24, ' Hours '), DAY)
  assert.equal(seconds('24', 'HOURS'), DAY)
  assert.equal(seconds('24h'), DAY)
  assert.equal(seconds('1440 minutes', 'years'), DAY)
  assert.equal(seconds('1.5 wk'), 10.5 * DAY)
  assert.equal(seconds(500, 'ms'), 0.5)
})

test('readMeasure › reads `m` as a minute and `mo` as a month; twelve months and four quarters are a year', () => {
  assert.equal(seconds('60m'), 60 * 60)
  assert.equal(seconds('12 mo'), seconds('1 year'))
  assert.equal(seconds('4 quarters'), seconds('1y'))
})

test('readMeasure › reads every part of ISO durations', () => {
  assert.equal(seconds('P1D'), DAY)
  assert.equal(seconds('P1Y'), seconds('1y'))
  assert.equal(seconds('P1M'), seconds('1 month'))
  assert.equal(seconds('PT1M'), 60)
  assert.equal(seconds('P2W'), 14 * DAY)
  assert.equal(seconds('p1dt12h30m5s'), 1.5 * DAY + 30 * 60 + 5)
  assert.equal(seconds('PT0.5S'), 0.5)
  for (const text of ['P', 'PT', 'P1DT', 'P1H', '1D2H', 'P1D1Y']) {
    assert.equal(readMeasure(text, undefined), undefined, text)
  }
})

test('readMeasure › reads words for intervals and for unlimited durations', () => {
  assert.equal(seconds('Daily'), DAY)
  assert.equal(seconds('hourly'), seconds('1h'))
  assert.equal(seconds('weekly'), seconds('7 days'))
  assert.equal(seconds('monthly'), seconds('1 month'))
  for (const word of ['yearly', 'annually']) assert.equal(seconds(word), seconds('P1Y'))
  assert.equal(seconds('quarterly'), seconds('3 months'))
  assert.equal(seconds('unlimited'), Number.POSITIVE_INFINITY)
})

test('readMeasure › reads every notation of a percentage', () => {
  const share = { of: 'percent', amount: 99.9 }
  assert.deepEqual(readMeasure('99.9%', undefined), share)
  assert.deepEqual(readMeasure('99.9 %', undefined), share)
  assert.deepEqual(readMeasure(99.9, 'percent'), share)
})

test('readMeasure › keeps unknown units as separate dimensions', () => {
  assert.deepEqual(readMeasure(5, 'Rows'), { of: 'rows', amount: 5 })
  assert.deepEqual(readMeasure('5 rows', undefined), { of: 'rows', amount: 5 })
  assert.deepEqual(readMeasure(5, undefined), { of: '', amount: 5 })
})

test('readMeasure › reads instants, times of day and flags as separate dimensions', () => {
  const noon = readMeasure('2026-01-01T12:00:00Z', undefined)
  assert.deepEqual(readMeasure('2026-01-01T13:00:00+01:00', undefined), noon)
  assert.equal(noon?.of, 'instant')
  assert.deepEqual(readMeasure('09:30:05', undefined), { of: 'time', amount: 34_205 })
  const zoned = { of: 'time 3600', amount: 1800, utc: 84_600 }
  assert.deepEqual(readMeasure('00:30+01:00', undefined), zoned)
  assert.notEqual(readMeasure('09:30Z', undefined)?.of, readMeasure('09:30', undefined)?.of)
  assert.deepEqual(
    [readMeasure(true, undefined), readMeasure(false, undefined)],
    [
      { of: 'flag', amount: 1 },
      { of: 'flag', amount: 0 },
    ],
  )
})

test('readMeasure › returns undefined for values without an amount', () => {
  const texts = ['', 'soon', '2026-13-45', '1e5', '1 2 days', '--1d', `${'9'.repeat(200)}d`]
  for (const text of texts) assert.equal(readMeasure(text, undefined), undefined, text)
  for (const value of [null, [], {}, new ExactNumber('1.0')]) {
    assert.equal(readMeasure(value, 'd'), undefined)
  }
})
