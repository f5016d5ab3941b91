/** The rules of CONTRIBUTING.md about files, names and comments. */

import {
  countCodeLines,
  findExportedFunctions,
  findExportedNames,
  findTables,
  findTypeNamesUsedTwice,
  findUnusedExports,
  hasDocstring,
  isDeclaredAt,
  isMisnamed,
  isRelation,
  splitWords,
} from './code-finders.ts'
import { checkRules, isTest, packageImports, getPackage, product, type Rule } from './code-rules.ts'
import type { SourceFile } from './source-file.ts'

const productLinesMax = 300
// With comments and empty lines.
const fileLinesMax = 350
const vagueNames = /(^|\/)(index|utils?|types|helpers?|common|misc)\.tsx?$/
const catalogWords = /\b(data products?|teams?|(data )?contracts?|integrations?)\b/i
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/
// Built at runtime, so that this file does not violate its own rule.
const openEndWords = ['TO', 'FIX'].map((half, index) => half + ['DO', 'ME'][index])
const openEnds = new RegExp(`\\b(${openEndWords.join('|')})\\b`)
// PostgreSQL adds up the rest of the rows again for every row, which costs the square of their number.
const quadraticFrame =
  /\b(?:rows|range|groups)\s+between\s+current\s+row\s+and\s+unbounded\s+following\b/gi
const storeErrors = 'server/platform/kit/store-errors.ts'
const sqlState = /^(08|2[0-9A-F]|40|42|5[3-8]|XX)[0-9A-Z]{3}$/

