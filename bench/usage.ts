import { createReadStream, createWriteStream, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { newHttpClient, type HttpClient } from '../test/http-client.ts'
import { openPlace, type DatabasePlace } from './database-place.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread, toTail } from './rounds.ts'
import { startProduct } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'
import { createTraces, HOT_PRODUCT, REQUEST_MS, REQUEST_SPANS } from './usage-spans.ts'

const NAME = 'usage'
const ROUNDS = 20
const SENDERS = 3
const PAGE_LOADS = 100
const TIMEOUT_MS = 120_000

const COPY_GOAL = 0.3
const PAGE_GOAL_MS = 50

/** The seconds of a round. */
interface UsageRound {
  ingestSeconds: number
  copySeconds: number
}

/** Spans of usage: the rate of ingestion, and the time of the page that shows the counts. */
export function usage(spansCount: number): Figure {
  return {
    name: NAME,
    title: `${spansCount.toLocaleString('en')} spans of usage, against a bare COPY of the same rows into a table without indexes`,
    async *measure(stage) {
      await stage.clear()
      for (const kind of stage.serverKinds) yield* measureOn(stage, kind, spansCount)
    },
  }
}

async function* measureOn(stage: Stage, kind: ServerKind, spansCount: number): AsyncGenerator<Row> {
  const { environment, database, keyFile } = await stage.newPlace(kind)
  const product = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
  const client = newHttpClient(product.url, readFileSync(keyFile, 'utf8').trim())
  const copy = await openCopy(database, join(stage.newDirectory(), 'rows'))
  try {
    await putHotProduct(client)
    const requestsCount = Math.max(1, Math.round(spansCount / ROUNDS / REQUEST_SPANS))
    const rounds: UsageRound[] = []
    const startMs = Date.now() - ROUNDS * requestsCount * REQUEST_MS
    for (let round = 0; round < ROUNDS; round += 1) {
      const prefix = round.toString(16).padStart(8, '0')
      const sinceMs = startMs + round * requestsCount * REQUEST_MS
      const bodies = Array.from({ length: requestsCount }, (_, at) =>
        createTraces(sinceMs + at * REQUEST_MS, prefix),
      )
      const ingestSeconds = await ingest(client, bodies)
      rounds.push({ ingestSeconds, copySeconds: await copy.measure(prefix) })
    }
    const loadsMs: number[] = []
    for (let load = 0; load < PAGE_LOADS; load += 1) {
      const path = `/api/dataproducts/${HOT_PRODUCT}/usage`
      loadsMs.push((await client.ok('GET', path)).durationMs)
    }
    yield* toRows(kind, requestsCount * REQUEST_SPANS, rounds, loadsMs)
  } finally {
    client.close()
    await copy.close()
    await product.stop()
  }
}

async function putHotProduct(client: HttpClient): Promise<void> {
  await client.ok('PUT', '/api/teams/sales', { body: { name: 'Sales' } })
  const body = {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id: HOT_PRODUCT,
    name: 'Orders',
    status: 'active',
    team: { name: 'sales' },
  }
  await client.ok('PUT', `/api/dataproducts/${HOT_PRODUCT}`, { body })
}

async function ingest(client: HttpClient, bodies: string[]): Promise<number> {
  const startedAtMs = performance.now()
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const { text } = await client.ok('POST', '/api/v1/traces', { body, timeoutMs: TIMEOUT_MS })
        if (text !== '{}') throw new Error(`spans were rejected: ${text}`)
      }
    }),
  )
  return (performance.now() - startedAtMs) / 1000
}

/** The limit of any ingestion: a COPY of the rows of a round. */
interface UsageCopy {
  /** Measures it in seconds. */
  measure(prefix: string): Promise<number>
  close(): Promise<void>
}

async function openCopy(database: DatabasePlace, file: string): Promise<UsageCopy> {
  const { connection, close } = await openPlace(database)
  const client = new Client(connection)
  await client.connect()
  await client.query('create table floor (like usage_span)')
  return {
    async measure(prefix) {
      const rows = `(select * from usage_span where starts_with(span_id, '${prefix}'))`
      await pipeline(client.query(copyTo(`copy ${rows} to stdout`)), createWriteStream(file))
      const startedAtMs = performance.now()
      await pipeline(createReadStream(file), client.query(copyFrom('copy floor from stdin')))
      const seconds = (performance.now() - startedAtMs) / 1000
      rmSync(file)
      return seconds
    },
    async close() {
      await client.end()
      await close()
    },
  }
}

function* toRows(
  server: ServerKind,
  spansCount: number,
  rounds: readonly UsageRound[],
  loadsMs: readonly number[],
): Generator<Row> {
  const speed = (seconds: number): string =>
    `${Math.round(spansCount / seconds).toLocaleString('en')} spans a second`
  const ingestSeconds = toSpread(rounds.map((round) => round.ingestSeconds)).median
  const copySeconds = toSpread(rounds.map((round) => round.copySeconds)).median
  yield {
    figure: `${NAME}, ingestion`,
    server,
    subject: speed(ingestSeconds),
    limit: speed(copySeconds),
    result: toSpread(rounds.map((round) => round.copySeconds / round.ingestSeconds)),
    unit: 'ratio',
    goal: COPY_GOAL,
    measured: rounds,
  }
  yield {
    figure: `${NAME}, page of a data product`,
    server,
    subject: `p50 (shortest, longest), p99 ${toTail(loadsMs).median.toFixed(0)} ms`,
    limit: '–',
    result: toSpread(loadsMs),
    unit: 'ms',
    goal: PAGE_GOAL_MS,
    measured: loadsMs,
  }
}
