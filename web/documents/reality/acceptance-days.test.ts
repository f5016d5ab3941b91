import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDayAfter, getEnd, getLastDay } from './acceptance-days.ts'

test('the last day is accepted to its end, also over the ends of months and years', () => {
  for (const day of ['2026-01-31', '2026-02-28', '2026-12-31', '2028-02-29', '2026-03-29']) {
    assert.equal(getLastDay(getEnd(day)), day)
  }
  assert.equal(getDayAfter(1, new Date(2026, 11, 31, 23, 59)), '2027-01-01')
  assert.equal(getDayAfter(1, new Date(2026, 2, 28, 0, 0)), '2026-03-29')
})

test('an end within a day belongs to that day', () => {
  assert.equal(getLastDay(new Date(2026, 5, 10, 15, 30).toISOString()), '2026-06-10')
})
