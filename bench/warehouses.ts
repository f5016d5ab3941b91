import { CONNECTORS } from '../server/connectors/connectors.ts'
import { NO_FILTERS } from '../server/connectors/filter.ts'
import { isolateConnectors } from '../server/connectors/source-process/isolated-connectors.ts'
import { newDialer } from '../server/platform/kit/dialer.ts'
import type { ProxiedRequest } from '../test/warehouses/fault-proxy.ts'
import type { Platform } from '../test/warehouses/platform.ts'
import { PLATFORMS } from '../test/warehouses/platforms.ts'
import type { Figure, Row } from './figure.ts'
import {
  runOnce,
  memoryPeak,
  resetMemoryPeak,
  startIngesting,
  type IngestingProduct,
} from './ingest-product.ts'
import { countAssets } from './ingest-statements.ts'
import { readTreeMemory } from './process-memory.ts'
import { toSpread } from './rounds.ts'
import type { Stage } from './stage.ts'
import { replay, startWarehouse, type WarehouseSource } from './warehouse-source.ts'

const TIMES_THE_MINIMUM_MAX = 1.2
const TIMES_THE_BARE_CLIENT_MAX = 1.5
const TIMES_THE_FIRST_MAX = 0.5
/** For platforms that report which tables are unchanged. */
const TIMES_THE_FIRST_WITH_VERSIONS_MAX = 0.3
const MEMORY_MB_MAX = 150

const SCHEMAS = 20
const COLUMNS = 10
const LATENCY_MS = 20
// A run of a platform with a request for each table takes half a minute.
const ROUNDS_MAX = 3
const MEMORY_PAUSE_MS = 100
/** The smaller source, whose run may not need less memory, has this part of the tables. */
const SMALL = 0.1

/** Ingestion from the scripted server of every platform. */
export const warehouses = (tablesCount: number): Figure => ({
  name: 'warehouses',
  title: `Ingestion of ${tablesCount.toLocaleString('en')} tables with ${COLUMNS} columns from warehouses with ${LATENCY_MS} ms latency, against a bare client`,
  async *measure(stage) {
    await stage.clear()
    for (const platform of PLATFORMS) yield* measurePlatform(stage, platform, tablesCount)
  },
})

async function* measurePlatform(
  stage: Stage,
  platform: Platform,
  tablesCount: number,
): AsyncGenerator<Row> {
  const { source } = platform.connector
  const rounds = Math.min(stage.effort.rounds, ROUNDS_MAX)
  const small = await startSource(platform, tablesCount * SMALL)
  const smallMemory = await measureRounds(rounds, () => measureRuns(stage, small))
  await small.stop()
  const large = await startSource(platform, tablesCount)
  try {
    const readings = await measureRounds(rounds, () => measureReading(large, platform))
    yield* createReadingRows(source, platform, large, readings)
    const runs = await measureRounds(rounds, () => measureRuns(stage, large))
    yield* createRunRows(stage, platform, runs, smallMemory)
  } finally {
    await large.stop()
  }
}

async function startSource(platform: Platform, tablesCount: number): Promise<WarehouseSource> {
  return await startWarehouse(platform, {
    schemas: SCHEMAS,
    tablesPerSchema: Math.round(tablesCount / SCHEMAS),
    columns: COLUMNS,
    latencyMs: LATENCY_MS,
  })
}

async function measureRounds<T>(rounds: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < rounds; round += 1) results.push(await measure())
  return results
}

/** One reading with only the connector, and the same requests of a bare client. */
interface WarehouseReading {
  requestCount: number
  readSeconds: number
  bareSeconds: number
}

async function measureReading(
  source: WarehouseSource,
  { concurrency }: Platform,
): Promise<WarehouseReading> {
  await source.takeRequests()
  const readSeconds = await readAll(source)
  const requests: ProxiedRequest[] = await source.takeRequests()
  const bareSeconds = await replay(source, requests, concurrency)
  return { requestCount: requests.length, readSeconds, bareSeconds }
}

/** Reads the source in a separate process, as a run does, and returns the seconds without its start. */
async function readAll({ source, configuration, secrets }: WarehouseSource): Promise<number> {
  const connector = isolateConnectors(CONNECTORS).get(source)
  if (connector === undefined) throw new Error(`Unknown connector ${source}`)
  let startedAtMs = performance.now()
  const session = await connector.open({
    configuration: connector.description.configuration.parse(configuration),
    filters: NO_FILTERS,
    secrets,
    dialer: newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined }),
    signal: new AbortController().signal,
    onStarted: () => void (startedAtMs = performance.now()),
    log: () => undefined,
    sent: () => undefined,
  })
  await countAssets(session)
  await session.close()
  return (performance.now() - startedAtMs) / 1000
}

