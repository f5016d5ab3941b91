/**
 * Builds the web pages into web/dist if they are missing or older than their sources:
 * `node scripts/pages.ts`. It also stores every text compressed, so that the server need not compress it,
 * and the first path segments of all pages.
 */

import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { addImportedStyles, collectPackages, writePackageList } from './bundled-packages.ts'
import { computeFingerprint } from './fingerprint.ts'

type Pages = { readonly pages: readonly { readonly path: string }[] }

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'web/dist')
const fingerprintFile = '.fingerprint'
const sources = [
  'web/**/*',
  'formats/**/*.ts',
  'formats/standards/*.json',
  'scripts/pages.ts',
  'scripts/bundled-packages.ts',
  'package-lock.json',
]
// The build does not read types, and a fresh clone has none yet.
const notSources = ['web/dist', 'web/dist/**', 'web/api/openapi.ts']
const compressible = /\.(js|css|svg|html|json)$/
const compressedBytesMin = 1024

if (import.meta.main) {
  try {
    await ensurePages()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** Builds the pages unless they are current. */
export async function ensurePages(): Promise<void> {
  // Container images contain the pages without their sources.
  if (!existsSync(join(root, 'web/main.tsx'))) return
  const fingerprint = computeFingerprint(root, sources, notSources)
  if (fingerprint === builtFingerprint()) return
  console.error('building the pages')
  await buildInto(fingerprint)
}

function builtFingerprint(): string | undefined {
  try {
    return readFileSync(join(target, fingerprintFile), 'utf8')
  } catch {
    return undefined
  }
}

// Builds in a separate folder and renames it, so that a server that starts in between finds complete pages.
async function buildInto(fingerprint: string): Promise<void> {
  const made = join(root, `web/dist.${process.pid}`)
  const old = `${made}.old`
  const folders = new Set<string>()
  const collect = () => collectPackages(root, join(root, 'web'), folders)
  try {
    await build({
      configFile: join(root, 'web/vite.config.ts'),
      logLevel: 'error',
      build: { outDir: made, emptyOutDir: true },
      plugins: [collect()],
      worker: { plugins: () => [collect()] },
    })
    await addImportedStyles(root, 'web', folders)
    await writePackageList(made, folders)
    await compressAll(made)
    await writeFile(join(made, 'segments.json'), JSON.stringify(await listFirstSegments()))
    await writeFile(join(made, fingerprintFile), fingerprint)
    if (existsSync(target)) await rename(target, old)
    await rename(made, target)
  } finally {
    await rm(made, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}

// The server returns 404 for other addresses.
async function listFirstSegments(): Promise<string[]> {
  // The compiler must not follow this import: the pages have other settings.
  const { pages } = (await import(pathToFileURL(join(root, 'web/pages.ts')).href)) as Pages
  return [...new Set(pages.map(({ path }) => path.split('/')[1] ?? ''))].toSorted()
}

async function compressAll(directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true })
  await Promise.all(
    names
      .filter((name) => compressible.test(name))
      .map(async (name) => {
        const path = join(directory, name)
        const content = await readFile(path)
        if (content.length < compressedBytesMin) return
        const [brotli, gzipped] = await Promise.all([
          promisify(brotliCompress)(content, {
            params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
          }),
          promisify(gzip)(content, { level: 9 }),
        ])
        await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
      }),
  )
}
