import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  judgeContractFreshness,
  judgeFreshness,
  summarizePortFreshness,
  unknown,
} from './freshness-signal.ts'
import { newFacts, newFreshness } from './facts.fixture.ts'

const NOW = '2026-06-10T12:00:00.000Z'
const URL = '/data-contracts/c'
const PAST = '2026-06-10T06:00:00.000000Z'

const fresh = newFacts({ model: 'fresh', freshness: newFreshness() })
const late = newFacts({ model: 'late', freshness: newFreshness({ lateAt: PAST }) })
const unread = newFacts({
  model: 'unread',
  freshness: newFreshness({ lateAt: PAST, isConfirmed: false }),
})
const view = newFacts({
  model: 'view',
  freshness: newFreshness({
    lateAt: null,
    evidence: null,
    evidenceAt: null,
    unknownBecause: 'view',
  }),
})
const unpromised = newFacts({
  model: 'free',
  freshness: newFreshness({
    promised: null,
    lateAt: null,
    evidence: null,
    evidenceAt: null,
    unknownBecause: 'no_promise',
  }),
})
const any = newFacts({ freshness: newFreshness({ evidence: 'any' }) })

describe('judgeFreshness', () => {
  const cases: [
    title: string,
    facts: (typeof fresh)[],
    word: string,
    state: string,
    reason: string,
  ][] = [
    ['fresh', [fresh], 'Fresh', 'positive', 'Data changed in time; promised: 24 h.'],
    [
      'evidence of data or definition',
      [any],
      'Fresh',
      'positive',
      'Data or definition changed in time; promised: 24 h.',
    ],
    ['late', [late], 'Late', 'critical', 'late is late; promised: 24 h.'],
    [
      'one of several late',
      [fresh, view, late],
      'Late',
      'critical',
      '1 of 3 tables late; promised: 24 h.',
    ],
    ['not read since', [unread], 'Unknown', 'neutral', 'unread: the source was not read since.'],
    [
      'a view',
      [fresh, view],
      'Unknown',
      'neutral',
      '1 of 2 tables fresh. view: views show no changes.',
    ],
    [
      'one without a promise',
      [fresh, unpromised],
      'Fresh',
      'positive',
      'Data changed in time; promised: 24 h.',
    ],
    ['no promise', [unpromised], 'Unknown', 'neutral', 'No data contract promises its freshness.'],
    [
      'nothing judged',
      [newFacts()],
      'Unknown',
      'neutral',
      'No data contract promises its freshness.',
    ],
    ['nothing', [], 'Unknown', 'neutral', 'No data contract promises its freshness.'],
  ]
  for (const [title, facts, word, state, reason] of cases) {
    test(`${title} › is ${word}`, () => {
      const signal = judgeFreshness(facts, NOW, URL)
      assert.deepEqual([signal.word, signal.state, signal.reason], [word, state, reason])
    })
  }

  test('late › since its data were due, with the evidence', () => {
    const { since, evidence, evidenceAt } = judgeFreshness([fresh, late], NOW, URL)
    assert.deepEqual([since, evidence, evidenceAt], [PAST, 'data', '2026-06-10T00:00:00.000000Z'])
  })

  test('fresh data › are late from their time on', () => {
    const words = ['2026-06-10T23:59:59.999Z', '2026-06-11T00:00:00.000Z'].map(
      (now) => judgeFreshness([fresh], now, URL).word,
    )
    assert.deepEqual(words, ['Fresh', 'Late'])
  })
})

test('judgeContractFreshness › servers that are not of production do not count', () => {
  const dev = { ...late, isProduction: false }
  assert.equal(judgeContractFreshness([fresh, dev], NOW, URL).word, 'Fresh')
  assert.equal(judgeContractFreshness([dev], NOW, URL).word, 'Late')
})

test('summarizePortFreshness › the worst port decides, and one port is its own reason', () => {
  const ports = [fresh, late, view].map((facts) => ({
    name: facts.model,
    signal: judgeFreshness([facts], NOW, URL),
  }))
  assert.equal(summarizePortFreshness(ports).reason, '2 of 3 ports judged. Late: late.')
  assert.deepEqual(summarizePortFreshness(ports.slice(0, 1)), ports[0]?.signal)
  assert.equal(summarizePortFreshness([]).word, unknown('', null).word)
})