/** A first and an unchanged run of the product. */
interface WarehouseRuns {
  firstSeconds: number
  againSeconds: number
  /** The memory of the server and its reader above that of the idle server; NaN outside Linux. */
  memoryMb: number
  /** The part of the server in it. */
  serverMb: number
  /** The number of events and versions written by the unchanged run. */
  writtenCount: number
}

async function measureRuns(stage: Stage, source: WarehouseSource): Promise<WarehouseRuns> {
  const product = await startIngesting(stage, stage.serverKinds[0] ?? 'configured', source)
  await product.untilIdle()
  const idleMb = readNodeMemory(product)
  const idleServerMb = resetMemoryPeak(product.server.pid)
  const memory = sampleMemory(product)
  const first = await runOnce(product)
  const peakMb = memory.stop()
  const serverMb =
    idleServerMb === undefined ? Number.NaN : memoryPeak(product.server.pid) - idleServerMb
  const again = await runOnce(product)
  const { events, versions } = await product.count()
  await product.remove()
  return {
    firstSeconds: first.seconds,
    againSeconds: again.seconds,
    memoryMb: peakMb - idleMb,
    serverMb,
    writtenCount: events + versions - 2 * first.createdCount,
  }
}

// A local PostgreSQL is also below the server.
function readNodeMemory({ server }: IngestingProduct): number {
  if (process.platform !== 'linux') return Number.NaN
  return readTreeMemory(server.pid).byProgram['node'] ?? Number.NaN
}

/** Reads the memory repeatedly; stopping returns the peak in MB. */
function sampleMemory(product: IngestingProduct): { stop(): number } {
  let peakMb = readNodeMemory(product)
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, readNodeMemory(product))
  }, MEMORY_PAUSE_MS)
  return {
    stop() {
      clearInterval(timer)
      return peakMb
    },
  }
}

function* createReadingRows(
  source: string,
  platform: Platform,
  { extent }: WarehouseSource,
  readings: readonly WarehouseReading[],
): Generator<Row> {
  const least = platform.countRequests(extent.schemas, extent.tablesPerSchema, extent.columns)
  const requests = toSpread(readings.map(({ requestCount }) => requestCount))
  const common = { server: 'none', unit: 'times', measured: readings } as const
  yield {
    ...common,
    figure: `${source}, requests`,
    subject: `${requests.median.toLocaleString('en')} requests`,
    limit: `${least.toLocaleString('en')} that the protocol requires`,
    result: toSpread(readings.map(({ requestCount }) => requestCount / least)),
    goal: TIMES_THE_MINIMUM_MAX,
  }
  const read = toSpread(readings.map(({ readSeconds }) => readSeconds)).median
  const bare = toSpread(readings.map(({ bareSeconds }) => bareSeconds)).median
  yield {
    ...common,
    figure: `${source}, reading`,
    subject: `${read.toFixed(2)} s with the connector`,
    limit: `${bare.toFixed(2)} s: the same requests, ${platform.concurrency} at a time`,
    result: toSpread(readings.map(({ readSeconds, bareSeconds }) => readSeconds / bareSeconds)),
    goal: TIMES_THE_BARE_CLIENT_MAX,
  }
}

function* createRunRows(
  stage: Stage,
  { connector: { source, description } }: Platform,
  runs: readonly WarehouseRuns[],
  smallRuns: readonly WarehouseRuns[],
): Generator<Row> {
  const getMedian = (all: readonly WarehouseRuns[], name: keyof WarehouseRuns): number =>
    toSpread(all.map((run) => run[name])).median
  const common = { server: stage.serverKinds[0] ?? 'none', measured: { runs, smallRuns } } as const
  yield {
    ...common,
    figure: `${source}, unchanged run`,
    subject: `${getMedian(runs, 'againSeconds').toFixed(2)} s`,
    limit: `first run ${getMedian(runs, 'firstSeconds').toFixed(2)} s`,
    result: toSpread(runs.map(({ againSeconds, firstSeconds }) => againSeconds / firstSeconds)),
    unit: 'times',
    goal:
      description.readingVersion === undefined
        ? TIMES_THE_FIRST_MAX
        : TIMES_THE_FIRST_WITH_VERSIONS_MAX,
  }
  yield {
    ...common,
    figure: `${source}, rewritten`,
    subject: 'events and versions that the unchanged run wrote',
    limit: '–',
    result: toSpread(runs.map(({ writtenCount }) => writtenCount)),
    unit: 'count',
    goal: 0,
  }
  yield {
    ...common,
    figure: `${source}, memory`,
    subject: `peak of server and reader above idle, first run; ${getMedian(runs, 'serverMb').toFixed(0)} MB of the server`,
    limit: `${getMedian(smallRuns, 'memoryMb').toFixed(0)} MB with a tenth of the tables`,
    result: toSpread(runs.map(({ memoryMb }) => memoryMb)),
    unit: 'MB',
    goal: MEMORY_MB_MAX,
  }
}
