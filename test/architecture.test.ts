/**
 * The rules of ARCHITECTURE.md. Each rule is a function that returns the violations in a set of source
 * files; a small example in memory shows that it can fail.
 */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import test from 'node:test'
import { readSource, type Import, type SourceFile, type Token } from './source-file.ts'

type Codebase = readonly SourceFile[]

type Rule = {
  readonly name: string
  /** Lists the violations, one line each, beginning with the path of the file. */
  readonly findViolations: (codebase: Codebase) => string[]
  /** Files that violate the rule, with the number of violations. */
  readonly example: {
    readonly files: Readonly<Record<string, string>>
    readonly violations: number
  }
}

const packages = ['formats', 'server', 'web', 'test', 'scripts', 'bench']
const packageImports: Readonly<Record<string, readonly string[]>> = {
  formats: ['formats'],
  server: ['server', 'formats'],
  web: ['web', 'formats'],
}

// From the bottom up: a file may import from its own layer and from those below it.
const layers: readonly RegExp[] = [
  /^server\/kit\//,
  /^server\/(errors|error-codes|kinds|tables|version|config)\.ts$|^server\/(access|postgres)\//,
  /^server\/http\//,
  /^server\/(?!demo\/)[^/]+\//,
  /^server\/api\.ts$/,
  /^server\/(app|store|store-guard|encryption|rotate|serve|start-text|work|commands|task-thread)\.ts$|^server\/demo\//,
  /^server\/main\.ts$/,
]
const notModules = ['kit', 'access', 'postgres', 'http', 'migrations', 'demo']

