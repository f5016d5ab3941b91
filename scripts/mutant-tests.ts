/** Runs tests on a copy of the working tree in which one file is changed. */

import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from 'node:test'
import { Client } from 'pg'
import { onServer } from '../test/stores.ts'
import type { Mutant } from './mutant-finder.ts'
import { getTier, OWN } from './test-tiers.ts'

/** A copy of the working tree, with the environment of its tests. */
export type Copy = {
  readonly directory: string
  readonly env: NodeJS.ProcessEnv
  /** Drops the databases that tests left behind when they were stopped. */
  readonly dropDatabases: () => Promise<void>
}

/** The first failure of some test files. */
type Failure = { readonly file: string; readonly text: string }

// As in `scripts/test.ts`.
const alone = /\bperformance\.now\(|\btimeout:|\bspawn|\bregisterHooks\(|\/process\.ts'/
// Tests of the whole API that concern some faults: beside twins with the same ids, with the ids of another organization,
// and of permissions.
const broadTests = new Map<string, (mutant: Mutant) => boolean>([
  ['test/twins.test.ts', ({ language }) => language === 'SQL'],
  ['test/isolation.test.ts', ({ text }) => text.includes('organization_id')],
  ['test/permissions.test.ts', ({ text }) => /\b(?:require|may|can)\w*\(/.test(text)],
])
const filesAtOnce = 20
// A change may let a test run without an end.
const limitMs = 4 * 60_000
const furtherFileLimitMs = 15_000

/** Copies files; the tests use databases of their own on the server. */
export async function createCopy(
  root: string,
  directory: string,
  { files, postgresUrl }: { files: readonly string[]; postgresUrl: string },
): Promise<Copy> {
  for (const path of files) cpSync(join(root, path), join(directory, path))
  for (const path of ['node_modules', 'web/dist']) {
    if (existsSync(join(root, path))) symlinkSync(join(root, path), join(directory, path))
  }
  // The owner of the databases of this copy.
  const role = `copy_${process.pid}_${directory.at(-1)}`
  await onServer(postgresUrl, `create role ${role} superuser login password '${role}'`)
  const url = new URL(postgresUrl)
  url.username = role
  url.password = role
  // Threads read the changed sources, not a bundle.
  const { PORTBOOK_TEST_SERVER: _bundle, ...inherited } = process.env
  const compiled = join(dirname(directory), 'compiled')
  return {
    directory,
    env: { ...inherited, PORTBOOK_TEST_POSTGRES: url.href, NODE_COMPILE_CACHE: compiled },
    dropDatabases: async () => await dropDatabases(postgresUrl, role),
  }
}

async function dropDatabases(postgresUrl: string, role: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datdba = '${role}'::regrole`,
    )
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`)
  } finally {
    await client.end()
  }
}

/**
 * Returns a function that runs the tests on a change and returns the first failure: the tests of its folder, then
 * those of the folders that import the file, the tests that import it, and for some faults a test of the whole
 * API; at last the other tests of its module, and of the folders that import those that import it. A test file that also fails without the change is reported and left out.
 */
export function newTester(
  files: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
  interruption: AbortSignal,
): (copy: Copy, mutant: Mutant) => Promise<string | undefined> {
  const tests = files.filter((path) => /\.test\.tsx?$/.test(path) && getTier(path) === OWN)
  const isReliable = new Map<string, boolean>()

  const listStages = (mutant: Mutant): string[][] => {
    const { path } = mutant
    const direct = importers.get(path) ?? []
    const folders = new Set(direct.filter((one) => !tests.includes(one)).map((one) => dirname(one)))
    const isOwn = (test: string): boolean => dirname(test) === dirname(path)
    const isImporting = (test: string): boolean =>
      folders.has(dirname(test)) || direct.includes(test) || broadTests.get(test)?.(mutant) === true
    const others = tests.filter((test) => !isOwn(test) && isImporting(test))
    // A folder often keeps the promises of a neighbour: the pages of members reset passwords, and runs publish assets by
    // a service that calls the statement.
    const module = path.split('/', 2).join('/')
    const indirect = new Set(
      direct.flatMap((one) => importers.get(one) ?? []).map((one) => dirname(one)),
    )
    const isNeighbour = (test: string): boolean =>
      test.startsWith(`${module}/`) || (indirect.has(dirname(test)) && dirname(test) !== 'test')
    const left = tests.filter((test) => isNeighbour(test) && !isOwn(test) && !others.includes(test))
    return [tests.filter(isOwn), others, left].map((stage) =>
      sortByName(stage, path).filter((test) => isReliable.get(test) !== false),
    )
  }
  const checkReliable = async (copy: Copy, file: string): Promise<boolean> => {
    const isPassing =
      isReliable.get(file) ?? (await runFiles(copy, [file], interruption)) === undefined
    isReliable.set(file, isPassing)
    if (!isPassing) console.error(`${file} fails without a change: left out`)
    return isPassing
  }

  return async function tryMutant(copy, mutant) {
    const path = join(copy.directory, mutant.path)
    const text = readFileSync(path, 'utf8')
    const changed = text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end)
    for (const stage of listStages(mutant)) {
      writeFileSync(path, changed)
      const failure = await runFiles(copy, stage, interruption).finally(() =>
        writeFileSync(path, text),
      )
      if (interruption.aborted) return undefined
      if (failure === undefined) continue
      if (await checkReliable(copy, failure.file)) return failure.text
      return await tryMutant(copy, mutant)
    }
    return undefined
  }
}

/** Sorts tests so that those whose names have most words of a file's name come first. */
function sortByName(paths: readonly string[], path: string): string[] {
  const words = new Set(splitName(path))
  const count = (one: string): number => splitName(one).filter((word) => words.has(word)).length
  return paths.toSorted((a, b) => count(b) - count(a))
}

function splitName(path: string): string[] {
  return path.slice(path.lastIndexOf('/') + 1).split(/[-.]/)
}

/** Runs test files, in one process if they may share it, until the first failure. */
async function runFiles(
  copy: Copy,
  paths: readonly string[],
  interruption: AbortSignal,
): Promise<Failure | undefined> {
  const groups = Map.groupBy(paths, (path) => {
    const isAlone = alone.test(readFileSync(join(copy.directory, path), 'utf8'))
    return isAlone ? path : Math.floor(paths.indexOf(path) / filesAtOnce)
  })
  for (const group of groups.values()) {
    if (interruption.aborted) return undefined
    const failure = await runGroup(copy, group, interruption)
    await copy.dropDatabases()
    if (failure !== undefined) return failure
  }
  return undefined
}

async function runGroup(
  copy: Copy,
  group: readonly string[],
  interruption: AbortSignal,
): Promise<Failure | undefined> {
  const stop = new AbortController()
  const limit = AbortSignal.timeout(limitMs + (group.length - 1) * furtherFileLimitMs)
  const events = run({
    files: [join(copy.directory, 'scripts/test-batch.ts')],
    argv: [...group],
    cwd: copy.directory,
    env: copy.env,
    isolation: 'process',
    signal: AbortSignal.any([stop.signal, limit, interruption]),
  })
  let [file = ''] = group
  let failure: Failure | undefined
  for await (const { type, data } of events) {
    // The files of a group run one after the other.
    if (type === 'test:start' && group.includes(data.name)) file = data.name
    if (type !== 'test:fail') continue
    failure ??= { file, text: `${file}: ${limit.aborted ? 'does not end' : data.name}` }
    stop.abort()
  }
  return failure
}
