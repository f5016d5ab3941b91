import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSpan, toTraces, type OtlpSpan } from '../../../test/usage.ts'
import { readTraces } from './otlp.ts'
import { TERMINATOR } from './span.ts'

function read(spans: OtlpSpan[]) {
  return readTraces(JSON.stringify(toTraces('orders', spans, { contract: 'c', port: 'p' })))
}

function split(column: string): string[] {
  return column.split(TERMINATOR).slice(0, -1)
}

test('readTraces › returns the columns of the spans in the order of their ids, and each source once', () => {
  const spans = [
    { ...newSpan({ user: 'ada', role: 'analyst', rows: 3 }), spanId: '01' },
    { ...newSpan({ accessId: 'x' }), spanId: '02' },
  ]
  const { columns, count, productIds, rejectedCount } = read(spans.toReversed())
  assert.deepEqual(
    { count, productIds, rejectedCount },
    { count: 2, productIds: ['orders'], rejectedCount: 0 },
  )
  assert.deepEqual(
    split(columns.spanIds),
    spans.map(({ spanId }) => spanId),
  )
  assert.deepEqual(split(columns.sources), ['1', '1'])
  assert.deepEqual(split(columns.users), ['ada', ''])
  assert.deepEqual(split(columns.roles), ['analyst', ''])
  assert.deepEqual(split(columns.accessIds), ['', 'x'])
  assert.deepEqual(split(columns.rowCounts), ['3', '0'])
  assert.deepEqual(split(columns.ports), ['p', 'p'])
  assert.deepEqual(split(columns.contractIds), ['c', 'c'])
  assert.equal(split(columns.resources).length, 1)
  assert.deepEqual(split(columns.scopeNames), ['tests'])
  assert.deepEqual(
    split(columns.spans).map((json) => JSON.parse(json)),
    spans,
  )
})

test('readTraces › keeps the digits of long integers, and does not touch texts that look like them', () => {
  const span = { ...newSpan({}), name: '{"a":12345678901234567890}', kind: 1 }
  const text = JSON.stringify(toTraces('orders', [span])).replace(
    `"${span.startTimeUnixNano}"`,
    span.startTimeUnixNano,
  )
  const { columns } = readTraces(text)
  assert.deepEqual(JSON.parse(split(columns.spans)[0] ?? ''), span)
  assert.equal(split(columns.startTimes)[0], span.startTimeUnixNano.slice(0, -3))
})

test('readTraces › takes the last of equal spans and of equal attributes', () => {
  const span = newSpan({ user: 'ada', rows: 1 })
  const attributes = [...span.attributes, { key: 'user', value: { stringValue: 'jo' } }]
  const { columns, count } = read([span, { ...span, attributes }])
  assert.equal(count, 1)
  assert.deepEqual(split(columns.users), ['jo'])
})

test('readTraces › reads the data product of the span if its resource has none', () => {
  const span = newSpan({})
  span.attributes.push({ key: 'dataproduct.id', value: { stringValue: 'own' } })
  assert.deepEqual(readTraces(JSON.stringify(toTraces(undefined, [span]))).productIds, ['own'])
  assert.deepEqual(read([span]).productIds, ['orders'])
})
