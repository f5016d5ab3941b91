import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  describeCounts,
  describeSides,
  getFindingState,
  getLinkWords,
  groupFindings,
  type Finding,
} from './drift-words.ts'
import { nameFinding } from './finding-names.ts'

const FINDING: Finding = {
  id: '0b1c2d3e-0000-4000-8000-000000000001',
  dataContractId: 'orders',
  dataContractName: 'Orders',
  ownerId: 'fleet',
  server: 'production',
  isProduction: true,
  model: 'order',
  field: 'total',
  aspect: 'type',
  level: 'breaking',
  promised: 'numeric(10,2)',
  actual: 'text',
  assetId: 'a',
  assetName: 'order',
  integration: 'warehouse',
  since: '2026-01-01T00:00:00Z',
  firstRunId: null,
  changedAt: '2026-01-01T00:00:00Z',
  acceptance: null,
  resolvedAt: null,
  resolvedBecause: null,
}
const ACCEPTED: Finding = {
  ...FINDING,
  acceptance: {
    until: '2026-02-01T00:00:00Z',
    reason: 'Known',
    by: 'user:1',
    byName: 'Ada',
    at: '2026-01-01T00:00:00Z',
  },
}
const BEFORE = Date.parse('2026-01-31T23:59:59Z')
const AFTER = Date.parse('2026-02-01T00:00:00Z')

test('an acceptance ends at its instant, and a resolved finding is never accepted', () => {
  assert.equal(getFindingState(ACCEPTED, BEFORE), 'accepted')
  assert.equal(getFindingState(ACCEPTED, AFTER), 'open')
  const resolved = { ...ACCEPTED, resolvedAt: '2026-01-02T00:00:00Z' }
  assert.equal(getFindingState(resolved, BEFORE), 'resolved')
})

test('findings are grouped by what their owner has to do', () => {
  const additive: Finding = { ...FINDING, level: 'additive', aspect: 'column.extra' }
  const {
    breaking,
    accepted,
    additive: kept,
  } = groupFindings([FINDING, ACCEPTED, additive], BEFORE)
  assert.deepEqual([breaking, accepted, kept], [[FINDING], [ACCEPTED], [additive]])
  assert.equal(groupFindings([ACCEPTED], AFTER).breaking.length, 1)
})

const sides = (aspect: Finding['aspect'], promised: string | null, actual: string | null) =>
  Object.values(describeSides({ aspect, promised, actual }))

test('both sides of a finding have a text', () => {
  assert.deepEqual(sides('column.missing', 'date', null), ['date', 'No column'])
  assert.deepEqual(sides('column.extra', null, 'text'), ['No column', 'text'])
  assert.deepEqual(sides('object', 'table', null), ['table', 'No table'])
  assert.deepEqual(sides('type', null, null), ['Nothing', 'Nothing'])
})

test('counts are one sentence', () => {
  const none = { breaking: 0, additive: 0, accepted: 0, unverifiable: 0 }
  assert.equal(describeCounts(none), 'No differences.')
  assert.equal(
    describeCounts({ breaking: 2, accepted: 1, additive: 1, unverifiable: 4 }),
    '2 breaking differences, 1 accepted difference, 1 difference that keeps the promise, and 4 fields that cannot be compared.',
  )
})

test('a finding is named by what differs and where, a state of another version stays neutral', () => {
  assert.equal(nameFinding(FINDING), 'Type: order.total')
  assert.equal(nameFinding({ ...FINDING, field: null, aspect: 'key' }), 'Primary key: order')
  assert.deepEqual(getLinkWords('constructor').word, 'Not compared')
})
