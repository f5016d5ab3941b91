import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QualityCheck } from '../schema/model.ts'
import type { Value } from '../text/value.ts'
import { ModelChanges } from './model-changes.ts'
import { compareChecks } from './quality.ts'

const check = (rule: Value, more: Partial<QualityCheck> = {}): QualityCheck => ({
  type: 'library',
  rule,
  origin: '/quality/0',
  ...more,
})

function lines(before: QualityCheck[], after: QualityCheck[]): string[] {
  const changes = new ModelChanges()
  compareChecks(changes, { before, after }, { origin: '/m', subject: 'Model m' })
  return changes.list.map(({ level, kind, path }) => `${level} ${kind} ${path}`)
}

const both = (before: Value, after: Value) => lines([check(before)], [check(after)])

const ADDITIVE = ['additive changed /quality/0']
const BREAKING = ['breaking changed /quality/0']
const WORDING = ['wording changed /quality/0']

test('compareChecks › an added rule is an added promise, a removed one may break consumers', () => {
  const rule = check({ metric: 'nullValues', mustBe: 0 }, { origin: '/quality/7' })
  assert.deepEqual(lines([], [rule]), ['additive added /quality/7'])
  assert.deepEqual(lines([rule], []), ['breaking removed /quality/7'])
})

test('compareChecks › the order of rules and of their fields is ignored', () => {
  const [one, other] = [
    { metric: 'rowCount', mustBe: 1 },
    { mustBe: 1.0, metric: 'rowCount' },
  ]
  assert.deepEqual(both(one, other), [])
  const rules = [check(one), check({ metric: 'nullValues' })]
  assert.deepEqual(lines(rules, rules.toReversed()), [])
})

test('compareChecks › a changed description of a rule is wording', () => {
  const rule = { metric: 'rowCount', mustBe: 1 }
  assert.deepEqual(both(rule, { ...rule, severity: 'error', description: 'All.' }), WORDING)
  const [one, other] = [check(rule, { name: 'a' }), check(rule, { name: 'b' })]
  assert.deepEqual(lines([one], [other]), WORDING)
})

const inWords = (description: string) => check({}, { type: 'text', description })

test('compareChecks › the text of a rule without a definition is its requirement', () => {
  assert.deepEqual(lines([inWords('All.')], [inWords('Some.')]), [
    'breaking removed /quality/0',
    'additive added /quality/0',
  ])
})

const rowCount = (more: object) => ({ metric: 'rowCount', ...more })

test('compareChecks › limits of a measure are compared as ranges', () => {
  const cases: [object, object, string[]][] = [
    [{ mustBeGreaterThan: 1 }, { mustBeGreaterThan: 2 }, ADDITIVE],
    [{ mustBeLessThan: 1 }, { mustBeLessThan: 2 }, BREAKING],
    [{ mustBeGreaterOrEqualTo: 1 }, { mustBeGreaterThan: 1 }, ADDITIVE],
    [{ mustBeLessOrEqualTo: 1 }, { mustBeLessThan: 1 }, ADDITIVE],
    [{ mustBeBetween: [1, 9] }, { mustBeBetween: [2, 8] }, ADDITIVE],
    [{ mustBeBetween: [1, 9] }, { mustBeBetween: [0, 8] }, BREAKING],
    [{ mustBeBetween: [1, 9] }, { mustBe: 5 }, ADDITIVE],
    [{ mustBe: 5 }, { mustBe: 6 }, BREAKING],
    [{ mustBe: 'a' }, { mustBe: 'b' }, BREAKING],
    [{ mustBeGreaterOrEqualTo: 1 }, { mustBeGreaterThanOrEqualTo: 1 }, WORDING],
  ]
  for (const [before, after, expected] of cases) {
    assert.deepEqual(
      both(rowCount(before), rowCount(after)),
      expected,
      JSON.stringify([before, after]),
    )
  }
})

const none = (metric: string) => ({ metric, mustBe: 0 })

test('compareChecks › a different measure is a different rule', () => {
  assert.deepEqual(both(none('nullValues'), none('rowCount')), [
    'breaking removed /quality/0',
    'additive added /quality/0',
  ])
})

const named = (query: string) => check({ query }, { name: 'totals', type: 'sql' })

test('compareChecks › a rule that keeps its name is the same rule with any requirement', () => {
  assert.deepEqual(lines([named('select 1')], [named('select 2')]), BREAKING)
})

const odd = (value: number) => Object.fromEntries([['__proto__', value]])

test('compareChecks › rules named like built-in properties are treated like any other', () => {
  assert.deepEqual(both(odd(1), odd(1)), [])
  assert.equal(both(odd(1), odd(2)).length, 2)
})
