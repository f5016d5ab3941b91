import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { newHttpClient, type HttpClient } from '../test/http-client.ts'
import { openPlace, type DatabasePlace } from './database-place.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread, toTail } from './rounds.ts'
import { startProduct } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const NAME = 'connectors'
const CONNECTORS = ['orders-connector', 'fleet-connector']
const WRITES_PER_SECOND = 100
const SECONDS = 60
const WRITES_COUNT = WRITES_PER_SECOND * SECONDS
// A connector reads its state back so often.
const READ_EVERY = 50
// An idle connection of PostgreSQL publishes its statistics after ten seconds.
const STATISTICS_MS = 11_000

const P99_GOAL_MS = 100
const INDEX_WRITES_GOAL = 0.01 * WRITES_COUNT * CONNECTORS.length
const GROWTH_GOAL_KB = 256

/** The table in which the states of connectors are stored. */
interface TableState {
  updates: number
  hotUpdates: number
  deadTuples: number
  vacuums: number
  bytes: number
}

/** The writes of all connectors. */
interface Writes {
  /** From the instant at which a write was due. */
  durationsMs: number[]
  /** Reads that did not return the state that was written last, byte for byte. */
  lostCount: number
  /** Until the last write. */
  seconds: number
}

/** Connectors that write their state after every event: latency, lost states, and the growth of the table. */
export const connectors: Figure = {
  name: NAME,
  title: `${CONNECTORS.length} connectors that each write their state ${WRITES_PER_SECOND} times a second for ${SECONDS} s, and read it back`,
  async *measure(stage) {
    await stage.clear()
    for (const kind of stage.serverKinds) yield* measureOn(stage, kind)
  },
}

async function* measureOn(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const { environment, database, keyFile } = await stage.newPlace(kind)
  const product = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
  const client = newHttpClient(product.url, readFileSync(keyFile, 'utf8').trim())
  try {
    for (const id of CONNECTORS) await client.ok('PUT', toPath(id), { body: toDocument(id, 0) })
    const before = await readTable(database)
    const writes = await writeStates(client)
    await sleep(STATISTICS_MS)
    yield* toRows(kind, writes, before, await readTable(database))
  } finally {
    client.close()
    await product.stop()
  }
}

async function writeStates(client: HttpClient): Promise<Writes> {
  const startedAtMs = performance.now()
  const all = await Promise.all(CONNECTORS.map((id) => writeInOrder(client, id, startedAtMs)))
  return {
    durationsMs: all.flatMap(({ durationsMs }) => durationsMs),
    lostCount: all.reduce((sum, { lostCount }) => sum + lostCount, 0),
    seconds: (performance.now() - startedAtMs) / 1000,
  }
}

// A connector writes in order. After a slow write, it catches up; the writes that were late count from when they were due.
async function writeInOrder(
  client: HttpClient,
  id: string,
  startedAtMs: number,
): Promise<Pick<Writes, 'durationsMs' | 'lostCount'>> {
  const durationsMs: number[] = []
  let lostCount = 0
  for (let event = 1; event <= WRITES_COUNT; event += 1) {
    const dueAtMs = startedAtMs + (event * 1000) / WRITES_PER_SECOND
    const dueInMs = Math.ceil(dueAtMs - performance.now())
    if (dueInMs > 0) await sleep(dueInMs)
    const body = toDocument(id, event)
    const written = await client.ok('PUT', toPath(id), { body })
    durationsMs.push(performance.now() - dueAtMs)
    if (written.text !== body) lostCount += 1
    if (event % READ_EVERY !== 0 && event !== WRITES_COUNT) continue
    const read = await client.ok('GET', toPath(id))
    if (read.text !== body) lostCount += 1
  }
  return { durationsMs, lostCount }
}

function toPath(id: string): string {
  return `/api/connectors/${id}`
}

// Integers of 13 and 19 digits, and an id that consists of digits but is text.
function toDocument(id: string, event: number): string {
  const digits = String(event).padStart(6, '0')
  return `{"id":"${id}","info":{"type":"kafka","connectorVersion":"1.4.2"},"health":{"status":"ok","updatedAt":"2026-01-01T00:00:00Z"},"state":{"lastEventId":"${digits}","lastEventAt":1764123${digits},"offset":9223372036854${digits},"partitions":[${digits.replace(/^0+(?=\d)/, '')},7,11]},"custom":{"note":"${'x'.repeat(300)}"}}`
}

async function readTable(place: DatabasePlace): Promise<TableState> {
  const { connection, close } = await openPlace(place)
  const client = new Client(connection)
  await client.connect()
  const { rows } = await client.query<TableState>(`
    select n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as "hotUpdates",
      n_dead_tup::float8 as "deadTuples", (vacuum_count + autovacuum_count)::float8 as vacuums,
      pg_total_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables
    where relname = 'plain_record'`)
  await client.end()
  await close()
  const [row] = rows
  if (row === undefined) throw new Error('the table of the connectors is missing')
  return row
}

function* toRows(
  server: ServerKind,
  { durationsMs, lostCount, seconds }: Writes,
  before: TableState,
  after: TableState,
): Generator<Row> {
  const updates = after.updates - before.updates
  const indexWrites = updates - (after.hotUpdates - before.hotUpdates)
  const kilobytes = (table: TableState): number => table.bytes / 1024
  const measured = { before, after, seconds }
  const row = { server, measured, limit: '–' }
  const writesPerSecond = Math.round(durationsMs.length / seconds)
  yield {
    ...row,
    figure: `${NAME}, PUT of a state`,
    subject: `p99 of ${durationsMs.length} (p50, longest), ${writesPerSecond} a second`,
    result: toTail(durationsMs),
    unit: 'ms',
    goal: P99_GOAL_MS,
  }
  yield {
    ...row,
    figure: `${NAME}, lost or changed states`,
    subject: `of ${durationsMs.length} writes`,
    result: toSpread([lostCount]),
    unit: 'count',
    goal: 0,
  }
  yield {
    ...row,
    figure: `${NAME}, updates that wrote an index`,
    subject: `of ${updates} updates; ${after.deadTuples} dead rows, ${after.vacuums - before.vacuums} vacuums`,
    result: toSpread([indexWrites]),
    unit: 'count',
    goal: INDEX_WRITES_GOAL,
  }
  yield {
    ...row,
    figure: `${NAME}, growth of table and indexes`,
    subject: `${kilobytes(before).toFixed(0)} KB before, ${kilobytes(after).toFixed(0)} KB after`,
    result: toSpread([kilobytes(after) - kilobytes(before)]),
    unit: 'KB',
    goal: GROWTH_GOAL_KB,
  }
}
