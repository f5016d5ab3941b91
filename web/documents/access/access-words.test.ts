import assert from 'node:assert/strict'
import test from 'node:test'
import { addDays, countDaysLeft, countedText, describeEnd, describePeriod } from './access-words.ts'

test('describePeriod › the last day is the one before the stored end', () => {
  const period = { startOn: '2026-10-01', endOn: '2027-01-01', state: 'active' } as const
  assert.equal(describePeriod(period), '1 Oct 2026 until 31 Dec 2026')
  assert.equal(describePeriod({ ...period, startOn: null }), 'Until 31 Dec 2026')
  assert.equal(describePeriod({ ...period, endOn: null }), 'From 1 Oct 2026, no end date')
})

test('describePeriod › a request without dates begins with the decision', () => {
  const open = { startOn: null, endOn: null }
  assert.equal(describePeriod({ ...open, state: 'requested' }), 'From the decision, no end date')
  assert.equal(describePeriod({ ...open, state: 'active' }), 'No end date')
})

const end = (endOn: string | null) => describeEnd(countDaysLeft(endOn, '2026-10-01'))

test('describeEnd › names the end only if it is soon', () => {
  assert.equal(end('2026-10-02'), 'Ends today')
  assert.equal(end('2026-10-15'), 'Ends in 14 days')
  assert.equal(end('2026-10-16'), undefined)
  assert.equal(end('2026-10-01'), undefined)
  assert.equal(end(null), undefined)
})

test('addDays › crosses months and years, and keeps what is no day', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2028-03-01', -1), '2028-02-29')
  assert.equal(addDays('soon', 1), 'soon')
})

test('countedText › more than are counted', () => {
  assert.equal(countedText(1000), '1,000')
  assert.equal(countedText(1001), '1,000+')
})
