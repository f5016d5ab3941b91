/** The modules of the server, as the table in ARCHITECTURE.md describes them. */

import { readFileSync } from 'node:fs'
import { checkRules, product, type Rule } from './code-rules.ts'

/** Returns whether a module may import a file of another one. */
type Permission = (target: string) => boolean

const ARCHITECTURE = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8')
const MODULES = readModules(ARCHITECTURE)

const rules: readonly Rule[] = [
  {
    name: 'a module of the server imports only what the table in ARCHITECTURE.md allows',
    findViolations: (codebase) =>
      product(codebase, 'server').flatMap(({ path, imports }) => {
        const module = getModule(path)
        const mayImport = MODULES.get(module ?? '')
        if (mayImport === undefined) return []
        return imports
          .map(({ target }) => target)
          .filter((target) => target.startsWith('server/') && getModule(target) !== module)
          .filter((target) => !mayImport(target))
          .map((target) => `${path} imports ${target}`)
      }),
    example: {
      files: {
        'server/platform/kit/a.ts': `import '../../requests/http/b.ts'`,
        'server/requests/http/b.ts': `import '../../platform/kit/a.ts'`,
        'server/people/users/c.ts': `import '../../agreements/d.ts'; import '../../connectors/connector.ts'`,
        'server/catalog/assets/e.ts': `import '../../connectors/connector.ts'; import '../../connectors/glue/keys.ts'`,
        'server/catalog/teams/f.ts': `import '../../app.ts'`,
        'server/app.ts': `import './catalog/teams/f.ts'`,
      },
      violations: 5,
    },
  },
  {
    name: 'every module of the server is in the table of ARCHITECTURE.md',
    findViolations: (codebase) => {
      const modules = new Set(product(codebase, 'server').map(({ path }) => getModule(path)))
      return [...modules].flatMap((name) => (name === undefined || MODULES.has(name) ? [] : name))
    },
    example: {
      files: { 'server/things/a.ts': '', 'server/catalog/teams/team.ts': '', 'server/app.ts': '' },
      violations: 1,
    },
  },
  {
    name: 'a module of formats or web imports only those above it in ARCHITECTURE.md',
    findViolations: (codebase) =>
      ['formats', 'web'].flatMap((name) => {
        const order = listRows(name)
        const files = product(codebase, name).filter(({ path }) => getRow(order, path) >= 0)
        return files.flatMap(({ path, imports }) =>
          imports
            .filter(({ target }) => target.startsWith(`${name}/`))
            .filter(({ target }) => getRow(order, target) > getRow(order, path))
            .map(({ target }) => `${path} imports ${target}`),
        )
      }),
    example: {
      files: {
        'formats/text/a.ts': `import '../diff/b.ts'; import '../name/c.ts'`,
        'web/parts/a.ts': `import '../pages/home/page.tsx'`,
        'web/pages/home/page.tsx': `import '../../parts/a.ts'`,
      },
      violations: 2,
    },
  },
]

checkRules(rules)

/** Lists the modules of a package in the order of their rows. */
function listRows(name: string): string[] {
  const rows = ARCHITECTURE.matchAll(new RegExp(`^\\| \`${name}/([a-z-]+)/`, 'gm'))
  return [...rows].map(([, module = '']) => module)
}

/** Returns the row of a file's module; -1 for a file beside the modules. */
function getRow(order: readonly string[], path: string): number {
  const [, module = '', ...rest] = path.split('/')
  return rest.length === 0 ? -1 : order.indexOf(module)
}

/** Returns the module of a file: its folder in `server/`; undefined for the files beside the modules. */
function getModule(path: string): string | undefined {
  const module = /^server\/([^/]+)\//.exec(path)?.[1]
  return module === 'demo' || module === 'migrations' ? undefined : module
}

/**
 * Reads the table: each module with what it may import, which is "rows above", names of modules, "not" a module, and
 * paths of single files in `server/`.
 */
function readModules(text: string): ReadonlyMap<string, Permission> {
  const rows = [...text.matchAll(/^\| `server\/([a-z]+)\/` \|[^|\n]+\| ([^|\n]+) \|$/gm)]
  const names = rows.map(([, name = '']) => name)
  return new Map(
    rows.map(([, name = '', rule = ''], at) => {
      const files = [...rule.matchAll(/`([\w/.-]+)`/g)].map(([, file]) => `server/${file}`)
      const words = new Set(rule.replaceAll(/`[^`]*`|of the \w+/g, '').match(/not \w+|\w+/g))
      const above = words.has('rows') ? names.slice(0, at) : []
      const single = new Set(files.map((file) => getModule(file)))
      const allowed = new Set(
        [...above, ...names.filter((one) => words.has(one))].filter(
          (one) => !words.has(`not ${one}`) && !single.has(one),
        ),
      )
      const mayImport: Permission = (target) =>
        allowed.has(getModule(target) ?? '') || files.includes(target)
      return [name, mayImport]
    }),
  )
}
