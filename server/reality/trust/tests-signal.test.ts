import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  judgeTests,
  summarizePortTests,
  type NewestResult,
  type ServerResult,
  type Validity,
} from './tests-signal.ts'
import { findWorst, LEVELS } from '../../ledger/trust/signal.ts'
import type { TestsSignal } from './trust.ts'

const NOW = '2026-06-10T12:00:00.000000Z'
const VALIDITY: Validity = { now: NOW, version: '2.1.0', validSeconds: null }

function newResult(outcome: string, more: Partial<NewestResult> = {}): NewestResult {
  const at = '2026-06-10T08:00:00.000000Z'
  return {
    id: outcome,
    outcome,
    testedAt: at,
    version: '2.0.0',
    checkCount: 4,
    passedCount: 3,
    ...more,
  }
}

function judge(results: readonly ServerResult[], validity = VALIDITY): TestsSignal {
  return judgeTests(results, validity, (id) => `/test-results/${id}`)
}

function judgeOne(result: NewestResult | null, validity = VALIDITY): TestsSignal {
  return judge([{ server: 'production', result }], validity)
}

describe('judgeTests', () => {
  const cases: [outcome: string, word: string, state: string, reason: string][] = [
    ['passed', 'Passed', 'positive', '3 of 4 checks passed.'],
    ['warning', 'Warnings', 'caution', '3 of 4 checks passed.'],
    ['failed', 'Failing', 'critical', '3 of 4 checks passed.'],
    ['error', 'Failing', 'critical', '3 of 4 checks passed.'],
    ['unknown', 'Not tested', 'neutral', 'The newest result has no outcome.'],
  ]
  for (const [outcome, word, state, reason] of cases) {
    test(`${outcome} › is ${word}`, () => {
      const since = '2026-06-10T08:00:00.000000Z'
      assert.deepEqual(judgeOne(newResult(outcome)), {
        state,
        word,
        since,
        reason,
        url: `/test-results/${outcome}`,
      })
    })
  }

  test('no result › is Not tested, never positive', () => {
    const { word, state, reason, since, url } = judgeOne(null)
    assert.deepEqual(
      [word, state, reason, since, url],
      ['Not tested', 'neutral', 'No test results yet.', null, null],
    )
    assert.equal(judge([]).state, 'neutral')
  })

  test('counts are left out if a result has none', () => {
    assert.equal(
      judgeOne(newResult('error', { checkCount: null })).reason,
      'The test ended with an error.',
    )
    assert.equal(judgeOne(newResult('passed', { passedCount: 4 })).reason, '4 checks passed.')
    assert.equal(
      judgeOne(newResult('passed', { passedCount: 1, checkCount: 1 })).reason,
      '1 check passed.',
    )
  })

  test('a result older than 7 days › is Stale, unless the test failed', () => {
    const old = { testedAt: '2026-06-03T11:59:59.000000Z' }
    assert.equal(judgeOne(newResult('passed', old)).word, 'Stale')
    assert.equal(
      judgeOne(newResult('passed', old)).reason,
      'The last test is more than 7 days old.',
    )
    assert.equal(judgeOne(newResult('warning', old)).word, 'Stale')
    assert.equal(judgeOne(newResult('failed', old)).word, 'Failing')
    const exactly = { testedAt: '2026-06-03T12:00:00.000000Z' }
    assert.equal(judgeOne(newResult('passed', exactly)).word, 'Passed')
  })

  test('the contract states how long a result counts', () => {
    const old = newResult('passed', { testedAt: '2026-06-10T10:00:00.000000Z' })
    assert.equal(judgeOne(old, { ...VALIDITY, validSeconds: 7200 }).word, 'Passed')
    const stale = judgeOne(old, { ...VALIDITY, validSeconds: 3600 })
    assert.deepEqual(
      [stale.word, stale.reason],
      ['Stale', 'The last test is more than 1 hour old.'],
    )
  })

  test('a test of another major version › is Stale', () => {
    const versions: [tested: string | null, current: string | null, word: string][] = [
      ['1.9.0', '2.1.0', 'Stale'],
      ['2.0.0', 'v2.1', 'Passed'],
      ['2', '2.1.0', 'Passed'],
      [null, '2.1.0', 'Passed'],
      ['1.9.0', null, 'Passed'],
      ['draft', '2.1.0', 'Passed'],
    ]
    for (const [version, current, word] of versions) {
      const signal = judgeOne(newResult('passed', { version }), { ...VALIDITY, version: current })
      assert.equal(signal.word, word, `${version} of ${current}`)
    }
    assert.equal(
      judgeOne(newResult('passed', { version: '1.9.0' })).reason,
      'Version 1.9.0 was tested; the contract is now 2.1.0.',
    )
  })

  test('the worst of several servers decides, and is named', () => {
    const passed = { server: 'eu', result: newResult('passed') }
    const failed = { server: 'us', result: newResult('failed') }
    const untested = { server: 'asia', result: null }
    assert.equal(judge([passed, failed, untested]).reason, '3 of 4 checks passed on server us.')
    assert.deepEqual(
      [judge([passed, untested]).word, judge([passed, untested]).reason],
      ['Not tested', 'No test results on server asia yet.'],
    )
  })

  test('of equally bad servers the newest decides', () => {
    const earlier = newResult('failed', { id: 'a', testedAt: '2026-06-09T08:00:00.000000Z' })
    const later = newResult('failed', { id: 'b' })
    const results = [earlier, later].map((result, at) => ({ server: `${at}`, result }))
    assert.equal(judge(results).url, '/test-results/b')
    assert.equal(judge(results.toReversed()).url, '/test-results/b')
  })
})

describe('summarizePortTests', () => {
  const passed = { name: 'a', signal: judgeOne(newResult('passed')) }
  const failed = { name: 'b', signal: judgeOne(newResult('failed')) }
  const untested = { name: 'c', signal: judgeOne(null) }

  test('the worst port decides, and the tested ones are counted', () => {
    const signal = summarizePortTests([passed, failed, untested])
    assert.deepEqual(
      [signal.word, signal.reason, signal.url],
      ['Failing', '2 of 3 ports tested. Failing: b.', '/test-results/failed'],
    )
  })

  test('an untested port › is not hidden by one that passed', () => {
    const signal = summarizePortTests([passed, untested])
    assert.deepEqual([signal.word, signal.reason], ['Not tested', '1 of 2 ports tested.'])
  })

  test('all ports passed › is Passed', () => {
    const signal = summarizePortTests([passed, passed])
    assert.deepEqual([signal.word, signal.reason], ['Passed', '2 of 2 ports tested.'])
    assert.equal(summarizePortTests([passed]).reason, 'Its port is tested.')
  })

  test('several bad ports › the first is named, the rest counted', () => {
    const signal = summarizePortTests([failed, failed, failed])
    assert.equal(signal.reason, '3 of 3 ports tested. Failing: b and 2 more.')
  })

  test('no port, or no tested one › is Not tested', () => {
    assert.equal(summarizePortTests([]).reason, 'It has no output ports.')
    assert.equal(summarizePortTests([untested, untested]).reason, '0 of 2 ports tested.')
  })
})

describe('findWorst', () => {
  test('follows the order critical, caution, neutral, positive', () => {
    assert.deepEqual(
      LEVELS.map((_, at) => findWorst(LEVELS.slice(at).toReversed())),
      LEVELS,
    )
    assert.equal(findWorst([]), 'neutral')
  })
})
