/** The rules of ARCHITECTURE.md about imports. */

import { isBuiltin } from 'node:module'
import {
  checkRules,
  isTest,
  packageImports,
  getPackage,
  packages,
  product,
  type Codebase,
  type Rule,
} from './code-rules.ts'
import type { Import, SourceFile, Token } from './source-file.ts'

// Inside of platform, requests and the root: a file may import from its own layer and from those below it.
const layers: readonly RegExp[] = [
  /^server\/platform\/kit\//,
  /^server\/platform\//,
  /^server\/requests\/access\//,
  /^server\/requests\/http\//,
  /^server\/(?!demo\/)[^/]+\//,
  /^server\/(?:api|reality-api|ui)\.ts$/,
  /^server\/(app|background|loops|upkeep|store|store-guard|process-metrics|encryption|rotate|erase|serve|work|commands|command-line|command-settings|command-table|task-thread)\.ts$|^server\/demo\//,
  /^server\/main\.ts$/,
]
// Their files have no roles.
const withoutRoles = /^server\/(platform|requests|migrations|demo)\//

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
// The roles of files in a module, from the bottom up. A file's role is the last word of its name.
const roles = ['noun', 'record', 'store', 'service', 'api'] as const
type Role = (typeof roles)[number]
const rolesByLastWord: Readonly<Record<string, Role>> = {
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
  record: ['noun', 'record'],
  store: ['noun', 'record'],
  service: ['noun', 'service'],
  api: ['noun', 'service'],
}

