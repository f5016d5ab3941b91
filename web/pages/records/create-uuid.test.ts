import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUuid } from './create-uuid.ts'

test('creates a different UUID of version 4 each time', () => {
  const ids = Array.from({ length: 50 }, createUuid)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})
