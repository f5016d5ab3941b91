import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeContractDrift, judgeDrift, notCompared, summarizePortDrift } from './drift-signal.ts'
import { newFacts } from './facts.fixture.ts'

const NOW = Date.parse('2026-06-10T12:00:00Z')
const URL = '/data-contracts/c'
const SINCE = '2026-06-01T00:00:00.000000Z'
const LATER = '2026-06-20T00:00:00.000000Z'

const kept = newFacts({ model: 'kept' })
const broken = newFacts({ model: 'broken', breaking: 2, differsSince: SINCE, openSince: SINCE })
const accepted = newFacts({
  model: 'accepted',
  breaking: 1,
  accepted: 1,
  openSince: SINCE,
  acceptedUntil: LATER,
})
const missing = newFacts({ model: 'missing', state: 'no_source', isCompared: false })

describe('judgeDrift', () => {
  const cases: [
    title: string,
    facts: (typeof kept)[],
    word: string,
    state: string,
    reason: string,
  ][] = [
    ['one table', [kept], 'As promised', 'positive', 'Its table is as promised.'],
    ['all tables', [kept, kept], 'As promised', 'positive', '2 tables are as promised.'],
    [
      'a broken one',
      [kept, broken],
      'Differs',
      'critical',
      '2 differences break the promise: broken.',
    ],
    [
      'the worst one',
      [missing, accepted, broken],
      'Differs',
      'critical',
      '2 differences break the promise: broken.',
    ],
    [
      'an accepted one',
      [kept, accepted, missing],
      'Accepted differences',
      'caution',
      '1 difference accepted: accepted.',
    ],
    [
      'one that is not compared',
      [kept, missing],
      'Not compared',
      'neutral',
      '1 of 2 tables compared. missing: no connected source has it.',
    ],
    [
      'none compared',
      [missing],
      'Not compared',
      'neutral',
      'Its table is not compared. missing: no connected source has it.',
    ],
    [
      'one whose comparison is due',
      [kept, { ...kept, model: 'due', isCompared: false }],
      'Not compared',
      'neutral',
      '1 of 2 tables compared. due: its comparison is not finished.',
    ],
    ['no promise', [], 'Not compared', 'neutral', 'No data contract promises it.'],
  ]
  for (const [title, facts, word, state, reason] of cases) {
    test(`${title} › is ${word}`, () => {
      const signal = judgeDrift(facts, NOW, URL)
      assert.deepEqual([signal.word, signal.state, signal.reason], [word, state, reason])
    })
  }

  test('a missing table › differs through its finding, and is unknown without it', () => {
    const gone = newFacts({ state: 'not_found', isCompared: false })
    assert.equal(judgeDrift([gone], NOW, URL).word, 'Not compared')
    assert.equal(judgeDrift([{ ...gone, breaking: 1 }], NOW, URL).word, 'Differs')
  })

  test('an acceptance that ends › is a difference from then on', () => {
    assert.equal(judgeDrift([accepted], Date.parse(LATER) - 1, URL).word, 'Accepted differences')
    const signal = judgeDrift([accepted], Date.parse(LATER), URL)
    assert.deepEqual([signal.word, signal.breaking, signal.since], ['Differs', 1, SINCE])
  })

  test('fields that cannot be compared › are counted and break nothing', () => {
    const signal = judgeDrift(
      [
        { ...kept, unverifiable: 2 },
        { ...kept, unverifiable: 1 },
      ],
      NOW,
      URL,
    )
    assert.deepEqual([signal.word, signal.unverifiable], ['As promised', 3])
  })
})

describe('judgeContractDrift', () => {
  test('the production servers decide, or all if none is of production', () => {
    const dev = { ...broken, isProduction: false }
    assert.equal(judgeContractDrift([kept, dev], NOW, URL).word, 'As promised')
    assert.equal(
      judgeContractDrift([{ ...kept, isProduction: false }, dev], NOW, URL).word,
      'Differs',
    )
  })

  test('excluded models and servers without tables › count only if nothing else can be compared', () => {
    const others = (['excluded', 'not_applicable'] as const).map((state) => ({ ...missing, state }))
    assert.equal(judgeContractDrift([kept, ...others], NOW, URL).word, 'As promised')
    assert.equal(judgeContractDrift(others, NOW, URL).word, 'Not compared')
  })
})

describe('summarizePortDrift', () => {
  test('the worst port decides, and the compared ones are counted', () => {
    const ports = [kept, broken, missing].map((facts) => ({
      name: facts.model,
      signal: judgeDrift([facts], NOW, URL),
    }))
    const signal = summarizePortDrift(ports)
    assert.deepEqual(
      [signal.word, signal.reason, signal.breaking],
      ['Differs', '2 of 3 ports compared. Differs: broken.', 2],
    )
  })

  test('one unknown port › is not hidden by one that is as promised', () => {
    const signal = summarizePortDrift([
      { name: 'a', signal: judgeDrift([kept], NOW, URL) },
      { name: 'b', signal: notCompared('', null) },
    ])
    assert.deepEqual([signal.word, signal.reason], ['Not compared', '1 of 2 ports compared.'])
    assert.equal(summarizePortDrift([]).reason, 'It has no output ports.')
  })
})