// The paths of web/ that each part of the pages may import.
const webLayers: readonly { part: RegExp; imports: readonly RegExp[] }[] = [
  { part: /^web\/parts\//, imports: [/^web\/parts\//] },
  { part: /^web\/api\//, imports: [/^web\/api\//, /^web\/paths\.ts$/] },
  { part: /^web\/paths\.ts$/, imports: [] },
  { part: /^web\/shell\//, imports: [/^web\/(shell|parts|api)\//, /^web\/paths\.ts$/] },
  {
    part: /^web\/documents\//,
    imports: [/^web\/(documents|shell|parts|api)\//, /^web\/paths\.ts$/],
  },
  {
    part: /^web\/pages\//,
    imports: [/^web\/(documents|shell|parts|api)\//, /^web\/paths\.ts$/],
  },
]
// Generated from the endpoint table, and from the schema of the database.
const generated = ['web/api/openapi.ts', 'server/tables.ts']

// The roles of files in a module, from the bottom up. A file's role is the last word of its name.
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
/** The roles that a file of each role may import from another module. */
const rolesImportedElsewhere: Readonly<Record<Role, readonly Role[]>> = {
  noun: ['noun'],
  record: ['noun'],
  store: ['noun', 'record'],
  service: ['noun', 'service'],
  api: ['noun', 'service'],
}

const productLinesMax = 300
const supportLinesMax = 600
const vagueNames = /(^|\/)(index|utils?|types|helpers?|common|misc)\.tsx?$/
const catalogWords = /\b(data products?|teams?|(data )?contracts?|integrations?)\b/i
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/
// Built at runtime, so that this file does not violate its own rule.
const openEndWords = ['TO', 'FIX'].map((half, index) => half + ['DO', 'ME'][index])
const openEnds = new RegExp(`\\b(${openEndWords.join('|')})\\b`)

const rules: readonly Rule[] = [
  {
    name: 'formats, server and web import each other in one direction, and no test, script or bench',
    findViolations: (codebase) =>
      eachImport(codebase, (file, { target, isLocal }) => {
        const known = packageImports[packageOf(file.path)]
        if (!isLocal || !known || !packages.includes(packageOf(target))) return false
        // A test may import shared test code, but otherwise only what its subject may import.
        return !known.includes(packageOf(target)) && !(isTest(file) && packageOf(target) === 'test')
      }),
    example: {
      files: {
        'formats/a.ts': `import { x } from '../server/errors.ts'\nexport * from '../web/main.tsx'`,
        'server/a.ts': `const x = await import('../web/x.ts'); import '../test/world.ts'`,
        'server/a.test.ts': `import '../test/world.ts'`,
        'web/main.tsx': `import type { X } from '../server/api.ts'`,
      },
      violations: 5,
    },
  },
  {
    name: 'formats import no module of node',
    findViolations: (codebase) =>
      eachImport(
        codebase,
        (file, { target }) =>
          packageOf(file.path) === 'formats' && !isTest(file) && isBuiltin(target),
      ),
    example: {
      files: {
        'formats/a.ts': `import { readFileSync } from 'node:fs'\nimport path from 'path'`,
        'formats/a.test.ts': `import test from 'node:test'`,
      },
      violations: 2,
    },
  },
  {
    name: 'every file of the server belongs to a layer',
    findViolations: (codebase) =>
      product(codebase, 'server')
        .filter(({ path }) => layerOf(path) === -1)
        .map(({ path }) => `${path} is in none of the layers at the top of this test`),
    example: { files: { 'server/things.ts': '', 'server/teams/team.ts': '' }, violations: 1 },
  },
  {
    name: 'kit ◂ errors, access ◂ http ◂ modules ◂ api ◂ app ◂ main',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), (file, { target }) => {
        if (target === 'server/config.ts') return false
        const isKit = layerOf(file.path) === 0
        const isAbove = layerOf(file.path) !== -1 && layerOf(target) > layerOf(file.path)
        return isAbove || (isKit && packageOf(target) === 'formats')
      }),
    example: {
      files: {
        'server/kit/a.ts': `import '../errors.ts'; import '../../formats/text/text.ts'`,
        'server/access/b.ts': `import '../errors.ts'; import '../http/c.ts'`,
        'server/http/c.ts': `import '../teams/team.ts'`,
        'server/teams/team.ts': `import '../api.ts'; import '../app.ts'; import '../main.ts'`,
        'server/main.ts': `import './app.ts'; import './kit/a.ts'`,
      },
      violations: 7,
    },
  },
  {
    name: 'only main.ts and the app import config.ts; kit imports its type',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), ({ path }, { target, isTypeOnly }) => {
        if (target !== 'server/config.ts') return false
        const mayKnow = layerOf(path) >= layerOf('server/app.ts')
        return !mayKnow && !(isTypeOnly && layerOf(path) === 0)
      }),
    example: {
      files: {
        'server/main.ts': `import { readConfig } from './config.ts'`,
        'server/kit/log.ts': `import type { Config } from '../config.ts'`,
        'server/kit/a.ts': `import { readConfig } from '../config.ts'`,
        'server/teams/service.ts': `import type { Config } from '../config.ts'`,
      },
      violations: 2,
    },
  },
  {
    name: 'only config.ts reads the environment',
    findViolations: (codebase) =>
      [...product(codebase, 'server'), ...product(codebase, 'formats')]
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
      violations: 5,
    },
  },
  {
    name: 'in a module: noun ◂ record ◂ store ◂ service ◂ api',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), ({ path }, { target }) => {
        if (moduleOf(path) === undefined || moduleOf(path) !== moduleOf(target)) return false
        return roles.indexOf(roleOf(target)) > roles.indexOf(roleOf(path))
      }),
    example: {
      files: {
        'server/teams/team.ts': `import './store.ts'`,
        'server/teams/store.ts': `import './team.ts'; import './service.ts'`,
        'server/teams/service.ts': `import './store.ts'; import type { X } from './api.ts'`,
        'server/teams/api.ts': `import './service.ts'; import './team.ts'`,
      },
      violations: 3,
    },
  },
  {
    name: 'a module imports only nouns and services of another; a store imports nouns and records',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), ({ path }, { target }) => {
        const [here, there] = [moduleOf(path), moduleOf(target)]
        if (here === undefined || there === undefined || here === there) return false
        return !rolesImportedElsewhere[roleOf(path)].includes(roleOf(target))
      }),
    example: {
      files: {
        'server/teams/service.ts': `import '../events/store.ts'; import '../events/service.ts'`,
        'server/teams/api.ts': `import '../events/api.ts'; import '../events/record.ts'`,
        'server/teams/store.ts': `import '../events/record.ts'; import '../events/service.ts'`,
        'server/teams/team.ts': `import '../events/event.ts'; import '../events/service.ts'`,
        'server/teams/service.test.ts': `import '../events/store.ts'`,
      },
      violations: 5,
    },
  },
  {
    name: 'the files and folders of a folder import each other in one direction, type imports included',
    findViolations: (codebase) => [...listFolders(codebase)].flatMap(findCycles),
    example: {
      files: {
        'server/a/service.ts': `import '../b/service.ts'`,
        'server/b/service.ts': `import '../c/service.ts'; import '../d/service.ts'`,
        'server/c/deep/store.ts': `import type { A } from '../../a/a.ts'`,
        'server/d/service.ts': `import type { B } from './store.ts'`,
        'server/d/store.ts': `import type { A } from './service.ts'`,
        'server/d/service.test.ts': `import '../a/service.ts'`,
        'formats/text/text.ts': `import '../shape/shape.ts'`,
        'formats/shape/shape.ts': '',
      },
      violations: 2,
    },
  },
  {
    name: 'parts import no page, api only HTTP, and no page imports another',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'web'), ({ path }, { target }) => {
        const layer = webLayers.find(({ part }) => part.test(path))
        if (layer === undefined || packageOf(target) !== 'web' || target.endsWith('.css'))
          return false
        const isOwnPage = pageOf(path) !== undefined && pageOf(path) === pageOf(target)
        return !isOwnPage && !layer.imports.some((pattern) => pattern.test(target))
      }),
    example: {
      files: {
        'web/parts/a.tsx': `import './b.tsx'; import '../paths.ts'; import '../api/client.ts'`,
        'web/api/client.ts': `import '../parts/a.tsx'; import './openapi.ts'`,
        'web/shell/shell.tsx': `import '../pages/home/page.tsx'; import '../parts/a.tsx'`,
        'web/pages/home/page.tsx': `import '../team/page.tsx'; import './list.tsx'; import '../../api/client.ts'`,
        'web/main.tsx': `import './pages/home/page.tsx'`,
      },
      violations: 5,
    },
  },
  {
    name: 'files and folders are named in kebab-case',
    findViolations: (codebase) =>
      codebase
        .map(({ path }) => path)
        .filter((path) => !path.split('/').every((part) => kebabCase.test(part))),
    example: {
      files: { 'server/apiKeys/api.ts': '', 'web/Page.tsx': '', 'server/api-keys/api.test.ts': '' },
      violations: 2,
    },
  },
  {
    name: 'no file has a vague name',
    findViolations: (codebase) =>
      codebase.map(({ path }) => path).filter((path) => vagueNames.test(path)),
    example: {
      files: {
        'server/teams/index.ts': '',
        'formats/utils.ts': '',
        'web/types.ts': '',
        'test/helpers.ts': '',
        'formats/schema/types/bigquery.ts': '',
      },
      violations: 4,
    },
  },
  {
    name: `a file has at most ${productLinesMax} lines of code, in tests and scripts ${supportLinesMax}`,
    findViolations: (codebase) =>
      codebase
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
      violations: 3,
    },
  },
  {
    name: 'every exported function of formats, server and web has a docstring',
    findViolations: (codebase) =>
      ['formats', 'server', 'web']
        .flatMap((name) => product(codebase, name))
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
      violations: 3,
    },
  },
  {
    name: 'no comment leaves work open',
    findViolations: (codebase) =>
      codebase.flatMap(({ path, comments }) =>
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
      violations: 2,
    },
  },
  {
    name: 'kit contains no word of the catalog',
    findViolations: (codebase) =>
      product(codebase, 'server')
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
      violations: 3,
    },
  },
]

