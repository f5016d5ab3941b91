/**
 * Several test files in one process, each a suite of its own name: `node scripts/test-batch.ts <file> …`,
 * as `scripts/test.ts` starts it.
 */

import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')

for (const file of process.argv.slice(2)) {
  await describe(file, async () => {
    try {
      await import(pathToFileURL(join(root, file)).href)
    } catch (error) {
      // Only a test that fails is counted as a failure.
      test('can be read', () => {
        throw error
      })
    }
  })
}
