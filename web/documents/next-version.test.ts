import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextMajorVersion } from './next-version.ts'

test('proposes the next major version in the form of the present one', () => {
  const proposals = ['3.1.2', 'v1.0.0', '2', '9.4', '0.1.0'].map(nextMajorVersion)
  assert.deepEqual(proposals, ['4.0.0', 'v2.0.0', '3', '10.0', '1.0.0'])
})

test('proposes nothing for a version that has no major number', () => {
  assert.deepEqual(['', '2025-01', 'draft', '1.0.0-rc.1'].map(nextMajorVersion), [
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
