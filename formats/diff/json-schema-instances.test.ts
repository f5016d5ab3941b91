// Levels of JSON Schema against generated data: a change must be breaking if a valid instance was not valid before.
// `json-schema-instances.peer.test.ts` repeats this with new seeds and another validator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWidening } from '../../test/json-schema-levels.ts'
import { AJV_DRAFTS } from '../../test/json-schema-oracle.ts'
import { draftPairs, schemaPairs } from '../../test/json-schema-pairs.ts'

test('JSON Schema › a change that allows new instances is breaking', () => {
  const witnesses = checkWidening(schemaPairs, { seed: 1, numRuns: 200 })
  assert.ok(witnesses > 10, `${witnesses} changes let new instances in`)
})

test('JSON Schema › a change of the draft that allows new instances is breaking', () => {
  const witnesses = checkWidening(draftPairs(AJV_DRAFTS), { seed: 1, numRuns: 100 })
  assert.ok(witnesses > 5, `${witnesses} changes let new instances in`)
})
