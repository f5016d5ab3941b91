import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLogLines } from './read-log.ts'

test('listLogLines › reads lines, also of other forms, and distinguishes hidden ones', () => {
  const at = '2026-01-01T00:00:00Z'
  const logs = [
    { level: 'INFO', message: 'Started', timestamp: at },
    { message: null },
    'x',
    5,
    null,
  ]
  assert.deepEqual(listLogLines({ logs }), [
    { level: 'INFO', message: 'Started', at },
    { level: '', message: null, at: undefined },
    { level: '', message: 'x', at: undefined },
    { level: '', message: '', at: undefined },
    { level: '', message: '', at: undefined },
  ])
  assert.deepEqual(listLogLines({ logs: null }), [])
})
