/** Every test file runs exactly once, and the shares that take long come first. */

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { createShares } from './test-shares.ts'

const root = resolve(import.meta.dirname, '..')
const files = globSync('**/*.test.{ts,tsx}', { cwd: root, exclude: ['**/node_modules', '.*'] })
const shares = createShares(root, files)

test('every file is in one share, or in all shares that take files from a common list', () => {
  const listed = [
    ...shares.filter(({ isCommon }) => !isCommon).flatMap((share) => share.files),
    ...new Set(shares.filter(({ isCommon }) => isCommon).flatMap((share) => share.files)),
  ]
  assert.deepEqual(listed.toSorted(), files.toSorted())
})

test('a share has files of one tier', () => {
  for (const { tier, files: own } of shares) {
    for (const other of createShares(root, own)) assert.equal(other.tier, tier)
  }
})

test('browsers come first, and pure tests last', () => {
  const [first, second] = shares
  assert.deepEqual([first?.tier.name, second?.tier.name], ['browser', 'browser'])
  assert.match(shares.at(-1)?.files[0] ?? '', /^(?:formats|web|scripts)\//)
})
