import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitText } from './wait-text.ts'

test('formats a wait in whole units, rounded up', () => {
  assert.equal(waitText(0), '1 second')
  assert.equal(waitText(1), '1 second')
  assert.equal(waitText(1.2), '2 seconds')
  assert.equal(waitText(59), '59 seconds')
  assert.equal(waitText(60), '1 minute')
  assert.equal(waitText(61), '2 minutes')
  assert.equal(waitText(900), '15 minutes')
})
