/**
 * The test runner: `npm test` (our own code), `npm run test:<tier>`, `npm run test:all` (every tier, one after the
 * other), `npm test <file or folder> …` (those, of any tier), and `npm run faults` (only test/faults, with long tests).
 *
 * Test files run under node's runner, a few processes at a time. Files of a package share a process if
 * they start no other and measure no time: loading the product takes longer than most tests. The browser
 * tests share two, each with a browser and a server with the demo. The runner prepares one PostgreSQL
 * server for all processes, with a migrated database to clone.
 */

import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { startPostgres } from '../test/postgres.ts'
import { ensureApiTypes } from './ensure-api-types.ts'
import { ensurePages } from './pages.ts'
import { ensureServerBundle } from './server-bundle.ts'
import { printClosing, printOutcome, seconds, sum, type Outcome } from './test-report.ts'
import { getTier, OWN, TIERS, type Tier } from './test-tiers.ts'

/** The test files that run in one process. */
type Share = {
  readonly name: string
  readonly files: readonly string[]
}

const root = resolve(import.meta.dirname, '..')
// One more than the number of processors: many files wait for a process or a browser that they started.
// The tests of `npm run faults` load every processor and have time limits, so they run one by one.
const isLong = process.argv.includes('--faults')
// Without paths, only the tests of one tier run.
const tierArgument = /^--tier=(.+)$/
const concurrency = Number(
  process.env.PORTBOOK_TEST_CONCURRENCY ?? (isLong ? 1 : availableParallelism() + 1),
)
// A run with more random requests than usual needs more time.
const fileTimeoutMs = (process.env.PORTBOOK_FUZZ_REQUESTS === undefined ? 4 : 60) * 60_000
const furtherFileTimeoutMs = 15_000
const browserTimeoutMs = 10 * 60_000
const longFaultsTimeoutMs = 60 * 60_000
// Processor time depends on the machine, so a tier over its budget is only a warning.
const BUDGET_TOLERANCE = 1.2
const memoryDirectory = '/dev/shm'
const memoryBytesMin = 4 * 1024 ** 3

