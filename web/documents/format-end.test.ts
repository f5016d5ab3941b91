import assert from 'node:assert/strict'
import test from 'node:test'
import { endText } from './format-end.ts'

const at = (instant: string) => endText('DPS', '2026-12-31', Date.parse(instant))

test('endText › counts days of UTC to the last one, which still counts', () => {
  assert.match(at('2026-11-21T23:59:59Z'), /: 40 days left$/)
  assert.match(at('2026-12-30T00:00:00Z'), /: 1 day left$/)
  assert.match(at('2026-12-31T23:59:59Z'), /^Today is the last day/)
  assert.match(at('2027-01-01T00:00:00Z'), /^DPS was accepted until/)
})