const rules: readonly Rule[] = [
  {
    name: 'files and folders are named in kebab-case',
    findViolations: (codebase) =>
      codebase
        .map(({ path }) => path)
        .filter((path) => !path.split('/').every((part) => kebabCase.test(part))),
    example: {
      files: {
        'server/apiKeys/api.ts': '',
        'web/Page.tsx': '',
        'server/people/api-keys/api.test.ts': '',
      },
      violations: 2,
    },
  },
  {
    name: 'no file has a vague name',
    findViolations: (codebase) =>
      codebase.map(({ path }) => path).filter((path) => vagueNames.test(path)),
    example: {
      files: {
        'server/catalog/teams/index.ts': '',
        'formats/utils.ts': '',
        'web/types.ts': '',
        'test/helpers.ts': '',
        'formats/schema/types/bigquery.ts': '',
      },
      violations: 4,
    },
  },
  {
    name: `a file of the product has at most ${productLinesMax} lines of code`,
    findViolations: (codebase) =>
      codebase
        .filter((file) => !isSupport(file))
        .map((file) => ({ path: file.path, lines: countCodeLines(file) }))
        .filter(({ lines }) => lines > productLinesMax)
        .map(({ path, lines }) => `${path} has ${lines} lines`),
    example: {
      files: {
        'formats/long.ts': 'f()\n'.repeat(301),
        'formats/commented.ts': 'f()\n\n// why\n'.repeat(300),
        'formats/text.ts': `const text = \`${'line\n'.repeat(301)}\``,
        'formats/long.test.ts': 'f()\n'.repeat(301),
        'scripts/long.ts': 'f()\n'.repeat(301),
      },
      violations: 2,
    },
  },
  {
    name: `a file has at most ${fileLinesMax} lines, with its comments`,
    findViolations: (codebase) =>
      codebase
        .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
        .filter(({ lines }) => lines > fileLinesMax)
        .map(({ path, lines }) => `${path} has ${lines} lines`),
    example: {
      files: {
        'formats/commented.ts': '// why\n'.repeat(351),
        'server/long.test.ts': 'f()\n\n'.repeat(176),
        'scripts/short.ts': 'f()\n'.repeat(350),
      },
      violations: 2,
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
          /** Returns nothing. */
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
    name: 'exported functions and values are not named after a relation, a participle or an adverb',
    findViolations: (codebase) =>
      codebase.flatMap((file) =>
        findExportedNames(file)
          .filter(({ name }) => isMisnamed(name))
          .map(({ name, line }) => `${file.path}:${line} ${name}`),
      ),
    example: {
      files: {
        'server/a.ts': `
          export const colorOf = (x: object) => x
          export async function keptInView() {}
          export function found() {}
          export const together = 1, listAsOf = 2
          export const getColor = 3
          function found() {}
          export type Known = string
          export function listFound(): void {}
          export const feed = 1`,
      },
      violations: 4,
    },
  },
  {
    name: 'no function, constant or method is named after a relation',
    findViolations: (codebase) =>
      codebase.flatMap(({ path, tokens }) =>
        tokens
          .filter(({ text }, at) => isRelation(text) && isDeclaredAt(tokens, at))
          .map(({ text, line }) => `${path}:${line} ${text}`),
      ),
    example: {
      files: {
        'server/a.ts': `
          function textOf() {}
          const sizeOf = (x: object) => x, listAsOf = 2
          class Book { #titleOf() { return titleOf() } }
          const book = { ...valueOf(2), pageOf: 1 }`,
      },
      violations: 3,
    },
  },
  {
    name: 'an exported type name has one meaning in a package',
    findViolations: (codebase) =>
      ['formats', 'server', 'web'].flatMap((name) =>
        findTypeNamesUsedTwice(product(codebase, name)),
      ),
    example: {
      files: {
        'server/a.ts': `export interface Found {}\nexport type { Known } from './b.ts'`,
        'server/b.ts': `export type Found<T> = T\nexport class Known {}\ninterface Hidden {}`,
        'server/c.ts': `export abstract class Found {}\ninterface Hidden {}`,
        'formats/a.ts': `export interface Found {}`,
        'web/a.test.ts': `export interface Found {}`,
      },
      violations: 1,
    },
  },
  {
    name: 'a file of formats or server exports only what another file imports',
    findViolations: (codebase) =>
      ['formats', 'server'].flatMap((name) => findUnusedExports(codebase, name)),
    example: {
      files: {
        'server/a.ts': `
          export const a = 1, other = 2
          export async function b() {}
          export function* c() {}
          export interface D { text: string }
          export type E = string
          export abstract class F {}`,
        'server/b.ts': `
          import * as all from './a.ts'
          import { b, type D as Document } from './a.ts'
          export type { E } from './a.ts'
          all.c()`,
        'server/b.test.ts': `import { E } from './a.ts'`,
      },
      violations: 2,
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
    name: 'no window of a statement begins at the current row and has no end',
    findViolations: (codebase) =>
      codebase
        .filter((file) => !isTest(file))
        .flatMap(({ path, text }) =>
          text
            .matchAll(quadraticFrame)
            .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`)
            .toArray(),
        ),
    example: {
      files: {
        'server/a.ts': `
          sql\`sum(a) over (order by b rows between current row and unbounded following)\`
          const frame = 'ROWS BETWEEN\n  CURRENT ROW AND UNBOUNDED FOLLOWING'
          sql\`sum(a) over (order by b desc rows between unbounded preceding and current row)\``,
        'bench/b.ts': `sql('range between current row and unbounded following')`,
      },
      violations: 3,
    },
  },
  {
    name: 'kit contains no word of the catalog',
    findViolations: (codebase) =>
      product(codebase, 'server')
        .filter(({ path }) => path.startsWith('server/platform/kit/'))
        .flatMap(({ path, text }) =>
          text.split('\n').flatMap((line, index) => {
            const word = catalogWords.exec(splitWords(line))?.[0]
            return word === undefined ? [] : `${path}:${index + 1} ${word}`
          }),
        ),
    example: {
      files: {
        'server/platform/kit/a.ts': `const teamId = 1\n// of a data product\nf(data_contract)\nclass Teamwork {}`,
        'server/catalog/teams/team.ts': 'const team = 1',
      },
      violations: 3,
    },
  },
  {
    name: 'one file decides what an error of the catalog database means',
    findViolations: (codebase) =>
      product(codebase, 'server')
        .filter(({ path }) => path !== storeErrors && !path.startsWith('server/connectors/'))
        .flatMap(({ path, tokens }) =>
          tokens
            .filter(
              ({ kind, text }) =>
                text === 'DatabaseError' || (kind !== 'word' && sqlState.test(text)),
            )
            .map(({ text, line }) => `${path}:${line} ${text}`),
        ),
    example: {
      files: {
        'server/a.ts': `const isFull = error instanceof DatabaseError && error.code === '53100'`,
        'server/connectors/postgres/a.ts': `const code = '42501'`,
        [storeErrors]: `const code = '25006'`,
      },
      violations: 2,
    },
  },
  {
    name: 'a constant table that is looked up by any text has no prototype',
    findViolations: (codebase) =>
      findTables(codebase)
        .filter(({ isConstant, isEmpty }) => isConstant && !isEmpty)
        .map(({ path, line, name }) => `${path}:${line} ${name}: use newTable`),
    example: {
      files: {
        'server/a.ts': `
          const KINDS: Readonly<Record<string, string>> = { TABLE: 'table' }
          export const codes: Record<string, (at: number) => string> = { a: () => '' }
          const BY_STATE: Record<State, string> = { on: 'On' }
          const WORDS = newTable<string>({ on: 'On' })
          function f() { const headers: Record<string, string> = { accept: 'a' } }`,
        'web/a.test.ts': `const WORDS: Record<string, string> = { on: 'On' }`,
      },
      violations: 2,
    },
  },
  {
    name: 'an object that is filled by names from outside is a Map or has no prototype',
    findViolations: (codebase) =>
      findTables(codebase)
        .filter(({ isEmpty }) => isEmpty)
        .map(({ path, line, name }) => `${path}:${line} ${name}: use newRecord or a Map`),
    example: {
      files: {
        'web/a.ts': `
          function f(headers: Record<string, string> = {}) {
            const counts: Record<string, number> = {}
            let members: Readonly<Record<string, unknown>> = {}
            const byName: Record<Name, number> = {}
            const record = newRecord<number>()
          }`,
        'formats/name/table.ts': `const record: Record<string, Value> = {}`,
      },
      violations: 2,
    },
  },
]

checkRules(rules)

function isSupport(file: SourceFile): boolean {
  return isTest(file) || packageImports[getPackage(file.path)] === undefined
}
