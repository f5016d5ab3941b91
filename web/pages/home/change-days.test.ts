import assert from 'node:assert/strict'
import test from 'node:test'
import { daysOf } from './change-days.ts'

const now = new Date(2026, 10, 2, 9, 30)
const at = (day: number, hour: number, minute = 0): { at: string } => ({
  at: new Date(2026, 10, day, hour, minute).toISOString(),
})

test('daysOf › puts changes under the days of the reader, over the end of a month', () => {
  const days = daysOf([at(2, 9), at(2, 0, 1), at(1, 23, 59), at(0, 12)], now)
  assert.deepEqual(
    days.map(({ title, changes }) => [title, changes.length]),
    [
      ['Today', 2],
      ['Yesterday', 1],
      ['Saturday 31 October', 1],
    ],
  )
})

test('daysOf › gives nothing for nothing', () => {
  assert.deepEqual(daysOf([], now), [])
})
