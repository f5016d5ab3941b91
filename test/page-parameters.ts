/** Finds the parameters of addresses that the code of each page reads. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const WEB = join(import.meta.dirname, '../web')
// Pages, and the parts of pages of documents.
const READING = /^(pages|documents)\//

/** A page: its address, and the function that imports its code. */
interface LoadedPage {
  path: string
  load?: (() => Promise<unknown>) | undefined
}

/** Returns the names of the parameters that a page reads with `useUrlState`. */
export function listReadParameters({ path, load }: LoadedPage): string[] {
  const [, imported = ''] = /import\('([^']+)'\)/.exec(String(load)) ?? []
  const page = findPageFile(path, imported)
  const names = new Set<string>()
  for (const file of page === undefined ? [] : listFiles(page)) {
    const text = readFileSync(join(WEB, file), 'utf8')
    for (const [, constant = ''] of text.matchAll(/useUrlState(?:<\w+>)?\(\s*(\w+)/g)) {
      for (const name of listKeys(constant, file)) names.add(name)
    }
  }
  return [...names].toSorted()
}

// A folder with several addresses has its own list, relative to which its files are. The addresses of records are computed.
const LISTS = globSync('pages/*/pages.ts', { cwd: WEB }).map((file) => ({
  folder: dirname(file),
  text: readFileSync(join(WEB, file), 'utf8'),
}))

function findPageFile(path: string, imported: string): string | undefined {
  if (imported === '') return undefined
  if (imported.startsWith('./pages/')) return join(imported)
  const list = LISTS.find(({ text }) => text.includes(`path: '${path}'`))
  return join(list?.folder ?? 'pages/records', imported)
}

function listFiles(page: string): Set<string> {
  const files = new Set([page])
  for (const file of files) {
    for (const imported of listImports(file)) if (READING.test(imported)) files.add(imported)
  }
  return files
}

function listImports(file: string): string[] {
  const text = readFileSync(join(WEB, file), 'utf8')
  return text
    .matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)
    .map(([, path = '']) => join(dirname(file), path))
    .toArray()
}

function listKeys(constant: string, file: string): string[] {
  const found = [file, ...listImports(file)].flatMap((one) => {
    const text = existsSync(join(WEB, one)) ? readFileSync(join(WEB, one), 'utf8') : ''
    const declared = new RegExp(
      `const ${constant}\\b[^=]*= (?:Object\\.freeze\\()?\\{([^}]*)\\}`,
    ).exec(text)
    return declared === null ? [] : [declared[1] ?? '']
  })
  const [body = ''] = found
  return body
    .matchAll(/(?:^|[,{\n])\s*(\w+):/g)
    .map(([, name = '']) => name)
    .toArray()
}
