/** Data directories that cannot be used: an operator sees one clear line and no stack trace. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertRefused, onPlace } from '../operator.ts'
import { runProduct, startCommand } from '../process.ts'
import { newLocalPlace, type StorePlace } from '../stores.ts'

const NOBODY = 65_534

let place: StorePlace
let directory = ''
const folder = mkdtempSync(join(tmpdir(), 'portbook-damaged-'))

before(async () => {
  place = newLocalPlace()
  directory = place.environment['PORTBOOK_DATA_DIR'] ?? ''
  assert.equal((await runProduct(place.environment, ['migrate'])).code, 0)
})

after(async () => {
  await place.remove()
  rmSync(folder, { recursive: true, force: true })
})

const RESTORE = /is damaged \(.+\)\. Move .+ away, and restore a backup with: portbook restore/

/** Renames files, and back after `work`. */
async function without(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const path of paths) renameSync(path, `${path}.away`)
  await work()
  for (const path of paths) renameSync(`${path}.away`, path)
}

test('damaged files of PostgreSQL › are reported with the store and how to restore it', async () => {
  const cluster = join(directory, 'postgres', 'cluster')
  const control = join(cluster, 'global', 'pg_control')
  const log = join(cluster, 'pg_wal')
  const segments = readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name))
  for (const [paths, reason] of [
    [[control], /could not open file .*pg_control/],
    [segments.map((name) => join(log, name)), /valid checkpoint record/],
    [[join(cluster, 'PG_VERSION')], /PG_VERSION is missing/],
  ] as const) {
    await without(paths, async () => {
      const refused = await runProduct(place.environment, ['verify'])
      assertRefused(refused, reason)
      assertRefused(refused, RESTORE)
      assert.ok(refused.stderr.includes(`The database in ${directory} is damaged`), refused.stderr)
    })
  }
  const { code, stderr } = await runProduct(place.environment, ['verify'])
  assert.equal(code, 0, stderr)
})

test('a data directory that is a file › is reported', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'below')]) {
    const refused = await runProduct({ PORTBOOK_DATA_DIR: path })
    assertRefused(refused, /file is a file\. Set PORTBOOK_DATA_DIR to a folder\.$/)
  }
})

test('a data directory that is not writable › is reported', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can start a process as another user')
  const readOnlyFolder = join(folder, 'closed')
  mkdirSync(readOnlyFolder, { mode: 0o555 })
  chmodSync(folder, 0o755)
  const user = { uid: NOBODY, gid: NOBODY }
  const refused = await startCommand(
    { PORTBOOK_DATA_DIR: readOnlyFolder },
    ['verify'],
    user,
  ).untilEnd()
  assertRefused(refused, /closed\/postgres cannot be used: permission denied\. .*PORTBOOK_DATA_DIR/)
})

test('verify | head › has the same exit code, and no stack trace', async () => {
  await onPlace(async ({ environment }) => {
    const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
    const child = spawn(process.execPath, [main, 'verify'], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    assert.deepEqual([code, stderr], [0, ''])
  })
})
