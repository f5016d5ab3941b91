import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortByDate, sortByName, sortRows } from './sort-rows.ts'

const KEYS = [
  sortByDate('used', 'Last used', ({ at }: { at: string | null; count: number }) => at),
  {
    name: 'count',
    titles: ['Count', 'Fewest first', 'Most first'] as const,
    getValue: ({ count }: { at: string | null; count: number }) => count,
  },
]

const ROWS = [
  { at: '2026-02-01T00:00:00Z', count: 10 },
  { at: null, count: 9 },
  { at: '2026-01-01T00:00:00Z', count: 9 },
]

const sort = (by: string): number[] => sortRows(ROWS, KEYS, by).map((row) => ROWS.indexOf(row))

test('what was never used comes first, or last in the other direction', () => {
  assert.deepEqual(sort('used'), [1, 2, 0])
  assert.deepEqual(sort('-used'), [0, 2, 1])
})

test('numbers are compared as numbers, and equal rows keep their order', () => {
  assert.deepEqual(sort('count'), [1, 2, 0])
  assert.deepEqual(sort('-count'), [0, 1, 2])
})

test('names are compared as people do', () => {
  const rows = ['b', 'Ä', 'a']
  assert.deepEqual(sortRows(rows, [sortByName((one) => one)], 'name'), ['a', 'Ä', 'b'])
})

test('an unknown order changes nothing', () => {
  for (const by of ['', 'other', '--used']) assert.deepEqual(sort(by), [0, 1, 2])
})
