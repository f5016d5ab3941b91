/** Checks the documents against the repository: named files exist, and links have a target. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, normalize } from 'node:path/posix'
import { resolve } from 'node:path'
import test from 'node:test'

/** The parts of the repository to which documents refer: its paths, and the texts of its documents. */
type Repository = {
  /** Files and folders, from the root, with forward slashes. */
  readonly paths: ReadonlySet<string>
  readonly documents: ReadonlyMap<string, string>
}

const root = resolve(import.meta.dirname, '..')
const notOurs = /^(node_modules|data|dist|coverage|\.git|\.cache)(\/|$)/
// A bare name with one of these endings is a file of this repository; `orders.yaml` may be any file.
const ourEndings = /\.(ts|tsx|mjs|sql|md)$/
// Documents name these files as forbidden.
const forbiddenNames = /^(index|utils|types|helpers)\.ts$/
const homes = /(?:^|[\s`"'(=:])((?:\/root|\/home\/\w+|\/Users\/\w+|file:\/\/)\/?[\w./-]*)/gm

test('files in backticks in documents exist', () => {
  assert.deepEqual(missingFiles(readRepository()), [])
})

test('relative links in documents have a file and a heading', () => {
  assert.deepEqual(brokenLinks(readRepository()), [])
})

test('no document contains an absolute path of a machine', () => {
  assert.deepEqual(machinePaths(readRepository(), [root, homedir()]), [])
})

test('the lockfile contains no download addresses', () => {
  assert.doesNotMatch(readFileSync(join(root, 'package-lock.json'), 'utf8'), /"resolved": "http/)
})

test('the index lists every decision, in the order of their numbers', () => {
  const { paths, documents } = readRepository()
  const files = [...paths].flatMap((path) => /^docs\/decisions\/(\d{4}-.+)$/.exec(path)?.[1] ?? [])
  const index = documents.get('docs/decisions/README.md') ?? ''
  const links = [...index.matchAll(/^\| \[\d{4}\]\((.+?)\) \|/gm)].map(([, link]) => link)
  assert.deepEqual(links, files.toSorted())
})

test('every guide can be reached from docs/guides/overview.md', () => {
  const { documents } = readRepository()
  const reached = new Set(['docs/guides/overview.md'])
  // The set grows while it is read.
  for (const guide of reached) {
    for (const [, link = ''] of (documents.get(guide) ?? '').matchAll(/\]\(([^)#]+\.md)[^)]*\)/g)) {
      reached.add(normalize(join(dirname(guide), link)))
    }
  }
  const guides = [...documents.keys()].filter((path) => path.startsWith('docs/guides/'))
  assert.deepEqual(
    guides.filter((guide) => !reached.has(guide)),
    [],
  )
})

test('a heading follows an empty line', () => {
  const { documents } = readRepository()
  const close = [...documents].flatMap(([path, text]) =>
    [...withoutBlocks(text).matchAll(/^[^#\n].*\n(#+ .+)$/gm)].map(([, head]) => `${path} ${head}`),
  )
  assert.deepEqual(close, [])
})

test('no table has two rows that begin alike, and no paragraph repeats the beginning of the one before', () => {
  assert.deepEqual(repeatedLines(readRepository()), [])
})

test('finds rows and paragraphs that begin alike', () => {
  const table =
    '| A | B |\n|---|---|\n| `x` | 1 |\n| y | 2 |\n| `x` | 3 |\n| | 4 |\n| | 5 |\n| **B** | |\n| y | 6 |\n'
  const other = '\n| A | B |\n|---|---|\n| `x` | 1 |\n'
  const text =
    'Portbook applies the policy, the team roles and the texts of e-mails. Others are stored.\n' +
    'Portbook applies the policy, the team roles and the filters. Others are stored.\n'
  const list = '- one two three four five six\n- one two three four five seven\n'
  const repository: Repository = {
    paths: new Set(),
    documents: new Map([
      ['a.md', `${table}${other}`],
      ['b.md', text],
      ['c.md', text.replace('\n', '\n\n')],
      ['d.md', `Short.\n\nShort.\n\n${list}\n\`\`\`\n${text}\`\`\`\n`],
    ]),
  }
  assert.deepEqual(repeatedLines(repository), [
    'a.md:5 repeats the row `x`',
    'b.md:2 repeats "Portbook applies the policy, the team"',
    'c.md:3 repeats "Portbook applies the policy, the team"',
  ])
})

