/**
 * Generates files from the endpoint table and the table of errors, or with `--check` verifies that they are
 * current: docs/openapi.json, the OpenAPI document that the product serves, and docs/errors.md.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tables from '../server/api.ts'
import { openApiDocument } from '../server/http/openapi.ts'
import { VERSION } from '../server/version.ts'
import { ensureApiTypes } from './ensure-api-types.ts'
import { writeErrorDocument } from './error-document.ts'

const ROOT = join(import.meta.dirname, '..')

const files = [
  {
    path: 'docs/openapi.json',
    text: `${JSON.stringify(openApiDocument(tables.api, VERSION), null, 2)}\n`,
  },
  { path: 'docs/errors.md', text: writeErrorDocument() },
]

for (const { path, text } of files) {
  const target = join(ROOT, path)
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${path} is stale: run \`npm run openapi\``)
    process.exitCode = 1
  }
}
await ensureApiTypes()
