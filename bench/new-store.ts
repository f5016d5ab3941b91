import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { newHttpClient, type HttpClient } from '../test/http-client.ts'
import { openPlace } from './database-place.ts'
import type { Row } from './figure.ts'
import { toSpread } from './rounds.ts'
import { startProduct } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const NAME = 'followers of a new store'
const WRITERS = 16
const PRODUCTS = 200
const ROUND_MS_MIN = 12_000
const SAMPLE_MS = 5
const LONGEST_MS_MAX = 100
const SPEED_MIN = 0.7
const BEHIND_AFTER_MS = 3000
const BEHIND_MAX = 1000

/** The statements that followers of the feed send. */
const FOLLOWER_STATEMENT =
  'insert into notification|insert into delivery |from feed_follower|set contract_changed_at|set "?(provider|consumer)_team'

/** The changed PUTs of a round, and the follower statements beside them. */
interface StoreRound {
  perSecond: number
  putsCount: number
  longestMs: number
  behindCount: number
}

/** Changed PUTs of 16 writers into an empty store before and after its tables are analyzed. */
export async function* measureNewStore(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const { environment, database, keyFile } = await stage.newPlace(kind)
  const product = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
  const client = newHttpClient(product.url, readFileSync(keyFile, 'utf8').trim())
  const { connection, close } = await openPlace(database)
  const db = new Client(connection)
  await db.connect()
  try {
    await client.ok('PUT', '/api/teams/sales', { body: { name: 'Sales' } })
    const durationMs = Math.max(ROUND_MS_MIN, stage.effort.roundMs)
    const first = await measureRound(db, client, durationMs, 0)
    await db.query('analyze')
    const analyzed = await measureRound(db, client, durationMs, first.putsCount)
    yield* toRows(kind, first, analyzed)
  } finally {
    client.close()
    await db.end()
    await close()
    await product.stop()
  }
}

async function measureRound(
  db: Client,
  client: HttpClient,
  durationMs: number,
  from: number,
): Promise<StoreRound> {
  const endsAtMs = performance.now() + durationMs
  let version = from
  const write = async (): Promise<void> => {
    while (performance.now() < endsAtMs) await putVersion(client, (version += 1))
  }
  const sampling = sampleStatements(db, endsAtMs)
  await Promise.all(Array.from({ length: WRITERS }, write))
  const longestMs = await sampling
  await new Promise((done) => setTimeout(done, BEHIND_AFTER_MS))
  const putsCount = version - from
  return {
    perSecond: putsCount / (durationMs / 1000),
    putsCount: version,
    longestMs,
    behindCount: await countBehind(db),
  }
}

async function putVersion(client: HttpClient, version: number): Promise<void> {
  const id = `product-${version % PRODUCTS}`
  const body = {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name: 'Orders',
    status: 'active',
    description: { purpose: `Version ${version}` },
    team: { name: 'sales' },
  }
  await client.ok('PUT', `/api/dataproducts/${id}`, { body })
}

/** Returns the longest time for which a follower statement was seen. */
async function sampleStatements(db: Client, endsAtMs: number): Promise<number> {
  let longestMs = 0
  while (performance.now() < endsAtMs) {
    const { rows } = await db.query<{ ms: number | null }>(
      `select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float8 as ms
       from pg_stat_activity
       where datname = current_database()
         and state = 'active'
         and pid <> pg_backend_pid()
         and query ~ $1`,
      [FOLLOWER_STATEMENT],
    )
    longestMs = Math.max(longestMs, rows[0]?.ms ?? 0)
    await new Promise((done) => setTimeout(done, SAMPLE_MS))
  }
  return longestMs
}

async function countBehind(db: Client): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count
     from feed_cursor
     join event on event.organization_id = feed_cursor.organization_id
       and (event.epoch, event.transaction_id, event.position)
         > (feed_cursor.epoch, feed_cursor.transaction_id, feed_cursor.position)`,
  )
  return rows[0]?.count ?? 0
}

function* toRows(server: ServerKind, first: StoreRound, analyzed: StoreRound): Generator<Row> {
  const shared = { server, measured: { first, analyzed } }
  yield {
    ...shared,
    figure: `${NAME}: PUTs`,
    subject: `${Math.round(first.perSecond)}/s`,
    limit: `${Math.round(analyzed.perSecond)}/s once it is analyzed`,
    result: toSpread([first.perSecond / analyzed.perSecond]),
    unit: 'ratio',
    goal: SPEED_MIN,
  }
  yield {
    ...shared,
    figure: `${NAME}: the longest statement`,
    subject: `of ${first.putsCount} PUTs`,
    limit: `${analyzed.longestMs.toFixed(0)} ms once it is analyzed`,
    result: toSpread([first.longestMs]),
    unit: 'ms',
    goal: LONGEST_MS_MAX,
  }
  yield {
    ...shared,
    figure: `${NAME}: events behind after ${BEHIND_AFTER_MS / 1000} s`,
    subject: `of ${first.putsCount} PUTs`,
    limit: `${analyzed.behindCount} once it is analyzed`,
    result: toSpread([first.behindCount]),
    unit: 'count',
    goal: BEHIND_MAX,
  }
}
