import { setTimeout as sleep } from 'node:timers/promises'
import { documentTemplate, OWNER_TEAM, PRODUCTS_COUNT } from './documents.ts'
import type { Figure, Row } from './figure.ts'
import { FLOOD_NAMES, startFlood, type Flood, type FloodName } from './flood.ts'
import type { LoadResult } from './load.ts'
import { toSpread } from './rounds.ts'
import type { RunningServer } from './servers.ts'
import { createBootstrapEnvironment, type Pair, type ServerKind, type Stage } from './stage.ts'

const PARALLEL = 100
const GETS_PER_SECOND = 50
const GET_CONNECTIONS = 4
/** The largest multiple of the p95 of a GET while another organization sends as much as it can. */
const GOAL_TIMES = 10
/** The smallest share of its throughput that the other organization keeps beside the GETs. */
const GOAL_SHARE = 0.8
const SETTLE_MS = 500
const FILL_PARALLEL = 16

interface Round {
  quiet: LoadResult
  busy: LoadResult
  /** The answers of the flood in a second, without and with the GETs. */
  alonePerSecond: number
  besidePerSecond: number
}

/** A GET of one organization, without and with 100 parallel requests of each kind of another one. */
export const fairness: Figure = {
  name: 'fairness',
  title: `GET a product ${GETS_PER_SECOND} times a second, without and with ${PARALLEL} parallel requests of another organization`,
  async *measure(stage) {
    for (const kind of stage.serverKinds) {
      const pair = await stage.getPair(kind)
      const key = await addOrganization(pair.product)
      await fillOrganization(pair.product, key)
      for (const name of FLOOD_NAMES) yield* measureFlood(stage, kind, pair, key, name)
    }
  },
}

async function* measureFlood(
  stage: Stage,
  server: ServerKind,
  pair: Pair,
  floodKey: string,
  name: FloodName,
): AsyncGenerator<Row> {
  const rounds: Round[] = []
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    const quiet = await read(stage, pair)
    const { port } = pair.product
    const flood = startFlood({ name, port, key: floodKey, parallel: PARALLEL })
    try {
      await sleep(SETTLE_MS)
      const alone = await countDuring(flood, () => sleep(stage.effort.roundMs))
      const beside = await countDuring(flood, () => read(stage, pair))
      const [alonePerSecond, besidePerSecond] = [alone.perSecond, beside.perSecond]
      rounds.push({ quiet, busy: beside.result, alonePerSecond, besidePerSecond })
    } finally {
      await flood.stop()
    }
  }
  const median = (pick: (round: Round) => number): string =>
    toSpread(rounds.map(pick)).median.toFixed(1)
  yield {
    figure: `fairness: beside ${PARALLEL} ${name}`,
    server,
    subject: `p50 ${median(({ busy }) => busy.p50Ms)} ms, p95 ${median(({ busy }) => busy.p95Ms)} ms`,
    limit: `p50 ${median(({ quiet }) => quiet.p50Ms)} ms, p95 ${median(({ quiet }) => quiet.p95Ms)} ms without them`,
    result: toSpread(rounds.map(({ quiet, busy }) => busy.p95Ms / quiet.p95Ms)),
    unit: 'times',
    goal: GOAL_TIMES,
    measured: rounds,
  }
  yield {
    figure: `fairness: throughput of ${PARALLEL} ${name}`,
    server,
    subject: `${median(({ besidePerSecond }) => besidePerSecond)} answers/s`,
    limit: `${median(({ alonePerSecond }) => alonePerSecond)} answers/s without the GETs`,
    result: toSpread(
      rounds.map(({ besidePerSecond, alonePerSecond }) => besidePerSecond / alonePerSecond),
    ),
    unit: 'ratio',
    goal: GOAL_SHARE,
    measured: rounds,
  }
}

// Each GET counts from the instant at which it is due, and all are answered: one that fails ends the benchmark.
async function read({ load, effort }: Stage, { product, key }: Pair): Promise<LoadResult> {
  const { port } = product
  const paced = { connections: GET_CONNECTIONS, perSecond: GETS_PER_SECOND }
  return await load.run({ kind: 'get', port, key, milliseconds: effort.roundMs, ...paced })
}

async function countDuring<T>(
  flood: Flood,
  work: () => Promise<T>,
): Promise<{ result: T; perSecond: number }> {
  const before = await flood.count()
  const startedAtMs = performance.now()
  const result = await work()
  const count = (await flood.count()) - before
  return { result, perSecond: (count * 1000) / (performance.now() - startedAtMs) }
}

interface FillRequest {
  path: string
  body: string
}

async function put(url: string, key: string, { path, body }: FillRequest): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method: 'PUT', headers, body })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
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
  await put(url, key, { path: `/api/teams/${OWNER_TEAM.id}`, body: JSON.stringify(OWNER_TEAM) })
  const products = Array.from({ length: PRODUCTS_COUNT }, (_, at) => {
    const { id, text } = documentTemplate(at)
    return { path: `/api/dataproducts/${id}`, body: text(0) }
  })
  for (let at = 0; at < products.length; at += FILL_PARALLEL) {
    const batch = products.slice(at, at + FILL_PARALLEL)
    await Promise.all(batch.map((product) => put(url, key, product)))
  }
}
