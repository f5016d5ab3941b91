import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecorded, readYamlContract, TESTED_CONTRACT } from '../../test/recorded-results.ts'
import { jsonText, type Value } from '../text/text.ts'
import { findVisibleData, hasSamples, hideData, NO_DATA, removeSamples } from './samples.ts'

const visible = (text: string, lowest: string[] = []) =>
  findVisibleData(readYamlContract(text).contract, new Set(lowest))

const DATA = visible(TESTED_CONTRACT)
const CANARY = 'CANARY-7'

test('hasSamples › results of datacontract-cli and Great Expectations have some; counts are none', () => {
  assert.ok(hasSamples(readRecorded('datacontract-cli-1.2.8-run-1.json')))
  assert.ok(hasSamples(readRecorded('great-expectations-1.json')))
  assert.ok(!hasSamples(readRecorded('dbt-1.9-run-results-v6.json')))
  assert.ok(!hasSamples(readRecorded('soda-4.json')))
  assert.ok(!hasSamples({ checks: [{ diagnostics: { failed_rows: 2 }, failedSamples: [] }] }))
})

test('removeSamples › removes them, and nothing else', () => {
  const result = readRecorded('datacontract-cli-1.2.8-run-1.json')
  const removed = removeSamples(result)
  assert.ok(!hasSamples(removed))
  assert.deepEqual(removeSamples(removed), removed)
  assert.match(jsonText(removed), /"failed_rows":2/)
})

test('hideData › rows keep the columns of the contract that are not classified; others are null and named', () => {
  const rows = [{ id: 2, EMAIL: CANARY, extra: CANARY }, jsonText({ id: 3, email: CANARY })]
  const check = { model: 'orders', field: 'email', failedSamples: rows, failed_samples: rows }
  const { value, hidden } = hideData({ checks: [check], logs: [{ message: '7 rows' }] }, DATA)
  const shown = [{ id: 2, EMAIL: null, extra: null }, '{"id":3,"email":null}']
  assert.deepEqual(value, {
    checks: [{ ...check, failedSamples: shown, failed_samples: shown }],
    logs: [{ message: '7 rows' }],
  })
  assert.deepEqual(hidden, ['orders.EMAIL', 'orders.email', 'orders.extra'])
})

test('hideData › values of a column are those of the column of the expectation', () => {
  const expectation = (column: string) => ({
    expectation_config: { type: 'expect_column_values_to_be_unique', kwargs: { column } },
    result: {
      observed_value: [CANARY],
      partial_unexpected_list: [CANARY, 1],
      partial_unexpected_counts: [{ value: CANARY, count: 2 }],
      unexpected_index_list: [{ id: 1, email: CANARY }, 4],
    },
  })
  const { value } = hideData({ results: [expectation('email'), expectation('status')] }, DATA)
  const [email, status] = (value as { results: { result: unknown }[] }).results
  assert.deepEqual(email?.result, {
    observed_value: [null],
    partial_unexpected_list: [null, null],
    partial_unexpected_counts: [{ value: null, count: 2 }],
    unexpected_index_list: [{ id: 1, email: null }, null],
  })
  assert.deepEqual(status?.result, {
    observed_value: [CANARY],
    partial_unexpected_list: [CANARY, 1],
    partial_unexpected_counts: [{ value: CANARY, count: 2 }],
    unexpected_index_list: [{ id: 1, email: null }, null],
  })
})

test('hideData › without the contract, with another table or an odd form, nothing of a sample is left', () => {
  const odd: Value[] = [CANARY, [CANARY], [[CANARY]], [{ a: { b: CANARY } }], { rows: [[CANARY]] }]
  for (const failedSamples of odd) {
    for (const [columns, model] of [
      [NO_DATA, 'orders'],
      [DATA, 'orders'],
      [DATA, 'returns'],
      [DATA, null],
    ] as const) {
      const result = { checks: [{ model, failedSamples }], other: { samples: failedSamples } }
      const { value, hidden } = hideData(result, columns)
      assert.ok(!jsonText(value).includes(CANARY), jsonText(failedSamples))
      assert.ok(hidden.length > 0)
    }
  }
})

test('findVisibleData › the lowest tier of a scheme is visible; a field inside or a second model hides', () => {
  const text = `
apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: a
    physicalName: shop.T_A
    properties:
      - {name: open, classification: Public}
      - {name: secret, classification: restricted}
      - {name: box, logicalType: object, properties: [{name: in, classification: restricted}]}
      - {name: plain, physicalName: p_plain}
  - name: A
    properties: [{name: plain, classification: restricted}]
`
  assert.deepEqual(
    [...(visible(text, ['public']).columns.get('t_a') ?? [])],
    ['open', 'plain', 'p_plain'],
  )
  assert.deepEqual([...(visible(text, ['public']).columns.get('a') ?? [])], ['open', 'p_plain'])
  assert.deepEqual([...(visible(text).columns.get('t_a') ?? [])], ['plain', 'p_plain'])
})
