import assert from 'node:assert/strict'
import test from 'node:test'
import { addMonths, listMonths, monthText, shortMonthText } from './months.ts'

test('listMonths › includes both ends and crosses years', () => {
  assert.deepEqual(listMonths('2026-11', '2027-02'), ['2026-11', '2026-12', '2027-01', '2027-02'])
  assert.deepEqual(listMonths('2026-11', '2026-11'), ['2026-11'])
  assert.deepEqual(listMonths('2026-11', '2026-10'), [])
})

test('addMonths › crosses years in both directions', () => {
  assert.equal(addMonths('2026-12', 1), '2027-01')
  assert.equal(addMonths('2026-01', -12), '2025-01')
})

test('monthText › does not depend on the time zone of the reader', () => {
  assert.equal(monthText('2026-11'), 'Nov 2026')
  assert.equal(shortMonthText('2026-01'), 'Jan')
})
