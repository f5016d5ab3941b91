/**
 * Runs test files in one process, each as a suite with its own name:
 * `node scripts/test-batch.ts <file> …`. `scripts/test.ts` starts it.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, describe, mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runCleanups, runCleanupsOfFile } from '../test/at-end.ts'
import { readProcessorSeconds, type Spent } from './test-spent.ts'

const root = resolve(import.meta.dirname, '..')

const secondsByFile: Record<string, number> = {}

process.on('exit', () => {
  const file = process.env.PORTBOOK_TEST_SPENT
  const seconds = readProcessorSeconds('self')
  if (file === undefined || seconds === undefined) return
  writeFileSync(file, JSON.stringify({ seconds, secondsByFile } satisfies Spent))
})

for (const file of process.argv.slice(2)) {
  if (!claim(file)) continue
  const beforeSeconds = readProcessorSeconds('self')
  await describe(file, async () => {
    // The next file must not run with the mocked time of this one.
    after(async () => {
      mock.timers.reset()
      mock.reset()
      await runCleanupsOfFile()
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
  const seconds = readProcessorSeconds('self')
  if (seconds !== undefined) secondsByFile[file] = seconds - (beforeSeconds ?? 0)
}

await runCleanups()

/** Claims a file that other processes would run, too; returns false if one has claimed it. */
function claim(file: string): boolean {
  const claims = process.env.PORTBOOK_TEST_CLAIMS
  if (claims === undefined) return true
  mkdirSync(claims, { recursive: true })
  try {
    mkdirSync(join(claims, encodeURIComponent(file)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
