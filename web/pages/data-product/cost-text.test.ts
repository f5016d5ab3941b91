import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductCost } from './cost-series.ts'
import { describeAmount, describeMonth, sortCosts, toNewCost } from './cost-text.ts'

function newCost(name: string, yearMonth: string | null): ProductCost {
  return { dataProductId: 'p', name, amount: 1, currency: 'EUR', yearMonth }
}

test('costs › show the amount with any currency', () => {
  const cost = newCost('Compute', null)
  assert.equal(describeAmount({ ...cost, amount: 1240.75, currency: 'eur' }), '€1,240.75')
  assert.equal(describeAmount({ ...cost, amount: -3, currency: 'credits' }), '-3 CREDITS')
})

test('costs › show the month, or that they recur every month', () => {
  assert.equal(describeMonth({ yearMonth: '2026-03' }), 'Mar 2026')
  assert.equal(describeMonth({ yearMonth: null }), 'Every month')
})

test('costs › that recur every month come first, then the newest month', () => {
  const costs = [newCost('b', '2025-12'), newCost('c', '2026-02'), newCost('a', null)]
  const more = [...costs, newCost('a', '2026-02')]
  assert.deepEqual(
    sortCosts(more).map(({ name, yearMonth }) => `${name} ${yearMonth}`),
    ['a null', 'a 2026-02', 'c 2026-02', 'b 2025-12'],
  )
})

test('costs › leave out the fields that the form leaves empty', () => {
  const draft = { name: 'Compute', amount: '12.50', currency: 'EUR' }
  const empty = { yearMonth: '', category: '', description: '', estimated: false }
  const cost = { dataProductId: 'p', name: 'Compute', amount: 12.5, currency: 'EUR' }
  assert.deepEqual(toNewCost({ ...draft, ...empty }, 'p'), cost)
  const full = { yearMonth: '2026-01', category: 'x', description: 'y', estimated: true }
  assert.deepEqual(toNewCost({ ...draft, ...full }, 'p'), { ...cost, ...full })
})
