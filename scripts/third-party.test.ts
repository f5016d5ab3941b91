import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { collectPackages, findPackageFolder } from './bundled-packages.ts'
import { isPermissive, readBundled, writeBillOfMaterials, writeNotices } from './third-party.ts'

const folder = mkdtempSync(join(tmpdir(), 'portbook-third-party-'))
after(() => rmSync(folder, { recursive: true }))

function addPackage(path: string, manifest: object, files: Record<string, string> = {}): string {
  const target = join(folder, 'node_modules', path)
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(target, name), text)
  return target
}

const plain = { version: '1.0.0', license: 'MIT' }
const one = addPackage(
  'one',
  { name: 'one', ...plain },
  { LICENSE: 'The text', NOTICE: 'A notice' },
)
const two = addPackage('@x/two', { name: '@x/two', ...plain }, { 'LICENSE.md': 'The text\n' })

test('notices › contain every licence and notice, equal texts once', () => {
  const notices = writeNotices(readBundled([two, one, one]))
  assert.match(notices, /\| @x\/two \| 1\.0\.0 \| MIT \|\n\| one \| 1\.0\.0 \| MIT \|/)
  assert.match(notices, /## @x\/two 1\.0\.0, one 1\.0\.0\n\n```text\nThe text\n```/)
  assert.match(notices, /## one 1\.0\.0\n\n```text\nA notice\n```/)
})

test('notices › without a licence file, use the text of the README or the standard text with the author', () => {
  const readme = '# It\n## License\nCopyright (c) 2014 Ada\nPermission is hereby granted, free\n'
  const described = addPackage(
    'described',
    { name: 'described', ...plain },
    { 'README.md': readme },
  )
  const manifest = { name: 'authored', ...plain, author: 'Ada Lindqvist' }
  const notices = writeNotices(readBundled([described, addPackage('authored', manifest)]))
  assert.match(notices, /Copyright \(c\) 2014 Ada\nPermission is hereby granted, free/)
  assert.match(notices, /Copyright \(c\) Ada Lindqvist\n/)
})

test('readBundled › rejects a licence that is not permissive, and one without a text', () => {
  const manifest = { name: 'copyleft', version: '2.0.0', license: 'AGPL-3.0-only' }
  const copyleft = addPackage('copyleft', manifest, { LICENSE: 'AGPL' })
  const silent = addPackage('silent', { name: 'silent', version: '3.0.0', license: 'ISC' })
  const unnamed = addPackage('unnamed', { name: 'unnamed', version: '4.0.0' }, { LICENSE: 'X' })
  assert.throws(
    () => readBundled([one, copyleft, silent, unnamed]),
    /copyleft@2\.0\.0: its licence "AGPL-3\.0-only" is not permissive\nsilent@3\.0\.0: it contains no text of its licence\nunnamed@4\.0\.0: its licence "" is not/,
  )
})

test('isPermissive › reads SPDX expressions', () => {
  for (const license of ['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND OFL-1.1', 'Apache-2.0']) {
    assert.equal(isPermissive(license), true, license)
  }
  for (const license of [
    'GPL-2.0-only',
    'MIT AND LGPL-3.0-only',
    'MPL-2.0',
    'SEE LICENSE IN X',
    '',
  ]) {
    assert.equal(isPermissive(license), false, license)
  }
})

test('bill of materials › names each package with its texts, and has neither a time nor a serial number', () => {
  const text = writeBillOfMaterials(readBundled([one, two]), '0.1.0')
  const bom = JSON.parse(text) as {
    metadata: Record<string, unknown>
    components: { purl: string; evidence: { licenses: unknown[] } }[]
  }
  assert.deepEqual(Object.keys(bom).includes('serialNumber'), false)
  assert.deepEqual(Object.keys(bom.metadata), ['component'])
  assert.deepEqual(
    bom.components.map(({ purl, evidence }) => [purl, evidence.licenses.length]),
    [
      ['pkg:npm/%40x/two@1.0.0', 1],
      ['pkg:npm/one@1.0.0', 2],
    ],
  )
  assert.equal(writeBillOfMaterials(readBundled([two, one]), '0.1.0'), text)
})

test('collectPackages › finds the packages of modules, nested folders, queries and files', () => {
  const nested = addPackage('one/node_modules/inner', { name: 'inner', ...plain })
  addPackage('one/esm', { type: 'module' })
  const folders = new Set<string>()
  collectPackages(folder, join(folder, 'web'), folders).generateBundle(undefined, {
    'a.js': {
      type: 'chunk',
      moduleIds: [
        join(one, 'esm/index.js'),
        `\0${join(two, 'x.js')}?commonjs`,
        join(nested, 'x.js'),
        join(folder, 'web/main.ts'),
        '\0rolldown/runtime.js',
      ],
    },
    'font.woff2': { type: 'asset', originalFileNames: ['../node_modules/@x/two/font.woff2'] },
  })
  assert.deepEqual([...folders].toSorted(), [
    'node_modules/@x/two',
    'node_modules/one',
    'node_modules/one/node_modules/inner',
  ])
  assert.equal(findPackageFolder(join(folder, 'web/main.ts')), undefined)
})