const rules: readonly Rule[] = [
  {
    name: 'formats, server and web import each other in one direction, and no test, script or bench',
    findViolations: (codebase) =>
      eachImport(codebase, (file, { target, isLocal }) => {
        const allowed = packageImports[getPackage(file.path)]
        if (!isLocal || !allowed || !packages.includes(getPackage(target))) return false
        // A test may import shared test code, but otherwise only what its subject may import.
        return (
          !allowed.includes(getPackage(target)) && !(isTest(file) && getPackage(target) === 'test')
        )
      }),
    example: {
      files: {
        'formats/a.ts': `import { x } from '../server/platform/errors.ts'\nexport * from '../web/main.tsx'`,
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
          getPackage(file.path) === 'formats' && !isTest(file) && isBuiltin(target),
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
        .filter(({ path }) => getLayer(path) === -1)
        .map(({ path }) => `${path} is in none of the layers at the top of this test`),
    example: {
      files: { 'server/things.ts': '', 'server/catalog/teams/team.ts': '' },
      violations: 1,
    },
  },
  {
    name: 'kit ◂ platform, access ◂ http, modules ◂ api ◂ app ◂ main',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), (file, { target }) => {
        if (target === 'server/platform/config.ts') return false
        const isKit = getLayer(file.path) === 0
        const isAbove = getLayer(file.path) !== -1 && getLayer(target) > getLayer(file.path)
        return isAbove || (isKit && getPackage(target) === 'formats')
      }),
    example: {
      files: {
        'server/platform/kit/a.ts': `import '../errors.ts'; import '../../../formats/text/text.ts'`,
        'server/requests/access/b.ts': `import '../../platform/errors.ts'; import '../http/c.ts'`,
        'server/requests/http/c.ts': `import '../../catalog/teams/team.ts'`,
        'server/catalog/teams/team.ts': `import '../../api.ts'; import '../../app.ts'; import '../../main.ts'`,
        'server/main.ts': `import './app.ts'; import './platform/kit/a.ts'`,
      },
      violations: 7,
    },
  },
  {
    name: 'only main.ts and the app import config.ts; kit imports its type',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), ({ path }, { target, isTypeOnly }) => {
        if (target !== 'server/platform/config.ts') return false
        const mayImport = getLayer(path) >= getLayer('server/app.ts')
        return !mayImport && !(isTypeOnly && getLayer(path) === 0)
      }),
    example: {
      files: {
        'server/main.ts': `import { readConfig } from './platform/config.ts'`,
        'server/platform/kit/log.ts': `import type { Config } from '../config.ts'`,
        'server/platform/kit/a.ts': `import { readConfig } from '../config.ts'`,
        'server/catalog/teams/service.ts': `import type { Config } from '../../platform/config.ts'`,
      },
      violations: 2,
    },
  },
  {
    // The launcher passes the way in which it was started, which messages of any module name.
    name: 'only config.ts reads the environment, and command-name.ts how the process was started',
    findViolations: (codebase) =>
      [...product(codebase, 'server'), ...product(codebase, 'formats')]
        .filter(({ path }) => !/^server\/platform\/(config|command-name)\.ts$/.test(path))
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
        'server/platform/config.ts': `process.env.PORT`,
        'server/c.ts': `const x = 'process.env'; process.exit()`,
      },
      violations: 5,
    },
  },
  {
    name: 'in a folder: noun ◂ record ◂ store ◂ service ◂ api',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), ({ path }, { target }) => {
        if (getFolder(path) === undefined || getFolder(path) !== getFolder(target)) return false
        return roles.indexOf(getRole(target)) > roles.indexOf(getRole(path))
      }),
    example: {
      files: {
        'server/catalog/teams/team.ts': `import './store.ts'`,
        'server/catalog/teams/store.ts': `import './team.ts'; import './service.ts'`,
        'server/catalog/teams/service.ts': `import './store.ts'; import type { X } from './api.ts'`,
        'server/catalog/teams/api.ts': `import './service.ts'; import './team.ts'`,
      },
      violations: 3,
    },
  },
  {
    name: 'a folder imports only nouns and services of another; a store or a record imports nouns and records',
    findViolations: (codebase) =>
      eachImport(product(codebase, 'server'), ({ path }, { target }) => {
        const [here, there] = [getFolder(path), getFolder(target)]
        if (here === undefined || there === undefined || here === there) return false
        return !rolesImportedElsewhere[getRole(path)].includes(getRole(target))
      }),
    example: {
      files: {
        'server/catalog/teams/service.ts': `import '../../ledger/events/store.ts'; import '../../ledger/events/service.ts'`,
        'server/catalog/teams/api.ts': `import '../../ledger/events/api.ts'; import '../../ledger/events/record.ts'`,
        'server/catalog/teams/store.ts': `import '../../ledger/events/record.ts'; import '../../ledger/events/service.ts'`,
        'server/catalog/teams/team.ts': `import '../../ledger/events/event.ts'; import '../../ledger/events/service.ts'`,
        'server/catalog/teams/service.test.ts': `import '../../ledger/events/store.ts'`,
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
        if (layer === undefined || getPackage(target) !== 'web' || target.endsWith('.css'))
          return false
        const isOwnPage = getPage(path) !== undefined && getPage(path) === getPage(target)
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
]

checkRules(rules)

function getLayer(path: string): number {
  return layers.findIndex((layer) => layer.test(path))
}

/**
 * Returns the folder of a file in whose files and neighbours roles matter: the module, or its folder in a module that
 * has folders for its nouns. Undefined if its files have no roles.
 */
function getFolder(path: string): string | undefined {
  const [, module, folder] = /^server\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? []
  if (module === undefined || withoutRoles.test(path)) return undefined
  const isWhole = ['connectors', 'transfer', 'agreements', 'about'].includes(module)
  return isWhole || folder === undefined ? module : `${module}/${folder}`
}

/** Returns the page of a file; undefined if it belongs to none. */
function getPage(path: string): string | undefined {
  return /^web\/pages\/([^/]+)\//.exec(path)?.[1]
}

function getRole(path: string): Role {
  const lastWord = /([a-z0-9]+)\.tsx?$/.exec(path)?.[1] ?? ''
  return rolesByLastWord[lastWord] ?? 'noun'
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
