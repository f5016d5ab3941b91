import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newQuota } from './quota.ts'

test('quota › grants units up to the limit per name and up to the total limit', () => {
  const quota = newQuota({ totalMax: 10, perNameMax: 4 })
  assert.equal(quota.take(['a'], 4), undefined)
  assert.equal(quota.take(['a'], 1), 'name')
  assert.equal(quota.take(['b'], 4), undefined)
  assert.equal(quota.take(['c'], 3), 'total')
  assert.equal(quota.take(['c'], 2), undefined)
  assert.equal(quota.findExceeded(['d']), 'total')
  assert.equal(quota.findExceeded(['a']), 'name')
  assert.equal(quota.inUse, 10)
})

test('quota › takes units under all names or under none', () => {
  const quota = newQuota({ totalMax: 10, perNameMax: 4 })
  assert.equal(quota.take(['key', 'client'], 3), undefined)
  assert.equal(quota.take(['other key', 'client'], 2), 'name')
  assert.equal(quota.take(['other key'], 4), undefined)
  assert.equal(quota.inUse, 7)
})

test('quota › grants released units again', () => {
  const quota = newQuota({ totalMax: 4, perNameMax: 4 })
  assert.equal(quota.take(['a', 'b'], 4), undefined)
  quota.release(['a', 'b'], 1)
  assert.equal(quota.take(['b'], 2), 'name')
  quota.release(['a', 'b'], 3)
  assert.equal(quota.inUse, 0)
  assert.equal(quota.take(['b'], 4), undefined)
})
