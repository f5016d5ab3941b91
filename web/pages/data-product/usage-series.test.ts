import assert from 'node:assert/strict'
import test from 'node:test'
import {
  describeReported,
  groupConsumers,
  toQuerySeries,
  toReaderSeries,
  type ProductUsage,
} from './usage-series.ts'

function newConsumer(user: string, queries: readonly [string, number][]) {
  return {
    user,
    role: null,
    accessId: null,
    consumer: { kind: 'user' as const, id: user, name: user },
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
  assert.equal(series.length, 6)
  assert.deepEqual(series.at(-1), { name: 'Others', values: [5, 0, 4] })
})

test('toReaderSeries › has the users of each month', () => {
  assert.deepEqual(toReaderSeries(newUsage({})), [{ name: 'Users', values: [3, 0, 1] }])
})

test('groupConsumers › joins the users of one consumer, and those that match nothing', () => {
  const team = { kind: 'team' as const, id: 'b', name: 'Team B' }
  const consumers = [
    { ...newConsumer('svc_a', [['2026-09', 1]]), consumer: team },
    { ...newConsumer('svc_x', [['2026-09', 2]]), consumer: null },
    { ...newConsumer('svc_b', [['2026-09', 4]]), consumer: team, lastUsedOn: '2026-11-09' },
    { ...newConsumer('svc_y', [['2026-09', 2]]), consumer: null },
  ]
  assert.deepEqual(
    groupConsumers(consumers).map(({ name, queries, lastUsedOn, members }) => [
      name,
      queries,
      lastUsedOn,
      members.map(describeReported),
    ]),
    [
      ['Team B', 5, '2026-11-09', ['svc_a', 'svc_b']],
      ['Not matched to an agreement', 4, '2026-11-01', ['svc_x', 'svc_y']],
    ],
  )
})

test('describeReported › shows the user and the role, or that neither was reported', () => {
  assert.equal(describeReported({ user: 'ada', role: 'analyst' }), 'ada · analyst')
  assert.equal(describeReported({ user: null, role: 'etl' }), 'etl')
  assert.equal(describeReported({ user: null, role: null }), 'no user or role reported')
})
