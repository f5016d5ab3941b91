import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitBySize } from './batches.ts'

const split = (sizes: number[]): number[][] => splitBySize(sizes, 10, (size) => size)

test('splitBySize › fills batches up to the maximum, in order, and gives a larger item its own batch', () => {
  assert.deepEqual(split([]), [])
  assert.deepEqual(split([4, 6, 1, 11, 2]), [[4, 6], [1], [11], [2]])
})
