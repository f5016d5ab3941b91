import assert from 'node:assert/strict'
import test from 'node:test'
import { splitIntoDays } from './activity-days.ts'

const now = new Date(2026, 10, 2, 9, 30)
const at = (day: number, hour: number, minute = 0): { minute: string } => ({
  minute: new Date(2026, 10, day, hour, minute).toISOString(),
})

test("splitIntoDays › uses the reader's days, across the end of a month", () => {
  const days = splitIntoDays([at(2, 9), at(2, 0, 1), at(1, 23, 59), at(0, 12)], now)
  assert.deepEqual(
    days.map(({ title, groups }) => [title, groups.length]),
    [
      ['Today', 2],
      ['Yesterday', 1],
      ['Saturday 31 October', 1],
    ],
  )
})

test('splitIntoDays › adds the year when it is not the current one', () => {
  const [day] = splitIntoDays([{ minute: new Date(2025, 4, 6, 12).toISOString() }], now)
  assert.equal(day?.title, 'Tuesday 6 May 2025')
})

test('splitIntoDays › returns no days for no groups', () => {
  assert.deepEqual(splitIntoDays([], now), [])
})