const pure = /^(formats|web)\//
// Test files below these folders share processes, except for those of whole processes.
const sharing = /^(?:formats|web|server|test\/clients|test(?!\/(browser|faults|journeys)\/))(?=\/)/
const browsing = /^test\/browser(?=\/)/
const filesAtOnce = 32
const browserProcesses = 2
// These visit every page, so they go to different processes.
const longWalks = ['test/browser/accessibility.test.ts', 'test/browser/links.test.ts']
// The tests of a process share the source database, whose start takes longer than most of them.
const sharedSource = /\/(mariadb)\.ts'/
// A file that measures time must not measure garbage of other files, one that starts processes mostly
// waits for them, and one that replaces modules must be the first to load them.
const alone = /\bperformance\.now\(|\btimeout:|\bspawn|\bregisterHooks\(|\/process\.ts'/

// The folders of the slowest shares come first, so that no slow one runs last while processors are idle.
const folderOrder = ['test/browser/', 'test/', 'server/', 'formats/', 'scripts/', 'web/']

process.exitCode = await main(process.argv.slice(2))

/** Runs the selected tests; returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const paths = args.filter((argument) => !argument.startsWith('--'))
  const tiers = isLong || paths.length > 0 ? TIERS : selectTiers(args)
  const files = selectFiles(paths)
    .filter((file) => !isLong || file.startsWith('test/faults/'))
    .filter((file) => tiers.includes(getTier(file)))
    .toSorted((a, b) => getFolderIndex(a) - getFolderIndex(b))
  if (files.length === 0) {
    console.error('No tests selected.')
    return 1
  }
  // Tests do not read the types; editors do, right after a clone.
  await ensureApiTypes()
  const interruption = listenForInterruption()
  const directory = await makeDirectory()
  const startedAt = performance.now()
  try {
    if (files.some((file) => file.startsWith('test/browser/'))) await ensurePages()
    const PORTBOOK_TEST_SERVER = files.some(needsDatabase) ? await ensureServerBundle() : undefined
    const env = { ...process.env, PORTBOOK_TEST_SERVER, PORTBOOK_FAULTS: isLong ? 'long' : 'short' }
    const timeoutMs = isLong ? longFaultsTimeoutMs : fileTimeoutMs
    const outcomes = await withDatabase(files.some(needsDatabase), async (stores, parents) => {
      const all: Outcome[] = []
      for (const tier of tiers) {
        const shares = createShares(files.filter((file) => getTier(file) === tier))
        if (shares.length === 0) continue
        const measure = newStopwatch(parents)
        const ended = await runAll(shares, { ...env, ...stores }, timeoutMs, interruption)
        all.push(...ended)
        printTier(tier, ended, measure())
      }
      return all
    })
    await printClosing(outcomes, performance.now() - startedAt)
    const omitted = TIERS.filter((tier) => !tiers.includes(tier))
    for (const { command, contents } of omitted) console.log(`not run: ${contents} (${command})`)
    if (interruption.aborted) return 130
    return outcomes.every(({ ok }) => ok) && sum(outcomes, 'tests') > 0 ? 0 : 1
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Returns the tiers of `--tier=<name>`; `all` means every tier, and the default is our own code. */
function selectTiers(args: readonly string[]): readonly Tier[] {
  const name = args.flatMap((argument) => tierArgument.exec(argument)?.[1] ?? [])[0] ?? OWN.name
  return name === 'all' ? TIERS : TIERS.filter((tier) => tier.name === name)
}

/** The time that a tier took. */
type Spent = {
  readonly wallMs: number
  /** Of all processes that ended in the meantime; undefined = the system does not count it. */
  readonly processorSeconds: number | undefined
}

/** Starts to measure; the result returns the time since. `parents` are the parents of all measured processes. */
function newStopwatch(parents: readonly number[]): () => Spent {
  const startedAtMs = performance.now()
  const before = readChildSeconds(parents)
  return () => {
    const after = readChildSeconds(parents)
    return {
      wallMs: performance.now() - startedAtMs,
      processorSeconds: before === undefined || after === undefined ? undefined : after - before,
    }
  }
}

/** Reads the processor time of the ended children of processes, on Linux. */
function readChildSeconds(parents: readonly number[]): number | undefined {
  try {
    return parents.reduce((sum, pid) => {
      // Numbers 16 and 17 of proc_pid_stat(5), in hundredths of a second. The name may contain spaces.
      const numbers = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
      const [user = 0, system = 0] = numbers?.slice(13, 15).map(Number) ?? []
      return sum + (user + system) / 100
    }, 0)
  } catch {
    return undefined
  }
}

/** Prints what a tier cost, and a warning if it has become more expensive than it may be. */
function printTier(
  { name, processorSecondsMax }: Tier,
  outcomes: readonly Outcome[],
  { wallMs, processorSeconds }: Spent,
): void {
  const tests = `${sum(outcomes, 'tests')} tests, ${seconds(wallMs)}`
  const spent =
    processorSeconds === undefined ? '' : `, ${processorSeconds.toFixed(0)} processor seconds`
  console.log(`${name}: ${tests}${spent}`)
  if (processorSeconds === undefined || processorSeconds <= processorSecondsMax * BUDGET_TOLERANCE)
    return
  console.log(`warning: ${name} may take ${processorSecondsMax} processor seconds`)
}

/** Finds the test files in the given files and folders (none = everywhere), as paths from the root. */
function selectFiles(filters: readonly string[]): string[] {
  const all = globSync('**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules', 'bench', 'data', '.*'],
  })
  if (filters.length === 0) return all
  const paths = filters.map((filter) => relative(root, resolve(filter)))
  for (const path of paths) {
    if (!all.some((file) => isWithin(file, path))) console.error(`No tests found in ${path}.`)
  }
  return all.filter((file) => paths.some((path) => isWithin(file, path)))
}

function isWithin(file: string, path: string): boolean {
  return path === '' || file === path || file.startsWith(`${path}/`)
}

function getFolderIndex(file: string): number {
  return folderOrder.findIndex((folder) => file.startsWith(folder))
}

/** Groups the files that share a process. */
function createShares(files: readonly string[]): Share[] {
  const groups = Map.groupBy(files, (file) => {
    if (browsing.test(file)) return 'test/browser'
    const text = readFileSync(join(root, file), 'utf8')
    const source = sharedSource.exec(text)?.[1]
    if (source !== undefined) return source
    const [group] = sharing.exec(file) ?? []
    return group === undefined || alone.test(text) ? file : group
  })
  return [...groups.values()].flatMap((group) => {
    const count = browsing.test(group[0] ?? '')
      ? Math.min(group.length, browserProcesses)
      : Math.ceil(group.length / filesAtOnce)
    // Neighbours go to different processes, because files of a folder take about the same time.
    return Array.from({ length: count }, (_, at) =>
      createShare(walksFirst(group).filter((_file, index) => index % count === at)),
    )
  })
}

