/**
 * Measures which single faults the tests notice: `npm run mutants -- <file or folder> … [--count=200] [--seed=N]`, or
 * `npm run mutants -- --change` for at most 20 in the lines that differ from main.
 *
 * A fault is a condition of SQL that is missing, or a comparison that is wrong. Each is made in a copy of the working
 * tree. Until the first failure, the tests of its folder run, then those of the folders that import the file, then those
 * of its module and of the folders that import these folders. Faults that no test notices are printed, except for those
 * that change nothing: `mutants-equivalent.txt` lists them, one in each line, with a tab between the file, the text and
 * the reason.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/postgres.ts'
import { readSource } from '../test/source-file.ts'
import { prepareStores } from '../test/stores.ts'
import { chooseMutants, findMutants, type Mutant } from './mutant-finder.ts'
import { createCopy, newTester } from './mutant-tests.ts'

const root = resolve(import.meta.dirname, '..')
const equivalentPath = 'scripts/mutants-equivalent.txt'
const memoryDirectory = '/dev/shm'
const changeMax = 20
const concurrency = Number(process.env.PORTBOOK_TEST_CONCURRENCY ?? availableParallelism())
const source = /^(?:formats|server|web)\/(?!demo\/|platform\/tables\.ts).*(?<!\.test)\.tsx?$/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    change: { type: 'boolean', default: false },
  },
})
const interruption = listenForInterruption()
const files = listFiles()
process.exitCode = await main()

/** Tries the chosen faults; returns the exit code. */
async function main(): Promise<number> {
  const candidates = listCandidates()
  const equivalents = readEquivalents(candidates)
  const mutants = chooseMutants(
    candidates.filter((mutant) => !equivalents.has(getKey(mutant))),
    values.change ? changeMax : Number(values.count),
    Number(values.seed),
  )
  console.log(`${mutants.length} of ${candidates.length} faults, seed ${values.seed}`)
  if (mutants.length === 0) return 0
  const { count, survivors } = await tryAll(mutants)
  console.log(`\n${count - survivors.length} of ${count} are noticed, seed ${values.seed}`)
  for (const mutant of survivors) console.log(`✖ ${describeMutant(mutant)}`)
  return survivors.length > 0 || interruption.aborted ? 1 : 0
}

/** Tries each fault in one of the copies, until an interruption; returns their number, and those without a failure. */
async function tryAll(
  mutants: readonly Mutant[],
): Promise<{ count: number; survivors: readonly Mutant[] }> {
  const base = process.env.TMPDIR ?? (existsSync(memoryDirectory) ? memoryDirectory : tmpdir())
  const directory = await mkdtemp(join(base, 'portbook-'))
  // PostgreSQL may run as another user, who must be able to enter the directory.
  await chmod(directory, 0o711)
  process.env.TMPDIR = directory
  const postgres = await startPostgres()
  const survivors: Mutant[] = []
  let count = 0
  try {
    await prepareStores(postgres.url)
    const test = newTester(files, findImporters(), interruption)
    const waiting = mutants.values()
    const tryWaiting = async (number: number): Promise<void> => {
      const place = join(directory, `copy-${number}`)
      const copy = await createCopy(root, place, { files, postgresUrl: postgres.url })
      for (const mutant of waiting) {
        const failure = await test(copy, mutant)
        if (interruption.aborted) return
        count += 1
        if (failure === undefined) survivors.push(mutant)
        const mark = failure === undefined ? '✖' : '✔'
        console.log(`${mark} ${describeMutant(mutant)}\n    ${failure ?? 'not noticed'}`)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, (_, number) => tryWaiting(number)))
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  return { count, survivors }
}

function describeMutant({ path, line, text }: Mutant): string {
  return `${path}:${line} ${text}`
}

/** Returns a signal that aborts on termination signals, and when the launcher is gone. */
function listenForInterruption(): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, abort)
  process.once('disconnect', abort)
  process.channel?.unref()
  return controller.signal
}

/** Lists the files of the working tree, also those that are not committed. */
function listFiles(): string[] {
  const listed = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
  return [...new Set(listed)].filter((path) => path !== '' && existsSync(join(root, path)))
}

function git(...parameters: string[]): string {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Lists the faults of the chosen files, or of the lines that differ from main. */
function listCandidates(): Mutant[] {
  const filters = positionals.map((path) => relative(root, resolve(path)))
  const isChosen = (path: string): boolean =>
    filters.length === 0 || filters.some((one) => path === one || path.startsWith(`${one}/`))
  const mutants = files
    .filter((path) => source.test(path) && isChosen(path))
    .flatMap((path) => findMutants(path, readText(path)))
  if (!values.change) return mutants
  const lines = listChangedLines()
  return mutants.filter(({ path, line }) => lines.has(`${path}:${line}`))
}

function listChangedLines(): Set<string> {
  const lines = new Set<string>()
  let path = ''
  for (const text of git('diff', '-U0', git('merge-base', 'main', 'HEAD').trim()).split('\n')) {
    path = /^\+\+\+ b\/(.*)/.exec(text)?.[1] ?? path
    const range = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(text)
    const count = range === null ? 0 : Number(range[2] ?? '1')
    for (let at = 0; at < count; at += 1) lines.add(`${path}:${Number(range?.[1]) + at}`)
  }
  return lines
}

function getKey({ path, text }: Pick<Mutant, 'path' | 'text'>): string {
  return `${path}\t${text}`
}

/** Reads the faults that change nothing, and reports the lines without a fault. */
function readEquivalents(candidates: readonly Mutant[]): Set<string> {
  const keys = new Set(candidates.map(getKey))
  const paths = new Set(candidates.map(({ path }) => path))
  const lines = readText(equivalentPath).split('\n').filter(Boolean)
  const listed = lines.map((line) => line.split('\t', 2).join('\t'))
  for (const key of listed) {
    const [path = ''] = key.split('\t')
    const isStale = !files.includes(path) || (paths.has(path) && !keys.has(key) && !values.change)
    if (isStale) console.error(`${equivalentPath}: no such fault, remove the line: ${key}`)
  }
  return new Set(listed)
}

/** Finds the files that import each file, without those that import only its types. */
function findImporters(): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const path of files.filter((one) => source.test(one) || /\.test\.tsx?$/.test(one))) {
    for (const { target, isTypeOnly } of readSource(path, readText(path)).imports) {
      if (!isTypeOnly) importers.set(target, [...(importers.get(target) ?? []), path])
    }
  }
  return importers
}
