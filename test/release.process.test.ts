/** The script of releases, in a scratch clone. */

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { VERSION } from '../server/platform/version.ts'

const root = resolve(import.meta.dirname, '..')
const clone = join(mkdtempSync(join(tmpdir(), 'portbook-release-')), 'clone')
before(() => {
  execFileSync('git', ['clone', '--quiet', '--shared', root, clone])
  // Also the changes that are not committed yet.
  cpSync(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  git('add', '--all')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.test', 'commit', '--allow-empty', '-qm', 'x')
})
after(() => rmSync(join(clone, '..'), { recursive: true }))

test('release --dry-run › prints every step and the commands that publish, and changes nothing', () => {
  const { status, stdout, stderr } = release(VERSION, '--dry-run')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^1\/8 check that only this release has changed files\n2\/8 \.ci\/run\n/)
  assert.match(stdout, /git tag --sign v\d/)
  assert.match(stdout, /npm publish dist\/portbook-\S+\.tgz --provenance/)
  assert.equal(git('status', '--porcelain'), '')
})

test('release › rejects what is not a version, and an older one', () => {
  for (const [version, reason] of [
    ['soon', /usage: /],
    ['v0.2.0', /usage: /],
    ['0.0.1', /0\.0\.1 is older than/],
  ] as const) {
    const { status, stderr } = release(version, '--dry-run')
    assert.equal(status, 1)
    assert.match(stderr, reason)
  }
})

test('release › stops before it changes anything if other files have changed', () => {
  writeFileSync(join(clone, 'notes.txt'), 'draft')
  const { status, stderr } = release(VERSION, '--checked')
  assert.equal(status, 1)
  assert.match(stderr, /commit or remove these first: notes\.txt/)
  rmSync(join(clone, 'notes.txt'))
  assert.equal(git('status', '--porcelain'), '')
})

function release(...parameters: string[]) {
  const script = join(clone, 'scripts/release.ts')
  return spawnSync(process.execPath, [script, ...parameters], { cwd: clone, encoding: 'utf8' })
}

function git(...parameters: string[]): string {
  return execFileSync('git', parameters, { cwd: clone, encoding: 'utf8' }).trim()
}
