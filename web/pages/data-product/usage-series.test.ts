import assert from 'node:assert/strict'
import test from 'node:test'
import { nameConsumer, toQuerySeries, toReaderSeries, type ProductUsage } from './usage-series.ts'

function newConsumer(user: string, queries: readonly [string, number][]) {
  return {
    user,
    role: null,
    accessId: null,
    queries: queries.reduce((sum, [, count]) => sum + count, 0),
    rows: 0,
    lastUsedOn: '2026-11-01',
    months: queries.map(([yearMonth, count]) => ({ yearMonth, queries: count, rows: 0 })),
  }
}

function newUsage(more: Partial<ProductUsage>): ProductUsage {
  return {
    since: '2026-09',
    until: '2026-11',
    months: [
      { yearMonth: '2026-09', queries: 10, rows: 0, readers: 3 },
      { yearMonth: '2026-11', queries: 4, rows: 0, readers: 1 },
    ],
    consumers: [
      newConsumer('ada', [
        ['2026-09', 6],
        ['2026-11', 4],
      ]),
      newConsumer('jo', [['2026-09', 4]]),
    ],
    consumerCount: 2,
    outputPorts: [],
    ...more,
  }
}

test('toQuerySeries › has a series for each consumer, with zero in months without usage', () => {
  assert.deepEqual(toQuerySeries(newUsage({})), [
    { name: 'ada', values: [6, 0, 4] },
    { name: 'jo', values: [4, 0, 0] },
  ])
})

test('toQuerySeries › joins the consumers that do not get a color', () => {
  const consumers = Array.from({ length: 9 }, (_, at) => newConsumer(`u${at}`, [['2026-09', 1]]))
  const series = toQuerySeries(newUsage({ consumers, consumerCount: 9 }))
  assert.equal(series.length, 7)
  assert.deepEqual(series.at(-1), { name: 'All others', values: [4, 0, 4] })
})

test('toReaderSeries › has the readers of each month', () => {
  assert.deepEqual(toReaderSeries(newUsage({})), [{ name: 'Readers', values: [3, 0, 1] }])
})

test('nameConsumer › uses the user and the role, else the access', () => {
  assert.equal(nameConsumer({ user: 'ada', role: 'analyst', accessId: 'x' }), 'ada · analyst')
  assert.equal(nameConsumer({ user: null, role: 'etl', accessId: 'x' }), 'etl')
  assert.equal(nameConsumer({ user: null, role: null, accessId: 'x' }), 'Access x')
  assert.equal(nameConsumer({ user: null, role: null, accessId: null }), 'Unknown')
})