function walksFirst(files: readonly string[]): string[] {
  const walks = longWalks.filter((walk) => files.includes(walk))
  return [...walks, ...files.filter((file) => !walks.includes(file))]
}

function createShare(files: readonly string[]): Share {
  const [first = ''] = files
  return { name: files.length === 1 ? first : `${first} and ${files.length - 1} more`, files }
}

/** Returns whether a test file uses a database; pure ones need not wait for it. */
function needsDatabase(file: string): boolean {
  return !pure.test(file) && !/^(scripts\/|test\/(architecture|documents)\.test\.ts$)/.test(file)
}

/** Creates the directory for all temporary files of this run. */
async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(await chooseTemporaryDirectory(), 'portbook-'))
  // PostgreSQL may run as another user, who must be able to enter the directory.
  await chmod(directory, 0o711)
  process.env.TMPDIR = directory
  return directory
}

/** Returns the fastest place for databases: TMPDIR if it is set, otherwise memory if enough is free. */
async function chooseTemporaryDirectory(): Promise<string> {
  if (process.env.TMPDIR !== undefined || freemem() < memoryBytesMin) return tmpdir()
  try {
    const { bavail, bsize } = await statfs(memoryDirectory)
    return bavail * bsize < memoryBytesMin ? tmpdir() : memoryDirectory
  } catch {
    // The memory directory exists only on Linux.
    return tmpdir()
  }
}

/**
 * Calls `use` with the environment variables that give test files the prepared database, and with the process ids of
 * the parents of all processes of the run.
 */
async function withDatabase<Result>(
  areNeeded: boolean,
  use: (stores: Readonly<Record<string, string>>, parents: readonly number[]) => Promise<Result>,
): Promise<Result> {
  if (!areNeeded) return use({}, [process.pid])
  const { prepareStores } = await import('../test/stores.ts')
  const postgres = await startPostgres()
  try {
    return await use(await prepareStores(postgres.url), [process.pid, postgres.pid])
  } finally {
    await postgres.stop()
  }
}

/** Returns a signal that aborts on termination signals, and when the launcher is gone. */
function listenForInterruption(): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new Error('interrupted'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, abort)
  process.once('disconnect', abort)
  // Listening for the disconnection must not keep this process alive.
  process.channel?.unref()
  return controller.signal
}

/** Runs the shares, `concurrency` at a time, and prints each result when it ends. */
async function runAll(
  shares: readonly Share[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  interruption: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = shares.values()
  const runWaiting = async (): Promise<void> => {
    for (const share of waiting) {
      if (interruption.aborted) return
      const isBrowsing = browsing.test(share.files[0] ?? '')
      const limitMs = isBrowsing ? Math.max(timeoutMs, browserTimeoutMs) : timeoutMs
      const outcome = await runShare(share, env, limitMs, interruption)
      outcomes.push(outcome)
      await printOutcome(outcome)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runWaiting))
  return outcomes
}

/** Runs one process and kills it after the timeout of its files. */
async function runShare(
  { name, files }: Share,
  env: NodeJS.ProcessEnv,
  firstFileTimeoutMs: number,
  interruption: AbortSignal,
): Promise<Outcome> {
  const startedAt = performance.now()
  const timeoutMs = firstFileTimeoutMs + (files.length - 1) * furtherFileTimeoutMs
  const timeout = new AbortController()
  const timer = setTimeout(
    () => timeout.abort(new Error(`Did not end within ${timeoutMs / 1000} s`)),
    timeoutMs,
  )
  const events: TestEvent[] = []
  const stream = run({
    files: [join(root, 'scripts/test-batch.ts')],
    argv: [...files],
    cwd: root,
    env,
    isolation: 'process',
    signal: AbortSignal.any([timeout.signal, interruption]),
    // The runner names a hanging test before the timeout of its file.
    timeout: timeoutMs / 2,
  })
  for await (const event of stream) events.push(event)
  clearTimeout(timer)
  const summary = events.findLast((event) => event.type === 'test:summary')
  if (summary === undefined) throw new Error(`The runner ended without a summary of ${name}.`)
  const { success: ok, counts } = summary.data
  return { name, ok, counts, events, durationMs: performance.now() - startedAt }
}