const codebase = readCodebase(resolve(import.meta.dirname, '..'))

test('finds modules to check', () => {
  assert.ok(product(codebase, 'server').some(({ path }) => moduleOf(path) !== undefined))
  assert.ok(product(codebase, 'formats').length > 0)
})

for (const { name, findViolations, example } of rules) {
  test(name, () => {
    assert.deepEqual(findViolations(codebase), [])
  })

  test(`${name} › reports an example that violates it`, () => {
    const broken = Object.entries(example.files).map(([path, text]) => readSource(path, text))
    const violations = findViolations(broken)
    assert.equal(violations.length, example.violations, violations.join('\n'))
  })
}

/** Reads every TypeScript file of the repository. */
function readCodebase(root: string): Codebase {
  return globSync(`{${packages.join(',')}}/**/*.{ts,tsx}`, { cwd: root })
    .filter((path) => !path.includes('node_modules') && !path.startsWith('web/dist'))
    .toSorted()
    .map((path) =>
      readSource(path.replaceAll('\\', '/'), readFileSync(resolve(root, path), 'utf8')),
    )
}

function packageOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function isTest({ path }: SourceFile): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Returns the files of a package without their tests. */
function product(from: Codebase, name: string): Codebase {
  return from.filter((file) => packageOf(file.path) === name && !isTest(file))
}

