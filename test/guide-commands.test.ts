/** Guides and the README name only commands, options and settings that exist. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseCommandLine } from '../server/command-line.ts'
import { COMMANDS } from '../server/command-table.ts'

const ROOT = join(import.meta.dirname, '..')
// A command, with the words up to the end of the line or of the code.
const COMMAND =
  /(?:npx (?:--yes )?(?:--package \S+ )?portbook(?:@[\d.]+)?|npm run --silent portbook --|\/opt\/portbook(?:-[\d.]+)?\/bin\/portbook)(?: +([^\n`#|;&]*))?/g
const SETTING = /\bPORTBOOK_[A-Z_]+\b/g
// Names in the examples, which the program does not read.
const OTHERS = new Set([
  'PORTBOOK_URL',
  'PORTBOOK_API_KEY',
  'PORTBOOK_DATABASE_PASSWORD',
  'PORTBOOK_WEBHOOK_SECRET',
  'PORTBOOK_WH',
])

const documents = globSync(['README.md', 'docs/guides/**/*.md'], { cwd: ROOT })

/** Lists the settings that the source of the server reads. */
function readSettings(): Set<string> {
  const sources = globSync(
    [
      'server/platform/{config,settings,oidc-settings}.ts',
      'server/command-settings.ts',
      'bin/*.cjs',
    ],
    { cwd: ROOT },
  )
  return new Set(sources.flatMap((path) => read(path).match(SETTING) ?? []))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

test('every command line in a guide is one that the program accepts', () => {
  const faults = documents.flatMap((path) =>
    [...read(path).matchAll(COMMAND)].flatMap(([line, words = '']) => {
      const given = words.trim().split(/\s+/).filter(Boolean)
      const parsed = parseCommandLine(given, COMMANDS, 'portbook')
      return parsed.kind === 'mistake' ? [`${path}: ${line}: ${parsed.message}`] : []
    }),
  )
  assert.deepEqual(faults, [])
})

test('every setting in a guide is one that the program reads', () => {
  const settings = readSettings()
  const faults = documents.flatMap((path) =>
    [...new Set(read(path).match(SETTING) ?? [])]
      .filter((name) => !settings.has(name) && !settings.has(name.replace(/_FILE$/, '')))
      .filter((name) => !OTHERS.has(name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(faults, [])
})
