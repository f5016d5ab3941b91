import { runStatement } from './database-place.ts'
import { DEFINITIONS_COUNT } from './documents.ts'
import { ratioRow, type Figure, type Row } from './figure.ts'
import { compare, toSpread } from './rounds.ts'
import type { Pair, ServerKind, Stage } from './stage.ts'

const NAME = 'records'
const SPEED_GOAL = 1
const LIST_P95_GOAL_MS = 30
const PAGE_ROWS = 1000
const FILL_MS_MAX = 120_000

/** A record is written as fast as a data product, and a page of a long list is read quickly. */
export const records: Figure = {
  name: NAME,
  title: `PUT a changed definition against a changed data product, and pages of ${PAGE_ROWS.toLocaleString('en')} of ${DEFINITIONS_COUNT.toLocaleString('en')} definitions`,
  async *measure(stage) {
    for (const kind of stage.serverKinds) {
      const pair = await stage.getPair(kind)
      await putDefinitions(stage, pair)
      // As autovacuum does within a minute after the load.
      await runStatement(pair.database, 'vacuum analyze')
      const { product: server, key } = pair
      const comparison = await compare(
        stage,
        { server, kind: 'put-definition', key },
        { server, kind: 'put-changed', key },
      )
      yield ratioRow(`${NAME}, PUT`, kind, comparison, SPEED_GOAL)
      yield toListRow(kind, await readPages(stage, pair))
    }
  },
}

async function putDefinitions(stage: Stage, { product, key }: Pair): Promise<void> {
  const { sentCount } = await stage.load.run({
    kind: 'put-each-definition',
    port: product.port,
    key,
    connections: 8,
    milliseconds: FILL_MS_MAX,
  })
  if (sentCount < DEFINITIONS_COUNT) throw new Error(`only ${sentCount} definitions were put`)
}

/** Reads every page of the list, one after the other; returns the milliseconds of each, sorted. */
async function readPages(stage: Stage, { product, key }: Pair): Promise<number[]> {
  const times: number[] = []
  // The first round warms up.
  for (let round = 0; round <= stage.effort.rounds; round += 1) {
    for (let page = 0; page < DEFINITIONS_COUNT / PAGE_ROWS; page += 1) {
      const startedAtMs = performance.now()
      const response = await fetch(`${product.url}/api/definitions?p=${page}`, {
        headers: { 'x-api-key': key },
      })
      const text = await response.text()
      const milliseconds = performance.now() - startedAtMs
      if (!response.ok) throw new Error(`page ${page}: ${response.status} ${text.slice(0, 200)}`)
      if (round > 0) times.push(milliseconds)
    }
  }
  return times.toSorted((a, b) => a - b)
}

function toListRow(server: ServerKind, times: readonly number[]): Row {
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN
  const p50 = times[Math.floor(times.length * 0.5)] ?? Number.NaN
  return {
    figure: `${NAME}, list`,
    server,
    subject: `p95 of a page; p50 ${p50.toFixed(1)} ms`,
    limit: '–',
    result: toSpread([p95]),
    unit: 'ms',
    goal: LIST_P95_GOAL_MS,
    measured: times,
  }
}
