/** The notices of the package name everything that it contains of other people. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { unpackPackages, type TwoPackages } from './packages.ts'

const root = join(import.meta.dirname, '..')
const SOURCES = '{server,formats,web}/**/*.{ts,tsx,css}'
const exclude = ['**/*.test.ts', '**/*.test.tsx', 'web/dist/**', 'web/vite.config.ts']
// Built into Node, loaded only if it is installed, or names of other packages without code of its own.
const OUTSIDE = new Set([...builtinModules, 'node', 'tedious', 'oidc-provider', 'radix-ui'])
// Imports at run time of a package by its name, also over several lines, and of styles.
const IMPORT =
  /^(?:import (?!type )(?:[^;'"]*? from )?|\} from |@import |.*\bimport\()'((?:@[^/']+\/)?[^.#/'@][^/':]*)[^']*'/gm

let packages: TwoPackages
before(async () => {
  packages = await unpackPackages()
})
after(() => packages.remove())

test('THIRD-PARTY.md › names every package that the server and the pages import', () => {
  const notices = readFileSync(join(packages.older.main, '../../THIRD-PARTY.md'), 'utf8')
  const listed = new Set(Array.from(notices.matchAll(/^\| (\S+) \| \d/gm), ([, name]) => name))
  const imported = new Set(globSync(SOURCES, { cwd: root, exclude }).flatMap(listImports))
  assert.ok(imported.has('pg') && imported.has('react') && imported.has('tailwindcss'))
  assert.deepEqual(
    [...imported].filter((name) => !listed.has(name)),
    [],
  )
  assert.match(notices, /SIL OPEN FONT LICENSE/)
})

/** Lists the packages that a file of the product imports at run time. */
function listImports(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const names = Array.from(text.matchAll(IMPORT), ([, name = '']) => name)
  return names.filter((name) => !OUTSIDE.has(name))
}
