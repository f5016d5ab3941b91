import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from './figure.ts'
import { getRunSeconds, startIngesting, type IngestingProduct } from './ingest-product.ts'
import type { BenchSource } from './ingest-source.ts'
import { toTail } from './rounds.ts'
import type { ServerKind, Stage } from './stage.ts'

const GOAL_MS = 100
// The requests of all rounds are one sample; more rounds hardly change it.
const ROUNDS_MAX = 3
const ASSETS_COUNT = 100
const CONNECTIONS_COUNT = 4
const PAUSE_MS = 5

/** The time of one request, measured by the clock of this process. */
interface Latency {
  sentAtMs: number
  answeredAtMs: number
}

/** Requests during first runs. */
interface Latencies {
  /** Requests before publishing. */
  before: Latency[]
  publishing: Latency[]
  /** Total publishing time of all runs in seconds. */
  publishingSeconds: number
}

/** Measures how long GETs of assets take while a first run publishes. */
export async function measureReaders(
  stage: Stage,
  figure: string,
  kind: ServerKind,
  source: BenchSource,
): Promise<Row> {
  const all: Latencies = { before: [], publishing: [], publishingSeconds: 0 }
  for (let round = 0; round < Math.min(stage.effort.rounds, ROUNDS_MAX); round += 1) {
    const product = await startIngesting(stage, kind, source)
    await measureRun(product, all)
    await product.remove()
  }
  const { before, publishing, publishingSeconds } = all
  const usual = toTail(before.map(getDuration))
  return {
    figure,
    server: kind,
    subject: `p99 of ${publishing.length} requests in ${publishingSeconds.toFixed(1)} s (p50, longest)`,
    limit: `while it lists: p50 ${usual.least.toFixed(1)} ms, p99 ${usual.median.toFixed(1)} ms`,
    result: toTail(publishing.map(getDuration)),
    unit: 'ms',
    goal: GOAL_MS,
    measured: all,
  }
}

async function measureRun(product: IngestingProduct, all: Latencies): Promise<void> {
  const readers = await startReaders(product)
  const startedAtMs = performance.now()
  let publishingAtMs = startedAtMs
  const run = await product.untilEnd(await product.trigger(), ({ phase, status }) => {
    // The last poll before publishing is its earliest possible start.
    if (status === 'RUNNING' && phase !== 'publishing') publishingAtMs = performance.now()
  })
  if (run.status !== 'SUCCESS') throw new Error(`a run ended ${run.status}: ${run.message}`)
  const endedAtMs = startedAtMs + getRunSeconds(run) * 1000
  for (const latency of await readers.stop()) {
    const { sentAtMs, answeredAtMs } = latency
    if (answeredAtMs < publishingAtMs) all.before.push(latency)
    else if (sentAtMs <= endedAtMs) all.publishing.push(latency)
  }
  all.publishingSeconds += (endedAtMs - publishingAtMs) / 1000
}

function getDuration({ sentAtMs, answeredAtMs }: Latency): number {
  return answeredAtMs - sentAtMs
}

/** Concurrent readers of single assets, which pause between requests. */
interface Readers {
  /** Stops them; returns every request in the order of the responses. Errors: any status other than 200. */
  stop(): Promise<Latency[]>
}

async function startReaders({ server, key }: IngestingProduct): Promise<Readers> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const send = async (id: string, request: RequestInit): Promise<void> => {
    const response = await fetch(`${server.url}/api/assets/${id}`, { headers, ...request })
    const answer = await response.text()
    if (response.status !== 200) throw new Error(`${response.status}: ${answer}`)
  }
  const ids = Array.from({ length: ASSETS_COUNT }, (_, at) => `read-${at}`)
  for (const id of ids) await send(id, { method: 'PUT', body: JSON.stringify(createAsset(id)) })
  const latencies: Latency[] = []
  const ending = new AbortController()
  const readOn = async (reader: number): Promise<void> => {
    for (let at = reader; !ending.signal.aborted; at += 1) {
      const sentAtMs = performance.now()
      await send(ids[at % ids.length] ?? '', {})
      latencies.push({ sentAtMs, answeredAtMs: performance.now() })
      await sleep(PAUSE_MS)
    }
  }
  const reading = Promise.all(Array.from({ length: CONNECTIONS_COUNT }, (_, at) => readOn(at * 25)))
  // stop() reports the error.
  reading.catch(() => undefined)
  return {
    async stop() {
      ending.abort()
      await reading
      return latencies
    },
  }
}

function createAsset(id: string): object {
  const columns = Array.from({ length: 10 }, (_, at) => ({ name: `column_${at}`, type: 'varchar' }))
  return { id, info: { name: id, type: 'table', source: 'elsewhere', status: 'active' }, columns }
}
