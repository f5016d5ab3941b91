import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FreshnessPromise } from '../../../formats/reality/freshness.ts'
import { judgeFreshness, type Evidence, type EvidenceKind } from './freshness.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-06-10T12:00:00Z')
const DAILY: FreshnessPromise = { property: 'freshness', text: '24 h', origin: '', seconds: 86_400 }

/** Evidence of a change `hours` ago, found `seen` hours ago. */
function seen(kind: EvidenceKind, hours: number, seenHours = 0, since?: number): Evidence {
  const one = { kind, at: NOW - hours * HOUR, seenAt: NOW - seenHours * HOUR }
  return since === undefined ? one : { ...one, since: NOW - since * HOUR }
}

/** Returns the state at `NOW` and the evidence that decides. */
function judge(evidence: Evidence[], promise: FreshnessPromise | undefined = DAILY): string {
  const { lateAt, isConfirmed, unknownBecause, ...one } = judgeFreshness(promise, evidence, NOW)
  if (unknownBecause !== null) return unknownBecause
  const isDue = lateAt !== null && lateAt <= NOW
  const isLate = isConfirmed || one.evidence === 'lineage'
  return `${isDue ? (isLate ? 'late' : 'not read') : 'fresh'} by ${one.evidence}`
}

const ROWS: readonly (readonly [name: string, evidence: Evidence[], expected: string])[] = [
  ['no evidence', [], 'no_evidence'],
  ['a change an hour ago', [seen('data', 1)], 'fresh by data'],
  ['a change two days ago', [seen('data', 48)], 'late by data'],
  [
    'a change two days ago that was read before it was due',
    [seen('data', 48, 30)],
    'not read by data',
  ],
  ['a change exactly at the limit', [seen('data', 24)], 'late by data'],
  ['a definition that changed proves late', [seen('any', 48)], 'late by any'],
  ['the best kind decides fresh', [seen('any', 48), seen('check', 1)], 'fresh by check'],
  ['the best kind decides late', [seen('check', 48), seen('any', 1)], 'late by check'],
  ['rows that changed after a late test', [seen('check', 48, 5), seen('data', 1)], 'fresh by data'],
  [
    'rows that changed before a late test',
    [seen('check', 48, 1), seen('data', 5)],
    'late by check',
  ],
  [
    'a definition that changed after a late test',
    [seen('check', 48, 5), seen('any', 1)],
    'late by check',
  ],
  ['an old test and a new reading', [seen('check', 48, 40), seen('data', 48)], 'late by data'],
  ['an old test only', [seen('check', 48, 40)], 'not read by check'],
  ['a pipeline that stopped', [seen('lineage', 48, 48)], 'late by lineage'],
  [
    'a pipeline that stopped reporting',
    [seen('lineage', 48, 48), seen('data', 2)],
    'fresh by data',
  ],
  ['a counter', [seen('counter', 1, 0, 25)], 'fresh by counter'],
  ['a counter between readings a week apart', [seen('counter', 1, 0, 169)], 'not_read'],
  ['a clock that is ahead', [seen('data', -10)], 'fresh by data'],
  [
    'the year 9999',
    [{ ...seen('data', 0), at: Date.parse('9999-12-31T00:00:00Z') }],
    'no_evidence',
  ],
  ['the year 1970', [{ ...seen('data', 0), at: 0 }], 'late by data'],
  ['an instant that is not one', [{ ...seen('data', 0), at: Number.NaN }], 'no_evidence'],
]

for (const [name, evidence, expected] of ROWS) {
  test(`judgeFreshness › ${name}`, () => {
    assert.equal(judge(evidence), expected)
    assert.equal(judge(evidence.toReversed()), expected)
  })
}

test('judgeFreshness › needs a promise that can be read', () => {
  assert.equal(judgeFreshness(undefined, [seen('data', 1)], NOW).unknownBecause, 'no_promise')
  const unreadable = { property: 'freshness', text: 'soon', origin: '', unreadable: 'No.' }
  assert.equal(judge([seen('data', 1)], unreadable), 'unreadable')
})
