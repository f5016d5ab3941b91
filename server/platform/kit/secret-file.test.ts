import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeSecretFile } from './secret-file.ts'

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'portbook-secret-file-'))
})
after(() => rmSync(directory, { recursive: true, force: true }))

test('writeSecretFile › replaces a file with one that only its owner can read', () => {
  const path = join(directory, 'secret')
  writeFileSync(path, 'something longer than what comes', { mode: 0o666 })
  writeFileSync(`${path}.${process.pid}.new`, 'left behind by a crash', { mode: 0o666 })
  for (const secret of ['one', 'two']) {
    writeSecretFile(path, secret)
    assert.equal(readFileSync(path, 'utf8'), `${secret}\n`)
    assert.equal(statSync(path).mode & 0o777, 0o600)
  }
  assert.deepEqual(readdirSync(directory), ['secret'])
})

test('writeSecretFile › leaves no file behind if it cannot write', () => {
  const taken = join(directory, 'taken')
  mkdirSync(taken)
  const before = readdirSync(directory)
  for (const path of [taken, join(directory, 'missing', 'secret')]) {
    assert.throws(() => writeSecretFile(path, 'canary'))
    assert.deepEqual(readdirSync(directory), before)
  }
})
