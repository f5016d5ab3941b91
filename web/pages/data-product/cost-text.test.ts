import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAmount, formatMonth, sortCosts, toNewCost, type Cost } from './cost-text.ts'

function newCost(name: string, yearMonth: string | null): Cost {
  return { dataProductId: 'p', name, amount: 1, currency: 'EUR', yearMonth }
}

test('costs › show the amount with any currency', () => {
  assert.equal(formatAmount({ amount: 1240.75, currency: 'EUR' }), '1,240.75 EUR')
  assert.equal(formatAmount({ amount: -3, currency: 'credits' }), '-3.00 credits')
})

test('costs › show the month, or that they are of every month', () => {
  assert.equal(formatMonth({ yearMonth: '2026-03' }), 'Mar 2026')
  assert.equal(formatMonth({ yearMonth: null }), 'Every month')
})

test('costs › of every month come first, then the newest month', () => {
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
