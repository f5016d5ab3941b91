import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listChecks, listLogLines } from './read-checks.ts'

const CHECK = { subject: undefined, reason: undefined, measured: undefined, labels: [] }
const NO_COUNTS = { failedCount: undefined, totalCount: undefined }

const measure = (check: object) => listChecks({ checks: [check] })[0]?.measured

describe('listChecks', () => {
  test('reads the checks of the Data Contract CLI', () => {
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
    assert.deepEqual(listChecks({ checks: [sent] }), [
      {
        name: 'order_id is unique',
        outcome: 'failed',
        subject: 'orders.order_id',
        reason: '3 duplicates',
        measured: undefined,
        labels: ['quality', 'uniqueness', 'soda'],
        failedCount: 3,
        totalCount: 1000,
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
    assert.equal(measure({ threshold: { mustBe: 0 } }), undefined)
  })

  test('reads checks beside sums', () => {
    const results = [
      { check: 'schema', message: 'No column', path: 'exposes[0]', result: 'failed' },
    ]
    assert.deepEqual(listChecks({ checks: { passed: 1, failed: 1 }, results }), [
      {
        ...CHECK,
        ...NO_COUNTS,
        name: 'schema',
        outcome: 'failed',
        subject: 'exposes[0]',
        reason: 'No column',
      },
    ])
  })

  test('lists what did not pass first, and otherwise keeps the order', () => {
    const outcomes = ['passed', 'skipped', 'FAILED', 'warning', 'passed', 'error', null]
    const checks = outcomes.map((result, at) => ({ name: `c${at}`, result }))
    assert.deepEqual(
      listChecks({ checks }).map(({ name, outcome }) => `${name} ${outcome}`),
      ['c5 error', 'c2 failed', 'c3 warning', 'c1 skipped', 'c6 unknown', 'c0 passed', 'c4 passed'],
    )
  })

  test('reads checks without the usual members, and none from anything else', () => {
    assert.deepEqual(
      listChecks({ checks: [null, 5, 'x', {}, { name: 5 }] }).map(({ name }) => name),
      ['Check 1', 'Check 2', 'Check 3', 'Check 4', 'Check 5'],
    )
    for (const document of [null, 5, [], {}, { checks: 'x' }, { checks: { passed: 1 } }]) {
      assert.deepEqual(listChecks(document), [])
    }
  })
})

describe('listLogLines', () => {
  test('reads lines, also of other forms', () => {
    const logs = [{ level: 'INFO', message: 'Started', timestamp: '2026-01-01T00:00:00Z' }, 'x', 5]
    assert.deepEqual(listLogLines({ logs }), [
      { level: 'INFO', message: 'Started', at: '2026-01-01T00:00:00Z' },
      { level: '', message: 'x', at: undefined },
      { level: '', message: '', at: undefined },
    ])
    assert.deepEqual(listLogLines({ logs: null }), [])
  })
})
