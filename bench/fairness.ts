import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { contractText } from './contracts.ts'
import { documentTemplate, OWNER_TEAM, PRODUCTS_COUNT } from './documents.ts'
import type { Figure, Row } from './figure.ts'
import { createEventText } from './lineage-event.ts'
import type { LoadResult } from './load.ts'
import { toSpread } from './rounds.ts'
import type { RunningServer } from './servers.ts'
import { createBootstrapEnvironment, type Pair, type ServerKind, type Stage } from './stage.ts'
import { createTraces } from './usage-spans.ts'

const PARALLEL = 100
const READERS_COUNT = 1
/** The largest multiple of the p95 of a GET while another organization sends as much as it can. */
const GOAL_TIMES = 10
const SETTLE_MS = 500
const FILL_PARALLEL = 16
const LARGE_MODELS_COUNT = 100

/** A request of the organization that floods. */
interface FloodRequest {
  method: string
  path: string
  mediaType?: string
  body?: string
}

/** The kinds of requests that flood, each with a function that creates the next one. */
const FLOODS: Readonly<Record<string, (count: number) => FloodRequest>> = {
  searches: (count) => ({ method: 'GET', path: `/api/search?query=shipment+${count % 50}` }),
  lists: (count) => ({ method: 'GET', path: `/api/dataproducts?p=${count % 2}` }),
  feeds: () => ({ method: 'GET', path: '/api/events?include=document' }),
  activity: () => ({ method: 'GET', path: '/api/activity' }),
  reads: (count) => ({ method: 'GET', path: `/api/dataproducts/${toTemplate(count).id}` }),
  writes: (count) => {
    const { id, text } = toTemplate(count)
    return { method: 'PUT', path: `/api/dataproducts/${id}`, body: text(count) }
  },
  uploads: (count) => {
    const id = `large-${count % 20}`
    const body = contractText(id, LARGE_MODELS_COUNT, count)
    return { method: 'PUT', path: `/api/datacontracts/${id}`, body }
  },
  events: () => ({ method: 'POST', path: '/api/v1/lineage', body: createEventText(randomUUID()) }),
  spans: (count) => {
    const prefix = String(count % 100_000_000).padStart(8, '0')
    return { method: 'POST', path: '/api/v1/traces', body: createTraces(Date.now(), prefix) }
  },
}

/** A GET of one organization, without and with 100 parallel requests of each kind of another one. */
export const fairness: Figure = {
  name: 'fairness',
  title: 'GET a product, without and with 100 parallel requests of another organization',
  async *measure(stage) {
    for (const kind of stage.serverKinds) {
      const pair = await stage.getPair(kind)
      const key = await addOrganization(pair.product)
      await fillOrganization(pair.product, key)
      for (const name of Object.keys(FLOODS)) yield await measureFlood(stage, kind, pair, key, name)
    }
  },
}

async function measureFlood(
  stage: Stage,
  server: ServerKind,
  pair: Pair,
  floodKey: string,
  name: string,
): Promise<Row> {
  const rounds: { quiet: LoadResult; busy: LoadResult; floodPerSecond: number }[] = []
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    const quiet = await read(stage, pair)
    const flood = startFlood(pair.product, floodKey, name)
    await sleep(SETTLE_MS)
    const busy = await read(stage, pair)
    rounds.push({ quiet, busy, floodPerSecond: await flood.stop() })
  }
  const median = (pick: (round: (typeof rounds)[number]) => number): string =>
    toSpread(rounds.map(pick)).median.toFixed(1)
  return {
    figure: `fairness: beside ${PARALLEL} ${name}`,
    server,
    subject: `p50 ${median(({ busy }) => busy.p50Ms)} ms, p95 ${median(({ busy }) => busy.p95Ms)} ms, beside ${median(({ floodPerSecond }) => floodPerSecond)} answers/s`,
    limit: `p50 ${median(({ quiet }) => quiet.p50Ms)} ms, p95 ${median(({ quiet }) => quiet.p95Ms)} ms without them`,
    result: toSpread(rounds.map(({ quiet, busy }) => busy.p95Ms / quiet.p95Ms)),
    unit: 'times',
    goal: GOAL_TIMES,
    measured: rounds,
  }
}

async function read({ load, effort }: Stage, { product, key }: Pair): Promise<LoadResult> {
  const { port } = product
  const milliseconds = effort.roundMs
  return await load.run({ kind: 'get', port, key, connections: READERS_COUNT, milliseconds })
}

/** Keeps 100 requests under way until it is stopped, and then returns the number of answers in a second. */
function startFlood(
  { url }: RunningServer,
  key: string,
  name: string,
): { stop(): Promise<number> } {
  const create = FLOODS[name]
  if (create === undefined) throw new Error(`unknown flood: ${name}`)
  const startedAtMs = performance.now()
  const stopping = new AbortController()
  let count = 0
  let answersCount = 0
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const status = await send(url, key, create((count += 1)))
      // A flood may be refused; refusals are not work.
      if (status < 400) answersCount += 1
    }
  }
  const workers = Array.from({ length: PARALLEL }, work)
  return {
    async stop() {
      const seconds = (performance.now() - startedAtMs) / 1000
      const perSecond = answersCount / seconds
      stopping.abort()
      await Promise.all(workers)
      return perSecond
    },
  }
}

async function send(
  url: string,
  key: string,
  { method, path, mediaType = 'application/json', body }: FloodRequest,
): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': mediaType }
  const more = body === undefined ? {} : { body }
  const response = await fetch(`${url}${path}`, { method, headers, ...more })
  await response.arrayBuffer()
  return response.status
}

/** Creates a second organization of the owner; returns the secret of its key. */
async function addOrganization({ url }: RunningServer): Promise<string> {
  const { PORTBOOK_OWNER_EMAIL: email, PORTBOOK_OWNER_PASSWORD: password } =
    createBootstrapEnvironment('')
  const ask = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
    return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', text }
  }
  const { cookie } = await ask('/ui/sign-in', { email, password }, {})
  const created = await ask('/ui/organizations', { name: 'Flooding Rail' }, { cookie })
  const { organizations }: { organizations: { id: string; name: string }[] } = JSON.parse(
    created.text,
  )
  const id = organizations.findLast(({ name }) => name === 'Flooding Rail')?.id ?? ''
  const wish = { scope: 'organization', displayName: 'Flood' }
  const { text } = await ask('/ui/api-keys', wish, { cookie, 'portbook-organization': id })
  const { key }: { key: string } = JSON.parse(text)
  return key
}

async function fillOrganization({ url }: RunningServer, key: string): Promise<void> {
  const team: FloodRequest = {
    method: 'PUT',
    path: `/api/teams/${OWNER_TEAM.id}`,
    body: JSON.stringify(OWNER_TEAM),
  }
  const products = Array.from({ length: PRODUCTS_COUNT }, (_, at) => {
    const { id, text } = documentTemplate(at)
    return { method: 'PUT', path: `/api/dataproducts/${id}`, body: text(0) }
  })
  const put = async (request: FloodRequest): Promise<void> => {
    const status = await send(url, key, request)
    if (status >= 400) throw new Error(`${request.path}: ${status}`)
  }
  await put(team)
  for (let at = 0; at < products.length; at += FILL_PARALLEL) {
    await Promise.all(products.slice(at, at + FILL_PARALLEL).map(put))
  }
}

function toTemplate(count: number): ReturnType<typeof documentTemplate> {
  return documentTemplate(count % PRODUCTS_COUNT)
}
