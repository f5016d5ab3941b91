/** The installation of peers. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { getPeerDirectory } from './recipes.ts'

const INSTALLER = join(import.meta.dirname, 'install')
const PEERS = join(import.meta.dirname, '../../scripts/peers.ts')

function makeDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-peers-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('npm run peers › names what is present, unknown, or cannot be installed', (t) => {
  const cache = makeDirectory(t)
  const run = (...names: string[]) => {
    const env = { XDG_CACHE_HOME: cache, HOME: cache, PATH: cache }
    return spawnSync(process.execPath, [PEERS, ...names], { env, encoding: 'utf8' })
  }
  const missing = run('moto')
  assert.deepEqual([missing.status, missing.stdout], [1, 'moto failed: no python3\n'])
  const unknown = run('motto')
  assert.equal(unknown.status, 1)
  assert.match(unknown.stderr, /^Unknown peer motto\. Use .*\bmoto\b/)
  const directory = join(cache, 'portbook', basename(getPeerDirectory('moto')))
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'complete'), '')
  const present = run('moto')
  assert.deepEqual([present.status, present.stdout], [0, 'moto present\n'])
})

test('an installation › is complete only after success, and then is not repeated', (t) => {
  const root = makeDirectory(t)
  const [directory, script] = [join(root, 'peer'), join(root, 'script')]
  writeFileSync(join(root, 'requirements.txt'), 'of the peer')
  const install = (text: string): number | null => {
    writeFileSync(script, text)
    return spawnSync('bash', [INSTALLER, directory, script, root]).status
  }
  const complete = join(directory, 'complete')
  assert.notEqual(install('echo rest >"$1/rest"; exit 3'), 0)
  assert.ok(!existsSync(complete))
  assert.equal(install('cp requirements.txt "$1"; echo first >"$1/text"'), 0)
  assert.equal(readFileSync(join(directory, 'requirements.txt'), 'utf8'), 'of the peer')
  assert.ok(existsSync(complete) && !existsSync(join(directory, 'rest')))
  assert.equal(install('echo second >"$1/text"'), 0)
  assert.equal(readFileSync(join(directory, 'text'), 'utf8'), 'first\n')
})
