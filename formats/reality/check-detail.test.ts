import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Value } from '../text/value.ts'
import { listCheckDetails, type CheckDetail } from './check-detail.ts'
import { hideData, NO_DATA } from './samples.ts'

const list = (sent: Value): CheckDetail[] => listCheckDetails(sent, sent)

const measure = (check: Value): unknown => list({ checks: [check] })[0]?.measured

/** The checks of a recorded result, each in one line. */
function describeFile(name: string): string[] {
  const file = new URL(`../../test/test-results/${name}`, import.meta.url)
  const sent: Value = JSON.parse(readFileSync(file, 'utf8'))
  return list(sent).map(({ name: check, outcome, subject, reason, measured, ...counts }) =>
    [
      outcome,
      subject ?? '-',
      check,
      reason?.split('\n')[0] ?? '-',
      measured ?? '-',
      `${counts.failedCount ?? '-'}/${counts.totalCount ?? '-'}`,
    ].join(' | '),
  )
}

/** The last lines of the checks of recorded results. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'datacontract-cli-1.2.8-run-1.json': [
    'unknown | orders | Check that model orders has row_count < 3 | - | - | -/-',
    "passed | orders.id | Check that field 'id' is present | - | - | -/-",
    "passed | orders.email | Check that field 'email' is present | - | - | -/-",
    "passed | orders.total | Check that field 'total' is present | - | - | -/-",
    "passed | orders.status | Check that field 'status' is present | - | - | -/-",
    "passed | orders.created_at | Check that field 'created_at' is present | - | - | -/-",
    'passed | orders | Quality Check | - | 34.5; expected between 0 and 1000 | -/-',
    'passed | orders | Check that model orders has duplicate_count = 0 for columns id, status | - | 0; expected = 0 | 0/4',
    'passed | orders.created_at | Freshness of orders.created_at < 3650d | - | - | -/-',
    'passed | orders.created_at | Retention of orders.created_at < 31536000s | - | - | -/-',
  ],
  'dbt-1.9-run-results-v6.json': [
    'error | - | no_negative_totals | Runtime Error in test no_negative_totals (tests/no_negative_totals.sql) | - | -/-',
    'failed | - | accepted_values_orders_status__open__closed | Got 1 result, configured to fail if != 0 | - | 1/-',
    'failed | - | unique_orders_id | Got 1 result, configured to fail if != 0 | - | 1/-',
    'warning | - | not_null_orders_email | Got 1 result, configured to warn if != 0 | - | 1/-',
    'passed | - | not_null_orders_id | - | - | 0/-',
  ],
  'great-expectations-1.json': [
    'error | orders.nowhere | expect_column_values_to_not_be_null | Error: The column "nowhere" in BatchData does not exist. | - | -/-',
    'failed | orders.email | expect_column_values_to_not_be_null | - | - | 1/4',
    'failed | orders.id | expect_column_values_to_be_unique | - | - | 2/4',
    'failed | orders.status | expect_column_values_to_be_in_set | - | - | 1/4',
    'passed | orders | expect_table_row_count_to_be_between | - | 4; at least 1 | -/-',
  ],
  'great-expectations-1-checkpoint.json': [
    'failed | orders.id | expect_column_values_to_be_unique | - | - | 2/4',
    'failed | orders.email | expect_column_values_to_not_be_null | - | - | 1/4',
    'failed | orders.status | expect_column_values_to_be_in_set | - | - | 1/4',
  ],
  'great-expectations-1-description.json': [
    'failed | id | expect_column_values_to_be_unique | - | - | 2/4',
    'failed | email | expect_column_values_to_not_be_null | - | - | 1/4',
    'failed | status | expect_column_values_to_be_in_set | - | - | 1/4',
  ],
  'soda-4.json': [
    'failed | orders.id | No duplicate values | - | 1 | 1/4',
    'failed | orders.status | No invalid values | - | 1 | 1/4',
    'warning | orders.email | No missing values | - | 1 | 1/4',
    'passed | orders | Row count meets expected threshold | - | 4; fails if less than or equal 1 | -/4',
    'passed | orders.id | No missing values | - | 0 | 0/4',
  ],
}

describe('listCheckDetails', () => {
  test('describes a check of a client of the API', () => {
    const sent = {
      name: 'order_id is unique',
      type: 'duplicate_count',
      category: 'quality',
      dimension: 'uniqueness',
      engine: 'soda',
      result: 'failed',
      model: 'orders',
      field: 'order_id',
      reason: '3 duplicates',
      failedNumber: 3,
      totalNumber: 1000,
    }
    assert.deepEqual(list({ checks: [sent] }), [
      {
        name: 'order_id is unique',
        outcome: 'failed',
        subject: 'orders.order_id',
        reason: '3 duplicates',
        measured: null,
        labels: ['quality', 'uniqueness', 'soda'],
        failedCount: 3,
        totalCount: 1000,
        hidden: [],
      },
    ])
  })

  test('describes the measured value with its unit and its limits in words', () => {
    assert.equal(measure({ value: 3, unit: 'rows', threshold: { mustBe: 0 } }), '3 rows; must be 0')
    assert.equal(
      measure({ value: 7, threshold: { mustBeBetween: [1, 5], mustNotBe: 3 } }),
      '7; must be between 1 and 5; must not be 3',
    )
    assert.equal(measure({ value: '1h' }), '1h')
    assert.equal(measure({ threshold: { mustBe: 0 } }), null)
  })

  test('reads checks beside sums', () => {
    const check = { check: 'schema', message: 'No column', path: 'exposes[0]', result: 'failed' }
    const [detail] = list({ checks: { passed: 1, failed: 1 }, results: [check] })
    assert.deepEqual(
      [detail?.name, detail?.outcome, detail?.subject, detail?.reason],
      ['schema', 'failed', 'exposes[0]', 'No column'],
    )
  })

  test('lists what did not pass first, and otherwise keeps the order', () => {
    const outcomes = ['passed', 'skipped', 'FAILED', 'warning', 'passed', 'error', null]
    const checks = outcomes.map((result, at) => ({ name: `c${at}`, result }))
    assert.deepEqual(
      list({ checks }).map(({ name, outcome }) => `${name} ${outcome}`),
      ['c5 error', 'c2 failed', 'c3 warning', 'c1 skipped', 'c6 unknown', 'c0 passed', 'c4 passed'],
    )
  })

  test('reads checks without the usual members, and none from anything else', () => {
    assert.deepEqual(
      list({ checks: [null, 5, 'x', {}, { name: 5 }] }).map(({ name }) => name),
      ['Check 1', 'Check 2', 'Check 3', 'Check 4', 'Check 5'],
    )
    for (const sent of [null, 5, [], {}, { checks: 'x' }, { checks: { passed: 1 } }]) {
      assert.deepEqual(list(sent), [])
    }
  })

  for (const [name, lines] of Object.entries(EXPECTED)) {
    test(`describes the checks of ${name}`, () => {
      assert.deepEqual(describeFile(name).slice(-lines.length), lines)
    })
  }

  test('an outcome that datacontract-cli wrote into the first of several rules is unknown, unless it failed', () => {
    const checks = ['passed', null, 'failed', null, 'passed'].map((result, at) => ({
      name: `c${at}`,
      key: `k${Math.floor(at / 2)}`,
      result,
    }))
    assert.deepEqual(
      list({ checks }).map(({ name, outcome }) => `${name} ${outcome}`),
      ['c2 failed', 'c0 unknown', 'c1 unknown', 'c3 unknown', 'c4 passed'],
    )
  })

  test('names what is hidden, and keeps the outcome that a hidden reason decides', () => {
    const reason = 'Error evaluating check: invalid input "ada@example.test"'
    const sent = {
      checks: [
        { name: 'a', model: 'orders', result: 'failed', reason },
        { name: 'b', model: 'orders', result: 'failed', value: 'ada@example.test' },
        {
          name: 'c',
          model: 'orders',
          result: 'failed',
          reason: 'Actual row_count was 3',
          value: 3,
        },
      ],
    }
    const details = listCheckDetails(sent, hideData(sent, NO_DATA).value)
    assert.deepEqual(
      details.map(({ outcome, reason: shown, measured, hidden }) => [
        outcome,
        shown,
        measured,
        hidden,
      ]),
      [
        ['error', null, null, ['reason']],
        ['failed', null, null, ['measured']],
        ['failed', 'Actual row_count was 3', '3', []],
      ],
    )
  })
})
