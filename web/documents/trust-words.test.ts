import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addCounts,
  describeCounts,
  describeKept,
  describeTrust,
  listAlarming,
  listSignals,
} from './trust-words.ts'

const SIGNAL = { since: null, url: null, reason: '' }

const TRUST = {
  tests: { ...SIGNAL, state: 'critical', word: 'Failing' },
  freshness: { ...SIGNAL, state: 'neutral', word: 'Unknown', evidence: null, evidenceAt: null },
  drift: {
    ...SIGNAL,
    state: 'caution',
    word: 'Accepted differences',
    breaking: 0,
    unverifiable: 0,
  },
  standing: { ...SIGNAL, state: 'positive', word: 'Certified' },
  readers: 1,
  kept: { days: 28, of: 30 },
} as const

test('listSignals › has the order of all pages', () => {
  assert.deepEqual(
    listSignals(TRUST).map(({ name }) => name),
    ['tests', 'freshness', 'drift', 'standing'],
  )
})

test('describeTrust › is one sentence with every word, without colours and shapes', () => {
  const words =
    'Tests: Failing. Freshness: Unknown. Drift: Accepted differences. Standing: Certified.'
  assert.equal(describeTrust(TRUST), `${words} 1 reader.`)
  assert.equal(describeTrust({ ...TRUST, readers: null }), words)
})

test('describeKept › counts the days, and is absent while nothing is checked', () => {
  assert.equal(describeKept(TRUST), '28 of 30 days without an incident')
  const { freshness } = TRUST
  const unchecked = {
    ...TRUST,
    drift: { ...TRUST.drift, ...freshness, word: 'Not compared' } as const,
  }
  const untested = { ...SIGNAL, state: 'neutral', word: 'Not tested' } as const
  const all = { days: 30, of: 30 } as const
  assert.equal(describeKept({ ...unchecked, tests: untested, kept: all }), undefined)
  assert.equal(describeKept({ ...unchecked, kept: all }), '30 of 30 days without an incident')
  assert.equal(describeKept({ ...TRUST, kept: null }), undefined)
})

test('describeCounts › names the levels that data products have, the worst first', () => {
  assert.equal(
    describeCounts({ critical: 1, caution: 0, neutral: 4, positive: 0 }),
    'Trust of the data products: 1 critical, 4 unknown.',
  )
})

test('listAlarming › lists critical signals before those with caution, and no others', () => {
  const late = { ...TRUST, tests: TRUST.drift, drift: { ...TRUST.tests, word: 'Differs' } as const }
  assert.deepEqual(
    listAlarming(late).map(({ signal }) => signal.word),
    ['Differs', 'Accepted differences'],
  )
  assert.deepEqual(
    listAlarming(TRUST).map(({ signal }) => signal.word),
    ['Failing', 'Accepted differences'],
  )
})

test('addCounts › adds up each level over all domains', () => {
  assert.deepEqual(
    addCounts([
      { critical: 1, caution: 0, neutral: 4, positive: 0 },
      { critical: 2, caution: 3, neutral: 0, positive: 5 },
    ]),
    { critical: 3, caution: 3, neutral: 4, positive: 5 },
  )
  assert.deepEqual(addCounts([]), { critical: 0, caution: 0, neutral: 0, positive: 0 })
})
