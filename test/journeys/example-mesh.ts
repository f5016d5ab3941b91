/** The example mesh, and the script that registers it with `curl`. */

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The script that registers the example mesh. */
export const SCRIPT = fileURLToPath(new URL('../../examples/register.sh', import.meta.url))
/** The folder of the example mesh. */
export const MESH = fileURLToPath(new URL('../../examples/mesh', import.meta.url))

/** The documents of the mesh, by the ends of their addresses. */
export const PATHS = [
  ...filesIn('teams').map((file) => `teams/${withoutEnding(file)}`),
  ...recordsIn('tags', 'tags'),
  ...recordsIn('definitions', 'definitions'),
  ...recordsIn('policies', 'policies'),
  ...recordsIn('certifications', 'certifications'),
  ...recordsIn('classification-schemes', 'classification-schemes'),
  ...recordsIn('source-systems', 'sourcesystems'),
  ...filesIn('assets').map((file) => `assets/${withoutEnding(file)}`),
  ...filesIn('data-contracts').map((file) => `datacontracts/${withoutEnding(file)}`),
  ...filesIn('data-products').map((file) => `dataproducts/${withoutEnding(file)}`),
]

/** The documents with an earlier version, which is registered first. */
export const EARLIER = [
  ...filesIn('earlier/data-contracts').map((file) => `datacontracts/${withoutEnding(file)}`),
  ...filesIn('earlier/data-products').map((file) => `dataproducts/${withoutEnding(file)}`),
]

/** Returns whether `curl` is installed; otherwise skips the test. */
export function hasCurl(t: TestContext): boolean {
  const found = spawnSync('curl', ['--version']).status === 0
  assert.ok(found || process.env['CI'] !== 'true', 'curl is missing')
  if (!found) t.skip('curl is missing')
  return found
}

// The slashes of an id are those of folders.
function recordsIn(folder: string, collection: string): string[] {
  const files = readdirSync(join(MESH, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.(?:json|yaml)$/.test(file))
    .map((file) => `${collection}/${withoutEnding(file)}`)
}

/** Lists the files of a folder of the mesh. */
export function filesIn(folder: string): string[] {
  return readdirSync(join(MESH, folder))
}

function withoutEnding(file: string): string {
  return file.replace(/\.\w+$/, '')
}

/** Returns the lines of the script about earlier versions that have a status. */
export function earlierLines(status: string): string[] {
  return EARLIER.map((path) => `${path} (earlier) ${status}`)
}

/** Returns the lines of the script about registered documents. */
export function toLines(paths: readonly string[]): string[] {
  return paths.map((path) => `${path} 200`).toSorted()
}

/** Runs the script, which must succeed; returns the lines of its output, sorted. */
export async function runScript(url: string | undefined, key: string): Promise<string[]> {
  const child = spawn(SCRIPT, [], {
    env: { PATH: process.env.PATH, PORTBOOK_URL: url, PORTBOOK_API_KEY: key },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  return output.trim().split('\n').toSorted()
}
