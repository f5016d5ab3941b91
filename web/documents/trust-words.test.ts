import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTrust, listSignals } from './trust-words.ts'

const SIGNAL = { since: null, url: null }

const TRUST = {
  resourceType: 'DATA_PRODUCT',
  id: 'p',
  dataProductId: null,
  tests: { ...SIGNAL, state: 'critical', word: 'Failing', reason: '1 of 2 ports tested.' },
  standing: { ...SIGNAL, state: 'positive', word: 'Certified', reason: 'Gold' },
  readers: 1,
  worst: 'critical',
} as const

test('listSignals › has the order of all pages', () => {
  assert.deepEqual(
    listSignals(TRUST).map(({ name }) => name),
    ['tests', 'standing'],
  )
})

test('describeTrust › is one sentence with every word, without colours and shapes', () => {
  assert.equal(describeTrust(TRUST), 'Tests: Failing. Standing: Certified. 1 reader.')
  assert.equal(describeTrust({ ...TRUST, readers: null }), 'Tests: Failing. Standing: Certified.')
})
