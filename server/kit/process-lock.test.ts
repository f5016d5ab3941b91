import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DirectoryInUse, lockDirectory } from './process-lock.ts'

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'portbook-lock-'))
})
after(() => rmSync(directory, { recursive: true, force: true }))

test('lockDirectory › one owner at a time, in one process too; the directory is its owner’s alone', () => {
  const path = join(directory, 'new', 'deeper')
  const lock = lockDirectory(path)
  assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.throws(() => lockDirectory(path), DirectoryInUse)
  const other = lockDirectory(join(directory, 'other'))
  other.release()
  lock.release()
  lockDirectory(path).release()
})

test('lockDirectory › dies with its process, however that ends', async () => {
  const path = join(directory, 'killed')
  const script = `
    import { lockDirectory } from ${JSON.stringify(new URL('./process-lock.ts', import.meta.url).href)}
    globalThis.lock = lockDirectory(${JSON.stringify(path)})
    process.stdout.write('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    assert.throws(() => lockDirectory(path), DirectoryInUse)
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  lockDirectory(path).release()
})

test('lockDirectory › what is no lock of another process is not called one', () => {
  const path = join(directory, 'broken')
  lockDirectory(path).release()
  rmSync(join(path, 'lock'))
  writeFileSync(join(path, 'lock'), 'this is no lock file, but something else entirely'.repeat(99))
  assert.throws(
    () => lockDirectory(path),
    (error) => !(error instanceof DirectoryInUse),
  )
})
