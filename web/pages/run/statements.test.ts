import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { logText, statementsIn } from './statements.ts'

const at = '2026-03-01T06:00:00Z'
const lines = (...texts: string[]) => texts.map((text) => ({ at, level: 'info', text }))

describe('statementsIn', () => {
  test('returns the statements after the last summary', () => {
    const log = lines(
      'Attempt 1 began.',
      '9 statements took 90 ms; the slowest:',
      '80 ms: of the attempt before',
      '3 statements took 42 ms; the slowest:',
      '30 ms: select 1\nfrom two',
      '12 ms: select 2',
      'Published: {"created":1}.',
      '7 ms: no statement of the list',
    )
    assert.deepEqual(statementsIn(log), {
      count: 3,
      totalMs: 42,
      slowest: [
        { statement: 'select 1\nfrom two', durationMs: 30 },
        { statement: 'select 2', durationMs: 12 },
      ],
    })
  })

  test('returns undefined without a summary', () => {
    assert.equal(statementsIn(lines('Attempt 1 began.', '5 ms: nothing')), undefined)
    assert.equal(statementsIn([]), undefined)
  })
})

test('logText › writes one line per entry, the time first', () => {
  assert.equal(
    logText([{ at, level: 'warn', text: 'It is tried again.' }]),
    `${at} WARN It is tried again.\n`,
  )
})
