import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure, Row } from './figure.ts'
import { readTreeMemory, type TreeMemory } from './process-memory.ts'
import { toSpread } from './rounds.ts'
import { startBare, startProduct, type RunningServer } from './servers.ts'
import type { Stage } from './stage.ts'

const NAME = 'idle-memory'
const GOAL_MB = 220
// The pool closes connections after 30 idle seconds.
const IDLE_MS = 35_000
const READINGS_COUNT = 5
const PAUSE_MS = 1000
const REPETITIONS_COUNT = 20
const PATHS = [
  '/api/dataproducts',
  '/api/datacontracts',
  '/api/assets',
  '/api/teams',
  '/api/search?query=wagon',
]

/** Memory of all processes of the product on its own server while it is idle. */
export const idleMemory: Figure = {
  name: NAME,
  title: `Memory of all processes (PSS) after ${IDLE_MS / 1000} idle seconds, with the demo data and a local server, against bare Node, driver and server`,
  async *measure(stage) {
    if (process.platform !== 'linux' || !stage.serverKinds.includes('local')) return
    await stage.clear()
    const node = copyNode(stage)
    const bare = await measureBare(stage, node)
    const { environment } = await stage.newPlace('local')
    for (const [state, parameters] of [
      ['demo just loaded', ['--demo']],
      ['existing data', []],
    ] as const) {
      const product = await startProduct(environment, { node, parameters })
      const keyFile = join(environment['PORTBOOK_DATA_DIR'] ?? '', 'demo-api-key')
      await sendRequests(product, readFileSync(keyFile, 'utf8').trim())
      await sleep(IDLE_MS)
      const readings = await readRepeatedly(product)
      await product.stop()
      yield toRow(state, readings, bare)
    }
  },
}

// The benchmark runs the same Node, and memory that both processes map from one file would count only in part.
function copyNode(stage: Stage): string {
  const node = join(stage.newDirectory(), 'node')
  copyFileSync(process.execPath, node)
  return node
}

async function measureBare(stage: Stage, node: string): Promise<TreeMemory[]> {
  const bare = await startBare(await stage.newDatabase('local'), { node })
  const readings = await readRepeatedly(bare)
  await bare.stop()
  return readings
}

async function sendRequests({ url }: RunningServer, key: string): Promise<void> {
  for (let repetition = 0; repetition < REPETITIONS_COUNT; repetition += 1) {
    for (const path of PATHS) {
      const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
      const answer = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status}: ${answer}`)
    }
  }
}

async function readRepeatedly({ pid }: RunningServer): Promise<TreeMemory[]> {
  const readings: TreeMemory[] = []
  while (readings.length < READINGS_COUNT) {
    readings.push(readTreeMemory(pid))
    await sleep(PAUSE_MS)
  }
  return readings
}

function toRow(state: string, readings: readonly TreeMemory[], bare: readonly TreeMemory[]): Row {
  const [result, limit] = [getTotals(readings), getTotals(bare)]
  return {
    figure: `${NAME}, ${state}`,
    server: 'local',
    subject: `${describe(readings)}, ${(result.median / limit.median).toFixed(1)} times`,
    limit: describe(bare),
    result,
    unit: 'MB',
    goal: GOAL_MB,
    measured: { readings, bare },
  }
}

function getTotals(readings: readonly TreeMemory[]): ReturnType<typeof toSpread> {
  return toSpread(readings.map(({ totalMb }) => totalMb))
}

function describe(readings: readonly TreeMemory[]): string {
  const last = readings.at(-1)
  const programs = Object.entries(last?.byProgram ?? {})
    .toSorted(([, a], [, b]) => b - a)
    .map(([program, megabytes]) => `${program} ${megabytes.toFixed(1)} MB`)
  return `${programs.join(' + ')} in ${last?.processesCount} processes`
}
