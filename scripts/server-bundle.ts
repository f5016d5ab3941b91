/**
 * Bundles the server: its programs load three times faster from a few files than from more than a thousand
 * modules. Tests that start it use a bundle that is kept in `.cache` until a source changes; the package contains
 * another one, which differs only in the addresses of the files next to the sources.
 */

import { createHash } from 'node:crypto'
import { existsSync, utimesSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, posix, relative, resolve, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { collectPackages, writePackageList } from './bundled-packages.ts'
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
  'scripts/bundled-packages.ts',
  'package-lock.json',
]
const unusedMsMax = 24 * 60 * 60 * 1000

/**
 * Returns the folder with the bundled programs (`main.mjs`, …); builds it unless it is current.
 *
 * `home` is the folder from which the programs run, relative to the repository's root or to a copy of what they
 * read (migrations, pages, …) with the same layout. By default they run where they are built.
 */
export async function ensureServerBundle(home?: string): Promise<string> {
  const hash = createHash('sha256').update(`${home}\0`).update(computeFingerprint(root, sources))
  const directory = join(bundles, hash.digest('hex').slice(0, 16))
  if (existsSync(directory)) {
    const now = new Date()
    utimesSync(directory, now, now)
    return directory
  }
  await removeUnused()
  const made = `${directory}.${process.pid}`
  try {
    await buildInto(made, home === undefined ? directory : join(root, home))
    await rename(made, directory)
  } catch (error) {
    // Another run may have built the same bundle in the meantime.
    if (!existsSync(directory)) throw error
  } finally {
    await rm(made, { recursive: true, force: true })
  }
  return directory
}

async function buildInto(made: string, home: string): Promise<void> {
  const folders = new Set<string>()
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(
      PROGRAMS.map((name) => [posix.basename(name), join(server, `${name}.ts`)]),
    ),
    // A native client that pg uses if it is installed, an optional driver, which brings 70 MB, and the provider of the
    // demo, which only a clone has.
    external: ['pg-native', 'tedious', 'oidc-provider'],
    plugins: [keepAddresses(home), collectPackages(root, root, folders)],
    logLevel: 'silent',
  })
  try {
    await bundle.write({
      dir: made,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      keepNames: true,
      // V8 keeps the text of each file, with two bytes for each character if one of them needs two.
      charset: 'ascii',
      comments: { legal: true, annotation: false, jsdoc: false },
    })
    await writePackageList(made, folders)
  } finally {
    await bundle.close()
  }
}

/**
 * Lets modules find the files next to their sources, and the bundled programs. All files of the bundle are in one
 * folder, so addresses relative to it are the same for each.
 */
function keepAddresses(home: string): Plugin {
  const programs = new Map(
    PROGRAMS.map((name) => [join(server, `${name}.ts`), `./${posix.basename(name)}.mjs`]),
  )
  return {
    name: 'keep-addresses',
    transform(code, id) {
      const isOurs = id.startsWith(root) && !id.includes(`${sep}node_modules${sep}`)
      if (!isOurs || !code.includes('import.meta.url')) return null
      const own = relative(home, id).replaceAll(sep, '/')
      return code.replaceAll(
        /(?:new URL\('(\.\/[^']+\.ts)', )?import\.meta\.url/g,
        (found, path?: string) => {
          const program = path === undefined ? undefined : programs.get(resolve(id, '..', path))
          if (program !== undefined) return `new URL('${program}', import.meta.url`
          return found.replace('import.meta.url', `new URL('${own}', import.meta.url).href`)
        },
      )
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
