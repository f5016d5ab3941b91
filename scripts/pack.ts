/**
 * `npm run pack`: writes `dist/portbook-<version>.tgz`, the package that npm publishes. Packing the same sources twice
 * gives the same bytes.
 *
 * The package has the layout of the repository, so that the bundled server finds migrations, guides, pages and examples
 * at the same relative addresses as its sources do.
 */

import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { create } from 'tar'
import { readPackageList } from './bundled-packages.ts'
import { makeManifest, type Manifest } from './package-manifest.ts'
import { ensurePages } from './pages.ts'
import { ensureServerBundle } from './server-bundle.ts'
import { readBundled, writeNotices, type Bundled } from './third-party.ts'

/** A packed file. */
export interface Packed {
  /** Its absolute path. */
  file: string
  bytes: number
  /** In hexadecimal. */
  sha256: string
}

/** Adds a part of the package to its folder. */
type Step = (folder: string) => Promise<void> | void

const root = resolve(import.meta.dirname, '..')
const megabyte = 1_000_000
// npm, too, gives every file this time: some tools reject files from 1970.
const mtime = new Date('1985-10-26T08:15:00Z')
// The folder in the archive that npm unpacks.
const prefix = 'package'

const steps: readonly Step[] = [
  addManifest,
  addServer,
  copies('server/migrations'),
  copies('bin'),
  copies('web/dist'),
  copies('docs/guides'),
  copies('examples'),
  copies('LICENSE'),
  copies('docs/package.md', 'README.md'),
  addNotices,
]

if (import.meta.main) {
  const { file, bytes, sha256 } = await pack()
  const size = (bytes / megabyte).toFixed(2)
  console.log(`${relative(root, file)}: ${size} MB, SHA-256 ${sha256}`)
}

/**
 * Packs Portbook into `portbook-<version>.tgz` in a folder, by default `dist`, which is created. Builds the bundle and
 * the pages if they are missing or older than their sources.
 */
export async function pack({ target = join(root, 'dist') } = {}): Promise<Packed> {
  await ensurePages()
  await mkdir(target, { recursive: true })
  const draft = mkdtempSync(join(target, '.packing-'))
  try {
    const folder = join(draft, prefix)
    mkdirSync(folder)
    for (const step of steps) await step(folder)
    const archive = join(draft, 'package.tgz')
    await writeArchive(draft, archive)
    const { name, version } = await readManifest()
    const file = join(target, `${name}-${version}.tgz`)
    await rename(archive, file)
    const content = await readFile(file)
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { file, bytes: content.length, sha256 }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function readManifest(): Promise<Manifest> {
  return makeManifest(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
}

async function addManifest(folder: string): Promise<void> {
  const text = JSON.stringify(await readManifest(), null, 2)
  await writeFile(join(folder, 'package.json'), `${text}\n`)
}

async function addServer(folder: string): Promise<void> {
  cpSync(await ensureServerBundle('server'), join(folder, 'server'), {
    recursive: true,
    filter: (path) => !basename(path).startsWith('.'),
  })
}

async function addNotices(folder: string): Promise<void> {
  await writeFile(join(folder, 'THIRD-PARTY.md'), writeNotices(await readBundledPackages()))
}

/** Reads the packages whose code is in the package: those of the server and those of the pages. */
export async function readBundledPackages(): Promise<Bundled[]> {
  await ensurePages()
  const builds = [await ensureServerBundle('server'), join(root, 'web/dist')]
  return readBundled(builds.flatMap(readPackageList))
}

/** Returns the step that copies a file, or a folder without hidden files, by default to the same path. */
function copies(path: string, targetPath = path): Step {
  return (folder) => {
    const source = join(root, path)
    const target = join(folder, targetPath)
    mkdirSync(dirname(target), { recursive: true })
    if (!statSync(source).isDirectory()) return cpSync(source, target)
    for (const name of listFiles(source)) cpSync(join(source, name), join(target, name))
  }
}

/** Lists the files below a folder, relative to it, in the order of their bytes; hidden ones are left out. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

// The bytes depend only on names, contents and whether a file is executable.
async function writeArchive(folder: string, archive: string): Promise<void> {
  const files = listFiles(folder)
  for (const name of files) {
    const path = join(folder, name)
    chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
  const gzip = { level: 9, portable: true }
  await create(
    { cwd: folder, file: archive, gzip, portable: true, noDirRecurse: true, mtime },
    files,
  )
}
