import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStatusLabel } from './status-label.ts'

for (const [status, label] of [
  ['active', 'Active'],
  ['Active', 'Active'],
  ['ACTIVE', 'Active'],
  ['in development', 'In development'],
  ['In Development', 'In development'],
  ['IN_DEVELOPMENT', 'In development'],
  ['in-development', 'In development'],
  ['end of life', 'End of life'],
  ['GA', 'GA'],
  ['breaking', 'Breaking'],
  ['non-breaking', 'Non-breaking'],
  ['éteint', 'Éteint'],
  ['', ''],
] as const) {
  test(`shows the status "${status}" as "${label}"`, () => {
    assert.equal(toStatusLabel(status), label)
  })
}
