/**
 * The house rules (ARCHITECTURE.md), executed. Every rule is a function from the house, a set of
 * source files, to the places that break it; a small house in memory shows that it can fail.
 */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import test from 'node:test'
import { readSource, type Import, type SourceFile, type Token } from './source-file.ts'

type House = readonly SourceFile[]

type Rule = {
  readonly name: string
  /** Lists what breaks the rule, a line each that begins with the file's path. */
  readonly breaches: (house: House) => string[]
  /** Files that break the rule, and how many times they do. */
  readonly example: { readonly files: Readonly<Record<string, string>>; readonly breaches: number }
}

const wings = ['formats', 'server', 'web', 'test', 'scripts', 'bench']
const wingsKnown: Readonly<Record<string, readonly string[]>> = {
  formats: ['formats'],
  server: ['server', 'formats'],
  web: ['web', 'formats'],
}

// From the ground up: a file imports from its own storey and from those below it.
const storeys: readonly RegExp[] = [
  /^server\/kit\//,
  /^server\/(errors|tables|version|config)\.ts$|^server\/(access|postgres)\//,
  /^server\/http\//,
  /^server\/(?!demo\/)[^/]+\//,
  /^server\/api\.ts$/,
  /^server\/(app|store|store-guard|encryption|rotate|serve|start-text|work|commands|task-thread)\.ts$|^server\/demo\//,
  /^server\/main\.ts$/,
]
const notRooms = ['kit', 'access', 'postgres', 'http', 'migrations', 'demo']

