import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import semver from 'semver'
import { VERSION } from '../version.ts'
import { findFirstWriter, listBlocking, parseWritableBy } from './writable-by.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

test('migrations › name a released version, or none', () => {
  for (const name of readdirSync(MIGRATIONS)) {
    const version = parseWritableBy(name, readFileSync(join(MIGRATIONS, name), 'utf8'))
    const isReleased = version === null || semver.lte(version, VERSION)
    assert.ok(isReleased, `${name}: no process of version ${version} exists yet`)
  }
})

test('migrations › run in one transaction, which can be repeated as a whole', () => {
  for (const name of readdirSync(MIGRATIONS)) {
    const text = readFileSync(join(MIGRATIONS, name), 'utf8')
    // `begin` and `end` are also words of functions.
    const own = /\bconcurrently\b|^\s*(commit|rollback|start transaction|vacuum)\b/im.exec(text)
    assert.equal(own, null, `${name} has a statement that is not part of its transaction`)
  }
})

test('writable-by › is the first line of a migration, or absent', () => {
  assert.equal(parseWritableBy('a', 'create table a ();\n'), null)
  assert.equal(parseWritableBy('a', '-- A table.\ncreate table a ();\n'), null)
  assert.equal(parseWritableBy('a', ''), null)
  for (const version of ['0.3.0', '1.20.300', '0.3.0-rc.1', '1.0.0-alpha.beta']) {
    assert.equal(parseWritableBy('a', `-- writable-by: ${version}\nselect 1;`), version)
  }
})

test('writable-by › rejects every malformed line', () => {
  const malformed = [
    '-- writable-by: 0.3\n',
    '-- writable-by: v0.3.0\n',
    '-- writable-by: 0.3.0+build\n',
    '-- writable-by: 00.3.0\n',
    '-- writable-by: 0.3.0 or newer\n',
    '-- writable-by:0.3.0\n',
    '-- writable-by 0.3.0\n',
    '-- Writable-by: 0.3.0\n',
    '-- writable_by: 0.3.0\n',
    '--  writable-by: 0.3.0\n',
    '/* writable-by: 0.3.0 */\n',
    '\n-- writable-by: 0.3.0\n',
    '-- A table.\n-- writable-by: 0.3.0\n',
    '-- writable-by: 0.3.0\n-- writable-by: 0.4.0\n',
    '-- writable-by: 0.3.0',
  ]
  for (const line of malformed) {
    assert.throws(() => parseWritableBy('0070_x.sql', line), /0070_x\.sql has a malformed/, line)
  }
})

test('listBlocking › compares semantic versions, with pre-releases', () => {
  for (const [version, writableBy] of [
    ['0.3.0', '0.3.0'],
    ['0.10.0', '0.9.0'],
    ['1.0.0', '0.99.99'],
    ['0.3.0', '0.3.0-rc.1'],
    ['0.3.0-rc.2', '0.3.0-rc.1'],
    ['0.3.0-rc.10', '0.3.0-rc.9'],
  ] as const) {
    assert.equal(blocks(version, writableBy), false, `${version} may write after ${writableBy}`)
  }
  for (const [version, writableBy] of [
    ['0.2.9', '0.3.0'],
    ['0.9.0', '0.10.0'],
    ['0.3.0-rc.1', '0.3.0'],
    ['0.3.0-alpha', '0.3.0-rc.1'],
    ['9.9.9', null],
    ['9.9.9', 'soon'],
    ['9.9.9', ''],
    ['unknown', '0.1.0'],
  ] as const) {
    assert.equal(blocks(version, writableBy), true, `${version} must not write after ${writableBy}`)
  }
})

test('findFirstWriter › is the newest version that any of the migrations names', () => {
  assert.equal(findFirstWriter(newMigrations('0.9.0', '0.10.0', '0.10.0-rc.1')), '0.10.0')
  assert.equal(findFirstWriter(newMigrations('0.9.0', null)), null)
  assert.equal(findFirstWriter(newMigrations('0.9.0', 'soon')), null)
  assert.equal(findFirstWriter([]), null)
})

function blocks(version: string, writableBy: string | null): boolean {
  return listBlocking([{ name: 'a', writableBy }], version).length > 0
}

function newMigrations(...versions: (string | null)[]) {
  return versions.map((writableBy) => ({ name: 'a', writableBy }))
}
