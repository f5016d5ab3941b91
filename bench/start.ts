import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pack } from '../scripts/pack.ts'
import { listTraceScripts } from '../test/loaded-scripts.ts'
import type { Figure, Row } from './figure.ts'
import { startToFirstPage, type StartedProduct } from './first-page.ts'
import { readTreeMemory } from './process-memory.ts'
import { toSpread, type Spread } from './rounds.ts'
import { startBare } from './servers.ts'
import { measureSpans } from './spans.ts'
import type { Stage } from './stage.ts'

const NAME = 'start'
const PACKAGE_MB_MAX = 8
const PACKAGE_S_MAX = 15
const CLONE_S_MAX = 30
const RESTART_S_MAX = 2
const IDLE_MB_MAX = 160
const SPAN_MICROSECONDS_MAX = 15
const BYTES_PER_MB = 1_000_000
/** The package with Node and PostgreSQL is installed this often; each has 200 MB. */
const INSTALLATIONS_COUNT = 3
/** The pool closes connections after 30 idle seconds. */
const IDLE_MS = 35_000
const READINGS_COUNT = 5
const PAUSE_MS = 1000
const PAGES = ['/', '/dataproducts', '/datacontracts', '/search', '/healthz']

const run = promisify(execFile)
const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
const root = join(import.meta.dirname, '..')

/** The costs of trying Portbook: the size of the package, its first page, its memory, and traces. */
export const start: Figure = {
  name: NAME,
  title:
    'The package: its size, its first page with a warm cache of npm, its memory; the first page of a clone; a span',
  async *measure(stage) {
    await stage.clear()
    const bare = await measureBare(stage)
    const { file, bytes } = await pack({ target: newFolder() })
    yield toRow('size of the package', [bytes / BYTES_PER_MB], 'MB', PACKAGE_MB_MAX)
    const installed = await installRepeatedly(file)
    yield toRow('first page by package', installed.seconds, 's', PACKAGE_S_MAX, bare)
    const data = newFolder()
    const restarts: number[] = []
    for (let round = 0; round <= stage.effort.rounds; round += 1) {
      const product = await startInstalled(installed.folder, data)
      await product.stop()
      // The first start creates the database.
      if (round > 0) restarts.push(product.seconds)
    }
    yield toRow('first page after a restart', restarts, 's', RESTART_S_MAX, bare)
    if (process.platform === 'linux') {
      const idle = await measureIdle(installed.folder, data)
      yield toRow('memory of an idle process', idle, 'MB', IDLE_MB_MAX)
    }
    yield toRow('first page by clone', [await measureClone()], 's', CLONE_S_MAX, bare)
    yield toRow('a span', await measureSpans(stage.effort.rounds), 'µs', SPAN_MICROSECONDS_MAX)
    const scripts = await findTraceScripts(installed.folder, data)
    yield toRow('scripts of traces loaded when off', [scripts.length], 'count', 0)
  },
}

/** Returns the median of the seconds that bare Node with PostgreSQL takes to serve on a new data directory. */
async function measureBare(stage: Stage): Promise<Spread> {
  const times: number[] = []
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    const database = await stage.newDatabase('local')
    const startedAtMs = performance.now()
    const server = await startBare(database)
    times.push((performance.now() - startedAtMs) / 1000)
    await server.stop()
    await stage.deleteDatabase(database)
  }
  return toSpread(times)
}

/** Installs the package into empty folders and starts it. The first time warms the cache and does not count. */
async function installRepeatedly(file: string): Promise<{ seconds: number[]; folder: string }> {
  const seconds: number[] = []
  let folder = ''
  for (let round = 0; round <= INSTALLATIONS_COUNT; round += 1) {
    folder = newFolder()
    const startedAtMs = performance.now()
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', file], {
      cwd: folder,
      env: getEnvironment(),
    })
    const installedS = (performance.now() - startedAtMs) / 1000
    const product = await startToFirstPage(
      ['npx', 'portbook'],
      folder,
      getEnvironment({ PORTBOOK_DATA_DIR: newFolder() }),
    )
    await product.stop()
    if (round > 0) seconds.push(installedS + product.seconds)
  }
  return { seconds, folder }
}

async function startInstalled(
  folder: string,
  data: string,
  more: Record<string, string> = {},
): Promise<StartedProduct> {
  const command = join(folder, 'node_modules/portbook/bin/portbook.cjs')
  return await startToFirstPage(
    [process.execPath, command],
    folder,
    getEnvironment({ PORTBOOK_DATA_DIR: data, ...more }),
  )
}

/** Returns the proportional memory of the server itself, without its launcher and PostgreSQL. */
async function measureIdle(folder: string, data: string): Promise<number[]> {
  // Memory that the benchmark and the server both map from one file would count only in part.
  const node = join(newFolder(), 'server-node')
  copyFileSync(process.execPath, node)
  const program = join(folder, 'node_modules/portbook/server/main.mjs')
  const product = await startToFirstPage(
    [node, program],
    folder,
    getEnvironment({
      PORTBOOK_DATA_DIR: data,
      MALLOC_MMAP_THRESHOLD_: '131072',
      MALLOC_TRIM_THRESHOLD_: '131072',
      NODE_OPTIONS: '--max-semi-space-size=8',
    }),
  )
  for (const path of PAGES) await (await fetch(`${product.url}${path}`)).text()
  await sleep(IDLE_MS)
  const readings: number[] = []
  for (let count = 0; count < READINGS_COUNT; count += 1) {
    readings.push(readTreeMemory(product.pid).byProgram['server-node'] ?? Number.NaN)
    await sleep(PAUSE_MS)
  }
  await product.stop()
  return readings
}

/** Clones the repository and starts it as its README describes: that installs the packages and builds the pages. */
async function measureClone(): Promise<number> {
  const folder = newFolder()
  const startedAtMs = performance.now()
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder])
  const clonedS = (performance.now() - startedAtMs) / 1000
  const product = await startToFirstPage(['npm', 'start'], folder, getEnvironment())
  await product.stop()
  return clonedS + product.seconds
}

async function findTraceScripts(folder: string, data: string): Promise<string[]> {
  const coverage = newFolder()
  const product = await startInstalled(folder, data, { NODE_V8_COVERAGE: coverage })
  await product.stop()
  return listTraceScripts(coverage).traces
}

/** Creates a folder that every user can enter: as root, the product runs PostgreSQL as another one. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portbook-start-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/** Returns the environment of a user, with the Node and npm of the benchmark's own caller. */
function getEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const folders = PATH.split(':').filter((path) => !path.startsWith(join(root, 'node_modules')))
  return {
    PATH: folders.join(':'),
    HOME,
    PORT: '0',
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...more,
  }
}

function toRow(
  figure: string,
  values: readonly number[],
  unit: Row['unit'],
  goal: number,
  bare?: Spread,
): Row {
  const result = toSpread([...values])
  const times = bare === undefined ? '' : `, ${(result.median / bare.median).toFixed(1)} times`
  const number = result.median.toFixed(2)
  return {
    figure: `${NAME}, ${figure}`,
    server: 'local',
    subject: `${number} ${unit}${times}, ${(result.median / (goal || 1)).toFixed(2)} of the goal`,
    limit:
      bare === undefined ? 'its goal' : `bare Node and PostgreSQL, ${bare.median.toFixed(2)} s`,
    result,
    unit,
    goal,
    measured: { values, bare },
  }
}
