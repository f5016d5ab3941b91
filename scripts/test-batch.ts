/**
 * Runs test files in one process, each as a suite with its own name:
 * `node scripts/test-batch.ts <file> …`. `scripts/test.ts` starts it.
 */

import { join, resolve } from 'node:path'
import { after, describe, mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runCleanups } from '../test/at-end.ts'

const root = resolve(import.meta.dirname, '..')

for (const file of process.argv.slice(2)) {
  await describe(file, async () => {
    // The next file must not run with the mocked time of this one.
    after(() => {
      mock.timers.reset()
      mock.reset()
    })
    try {
      await import(pathToFileURL(join(root, file)).href)
    } catch (error) {
      // Only a failing test counts as a failure, so a file that cannot be loaded becomes one.
      test('can be read', () => {
        throw error
      })
    }
  })
}

await runCleanups()
