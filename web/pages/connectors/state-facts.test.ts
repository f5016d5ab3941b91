import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listStateFacts } from './state-facts.ts'

const list = (state: Parameters<typeof listStateFacts>[0]): string[] =>
  listStateFacts(state).map(({ label, kind, text }) => `${kind} ${label}: ${text}`)

test('times, positions and counts, in this order', () => {
  const state = {
    processedCount: 12,
    lastEventId: '0191',
    mode: 'full',
    lastEventAt: 1_764_123_456_789,
    lastRun: { startedAt: '2026-11-28T10:00:00Z', failed: 0, note: 'x' },
  }
  assert.deepEqual(list(state), [
    'time Last event at: 2025-11-26T02:17:36.789Z',
    'time Last run: startedAt: 2026-11-28T10:00:00Z',
    'position Last event id: 0191',
    'count Processed count: 12',
    'count Last run: failed: 0',
  ])
})

test('a position for each topic', () => {
  assert.deepEqual(list({ offsets: { 'a.v1': [1, 2], b: 7, c: {} } }), [
    'position Offsets: a.v1: 1, 2',
    'position Offsets: b: 7',
  ])
})

test('seconds are times, other numbers are not', () => {
  assert.deepEqual(list({ at: 1_764_123_456 }), ['time At: 2025-11-26T02:17:36.000Z'])
  assert.deepEqual(list({ timestamp: 5, date: 'soon', updatedAt: null }), [])
})

test('odd states have no facts, and long ones have a limit', () => {
  for (const state of [undefined, null, 'x', [], {}]) assert.deepEqual(list(state), [])
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`x${at}Count`, at]))
  assert.equal(list(many).length, 30)
  assert.equal(listStateFacts({ cursor: 'y'.repeat(999) })[0]?.text.length, 200)
})
