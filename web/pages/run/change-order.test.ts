import assert from 'node:assert/strict'
import test from 'node:test'
import { getPath, sortByPath } from './change-order.ts'

const change = (
  assetId: string,
  pathAfter: string[] | null,
  pathBefore: string[] | null = null,
) => ({
  assetId,
  action: 'updated' as const,
  heldBecause: null,
  pathAfter,
  pathBefore,
  versionBefore: 1,
  versionAfter: 2,
})

test('sortByPath › sorts by path, numbers by their value', () => {
  const sorted = sortByPath([
    change('a', ['shop', 't_22']),
    change('b', ['shop', 't_3']),
    change('c', null, ['shop', 'order_items']),
    change('d', null),
  ])
  assert.deepEqual(sorted.map(getPath), ['d', 'shop.order_items', 'shop.t_3', 'shop.t_22'])
})
