/** Runs tests on a copy of the working tree in which one file is changed. */

import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { run } from 'node:test'
import { Client } from 'pg'
import { onServer } from '../test/stores.ts'
import type { Mutant } from './mutant-finder.ts'

/** A copy of the working tree, with the environment of its tests. */
export type Copy = {
  readonly directory: string
  readonly env: NodeJS.ProcessEnv
  /** Drops the databases that tests left behind when they were stopped. */
  readonly dropDatabases: () => Promise<void>
}

/** Test files that pass without a change, and the time that they take. */
type Suite = { readonly files: readonly string[]; readonly durationMs: number }

/** The outcome of test files: the first failure, and the files with failures. */
type Outcome = { readonly failure: string | undefined; readonly failedFiles: ReadonlySet<string> }

// Those that need whole processes, a browser or programs of other projects are left out.
const ownTest =
  /^(?!test\/(?:browser|faults|journeys|clients|peers)\/)(?!.*\.(?:process|peer)\.test\.).*\.test\.tsx?$/
// As in `scripts/test.ts`.
const alone = /\bperformance\.now\(|\btimeout:|\bspawn|\bregisterHooks\(|\/process\.ts'/
// It sends every request beside another organization with the same ids.
const twinTest = 'test/twins.test.ts'
// A change may let a test run without an end.
const slownessMax = 5
const limitMsMin = 60_000
const baselineMsMax = 10 * 60_000

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
 * those of the folders that import the file, the tests that import it, and for the condition of an organization the
 * test of its twin. Tests that fail without a change are
 * reported once and left out.
 */
export function newTester(
  files: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
  interruption: AbortSignal,
): (copy: Copy, mutant: Mutant) => Promise<string | undefined> {
  const tests = files.filter((path) => ownTest.test(path))
  const suites = new Map<string, Promise<Suite>>()

  const getSuite = (copy: Copy, name: string): Promise<Suite> => {
    const suite = suites.get(name) ?? measureSuite(copy, name)
    suites.set(name, suite)
    return suite
  }
  const measureSuite = async (copy: Copy, name: string): Promise<Suite> => {
    const all = tests.filter((path) => path === name || dirname(path) === name)
    const startedAt = performance.now()
    const { failedFiles } = await runFiles(copy, all, baselineMsMax, false, interruption)
    for (const path of failedFiles) console.error(`${path} fails without a change: left out`)
    const durationMs = Math.ceil(performance.now() - startedAt)
    return { files: all.filter((path) => !failedFiles.has(path)), durationMs }
  }
  const listSuites = ({ path, text }: Mutant): Set<string> => {
    const direct = importers.get(path) ?? []
    const folders = direct.filter((one) => !one.includes('.test.')).map((one) => dirname(one))
    const single = direct.filter((one) => tests.includes(one) && !folders.includes(dirname(one)))
    const twins = text.includes('organization_id') ? [twinTest] : []
    return new Set([dirname(path), ...single, ...folders, ...twins])
  }

  return async (copy, mutant) => {
    const path = join(copy.directory, mutant.path)
    const text = readFileSync(path, 'utf8')
    for (const name of listSuites(mutant)) {
      const suite = await getSuite(copy, name)
      const ordered = sortByName(suite.files, mutant.path)
      const limitMs = Math.max(limitMsMin, slownessMax * suite.durationMs)
      writeFileSync(path, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end))
      try {
        const { failure } = await runFiles(copy, ordered, limitMs, true, interruption)
        if (failure !== undefined || interruption.aborted) return failure
      } finally {
        writeFileSync(path, text)
      }
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

/** Runs test files, in one process if they may share it; stops at the limit, and if asked at the first failure. */
async function runFiles(
  copy: Copy,
  paths: readonly string[],
  limitMs: number,
  stopsAtFailure: boolean,
  interruption: AbortSignal,
): Promise<Outcome> {
  const groups = Map.groupBy(paths, (path) =>
    alone.test(readFileSync(join(copy.directory, path), 'utf8')) ? path : '',
  )
  const failedFiles = new Set<string>()
  let failure: string | undefined
  for (const group of groups.values()) {
    if (failure !== undefined && stopsAtFailure) break
    const stop = new AbortController()
    const limit = AbortSignal.timeout(limitMs)
    const events = run({
      files: [join(copy.directory, 'scripts/test-batch.ts')],
      argv: group,
      cwd: copy.directory,
      env: copy.env,
      isolation: 'process',
      signal: AbortSignal.any([stop.signal, limit, interruption]),
    })
    for await (const { type, data } of events) {
      if (type !== 'test:fail') continue
      const isFile = data.nesting === 0 && group.includes(data.name)
      if (isFile) failedFiles.add(data.name)
      failure ??= limit.aborted ? 'does not end' : describeFailure(copy, data)
      if (stopsAtFailure) stop.abort()
    }
    await copy.dropDatabases()
  }
  return { failure, failedFiles }
}

function describeFailure(copy: Copy, { name, file }: { name: string; file?: string }): string {
  return file === undefined ? name : `${relative(copy.directory, file)}: ${name}`
}
