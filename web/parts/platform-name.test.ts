import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlatformName } from './platform-name.ts'

test('writes platforms as people do, in any letter case', () => {
  assert.equal(findPlatformName('kafka'), 'Kafka')
  assert.equal(findPlatformName('KAFKA '), 'Kafka')
  assert.equal(findPlatformName('postgresql'), 'PostgreSQL')
})

test('finds no name for other words', () => {
  for (const word of ['table', '', '__proto__', 'constructor']) {
    assert.equal(findPlatformName(word), undefined)
  }
})
