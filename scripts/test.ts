/**
 * The test runner: `npm test` (our own code), `npm run test:<tier>`, `npm run test:all` (every tier),
 * `npm test <file or folder> …` (those, of any tier), and `npm run faults` (only test/faults, with long tests).
 *
 * Test files run under node's runner, a few processes at a time: first the browsers, then those of all other tiers at
 * once, because some wait while others work.
 * The runner prepares one PostgreSQL server for all processes, with a migrated database to clone.
 */

import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { startPostgres } from '../test/postgres.ts'
import { ensureApiTypes } from './ensure-api-types.ts'
import { ensurePages } from './pages.ts'
import { ensureServerBundle } from './server-bundle.ts'
import { formatSpent, printClosing, printOutcome, seconds, sum } from './test-report.ts'
import type { Outcome } from './test-report.ts'
import { createShares, needsDatabase, type Share } from './test-shares.ts'
import { addSeconds, readProcessorSeconds, type Spent } from './test-spent.ts'
import { getTier, OWN, TIERS, type Tier } from './test-tiers.ts'

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
const fileTimeoutMs = (process.env.PORTBOOK_FUZZ_REQUESTS === undefined ? 8 : 60) * 60_000
const furtherFileTimeoutMs = 15_000
const browserTimeoutMs = 10 * 60_000
const longFaultsTimeoutMs = 60 * 60_000
// Processor time depends on the machine, so a tier over its budget is only a warning.
const BUDGET_TOLERANCE = 1.2
const memoryDirectory = '/dev/shm'
const memoryBytesMin = 4 * 1024 ** 3

const browserFolder = 'test/browser/'

process.exitCode = await main(process.argv.slice(2))

/** Runs the selected tests; returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const paths = args.filter((argument) => !argument.startsWith('--'))
  const tiers = isLong || paths.length > 0 ? TIERS : selectTiers(args)
  const files = selectFiles(paths)
    .filter((file) => !isLong || file.startsWith('test/faults/'))
    .filter((file) => tiers.includes(getTier(file)))
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
    if (files.some((file) => file.startsWith(browserFolder))) await ensurePages()
    const PORTBOOK_TEST_SERVER = files.some(needsDatabase) ? await ensureServerBundle() : undefined
    const env = { ...process.env, PORTBOOK_TEST_SERVER, PORTBOOK_FAULTS: isLong ? 'long' : 'short' }
    const timeoutMs = isLong ? longFaultsTimeoutMs : fileTimeoutMs
    const shares = createShares(root, files)
    const outcomes = await withDatabase(files.some(needsDatabase), async (stores, postgres) => {
      const report = newTierReport(shares, postgres)
      return await runAll(shares, { ...env, ...stores }, { timeoutMs, interruption, report })
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

/**
 * Returns a function that prints what a tier cost once all of its shares have ended. `postgres` is the process of the
 * database, whose time counts for the tier that ends next.
 */
function newTierReport(
  shares: readonly Share[],
  postgres: number | undefined,
): (outcomes: readonly Outcome[]) => void {
  const readDatabaseSeconds = (): number | undefined =>
    postgres === undefined ? 0 : readProcessorSeconds(postgres)
  const startedAtMs = performance.now()
  const printed = new Set<Tier>()
  let before = readDatabaseSeconds()
  return (outcomes) => {
    for (const tier of TIERS) {
      const ofTier = outcomes.filter((outcome) => outcome.tier === tier)
      const expected = shares.filter((share) => share.tier === tier)
      if (expected.length === 0 || ofTier.length < expected.length || printed.has(tier)) continue
      printed.add(tier)
      const now = readDatabaseSeconds()
      const ofDatabase = now === undefined || before === undefined ? undefined : now - before
      before = now
      const processorSeconds = addSeconds([
        ofDatabase,
        ...ofTier.map(({ spent }) => spent?.seconds),
      ])
      printTier(tier, ofTier, { wallMs: performance.now() - startedAtMs, processorSeconds })
    }
  }
}

/** Prints what a tier cost, and a warning if it has become more expensive than it may be. */
function printTier(
  { name, processorSecondsMax }: Tier,
  outcomes: readonly Outcome[],
  { wallMs, processorSeconds }: { wallMs: number; processorSeconds: number | undefined },
): void {
  const tests = `${sum(outcomes, 'tests')} tests, ended after ${seconds(wallMs)}`
  console.log(`${name}: ${tests}${formatSpent(processorSeconds)}`)
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
 * Calls `use` with the environment variables that give test files the prepared database, and with its process id if
 * a file needs it.
 */
async function withDatabase<Result>(
  areNeeded: boolean,
  use: (stores: Readonly<Record<string, string>>, postgres?: number) => Promise<Result>,
): Promise<Result> {
  if (!areNeeded) return use({})
  const { prepareStores } = await import('../test/stores.ts')
  const postgres = await startPostgres()
  try {
    return await use(await prepareStores(postgres.url), postgres.pid)
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

/** Settings of a run. */
type RunOptions = {
  /** The time limit of a file. */
  readonly timeoutMs: number
  readonly interruption: AbortSignal
  /** Called with all results so far when a share ends. */
  report(outcomes: readonly Outcome[]): void
}

/**
 * Runs the shares, `concurrency` at a time, and prints each result when it ends. The browsers come first and run without
 * others: two of them keep the processors busy, and a page that is slow fails its test.
 */
async function runAll(
  shares: readonly Share[],
  env: NodeJS.ProcessEnv,
  { timeoutMs, interruption, report }: RunOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const runWaiting = async (waiting: Iterable<Share>): Promise<void> => {
    for (const share of waiting) {
      if (interruption.aborted) return
      const limitMs = isBrowsing(share) ? Math.max(timeoutMs, browserTimeoutMs) : timeoutMs
      const outcome = await runShare(share, env, limitMs, interruption)
      outcomes.push(outcome)
      await printOutcome(outcome)
      report(outcomes)
    }
  }
  for (const phase of [shares.filter(isBrowsing), shares.filter((share) => !isBrowsing(share))]) {
    const waiting = phase.values()
    await Promise.all(Array.from({ length: concurrency }, () => runWaiting(waiting)))
  }
  return outcomes
}

function isBrowsing({ files }: Share): boolean {
  return files[0]?.startsWith(browserFolder) === true
}

/** Runs one process and kills it after the timeout of its files. */
async function runShare(
  { name, tier, files, isCommon }: Share,
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
  const spentFile = join(tmpdir(), `spent-${randomUUID()}`)
  const stream = run({
    files: [join(root, 'scripts/test-batch.ts')],
    argv: [...files],
    cwd: root,
    env: {
      ...env,
      PORTBOOK_TEST_SPENT: spentFile,
      // Of a folder per tier, in which a process claims a file before it runs it.
      PORTBOOK_TEST_CLAIMS: isCommon ? join(tmpdir(), `claims-${tier.name}`) : undefined,
    },
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
  const durationMs = performance.now() - startedAt
  return { name, tier, ok, counts, events, durationMs, spent: readSpent(spentFile) }
}

/** Reads the processor seconds that a process wrote at its end; undefined = it was killed, or they are not counted. */
function readSpent(file: string): Spent | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Spent) : undefined
}
