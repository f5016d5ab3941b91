import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countKept, mergePeriods } from './kept.ts'

const NOW = Date.parse('2026-06-30T12:00:00Z')

const at = (day: number, time = '10:00:00') => `2026-06-${String(day).padStart(2, '0')}T${time}Z`

describe('countKept', () => {
  const cases: [title: string, periods: [from: string, to: string | null][], days: number][] = [
    ['no incident', [], 30],
    ['one that opened today', [[at(30), null]], 29],
    ['minutes of a day', [[at(10), at(10, '10:05:00')]], 29],
    ['over midnight', [[at(10, '23:59:59'), at(11, '00:00:01')]], 28],
    [
      'two on one day',
      [
        [at(10), at(10)],
        [at(10, '12:00:00'), at(10, '13:00:00')],
      ],
      29,
    ],
    ['before the first day', [['2026-05-20T00:00:00Z', '2026-05-31T23:59:59Z']], 30],
    ['into the first day', [['2026-05-20T00:00:00Z', at(1)]], 29],
    ['always', [['2020-01-01T00:00:00Z', null]], 0],
    ['from a time after now', [['2026-07-02T00:00:00Z', null]], 30],
  ]
  for (const [title, periods, days] of cases) {
    test(`${title} › ${days} days`, () => {
      const list = periods.map(([from, to]) => ({ from, to }))
      assert.deepEqual(countKept(list, NOW), { days, of: 30 })
      assert.deepEqual(countKept(mergePeriods(list, NOW), NOW), { days, of: 30 })
    })
  }
})

test('mergePeriods › a thousand incidents are at most one period a day', () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({
    from: new Date(NOW - n * 3_600_000).toISOString(),
    to: new Date(NOW - n * 3_600_000 + 60_000).toISOString(),
  }))
  assert.ok(mergePeriods(many, NOW).length <= 30)
  assert.deepEqual(countKept(many, NOW), { days: 0, of: 30 })
})