test('finds wrong names, links and paths', () => {
  const repository: Repository = {
    paths: new Set([
      'server',
      'server/main.ts',
      'server/catalog/teams/store.ts',
      'README.md',
      'docs/a.md',
    ]),
    documents: new Map([
      [
        'README.md',
        '# Top\n`server/main.ts:12` `server/nothing.ts` `server/*/*/store.ts` `lost.ts`',
      ],
      [
        'docs/a.md',
        '## A heading, *here*\n[ok](../README.md#top) [here](#a-heading-here) [no](b.md)\n' +
          '[no](../README.md#bottom) [web](https://example.org/x) `/api/teams` `a/b` `store.ts`\n' +
          '```\n`server/in-a-block.ts`\n```\nsee /home/user/portbook and /checkout/portbook/x',
      ],
    ]),
  }
  assert.deepEqual(missingFiles(repository), [
    'README.md names server/nothing.ts',
    'README.md names lost.ts',
  ])
  assert.deepEqual(brokenLinks(repository), [
    'docs/a.md links to b.md',
    'docs/a.md links to ../README.md#bottom',
  ])
  assert.deepEqual(machinePaths(repository, ['/checkout/portbook']), [
    'docs/a.md names /home/user/portbook',
    'docs/a.md names /checkout/portbook',
  ])
})

function readRepository(): Repository {
  const paths = globSync('{*,.*}{,/**}', { cwd: root, exclude: (path) => notOurs.test(path) })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !notOurs.test(path))
  const documents = paths.filter((path) => path.endsWith('.md'))
  return {
    paths: new Set(paths),
    documents: new Map(documents.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  }
}

function missingFiles({ paths, documents }: Repository): string[] {
  const isMissing = (name: string): boolean => {
    const path = name.replace(/^\.\//, '').replace(/(:\d+)+$|\/$/g, '')
    if (!/^[\w.*][\w./*@-]*$/.test(path) || notOurs.test(path)) return false
    if (forbiddenNames.test(path)) return false
    const isOurs = path.includes('/') && paths.has(path.split('/')[0] ?? '')
    if (!isOurs && !ourEndings.test(path)) return false
    // `store.ts` and `access/permission.ts` are the ends of paths.
    const pattern = path
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('[^/]*')
    const named = new RegExp(isOurs ? `^${pattern}(\\.ts)?$` : `(^|/)${pattern}$`)
    return ![...paths].some((known) => named.test(known))
  }
  return [...documents].flatMap(([document, text]) =>
    [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)]
      .map(([, name = '']) => name)
      .filter(isMissing)
      .map((name) => `${document} names ${name}`),
  )
}

function brokenLinks({ paths, documents }: Repository): string[] {
  return [...documents].flatMap(([document, text]) =>
    [...withoutBlocks(text).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z][a-z+.-]*:/.test(link))
      .filter((link) => {
        const [file = '', heading] = decodeURI(link).split('#')
        const target =
          file === '' ? document : normalize(join(dirname(document), file)).replace(/\/$/, '')
        if (target !== '.' && !paths.has(target)) return true
        const linked = documents.get(target)
        return heading && linked !== undefined && !getHeadings(linked).includes(heading)
      })
      .map((link) => `${document} links to ${link}`),
  )
}

/** Lists the anchors of a document's headings, as GitHub and GitLab generate them. */
function getHeadings(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function machinePaths({ documents }: Repository, ownPaths: readonly string[]): string[] {
  return [...documents].flatMap(([document, text]) => [
    ...[...text.matchAll(homes)].map(([, path]) => `${document} names ${path}`),
    ...ownPaths
      .filter((path) => path.lastIndexOf('/') > 0 && text.includes(path))
      .map((path) => `${document} names ${path}`),
  ])
}

/** Empties the lines of fenced blocks: they contain files of other projects and drawings of trees. */
function withoutBlocks(text: string): string {
  return text.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, (block) => block.replaceAll(/[^\n]/g, ''))
}

// Lines of a paragraph are wrapped, so a half-merged one may repeat the line before it, too.
const BEGINNING_WORDS = 6

/** Lists rows that begin with the cell of an earlier row of their table, and texts that begin as the text before. */
function repeatedLines({ documents }: Repository): string[] {
  return [...documents].flatMap(([name, text]) => {
    const lines = withoutBlocks(text).split('\n')
    let cells = new Set<string>()
    let before = ''
    return lines.flatMap((line, at) => {
      const place = `${name}:${at + 1}`
      if (line.startsWith('|')) {
        const [, cell = '', ...others] = line.split(/(?<!\\)\|/).map((text) => text.trim())
        // A row with a title begins a group.
        if (others.every((other) => other === '')) cells = new Set()
        const isRepeated = cells.has(cell)
        if (cell !== '' && !/^:?-+:?$/.test(cell)) cells.add(cell)
        return isRepeated ? [`${place} repeats the row ${cell}`] : []
      }
      cells = new Set()
      const words = line.trim().split(/\s+/)
      const beginning = words.slice(0, BEGINNING_WORDS).join(' ')
      const isRepeated = words.length > BEGINNING_WORDS && beginning === before
      if (line.trim() !== '') before = /^\s*([-*]|\d+\.) /.test(line) ? '' : beginning
      return isRepeated ? [`${place} repeats "${beginning}"`] : []
    })
  })
}
