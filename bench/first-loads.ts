import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { build, type Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk

/** The scripts that a page needs before it is displayed. */
export interface FirstLoad {
  /** The module of the page from `web/pages`: `team/page.tsx`. */
  page: string
  /** The compressed size of the scripts. */
  bytes: number
}

const root = resolve(import.meta.dirname, '..')
const pagesDirectory = join(root, 'web/pages')

/**
 * Builds the pages and returns the first load of each: its own script, the first script of all pages, and
 * their imports. Scripts that a page loads later, such as an editor or a graph, are omitted.
 */
export async function listFirstLoads(): Promise<FirstLoad[]> {
  const result = await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('The build has no output.')
  const chunks = new Map(
    result.output.filter((one) => one.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  )
  const sizes = new Map(
    await Promise.all(
      [...chunks.values()].map(
        async ({ fileName, code }) =>
          [fileName, (await promisify(brotliCompress)(code)).length] as const,
      ),
    ),
  )
  const all = [...chunks.values()]
  const pages = all.filter(
    ({ facadeModuleId, isDynamicEntry }) =>
      isDynamicEntry &&
      facadeModuleId?.startsWith(pagesDirectory) === true &&
      isPage(facadeModuleId),
  )
  return pages.map((page) => {
    const names = new Set<string>()
    for (const chunk of [page, ...all.filter(({ isEntry }) => isEntry)]) {
      addImports(chunk, chunks, names)
    }
    const bytes = [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
    return { page: relative(pagesDirectory, page.facadeModuleId ?? ''), bytes }
  })
}

function isPage(path: string): boolean {
  return path.endsWith('page.tsx')
}

function addImports(chunk: Chunk, chunks: ReadonlyMap<string, Chunk>, names: Set<string>): void {
  if (names.has(chunk.fileName)) return
  names.add(chunk.fileName)
  for (const name of chunk.imports) {
    const imported = chunks.get(name)
    if (imported !== undefined) addImports(imported, chunks, names)
  }
}
