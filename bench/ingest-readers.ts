import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestingProduct } from './ingest-product.ts'

const ASSETS_COUNT = 100
const CONNECTIONS_COUNT = 4
const PAUSE_MS = 5

/** One request, by the clock of this process. */
export interface Latency {
  sentAtMs: number
  answeredAtMs: number
}

/** Readers of single assets, a few at a time, who pause between two requests. */
export interface Readers {
  /** Ends them, and gives every request in the order of the answers. Errors: any answer but 200. */
  stop(): Promise<Latency[]>
}

/** Registers assets and starts reading them. */
export async function startReaders({ server, key }: IngestingProduct): Promise<Readers> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const ask = async (id: string, request: RequestInit): Promise<void> => {
    const response = await fetch(`${server.url}/api/assets/${id}`, { headers, ...request })
    const answer = await response.text()
    if (response.status !== 200) throw new Error(`${response.status}: ${answer}`)
  }
  const ids = Array.from({ length: ASSETS_COUNT }, (_, at) => `read-${at}`)
  for (const id of ids) await ask(id, { method: 'PUT', body: JSON.stringify(assetOf(id)) })
  const latencies: Latency[] = []
  const ending = new AbortController()
  const readOn = async (reader: number): Promise<void> => {
    for (let at = reader; !ending.signal.aborted; at += 1) {
      const sentAtMs = performance.now()
      await ask(ids[at % ids.length] ?? '', {})
      latencies.push({ sentAtMs, answeredAtMs: performance.now() })
      await sleep(PAUSE_MS)
    }
  }
  const reading = Promise.all(Array.from({ length: CONNECTIONS_COUNT }, (_, at) => readOn(at * 25)))
  // Told by stop().
  reading.catch(() => undefined)
  return {
    async stop() {
      ending.abort()
      await reading
      return latencies
    },
  }
}

/** How long each request took, in milliseconds. */
export function durationsOf(latencies: readonly Latency[]): number[] {
  return latencies.map(({ sentAtMs, answeredAtMs }) => answeredAtMs - sentAtMs)
}

function assetOf(id: string): object {
  const columns = Array.from({ length: 10 }, (_, at) => ({ name: `column_${at}`, type: 'varchar' }))
  return { id, info: { name: id, type: 'table', source: 'elsewhere', status: 'active' }, columns }
}
