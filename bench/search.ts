import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pino from 'pino'
import { readConfig } from '../server/platform/config.ts'
import { indexQuery, parseQuery, createTerm } from '../server/documents/search/query.ts'
import { openPools, openStore, type Store } from '../server/store.ts'
import { judgedQueries } from '../test/search/judged.ts'
import { writeMesh } from '../test/search/mesh-store.ts'
import { describeMesh, type MeshSize } from '../test/search/mesh.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread, type Spread } from './rounds.ts'
import { startProduct } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const GOAL_MS = 50
const RESULTS_COUNT = 20

const SORTS = ['relevance', 'name', 'changed', 'readers']
/** Of so many judged queries, one is also measured in each order. */
const SORTED_QUERIES_STEP = 10

// Browsing instead of searching: no query, filters, further pages.
const BROAD = [
  '',
  '&resourceType=DATA_PRODUCT',
  '&domain=billing&status=active',
  '&source=postgres',
  '&teamId=team-albatross',
  'order&resourceType=DATA_ASSET&p=3',
  'invoice&domain=billing',
  'a',
  'id',
  'created_at',
]

/** Search with facets over a mesh of a given size. */
export function searchWithFacets(size: MeshSize): Figure {
  const [products, contracts, assets] = [
    size.productsCount,
    size.contractsCount,
    size.assetsCount,
  ].map((count) => count.toLocaleString('en'))
  return {
    name: 'search',
    title: `Search with facets in ${products} products, ${contracts} contracts, ${assets} assets, against one query of the index without ranks, facets and HTTP`,
    async *measure(stage) {
      await stage.clear()
      for (const kind of stage.serverKinds) yield* measureOn(stage, kind, size)
    },
  }
}

async function* measureOn(stage: Stage, kind: ServerKind, size: MeshSize): AsyncGenerator<Row> {
  const { environment, keyFile } = await stage.newPlace(kind)
  const first = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
  await first.stop()
  const key = readFileSync(keyFile, 'utf8').trim()
  const { queries, bareMs } = await prepare(stage, environment, size)
  const product = await startProduct(environment)
  const ask = async (query: string): Promise<number> => {
    const startedAtMs = performance.now()
    const response = await fetch(
      `${product.url}/api/search?limit=${RESULTS_COUNT}&query=${query}`,
      {
        headers: { 'x-api-key': key },
      },
    )
    await response.text()
    if (!response.ok) throw new Error(`${query} was answered ${response.status}`)
    return performance.now() - startedAtMs
  }
  const productMs = await measure(stage, queries, ask)
  const sortedMs = await measureSorts(stage, queries, ask)
  await product.stop()
  yield* createRows(kind, queries.length, productMs, bareMs)
  yield* createSortRows(kind, sortedMs)
}

// Every order in each round, so that they are compared under the same load.
async function measureSorts(
  stage: Stage,
  queries: readonly string[],
  ask: (query: string) => Promise<number>,
): Promise<Map<string, number[]>> {
  const judged = queries.filter(
    (query, at) => !BROAD.includes(query) && at % SORTED_QUERIES_STEP === 0,
  )
  const times = new Map(SORTS.map((sort) => [sort, Array<number>()]))
  for (let round = 0; round <= stage.effort.rounds; round += 1) {
    for (const query of [...judged, ...BROAD]) {
      for (const [sort, own] of times) {
        const milliseconds = await ask(`${query}&sort=${sort}`)
        if (round > 0) own.push(milliseconds)
      }
    }
  }
  return new Map(Array.from(times, ([sort, own]) => [sort, own.toSorted((a, b) => a - b)]))
}

// The bare query of the index is measured in this process, while the product is stopped.
async function prepare(
  stage: Stage,
  environment: Record<string, string>,
  size: MeshSize,
): Promise<{ queries: string[]; bareMs: number[] }> {
  const log = pino({ level: 'silent' })
  const store = await openStore(readConfig(environment), log, 'command')
  const pools = openPools(store, log, 1)
  try {
    const { rows } = await sql<{ id: string }>`select id from organization`.execute(store.db)
    const mesh = describeMesh(rows[0]?.id ?? '', size)
    await writeMesh(pools.bulkDb, mesh)
    const texts = judgedQueries(mesh).map(({ query }) => query)
    const bareMs = await measure(stage, texts, (text) => askIndex(store, mesh.organizationId, text))
    return { queries: [...texts.map(encodeURIComponent), ...BROAD], bareMs }
  } finally {
    await pools.close()
    await store.close()
  }
}

async function askIndex({ db }: Store, organizationId: string, text: string): Promise<number> {
  const query = parseQuery(text)
  const { all } = indexQuery(
    query.names.map(({ joined }) => createTerm(joined)),
    query,
  )
  const startedAtMs = performance.now()
  const matches = sql`organization_id = ${organizationId} and words @@ ${all}::tsquery`
  await sql`
    select kind, external_id, name, description
    from search_document
    where kind <> 'asset'
      and ${matches}
    union all
    select kind, external_id, name, description
    from search_document
    where kind = 'asset'
      and ${matches}
    limit ${RESULTS_COUNT}
  `.execute(db)
  return performance.now() - startedAtMs
}

async function measure(
  stage: Stage,
  queries: readonly string[],
  ask: (query: string) => Promise<number>,
): Promise<number[]> {
  const times: number[] = []
  // The first round warms up.
  for (let round = 0; round <= stage.effort.rounds; round += 1) {
    for (const query of queries) {
      const milliseconds = await ask(query)
      if (round > 0) times.push(milliseconds)
    }
  }
  return times.toSorted((a, b) => a - b)
}

function percentile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

const SHARES = [0.5, 0.95, 0.99]

function formatPercentiles(times: readonly number[]): string {
  const one = (share: number): string => `p${share * 100} ${percentile(times, share).toFixed(1)} ms`
  return SHARES.map(one).join(', ')
}

function* createRows(
  server: ServerKind,
  queriesCount: number,
  productMs: readonly number[],
  bareMs: readonly number[],
): Generator<Row> {
  const subject = `${formatPercentiles(productMs)}; ${queriesCount} queries`
  const limit = formatPercentiles(bareMs)
  const measured = { productMs: formatPercentiles(productMs), bareMs: formatPercentiles(bareMs) }
  const p95: Spread = {
    median: percentile(productMs, 0.95),
    least: percentile(productMs, 0.5),
    greatest: percentile(productMs, 0.99),
  }
  yield {
    figure: 'search p95 (p50, p99)',
    server,
    subject,
    limit,
    result: p95,
    unit: 'ms',
    goal: GOAL_MS,
    measured,
  }
  const ratio = toSpread(
    SHARES.map((share) => percentile(productMs, share) / percentile(bareMs, share)),
  )
  yield {
    figure: 'search, times the index',
    server,
    subject,
    limit,
    result: ratio,
    unit: 'times',
    goal: undefined,
    measured,
  }
}

function* createSortRows(
  server: ServerKind,
  sortedMs: ReadonlyMap<string, readonly number[]>,
): Generator<Row> {
  const relevanceMs = sortedMs.get('relevance') ?? []
  const limit = formatPercentiles(relevanceMs)
  for (const [sort, times] of sortedMs) {
    if (sort === 'relevance') continue
    const subject = formatPercentiles(times)
    const result = toSpread(
      SHARES.map((share) => percentile(times, share) / percentile(relevanceMs, share)),
    )
    yield {
      figure: `search by ${sort}, times relevance`,
      server,
      subject,
      limit,
      result,
      unit: 'times',
      goal: undefined,
      measured: { productMs: subject, relevanceMs: limit },
    }
  }
}
