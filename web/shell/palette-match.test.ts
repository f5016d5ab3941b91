import assert from 'node:assert/strict'
import test from 'node:test'
import { matches } from './palette-match.ts'

test('matches › requires every typed word at the beginning of a word', () => {
  assert.equal(matches('cre key', 'Create API key'), true)
  assert.equal(matches('api', 'Create API key'), true)
  assert.equal(matches('reate', 'Create API key'), false)
  assert.equal(matches('create team', 'Create API key'), false)
})

test('matches › minds neither case nor accents nor signs', () => {
  assert.equal(matches('cafe', 'Café orders'), true)
  assert.equal(matches('CUSTOMER_id', 'customer id'), true)
})

test('matches › lets everything through while nothing is typed', () => {
  assert.equal(matches('', 'Home'), true)
  assert.equal(matches(' - ', 'Home'), true)
})
