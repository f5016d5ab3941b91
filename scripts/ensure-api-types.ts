/**
 * Generates web/api/openapi.ts, the types of all addresses, including those of the pages, unless it is
 * current. Git ignores the file; `npm test`, `npm run check`, `npm run dev` and `npm run openapi` create it.
 */

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { generateTypes } from './api-types.ts'
import { computeFingerprint } from './fingerprint.ts'

const root = resolve(import.meta.dirname, '..')
const target = resolve(root, 'web/api/openapi.ts')
const sources = [
  'server/**/*.ts',
  'formats/**/*.ts',
  'scripts/{api-types,ensure-api-types}.ts',
  'package-lock.json',
]

if (import.meta.main) await ensureApiTypes()

/** Generates the types unless they are current; the first line of the file is the digest of its sources. */
export async function ensureApiTypes(): Promise<void> {
  const head = `// Generated from the endpoint table ${computeFingerprint(root, sources)}. Do not edit.\n\n`
  if (readCurrent().startsWith(head)) return
  const { api } = await import('../server/api.ts')
  const { ui } = await import('../server/ui.ts')
  const { openApiDocument } = await import('../server/requests/http/openapi.ts')
  const document = openApiDocument([...api, ...ui], '')
  // The rename is atomic: a compiler that starts in between reads complete types.
  const draft = `${target}.${process.pid}.tmp`
  writeFileSync(draft, `${head}${generateTypes(document)}`)
  renameSync(draft, target)
}

function readCurrent(): string {
  try {
    return readFileSync(target, 'utf8')
  } catch {
    return ''
  }
}