function layerOf(path: string): number {
  return layers.findIndex((layer) => layer.test(path))
}

/** Returns the module of a file; undefined if it belongs to none. */
function moduleOf(path: string): string | undefined {
  const module = /^server\/([^/]+)\//.exec(path)?.[1]
  return module === undefined || notModules.includes(module) ? undefined : module
}

/** Returns the page of a file; undefined if it belongs to none. */
function pageOf(path: string): string | undefined {
  return /^web\/pages\/([^/]+)\//.exec(path)?.[1]
}

function roleOf(path: string): Role {
  const lastWord = /([a-z0-9]+)\.tsx?$/.exec(path)?.[1] ?? ''
  return roleOfLastWord[lastWord] ?? 'noun'
}

/** Lists the imports that `isViolation` accepts. */
function eachImport(
  files: Codebase,
  isViolation: (file: SourceFile, imported: Import) => boolean,
): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter((imported) => isViolation(file, imported))
      .map(({ target }) => `${file.path} imports ${target}`),
  )
}

/**
 * Returns whether a token begins `process.env`, `process?.env`, `process['env']` or `{ env } = process`.
 */
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

/** Maps each folder to the imports between its children: files, and folders with all their files. */
function listFolders(codebase: Codebase): Map<string, Map<string, Set<string>>> {
  const folders = new Map<string, Map<string, Set<string>>>()
  const shipped = Object.keys(packageImports).flatMap((name) => product(codebase, name))
  for (const { path, imports } of shipped) {
    for (const { target } of imports.filter(({ isLocal }) => isLocal)) {
      const [from, to] = [path.split('/'), target.split('/')]
      const depth = from.findIndex((part, index) => part !== to[index])
      const [child, imported] = [from[depth], to[depth]]
      if (child === undefined || imported === undefined) continue
      const folder = from.slice(0, depth).join('/')
      const children = folders.get(folder) ?? new Map<string, Set<string>>()
      folders.set(folder, children)
      children.set(child, (children.get(child) ?? new Set()).add(imported))
    }
  }
  return folders
}

/** Finds the shortest cycle through each child of a folder and lists each cycle once, as `folder: a → b → a`. */
function findCycles([folder, children]: [
  string,
  ReadonlyMap<string, ReadonlySet<string>>,
]): string[] {
  const cycles = new Map<string, string>()
  for (const start of children.keys()) {
    const trails = [[start]]
    const visited = new Set<string>()
    for (const trail of trails) {
      const imported = children.get(trail.at(-1) ?? '') ?? new Set<string>()
      if (imported.has(start)) {
        cycles.set(trail.toSorted().join(), `${folder}: ${[...trail, start].join(' → ')}`)
        break
      }
      for (const next of imported) {
        if (!visited.has(next)) trails.push([...trail, next])
        visited.add(next)
      }
    }
  }
  return [...cycles.values()]
}

function linesMaxOf(file: SourceFile): number {
  const isSupport = isTest(file) || packageImports[packageOf(file.path)] === undefined
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

/** Finds exported functions, including arrow functions; for overloads only the first. */
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

/** Returns the name of the function declared at a token after `export`; undefined if there is none. */
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

/** Splits names into words: `teamId` to `team id`, `data_contract` to `data contract`. */
function splitWords(line: string): string {
  return line.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[-_]/g, ' ')
}
