/**
 * Bundles the server for tests that start it: its programs load three times faster from a few files than
 * from more than a thousand modules. The bundle is kept in `.cache` until a source changes.
 */

import { createHash } from 'node:crypto'
import { existsSync, utimesSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import { computeFingerprint } from './fingerprint.ts'

/** The programs of the server: the server itself, its threads, and the process that reads a source. */
const PROGRAMS = ['main', 'task-thread', 'connectors/source-process/reader'] as const

const root = resolve(import.meta.dirname, '..')
const server = join(root, 'server')
const bundles = join(root, '.cache/server')
const sources = [
  'server/**/*.ts',
  'formats/**/*.{ts,json}',
  'scripts/server-bundle.ts',
  'package-lock.json',
]
const unusedMsMax = 24 * 60 * 60 * 1000

/** Returns the folder with the bundled programs (`main.mjs`, …); builds it unless it is current. */
export async function ensureServerBundle(): Promise<string> {
  // The bundle contains absolute paths, so that a copy of the repository needs another one.
  const hash = createHash('sha256').update(root).update(computeFingerprint(root, sources))
  const directory = join(bundles, hash.digest('hex').slice(0, 16))
  if (existsSync(directory)) {
    const now = new Date()
    utimesSync(directory, now, now)
    return directory
  }
  await removeUnused()
  const made = `${directory}.${process.pid}`
  try {
    await buildInto(made, directory)
    await rename(made, directory)
  } catch (error) {
    // Another run may have built the same bundle in the meantime.
    if (!existsSync(directory)) throw error
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  return directory
}

async function buildInto(made: string, directory: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(PROGRAMS.map((name) => [name, join(server, `${name}.ts`)])),
    // A native client that pg uses if it is installed, and an optional driver, which brings 70 MB.
    external: ['pg-native', 'tedious'],
    plugins: [keepAddresses(directory)],
    logLevel: 'silent',
  })
  try {
    await bundle.write({
      dir: made,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      keepNames: true,
    })
  } finally {
    await bundle.close()
  }
}

/** Lets modules find the files next to their sources, except for the bundled programs. */
function keepAddresses(directory: string): Plugin {
  const programs = new Map(
    PROGRAMS.map((name) => [
      pathToFileURL(join(server, `${name}.ts`)).href,
      pathToFileURL(join(directory, `${name}.mjs`)).href,
    ]),
  )
  return {
    name: 'keep-addresses',
    transform(code, id) {
      if (!id.startsWith(root) || !code.includes('import.meta.url')) return null
      const own = pathToFileURL(id).href
      return code
        .replaceAll(/new URL\('(\.\/[^']+\.ts)', import\.meta\.url\)/g, (found, path: string) => {
          const program = programs.get(new URL(path, own).href)
          return program === undefined ? found : `new URL(${JSON.stringify(program)})`
        })
        .replaceAll('import.meta.url', JSON.stringify(own))
    },
  }
}

/** Removes the bundles that no run has used for a day. */
async function removeUnused(): Promise<void> {
  await mkdir(bundles, { recursive: true })
  for (const name of await readdir(bundles)) {
    const path = join(bundles, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > unusedMsMax) await rm(path, { recursive: true, force: true })
  }
}
