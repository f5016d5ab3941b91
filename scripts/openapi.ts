/**
 * Generates files from the endpoint table and the table of errors, or with `--check` verifies that they are
 * current: docs/openapi.json, the OpenAPI document that the product serves; docs/errors.md; and
 * web/api/openapi.ts, the types of all addresses, including those of the pages.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tables from '../server/api.ts'
import { openApiDocument } from '../server/http/openapi.ts'
import { VERSION } from '../server/version.ts'
import { generateTypes, type OpenApiDocument } from './api-types.ts'
import { writeErrorDocument } from './error-document.ts'

const ROOT = join(import.meta.dirname, '..')
const FORMATTER = join(ROOT, 'node_modules/oxfmt/bin/oxfmt')

const everything: OpenApiDocument = openApiDocument(Object.values(tables).flat(), VERSION)
const files = [
  {
    path: 'docs/openapi.json',
    text: `${JSON.stringify(openApiDocument(tables.api, VERSION), null, 2)}\n`,
  },
  { path: 'docs/errors.md', text: writeErrorDocument() },
  { path: 'web/api/openapi.ts', text: format(generateTypes(everything)) },
]

for (const { path, text } of files) {
  const target = join(ROOT, path)
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${path} is stale: run \`npm run openapi\``)
    process.exitCode = 1
  }
}

/** Formats a text like the formatter, so that the format check passes. */
function format(text: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [FORMATTER, '--stdin-filepath', 'web/api/openapi.ts'],
    { cwd: ROOT, input: text, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}
