/** The rules of tiers: what the tests of our own code need, and that no test depends on the speed of the machine. */

import { getTier, OWN } from '../scripts/test-tiers.ts'
import { checkRules, isTest, type Codebase, type Rule } from './code-rules.ts'
import type { SourceFile } from './source-file.ts'

// Programs of other projects, whole processes and browsers.
const FOREIGN =
  /^test\/(process|mariadb|pgbouncer|postgres-15|small-disk)\.ts$|^test\/(browser|peers)\/|^server\/connectors\/source-process\/isolated-connectors\.ts$|^node:child_process$/
// The runner's own PostgreSQL needs only what npm installs.
const OWN_SERVER = /^test\/(postgres|database-server)\.ts$/
const ENDING = /\.(\w+)\.test\.tsx?$/

/** Lists what a file imports, itself or through files of `test/`, that the first tier must not have. */
function listForeign(file: SourceFile, codebase: Codebase): string[] {
  const byPath = new Map(codebase.map((one) => [one.path, one]))
  const reached = new Set([file])
  for (const { imports } of reached) {
    for (const { target, isTypeOnly } of imports) {
      const next = byPath.get(target)
      const isSupport = next !== undefined && target.startsWith('test/') && !isTest(next)
      if (isSupport && !isTypeOnly && !OWN_SERVER.test(target)) reached.add(next)
    }
  }
  return [...reached].flatMap(({ imports }) =>
    imports
      .filter(({ target, isTypeOnly }) => !isTypeOnly && FOREIGN.test(target))
      .map(({ target }) => target),
  )
}

const rules: readonly Rule[] = [
  {
    name: 'a test of our own code starts no process, no browser and no program of another project',
    findViolations: (codebase) =>
      codebase
        .filter((file) => isTest(file) && getTier(file.path) === OWN)
        .flatMap((file) =>
          listForeign(file, codebase).map((target) => `${file.path} imports ${target}`),
        ),
    example: {
      files: {
        'server/a.test.ts': `import { startProduct } from '../test/process.ts'`,
        'server/b.test.ts': `import { help } from '../test/help.ts'`,
        'server/c.test.ts': `import { spawn } from 'node:child_process'`,
        'server/d.process.test.ts': `import { startProduct } from '../test/process.ts'`,
        'server/e.test.ts': `import type { Child } from '../test/process.ts'`,
        'server/f.test.ts': `import { startPostgres } from '../test/postgres.ts'`,
        'test/help.ts': `import { onMariadb } from './mariadb.ts'`,
        'test/postgres.ts': `import { spawn } from 'node:child_process'`,
        'test/faults/a.test.ts': `import { startProduct } from '../process.ts'`,
      },
      violations: 3,
    },
  },
  {
    name: 'the ending of a test names its tier',
    findViolations: (codebase) =>
      codebase.map(({ path }) => path).filter((path) => ENDING.test(path) && getTier(path) === OWN),
    example: {
      files: {
        'server/a.slow.test.ts': '',
        'server/a.peer.test.ts': '',
        'server/a.process.test.ts': '',
      },
      violations: 1,
    },
  },
  {
    name: 'a measured time is compared with what is promised on an idle machine',
    findViolations: (codebase) =>
      codebase
        .filter(({ text }) =>
          /(?<!=)[<>] performance\.now\(|\bperformance\.now\(\) [-<>]/.test(text),
        )
        .filter((file) => isTest(file) && !/\btoLimit\(/.test(file.text))
        .map(({ path }) => path),
    example: {
      files: {
        'test/faults/a.test.ts': 'assert.ok(performance.now() - startedAtMs < 1000)',
        'test/faults/b.test.ts': 'assert.ok(performance.now() - startedAtMs < toLimit(1000))',
        'test/faults/c.test.ts': 'const nowMs = () => performance.now() + 1000',
      },
      violations: 1,
    },
  },
  {
    // Faults happen at random times.
    name: 'a test waits for an event or a state, never for a time',
    findViolations: (codebase) =>
      codebase
        .filter((file) => isTest(file) && !file.path.startsWith('test/faults/'))
        .filter(({ imports }) =>
          imports.some(
            ({ target, names }) =>
              target === 'node:timers/promises' && names.includes('setTimeout'),
          ),
        )
        .map(({ path }) => path),
    example: {
      files: {
        'server/a.test.ts': `import { setTimeout as sleep } from 'node:timers/promises'`,
        'server/b.test.ts': `import { setImmediate } from 'node:timers/promises'`,
        'test/faults/a.test.ts': `import { setTimeout as sleep } from 'node:timers/promises'`,
      },
      violations: 1,
    },
  },
]

checkRules(rules)