// What the files of each part of the pages may import of the pages, by the beginnings of the paths.
const webStoreys: readonly { part: RegExp; knows: readonly RegExp[] }[] = [
  { part: /^web\/parts\//, knows: [/^web\/parts\//] },
  { part: /^web\/api\//, knows: [/^web\/api\//, /^web\/paths\.ts$/] },
  { part: /^web\/paths\.ts$/, knows: [] },
  { part: /^web\/shell\//, knows: [/^web\/(shell|parts|api)\//, /^web\/paths\.ts$/] },
  {
    part: /^web\/documents\//,
    knows: [/^web\/(documents|shell|parts|api)\//, /^web\/paths\.ts$/],
  },
  {
    part: /^web\/pages\//,
    knows: [/^web\/(documents|shell|parts|api)\//, /^web\/paths\.ts$/],
  },
]
// Written from the endpoint table, as long as that is.
const generated = ['web/api/openapi.ts']

// The roles in a room, from the ground up. A file's role is the last word of its name.
const roles = ['noun', 'record', 'store', 'service', 'api'] as const
type Role = (typeof roles)[number]
const roleOfLastWord: Readonly<Record<string, Role>> = {
  record: 'record',
  store: 'store',
  service: 'service',
  worker: 'service',
  api: 'api',
  page: 'api',
}
/** What a file of each role may import of another room. */
const rolesKnownElsewhere: Readonly<Record<Role, readonly Role[]>> = {
  noun: ['noun'],
  record: ['noun'],
  store: ['noun', 'record'],
  service: ['noun', 'service'],
  api: ['noun', 'service'],
}

const productLinesMax = 300
const supportLinesMax = 600
const namesThatSayNothing = /(^|\/)(index|utils?|types|helpers?|common|misc)\.tsx?$/
const catalogWords = /\b(data products?|teams?|(data )?contracts?|integrations?)\b/i
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/
// Put together here, so that this file does not break its own rule.
const openEndWords = ['TO', 'FIX'].map((half, index) => half + ['DO', 'ME'][index])
const openEnds = new RegExp(`\\b(${openEndWords.join('|')})\\b`)

const rules: readonly Rule[] = [
  {
    name: 'formats, server and web know each other in one direction, and no test, script or bench',
    breaches: (house) =>
      eachImport(house, (file, { target, isLocal }) => {
        const known = wingsKnown[wingOf(file.path)]
        if (!isLocal || !known || !wings.includes(wingOf(target))) return false
        // A test may use what tests share, but it sees no more of the product than its subject.
        return !known.includes(wingOf(target)) && !(isTest(file) && wingOf(target) === 'test')
      }),
    example: {
      files: {
        'formats/a.ts': `import { x } from '../server/errors.ts'\nexport * from '../web/main.tsx'`,
        'server/a.ts': `const x = await import('../web/x.ts'); import '../test/world.ts'`,
        'server/a.test.ts': `import '../test/world.ts'`,
        'web/main.tsx': `import type { X } from '../server/api.ts'`,
      },
      breaches: 5,
    },
  },
  {
    name: 'formats use nothing of node',
    breaches: (house) =>
      eachImport(
        house,
        (file, { target }) => wingOf(file.path) === 'formats' && !isTest(file) && isBuiltin(target),
      ),
    example: {
      files: {
        'formats/a.ts': `import { readFileSync } from 'node:fs'\nimport path from 'path'`,
        'formats/a.test.ts': `import test from 'node:test'`,
      },
      breaches: 2,
    },
  },
  {
    name: 'every file of the server has its storey',
    breaches: (house) =>
      product(house, 'server')
        .filter(({ path }) => storeyOf(path) === -1)
        .map(({ path }) => `${path} is in none of the storeys at the top of this test`),
    example: { files: { 'server/things.ts': '', 'server/teams/team.ts': '' }, breaches: 1 },
  },
  {
    name: 'kit ◂ errors, access ◂ http ◂ rooms ◂ api ◂ app ◂ main',
    breaches: (house) =>
      eachImport(product(house, 'server'), (file, { target }) => {
        if (target === 'server/config.ts') return false
        const isKit = storeyOf(file.path) === 0
        const isAbove = storeyOf(file.path) !== -1 && storeyOf(target) > storeyOf(file.path)
        return isAbove || (isKit && wingOf(target) === 'formats')
      }),
    example: {
      files: {
        'server/kit/a.ts': `import '../errors.ts'; import '../../formats/text.ts'`,
        'server/access/b.ts': `import '../errors.ts'; import '../http/c.ts'`,
        'server/http/c.ts': `import '../teams/team.ts'`,
        'server/teams/team.ts': `import '../api.ts'; import '../app.ts'; import '../main.ts'`,
        'server/main.ts': `import './app.ts'; import './kit/a.ts'`,
      },
      breaches: 7,
    },
  },
  {
    name: 'config.ts is known by main.ts and the app; kit knows its type',
    breaches: (house) =>
      eachImport(product(house, 'server'), ({ path }, { target, isTypeOnly }) => {
        if (target !== 'server/config.ts') return false
        const mayKnow = storeyOf(path) >= storeyOf('server/app.ts')
        return !mayKnow && !(isTypeOnly && storeyOf(path) === 0)
      }),
    example: {
      files: {
        'server/main.ts': `import { readConfig } from './config.ts'`,
        'server/kit/log.ts': `import type { Config } from '../config.ts'`,
        'server/kit/a.ts': `import { readConfig } from '../config.ts'`,
        'server/teams/service.ts': `import type { Config } from '../config.ts'`,
      },
      breaches: 2,
    },
  },
  {
    name: 'only config.ts reads the environment',
    breaches: (house) =>
      [...product(house, 'server'), ...product(house, 'formats')]
        .filter(({ path }) => path !== 'server/config.ts')
        .flatMap((file) => [
          ...file.tokens
            .filter((_, index) => isEnvironment(file.tokens, index))
            .map(({ line }) => `${file.path}:${line} process.env`),
          ...file.imports
            .filter(
              ({ target, names }) => /^(node:)?process$/.test(target) && names.includes('env'),
            )
            .map(({ target }) => `${file.path} env of ${target}`),
        ]),
    example: {
      files: {
        'server/a.ts': `f(process.env.PORT, process?.env, process['env'])\nconst { pid, env } = process`,
        'formats/b.ts': `import { env } from 'node:process' // process.env`,
        'server/config.ts': `process.env.PORT`,
        'server/c.ts': `const x = 'process.env'; process.exit()`,
      },
      breaches: 5,
    },
  },
  {
    name: 'in a room: noun ◂ record ◂ store ◂ service ◂ api',
    breaches: (house) =>
      eachImport(product(house, 'server'), ({ path }, { target }) => {
        if (roomOf(path) === undefined || roomOf(path) !== roomOf(target)) return false
        return roles.indexOf(roleOf(target)) > roles.indexOf(roleOf(path))
      }),
    example: {
      files: {
        'server/teams/team.ts': `import './store.ts'`,
        'server/teams/store.ts': `import './team.ts'; import './service.ts'`,
        'server/teams/service.ts': `import './store.ts'; import type { X } from './api.ts'`,
        'server/teams/api.ts': `import './service.ts'; import './team.ts'`,
      },
      breaches: 3,
    },
  },
  {
    name: 'a room knows of another its nouns and its service; a store knows nouns and records',
    breaches: (house) =>
      eachImport(product(house, 'server'), ({ path }, { target }) => {
        const [here, there] = [roomOf(path), roomOf(target)]
        if (here === undefined || there === undefined || here === there) return false
        return !rolesKnownElsewhere[roleOf(path)].includes(roleOf(target))
      }),
    example: {
      files: {
        'server/teams/service.ts': `import '../events/store.ts'; import '../events/service.ts'`,
        'server/teams/api.ts': `import '../events/api.ts'; import '../events/record.ts'`,
        'server/teams/store.ts': `import '../events/record.ts'; import '../events/service.ts'`,
        'server/teams/team.ts': `import '../events/event.ts'; import '../events/service.ts'`,
        'server/teams/service.test.ts': `import '../events/store.ts'`,
      },
      breaches: 5,
    },
  },
  {
    name: 'services of rooms do not call each other in a circle',
    breaches: (house) => findCircles(serviceCalls(house)),
    example: {
      files: {
        'server/a/service.ts': `import '../b/service.ts'`,
        'server/b/service.ts': `import '../c/service.ts'; import '../d/service.ts'`,
        'server/c/service.ts': `import '../a/service.ts'`,
        'server/d/service.ts': '',
      },
      breaches: 1,
    },
  },
  {
    name: 'parts know no page, api knows HTTP alone, and no page knows another',
    breaches: (house) =>
      eachImport(product(house, 'web'), ({ path }, { target }) => {
        const storey = webStoreys.find(({ part }) => part.test(path))
        if (storey === undefined || wingOf(target) !== 'web' || target.endsWith('.css'))
          return false
        const isOwnPage = pageOf(path) !== undefined && pageOf(path) === pageOf(target)
        return !isOwnPage && !storey.knows.some((known) => known.test(target))
      }),
    example: {
      files: {
        'web/parts/a.tsx': `import './b.tsx'; import '../paths.ts'; import '../api/client.ts'`,
        'web/api/client.ts': `import '../parts/a.tsx'; import './openapi.ts'`,
        'web/shell/shell.tsx': `import '../pages/home/page.tsx'; import '../parts/a.tsx'`,
        'web/pages/home/page.tsx': `import '../team/page.tsx'; import './list.tsx'; import '../../api/client.ts'`,
        'web/main.tsx': `import './pages/home/page.tsx'`,
      },
      breaches: 5,
    },
  },
  {
    name: 'files and folders are named in kebab-case',
    breaches: (house) =>
      house
        .map(({ path }) => path)
        .filter((path) => !path.split('/').every((part) => kebabCase.test(part))),
    example: {
      files: { 'server/apiKeys/api.ts': '', 'web/Page.tsx': '', 'server/api-keys/api.test.ts': '' },
      breaches: 2,
    },
  },
  {
    name: 'no file has a name that says nothing',
    breaches: (house) =>
      house.map(({ path }) => path).filter((path) => namesThatSayNothing.test(path)),
    example: {
      files: {
        'server/teams/index.ts': '',
        'formats/utils.ts': '',
        'web/types.ts': '',
        'test/helpers.ts': '',
        'formats/schema/types/bigquery.ts': '',
      },
      breaches: 4,
    },
  },
  {
    name: `a file has at most ${productLinesMax} lines of code, in tests and scripts ${supportLinesMax}`,
    breaches: (house) =>
      house
        .filter(({ path }) => !generated.includes(path))
        .map((file) => ({ file, lines: countCodeLines(file), linesMax: linesMaxOf(file) }))
        .filter(({ lines, linesMax }) => lines > linesMax)
        .map(({ file, lines }) => `${file.path} has ${lines} lines`),
    example: {
      files: {
        'formats/long.ts': 'f()\n'.repeat(301),
        'formats/commented.ts': 'f()\n\n// why\n'.repeat(300),
        'formats/text.ts': `const text = \`${'line\n'.repeat(301)}\``,
        'formats/long.test.ts': 'f()\n'.repeat(600),
        'scripts/longer.ts': 'f()\n'.repeat(601),
      },
      breaches: 3,
    },
  },
  {
    name: 'every exported function of formats, server and web has a docstring',
    breaches: (house) =>
      ['formats', 'server', 'web']
        .flatMap((wing) => product(house, wing))
        .flatMap((file) =>
          findExportedFunctions(file)
            .filter(({ line }) => !hasDocstring(file, line))
            .map(({ name, line }) => `${file.path}:${line} ${name}`),
        ),
    example: {
      files: {
        'formats/a.ts': `
          /** Says. */
          export function documented() {}
          export async function bare() {}
          // Not a docstring.
          export const arrow = async <T>(x: T): Promise<T> => x
          export const value = (1 + 2) * 3
          /** Overloaded. */
          export function twice(x: string): string
          export function twice(x: number): number
          export function twice(x: unknown) { return x }
          function late() {}
          const local = () => { function inner() {} }
          export { late as later }`,
        'server/a.test.ts': `export function inTest() {}`,
      },
      breaches: 3,
    },
  },
  {
    name: 'nothing is left open in a comment',
    breaches: (house) =>
      house.flatMap(({ path, comments }) =>
        comments
          .filter(({ text }) => openEnds.test(text))
          .map(({ text, line }) => `${path}:${line} ${text}`),
      ),
    example: {
      files: {
        'server/a.ts': `// ${openEndWords[0]}: later`,
        'test/b.ts': `/* ${openEndWords[1]} */`,
        'test/c.ts': `it.todo('x')`,
      },
      breaches: 2,
    },
  },
  {
    name: 'kit knows no word of the catalog',
    breaches: (house) =>
      product(house, 'server')
        .filter(({ path }) => path.startsWith('server/kit/'))
        .flatMap(({ path, text }) =>
          text.split('\n').flatMap((line, index) => {
            const word = catalogWords.exec(splitWords(line))?.[0]
            return word === undefined ? [] : `${path}:${index + 1} ${word}`
          }),
        ),
    example: {
      files: {
        'server/kit/a.ts': `const teamId = 1\n// of a data product\nf(data_contract)\nclass Teamwork {}`,
        'server/teams/team.ts': 'const team = 1',
      },
      breaches: 3,
    },
  },
]

const house = readHouse(resolve(import.meta.dirname, '..'))

test('the house has rooms to check', () => {
  assert.ok(product(house, 'server').some(({ path }) => roomOf(path) !== undefined))
  assert.ok(product(house, 'formats').length > 0)
})

for (const { name, breaches, example } of rules) {
  test(name, () => {
    assert.deepEqual(breaches(house), [])
  })

  test(`${name} › a house that breaks it`, () => {
    const broken = Object.entries(example.files).map(([path, text]) => readSource(path, text))
    const found = breaches(broken)
    assert.equal(found.length, example.breaches, found.join('\n'))
  })
}

/** Reads every TypeScript file of the repository. */
function readHouse(root: string): House {
  return globSync(`{${wings.join(',')}}/**/*.{ts,tsx}`, { cwd: root })
    .filter((path) => !path.includes('node_modules') && !path.startsWith('web/dist'))
    .toSorted()
    .map((path) =>
      readSource(path.replaceAll('\\', '/'), readFileSync(resolve(root, path), 'utf8')),
    )
}

function wingOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function isTest({ path }: SourceFile): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Picks what a wing ships: its files without their tests. */
function product(from: House, wing: string): House {
  return from.filter((file) => wingOf(file.path) === wing && !isTest(file))
}

function storeyOf(path: string): number {
  return storeys.findIndex((storey) => storey.test(path))
}

/** Names the room that a file lies in; undefined outside of rooms. */
function roomOf(path: string): string | undefined {
  const room = /^server\/([^/]+)\//.exec(path)?.[1]
  return room === undefined || notRooms.includes(room) ? undefined : room
}

/** Names the page whose folder a file lies in; undefined outside of pages. */
function pageOf(path: string): string | undefined {
  return /^web\/pages\/([^/]+)\//.exec(path)?.[1]
}

function roleOf(path: string): Role {
  const lastWord = /([a-z0-9]+)\.tsx?$/.exec(path)?.[1] ?? ''
  return roleOfLastWord[lastWord] ?? 'noun'
}

/** Lists the imports for which `isBreach` holds. */
function eachImport(
  files: House,
  isBreach: (file: SourceFile, imported: Import) => boolean,
): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter((imported) => isBreach(file, imported))
      .map(({ target }) => `${file.path} imports ${target}`),
  )
}

/** Recognizes `process.env`, `process?.env`, `process['env']` and `{ env } = process`. */
function isEnvironment(tokens: readonly Token[], index: number): boolean {
  const texts = (from: number, to: number): string =>
    tokens
      .slice(Math.max(index + from, 0), Math.max(index + to, 0))
      .map(({ text }) => text)
      .join(' ')
  if (tokens[index]?.text !== 'process') return false
  if (/^(\? )?(\.|\[|\. \[) env\b/.test(texts(1, 5))) return true
  return /\{[^{}]*\benv\b[^{}]*\} =$/.test(texts(-20, 0))
}

/** Collects which rooms the services of each room call. */
function serviceCalls(from: House): Map<string, Set<string>> {
  const calls = new Map<string, Set<string>>()
  for (const { path, imports } of product(from, 'server')) {
    const room = roomOf(path)
    if (room === undefined || roleOf(path) !== 'service') continue
    const called = imports
      .filter(({ target }) => roleOf(target) === 'service')
      .map(({ target }) => roomOf(target))
      .filter((other) => other !== undefined)
      .filter((other) => other !== room)
    calls.set(room, (calls.get(room) ?? new Set()).union(new Set(called)))
  }
  return calls
}

/** Finds the circles of a graph, each once, as `a → b → a`. */
function findCircles(calls: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const circles = new Set<string>()
  const follow = (trail: readonly string[]): void => {
    for (const next of calls.get(trail.at(-1) ?? '') ?? []) {
      const start = trail.indexOf(next)
      if (start === 0) circles.add([...trail, next].join(' → '))
      // A circle is told from its first room in the alphabet, so other turns of it are not followed.
      if (start === -1 && next > (trail[0] ?? '')) follow([...trail, next])
    }
  }
  for (const room of calls.keys()) follow([room])
  return [...circles]
}

function linesMaxOf(file: SourceFile): number {
  const isSupport = isTest(file) || wingsKnown[wingOf(file.path)] === undefined
  return isSupport ? supportLinesMax : productLinesMax
}

function countCodeLines({ tokens, text }: SourceFile): number {
  const isBlank = text.split('\n').map((line) => line.trim() === '')
  const lines = new Set<number>()
  for (const { line, endLine } of tokens) {
    for (let at = line; at <= endLine; at += 1) if (!isBlank[at - 1]) lines.add(at)
  }
  return lines.size
}

type NamedPlace = { readonly name: string; readonly line: number }

/** Finds exported functions, arrow functions too; of overloads only the first. */
function findExportedFunctions({ tokens }: SourceFile): NamedPlace[] {
  const exported = new Map<string, number>()
  const local = new Map<string, number>()
  let depth = 0
  tokens.forEach((token, index) => {
    if (token.kind === 'punctuation' && '{(['.includes(token.text)) depth += 1
    if (token.kind === 'punctuation' && '})]'.includes(token.text)) depth -= 1
    if (depth !== 0 || token.kind !== 'word') return
    const isExported = token.text === 'export'
    const name = functionNameAt(tokens, isExported ? index + 1 : index)
    const places = isExported ? exported : local
    if (name !== undefined && !places.has(name)) places.set(name, token.line)
    if (!isExported || tokens[index + 1]?.text !== '{') return
    const end = tokens.findIndex(({ text }, at) => at > index && text === '}')
    if (tokens[end + 1]?.text === 'from') return
    for (const { text } of tokens.slice(index + 2, end)) {
      const line = local.get(text)
      if (line !== undefined) exported.set(text, line)
    }
  })
  return [...exported].map(([name, line]) => ({ name, line }))
}

/** Names the function whose declaration begins at a token, behind `export`; undefined if none does. */
function functionNameAt(tokens: readonly Token[], start: number): string | undefined {
  const texts = tokens.slice(start, start + 60).map(({ text }) => text)
  const declaration = texts.slice(0, 5).join(' ')
  const named = /^(?:default )?(?:async )?function (?:\* )?([\p{ID_Start}$_][\w$]*)?/u.exec(
    declaration,
  )
  if (named) return named[1] ?? 'default'
  const [keyword, name] = texts
  if (keyword !== 'const' || texts[2] !== '=') return undefined
  const value = texts[3] === 'async' ? 4 : 3
  if (texts[value] === 'function' || texts[value] === '<') return name
  if (texts[value + 1] === '=' && texts[value + 2] === '>') return name
  if (texts[value] !== '(') return undefined
  let depth = 0
  for (let at = start + value; at < tokens.length; at += 1) {
    if (tokens[at]?.text === '(') depth += 1
    if (tokens[at]?.text === ')') depth -= 1
    if (depth > 0) continue
    const [next, then] = [tokens[at + 1]?.text, tokens[at + 2]?.text]
    return next === ':' || (next === '=' && then === '>') ? name : undefined
  }
  return undefined
}

function hasDocstring({ comments }: SourceFile, line: number): boolean {
  return comments.some(({ text, endLine }) => text.startsWith('/**') && endLine === line - 1)
}

/** Takes names apart: `teamId` to `team id`, `data_contract` to `data contract`. */
function splitWords(line: string): string {
  return line.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[-_]/g, ' ')
}
