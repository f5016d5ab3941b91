/**
 * Writes docs/openapi.json, the API's own description as the product serves it, or with `--check`
 * says whether it is current.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '../server/api.ts'
import { openApiDocument } from '../server/http/openapi.ts'
import { VERSION } from '../server/version.ts'

const TARGET = join(import.meta.dirname, '../docs/openapi.json')

const current = `${JSON.stringify(openApiDocument(api, VERSION), null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(TARGET, current)
else if (!existsSync(TARGET) || readFileSync(TARGET, 'utf8') !== current) {
  console.error('docs/openapi.json is stale: run `npm run openapi`')
  process.exitCode = 1
}
