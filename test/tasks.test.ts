import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

// Small documents are processed where the request is, so that a missing task would fail only for large ones.
test('every task of the server is in the list of threads', () => {
  const root = new URL('../server/', import.meta.url)
  const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
  const list = read('task-thread.ts')
  const missing: string[] = []
  let count = 0
  for (const file of globSync('**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    for (const [, name = ''] of read(file).matchAll(/^export const (\w+): Task</gm)) {
      count += 1
      const isListed = new RegExp(String.raw`\b${name}\b`).test(list)
      const isOfModule = new RegExp(String.raw`import \* as \w+ from '\./${file}'`).test(list)
      if (!isListed && !isOfModule) missing.push(`${file} ${name}`)
    }
  }
  assert.deepEqual(missing, [])
  assert.ok(count > 30, String(count))
})
