import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecorded, readYamlContract } from '../../test/recorded-results.ts'
import { jsonText, type Value } from '../text/text.ts'
import { isPlainText, listContractWords } from './check-texts.ts'
import { findVisibleData, hideData, NO_DATA, type VisibleData } from './samples.ts'

const CONTRACT = `
apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: orders
    physicalName: shop.t_orders
    properties:
      - {name: id}
      - {name: email, classification: restricted}
      - {name: box, logicalType: object, properties: [{name: lid}]}
`

const readVisible = (text: string): VisibleData =>
  findVisibleData(readYamlContract(text).contract, new Set())

const readWords = (): Set<string> => listContractWords(readYamlContract(CONTRACT).contract.models)

const CANARY = 'canary'

test('isPlainText › the messages of programs about numbers are plain', () => {
  const words = readWords()
  for (const text of [
    'Actual duplicate_count(id) was 1, expected = 0',
    'Actual custom_sql(t_orders) was -3.5, expected >= 0',
    'Actual row_count(shop.t_orders) was 1, expected between 2 and 1000',
    'Got 1 result, configured to fail if != 0',
    'Found 3 missing values.',
    '2026-01-03T00:00:00+00:00',
    'Testing data contract',
    'box.lid',
    '',
  ])
    assert.ok(isPlainText(text, words), text)
})

test('isPlainText › errors that repeat values are not', () => {
  const words = readWords()
  for (const text of [
    `invalid input syntax for type integer: "${CANARY}"`,
    `Failing row contains (7, ${CANARY}@example.com).`,
    `Key (email)=(${CANARY}) already exists.`,
    `Numeric value '${CANARY}' is not recognized`,
    `Actual max(email) was ${CANARY}`,
    `value=${CANARY}`,
    `${CANARY}_1`,
    '名前',
  ])
    assert.ok(!isPlainText(text, words), text)
})

const TEXTS: readonly Value[] = [
  { checks: [{ model: 'orders', field: 'id', reason: CANARY }] },
  { checks: [{ model: 'orders', field: 'id', details: CANARY, value: CANARY }] },
  { checks: [{ diagnostics: { value: CANARY, more: [{ inner: CANARY }] } }] },
  { checks: [{ diagnostics: { counts: { [`${CANARY}@x`]: 3 } } }] },
  { checks: [{ diagnostics: { failedRows: [{ id: 7, email: CANARY }] } }] },
  { checks: [], logs: [{ level: 'ERROR', message: CANARY }, CANARY] },
  { results: [{ unique_id: 'test.a.b', status: 'error', message: CANARY }] },
  { results: [{ unique_id: 'test.a.b', adapter_response: { _message: CANARY } }] },
  {
    run_results: {
      a: {
        results: [
          {
            expectation_config: { type: 'x', kwargs: { column: 'id' } },
            exception_info: { m: { exception_message: CANARY, exception_traceback: CANARY } },
            result: { unexpected_index_query: CANARY },
          },
        ],
      },
    },
  },
]

test('hideData › no text with values is left where a column is classified, or without a contract', () => {
  for (const result of TEXTS) {
    for (const visible of [readVisible(CONTRACT), NO_DATA]) {
      const { value, hidden } = hideData(result, visible)
      assert.ok(!jsonText(value).includes(CANARY), jsonText(value))
      assert.ok(hidden.length > 0)
    }
  }
})

test('hideData › texts stay if all columns of the contract are open, and plain ones always', () => {
  const open = readVisible(CONTRACT.replace(', classification: restricted', ''))
  const result = { checks: [{ reason: CANARY, diagnostics: { a: CANARY } }], logs: [CANARY] }
  assert.deepEqual(hideData(result, open), { value: result, hidden: [] })
  const recorded = readRecorded('dbt-1.9-run-results-v6.json')
  const { value, hidden } = hideData(recorded, readVisible(CONTRACT))
  assert.match(jsonText(value), /Got 1 result, configured to fail if != 0/)
  assert.doesNotMatch(jsonText(value), /Catalog Error/)
  assert.deepEqual(hidden, ['message'])
})
