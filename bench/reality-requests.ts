import { sql } from 'kysely'
import pino from 'pino'
import { createApiKey } from '../server/people/api-keys/service.ts'
import { readConfig } from '../server/platform/config.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import type { Database } from '../server/platform/tables.ts'
import { openPools, openStore } from '../server/store.ts'
import type { Figure, Row } from './figure.ts'
import { fillFindings, FINDINGS_COUNT, LISTS } from './reality-findings.ts'
import { createContract, fillReality, toId } from '../test/large-store/reality.ts'
import { toSpread } from './rounds.ts'
import { startProduct, type RunningServer } from './servers.ts'
import type { ServerKind, Stage } from './stage.ts'

const PUT_TIMES_MAX = 1.3
const POST_TIMES_MAX = 2
const LIST_MS_MAX = 50
const MODELS_COUNT = 100
const CHECKS_COUNT = 200
const REQUESTS_COUNT = 20
const WORLD = { promisesCount: 2000, assetsCount: 20_000 }
/** Above the contracts of the world. */
const [LINKED, UNLINKED, TESTED] = [300, 301, 302]

/** Requests that follow promises: their times against the same requests without any. */
export const realityRequests: Figure = {
  name: 'reality-requests',
  title: 'Contract against reality: requests against the same without promises',
  async *measure(stage) {
    for (const kind of stage.serverKinds) yield* measureRequests(stage, kind)
  },
}

async function* measureRequests(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const { environment } = await stage.newPlace(kind)
  const log = pino({ level: 'silent' })
  const store = await openStore(readConfig(environment), log, 'command')
  const pools = openPools(store, log, 1)
  let key: string
  try {
    const db = pools.bulkDb
    const { organizationId } = await fillReality({ db, connection: store.connection }, WORLD)
    await fillFindings(db, organizationId)
    // The key that the filled store names does not exist; the product creates one.
    await sql`delete from encryption_key`.execute(db)
    key = await createKey(db, organizationId)
  } finally {
    await pools.close()
    await store.close()
  }
  const product = await startProduct(environment)
  try {
    yield await comparePuts(stage, kind, { product, key })
    yield await compareResults(stage, kind, { product, key })
    yield await measureLists(stage, kind, { product, key })
  } finally {
    await product.stop()
  }
}

async function createKey(db: Database, organizationId: string): Promise<string> {
  const wish = {
    displayName: 'bench',
    scope: 'organization',
    team: undefined,
    userId: undefined,
    readOnly: false,
    expiresOn: undefined,
    permissions: undefined,
  } as const
  return (await createApiKey(db, storeClock, organizationId, wish, 'system')).secret
}

interface Target {
  product: RunningServer
  key: string
}

/** Sends a request and returns the time until its answer is complete, in milliseconds. Errors: any other status than 2xx. */
async function send({ product, key }: Target, method: string, path: string, body?: string) {
  const startedAtMs = performance.now()
  const response = await fetch(`${product.url}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return performance.now() - startedAtMs
}

/** Two kinds of the same request, sent in turn. `next` gets a number that no other request has. */
interface Pair {
  subject: (next: number) => Promise<number>
  limit: (next: number) => Promise<number>
}

// The ratios of neighbouring requests, and the medians of their times in milliseconds.
async function compare(stage: Stage, { subject, limit }: Pair) {
  const times: { subjectMs: number; limitMs: number }[] = []
  for (let at = 0; at < REQUESTS_COUNT * stage.effort.rounds; at += 1) {
    const limitMs = at % 2 === 0 ? await limit(2 * at) : undefined
    const subjectMs = await subject(2 * at + 1)
    times.push({ subjectMs, limitMs: limitMs ?? (await limit(2 * at)) })
  }
  const median = (name: 'subjectMs' | 'limitMs'): number =>
    toSpread(times.map((one) => one[name])).median
  return {
    subject: `${median('subjectMs').toFixed(1)} ms`,
    limit: `${median('limitMs').toFixed(1)} ms`,
    result: toSpread(times.map(({ subjectMs, limitMs }) => subjectMs / limitMs)),
    unit: 'times' as const,
    measured: times,
  }
}

async function comparePuts(stage: Stage, server: ServerKind, target: Target): Promise<Row> {
  const put = async (number: number, hasTables: boolean, change: number): Promise<number> => {
    const options = { hasTables, change, modelsCount: MODELS_COUNT }
    const text = createContract(number, options)
    return await send(target, 'PUT', `/api/datacontracts/${toId(number)}`, text)
  }
  await put(UNLINKED, false, -1)
  await put(LINKED, true, -1)
  const compared = await compare(stage, {
    subject: async (next) => put(LINKED, true, next),
    limit: async (next) => put(UNLINKED, false, next),
  })
  const figure = `reality: PUT with ${MODELS_COUNT} linked models`
  return { figure, server, ...compared, limit: `${compared.limit} unlinked`, goal: PUT_TIMES_MAX }
}

async function compareResults(stage: Stage, server: ServerKind, target: Target): Promise<Row> {
  const id = toId(TESTED)
  await send(target, 'PUT', `/api/datacontracts/${id}`, createContract(TESTED))
  const post = async (number: number, more: object): Promise<number> => {
    const body = JSON.stringify({ ...createResult(id, number), ...more })
    return await send(target, 'POST', '/api/test-results', body)
  }
  // Results of a branch are stored, and change nothing else.
  const compared = await compare(stage, {
    subject: async (next) => post(next, {}),
    limit: async (next) => post(next, { branch: 'feature' }),
  })
  const figure = `reality: POST of ${CHECKS_COUNT} checks`
  const limit = `${compared.limit} without history`
  return { figure, server, ...compared, limit, goal: POST_TIMES_MAX }
}

const TESTED_AT_MS = Date.UTC(2026, 0, 1)

function createResult(dataContractId: string, number: number): object {
  return {
    dataContractId,
    server: 'production',
    result: number % 4 === 1 ? 'failed' : 'passed',
    timestampEnd: new Date(TESTED_AT_MS + number * 60_000).toISOString(),
    checks: Array.from({ length: CHECKS_COUNT }, (_, at) => ({
      id: `${number}-${at}`,
      key: `table__check_${at}`,
      category: 'quality',
      type: 'row_count',
      name: `Check ${at}`,
      model: `table_${at % 10}`,
      field: `column_${at % 9}`,
      engine: 'soda',
      result: number % 4 === 1 && at === 0 ? 'failed' : 'passed',
      diagnostics: { value: number },
    })),
  }
}

async function measureLists(stage: Stage, server: ServerKind, target: Target): Promise<Row> {
  const times = new Map<string, number[]>()
  for (let at = 0; at < REQUESTS_COUNT * stage.effort.rounds; at += 1) {
    for (const query of LISTS) {
      const milliseconds = await send(target, 'GET', `/api/drift?${query}`)
      times.set(query, [...(times.get(query) ?? []), milliseconds])
    }
  }
  const tails = [...times].map(([query, some]) => ({ query, ms: toP95(some) }))
  const [worst] = tails.toSorted((a, b) => b.ms - a.ms)
  return {
    figure: 'reality: list of findings',
    server,
    subject: `p95 of 1,000 of ${FINDINGS_COUNT.toLocaleString('en')} findings, slowest: ?${worst?.query ?? ''}`,
    limit: '–',
    result: { ...toSpread(tails.map(({ ms }) => ms)), median: worst?.ms ?? Number.NaN },
    unit: 'ms',
    goal: LIST_MS_MAX,
    measured: Object.fromEntries(times),
  }
}

function toP95(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? Number.NaN
}
