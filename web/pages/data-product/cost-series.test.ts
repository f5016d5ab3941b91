import assert from 'node:assert/strict'
import test from 'node:test'
import { listCostMonths, moneyText, sumByCurrency, type ProductCost } from './cost-series.ts'

const MONTHS = ['2026-10', '2026-11']

function newCost(amount: number, more: Partial<ProductCost> = {}): ProductCost {
  return { dataProductId: 'p', name: 'Cost', amount, currency: 'EUR', ...more }
}

test('sumByCurrency › adds costs of the same month and category exactly', () => {
  const compute = { category: 'Compute', yearMonth: '2026-11' }
  const costs = [newCost(0.1, compute), newCost(0.2, compute), newCost(5, { yearMonth: '2026-10' })]
  assert.deepEqual(sumByCurrency(costs, MONTHS), [
    {
      currency: 'EUR',
      series: [
        { name: 'No category', values: [5, 0] },
        { name: 'Compute', values: [0, 0.3] },
      ],
      total: 5.3,
      latest: 0.3,
    },
  ])
})

test('sumByCurrency › counts a cost without a month in every month', () => {
  const [euros] = sumByCurrency([newCost(10), newCost(2, { yearMonth: null })], MONTHS)
  assert.deepEqual(euros?.series[0]?.values, [12, 12])
  assert.equal(euros?.total, 24)
})

test('sumByCurrency › never adds currencies to each other', () => {
  const costs = [newCost(1, { currency: 'USD' }), newCost(2), newCost(4, { currency: 'eur' })]
  const sums = sumByCurrency(costs, MONTHS)
  assert.deepEqual(
    sums.map(({ currency, latest }) => [currency, latest]),
    [
      ['EUR', 6],
      ['USD', 1],
    ],
  )
})

test('sumByCurrency › leaves out other months, and joins categories without a color', () => {
  const old = sumByCurrency([newCost(1, { yearMonth: '2024-01' })], MONTHS)
  assert.equal(old[0]?.total, 0)
  const many = Array.from({ length: 9 }, (_, at) => newCost(at + 1, { category: `C${at}` }))
  const [euros] = sumByCurrency(many, MONTHS)
  assert.equal(euros?.series.length, 6)
  assert.deepEqual(euros?.series.at(-1), { name: 'Others', values: [10, 10] })
})

test('listCostMonths › ends with the current month in UTC', () => {
  const months = listCostMonths(Date.UTC(2026, 10, 30, 23, 59))
  assert.deepEqual([months.length, months[0], months.at(-1)], [13, '2025-11', '2026-11'])
})

test('moneyText › formats currencies of ISO 4217 and others', () => {
  assert.equal(moneyText('EUR')(1234.5), '€1,234.50')
  assert.equal(moneyText('JPY')(1234), '¥1,234')
  assert.equal(moneyText('credits')(1234.5), '1,234.5 credits')
  assert.equal(moneyText('XYZ')(1).includes('XYZ'), true)
})
