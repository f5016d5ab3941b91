import { readFileSync } from 'node:fs'
import { contractText } from './contracts.ts'
import { runStatement } from './database-place.ts'
import { documentTemplate, OWNER_TEAM, PRODUCTS_COUNT } from './documents.ts'
import type { Figure, Row } from './figure.ts'
import { memoryPeak, resetMemoryPeak } from './ingest-product.ts'
import { toSpread } from './rounds.ts'
import { readProcessorTime, startProduct, type RunningServer } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const NAME = 'catalog-rdf'
const TIMES_MAX = 3
const GROWTH_MB_MAX = 50
const PAGES_COUNT = 10
const CONNECTIONS = 8
const ROUNDS_MIN = 3

/** The catalog as RDF: the time of a page against the list of the same products, and memory while ten pages are read. */
export const catalogRdf: Figure = {
  name: NAME,
  title: `A page of catalog.ttl with 1,000 products and their contracts against the list of the same products, and memory while ${PAGES_COUNT} pages are read`,
  async *measure(stage) {
    for (const kind of stage.serverKinds) {
      const { environment, database, keyFile } = await stage.newPlace(kind)
      const bootstrap = createBootstrapEnvironment(keyFile)
      const product = await startProduct({ ...environment, ...bootstrap })
      try {
        const client = newClient(product, readFileSync(keyFile, 'utf8').trim())
        await fill(client)
        // As autovacuum does within a minute after the load.
        await runStatement(database, 'vacuum analyze')
        yield toTimesRow(kind, await comparePages(stage, product, client))
        if (process.platform === 'linux')
          yield toGrowthRow(kind, await readAllPages(product, client))
      } finally {
        await product.stop()
      }
    }
  },
}

/** Requests to the measured server. */
interface Client {
  put(path: string, body: string): Promise<void>
  /** Reads an answer piece by piece, as a client does that stores it. Returns its size in bytes. */
  read(path: string): Promise<number>
}

function newClient({ url }: RunningServer, key: string): Client {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return {
    async put(path, body) {
      const answer = await fetch(`${url}${path}`, { method: 'PUT', headers, body })
      if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    },
    async read(path) {
      const answer = await fetch(`${url}${path}`, { headers })
      if (!answer.ok || answer.body === null) throw new Error(`GET ${path}: ${answer.status}`)
      let bytes = 0
      for await (const piece of answer.body) bytes += piece.length
      return bytes
    },
  }
}

/** Puts 10,000 products, each with an output port under a contract of its own. */
async function fill(client: Client): Promise<void> {
  await client.put(`/api/teams/${OWNER_TEAM.id}`, JSON.stringify(OWNER_TEAM))
  const count = PAGES_COUNT * PRODUCTS_COUNT
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const at = next
      next += 1
      const { id, text } = documentTemplate(at)
      const contractId = `shipment-events-table-${at}`
      await client.put(`/api/datacontracts/${contractId}`, contractText(contractId, 1, 0))
      await client.put(`/api/dataproducts/${id}`, text(0))
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

/** A page that was read. */
interface PageTime {
  milliseconds: number
  /** Processor time of the server's process; not a number outside Linux. */
  serverMs: number
}

/** The pages of neighbouring rounds. */
interface PageTimes {
  graphs: PageTime[]
  lists: PageTime[]
}

async function comparePages(
  stage: Stage,
  { pid }: RunningServer,
  client: Client,
): Promise<PageTimes> {
  const times: PageTimes = { graphs: [], lists: [] }
  const measure = async (path: string): Promise<PageTime> => {
    const before = readProcessorTime(pid) ?? Number.NaN
    const startedAtMs = performance.now()
    await client.read(path)
    const milliseconds = performance.now() - startedAtMs
    const serverMs = ((readProcessorTime(pid) ?? Number.NaN) - before) / 1000
    return { milliseconds, serverMs }
  }
  const rounds = Math.max(ROUNDS_MIN, stage.effort.rounds)
  for (let round = 0; round <= rounds; round += 1) {
    for (let page = 0; page < PAGES_COUNT; page += 1) {
      const list = await measure(`/api/dataproducts?p=${page}`)
      const graph = await measure(`/api/catalog.ttl?p=${page}`)
      // The first round warms up; it also reads the contracts, which later ones remember.
      if (round === 0) continue
      times.lists.push(list)
      times.graphs.push(graph)
    }
  }
  return times
}

function toTimesRow(server: ServerKind, { graphs, lists }: PageTimes): Row {
  const ratios = graphs.map(({ milliseconds }, at) => {
    return milliseconds / (lists[at]?.milliseconds ?? Number.NaN)
  })
  return {
    figure: `${NAME}, page`,
    server,
    subject: `a page ${describe(graphs)}`,
    limit: `a page of the list ${describe(lists)}`,
    result: toSpread(ratios),
    unit: 'times',
    goal: TIMES_MAX,
    measured: { graphs, lists },
  }
}

function describe(times: readonly PageTime[]): string {
  const { median } = toSpread(times.map(({ milliseconds }) => milliseconds))
  const serverMs = times.reduce((sum, time) => sum + time.serverMs, 0) / times.length
  return `${median.toFixed(0)} ms, ${serverMs.toFixed(0)} ms CPU`
}

/** Reads all pages a few times; returns the growth of the memory of the server's process in megabytes. */
async function readAllPages(product: RunningServer, client: Client): Promise<number[]> {
  const growth: number[] = []
  for (let round = 0; round < ROUNDS_MIN; round += 1) {
    const before = resetMemoryPeak(product.pid) ?? Number.NaN
    for (let page = 0; page < PAGES_COUNT; page += 1) {
      await client.read(`/api/catalog.jsonld?p=${page}`)
    }
    growth.push(memoryPeak(product.pid) - before)
  }
  return growth
}

function toGrowthRow(server: ServerKind, growth: readonly number[]): Row {
  return {
    figure: `${NAME}, memory`,
    server,
    subject: `${PAGES_COUNT} pages of 1,000 products, one after the other`,
    limit: '–',
    result: toSpread(growth),
    unit: 'MB',
    goal: GROWTH_MB_MAX,
    measured: growth,
  }
}
