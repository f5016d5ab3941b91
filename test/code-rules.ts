/** Rules about source files: each lists its violations, and has an example that shows that it can fail. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import test from 'node:test'
import { readSource, type SourceFile } from './source-file.ts'

/** All TypeScript files of the repository, or of an example. */
export type Codebase = readonly SourceFile[]

/** A rule about source files. */
export type Rule = {
  readonly name: string
  /** Lists the violations, one line each, beginning with the path of the file. */
  readonly findViolations: (codebase: Codebase) => string[]
  /** Files that violate the rule, with the number of violations. */
  readonly example: {
    readonly files: Readonly<Record<string, string>>
    readonly violations: number
  }
}

/** The top folders with source files. */
export const packages = ['formats', 'server', 'web', 'test', 'scripts', 'bench']
/** The packages that the shipped packages may import. */
export const packageImports: Readonly<Record<string, readonly string[]>> = {
  formats: ['formats'],
  server: ['server', 'formats'],
  web: ['web', 'formats'],
}

/** Defines a test of each rule, and one of its example. */
export function checkRules(rules: readonly Rule[]): void {
  const codebase = readCodebase(resolve(import.meta.dirname, '..'))

  test('finds files to check', () => {
    assert.ok(product(codebase, 'server').length > 0 && product(codebase, 'formats').length > 0)
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
}

/** Reads every TypeScript file of the repository that is written by hand. */
function readCodebase(root: string): Codebase {
  return globSync(`{${packages.join(',')}}/**/*.{ts,tsx}`, { cwd: root })
    .filter(
      (path) =>
        !path.includes('node_modules') &&
        !/^(web\/(dist|api\/openapi\.ts)|server\/platform\/tables\.ts)/.test(path),
    )
    .toSorted()
    .map((path) =>
      readSource(path.replaceAll('\\', '/'), readFileSync(resolve(root, path), 'utf8')),
    )
}

/** Returns the package of a file: its top folder. */
export function getPackage(path: string): string {
  return path.split('/')[0] ?? ''
}

/** Returns whether a file contains tests. */
export function isTest({ path }: SourceFile): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Returns the files of a package without their tests. */
export function product(from: Codebase, name: string): Codebase {
  return from.filter((file) => getPackage(file.path) === name && !isTest(file))
}
