import assert from 'node:assert/strict'
import test from 'node:test'
import { NO_FILTERS, toQuery } from './filters.ts'

test('toQuery › sends nothing without filters', () => {
  assert.deepEqual(toQuery(NO_FILTERS), {})
})

test("toQuery › covers both days whole, in the reader's time zone", () => {
  const { since, until } = toQuery({ ...NO_FILTERS, from: '2026-10-31', to: '2026-11-01' })
  assert.equal(since, new Date(2026, 9, 31).toISOString())
  assert.equal(until, new Date(2026, 10, 2).toISOString())
})

test('toQuery › ignores what cannot be filtered by', () => {
  const wrong = { ...NO_FILTERS, kind: 'mouse', level: 'none', from: '2026-02-30', to: 'today' }
  assert.deepEqual(toQuery(wrong), {})
  assert.deepEqual(toQuery({ ...NO_FILTERS, kind: 'team', level: 'breaking', actor: 'system' }), {
    kind: ['team'],
    level: ['breaking'],
    actor: 'system',
  })
})
