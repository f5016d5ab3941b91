import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRuleOutcome, type ReportedCheck } from './rule-outcome.ts'

function newCheck(name: string, subject: string | undefined, outcome = 'failed'): ReportedCheck {
  return { check: { name, subject, outcome }, resultId: `result-${outcome}` }
}

const newRule = (path: string, name?: string) => ({
  path,
  rule: { type: 'sql', origin: '/quality/0', ...(name === undefined ? {} : { name }) },
})

test('finds the check with the name of the rule about the same field', () => {
  const checks = [
    newCheck('Not empty', 'orders.other', 'passed'),
    newCheck('not EMPTY', 'Orders.id'),
  ]
  assert.equal(findRuleOutcome(newRule('orders.id', 'Not empty'), checks), checks[1])
})

test('finds the only check without a subject', () => {
  const checks = [newCheck('Rows', undefined)]
  assert.equal(findRuleOutcome(newRule('orders', 'rows'), checks), checks[0])
  const two = [newCheck('Rows', undefined), newCheck('Rows', undefined, 'passed')]
  assert.equal(findRuleOutcome(newRule('orders', 'rows'), two), undefined)
})

test('finds no check for a rule without a name, or about another field', () => {
  assert.equal(findRuleOutcome(newRule('orders'), [newCheck('Rows', 'orders')]), undefined)
  assert.equal(findRuleOutcome(newRule('orders', ' '), [newCheck(' ', 'orders')]), undefined)
  assert.equal(findRuleOutcome(newRule('a.b', 'Rows'), [newCheck('Rows', 'a.c')]), undefined)
})
