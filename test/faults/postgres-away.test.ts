/**
 * PostgreSQL is killed or stopped, and recovers: until then every response is a quick 503, and the
 * process survives.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { isLong, toLimit } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { runProduct, startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import {
  checkStore,
  checkThroughHttp,
  createDocument,
  newLedger,
  newMarker,
  registerTeam,
  startWriters,
  type Ledger,
} from './load.ts'

const ROUNDS = isLong ? 10 : 1
const PROBES = isLong ? 20 : 5
const ANSWERED_WITHIN_MS = 3000
const HEALED_WITHIN_MS = 2000

let postgres: TestPostgres
let place: StorePlace
let product: ProductProcess
let client: HttpClient

before(async () => {
  postgres = await startPostgres({ durable: true })
  const initialPlace = await newStorePlace()
  const environment = { ...initialPlace.environment, DATABASE_URL: postgres.url }
  place = { ...initialPlace, environment }
  const start = createUnattendedStart(place)
  product = await startProduct(start.environment)
  client = newHttpClient(product.url, start.key())
  await registerTeam(client)
})
after(async () => {
  client.close()
  await product.stop()
  await place.remove()
  await postgres.stop()
})

test('a PostgreSQL killed under load › 503 within 3 s, recovers within 2 s of its restart', async () => {
  const ledger = newLedger(8)
  for (let round = 0; round < ROUNDS; round += 1) {
    const writers = startWriters(client, ledger)
    await writers.acknowledged(50)
    await postgres.kill('SIGKILL')
    await assertAway()
    await postgres.restart()
    await assertRecovered()
    await writers.acknowledged(1)
    await writers.stop()
    await checkThroughHttp(client, ledger)
  }
  await checkStore(place, ledger)
  assertStatuses(ledger.statuses)
  assertQuick(ledger)
})

test('a PostgreSQL stopped under load › 503 within 3 s, recovers within 2 s of its restart', async () => {
  const ledger = newLedger(8)
  ledger.shared = ledger.shared.map((id) => `${id}-stopped`)
  ledger.own = ledger.own.map((product) => ({ ...product, id: `${product.id}-stopped` }))
  for (let round = 0; round < ROUNDS; round += 1) {
    const writers = startWriters(client, ledger)
    await writers.acknowledged(50)
    const resume = await stopPostgres()
    try {
      await assertAway()
    } finally {
      resume()
    }
    await assertRecovered()
    await writers.acknowledged(1)
    await writers.stop()
    await checkThroughHttp(client, ledger)
  }
  await checkStore(place, ledger)
  assertStatuses(ledger.statuses)
  assertQuick(ledger)
})

test('a start without PostgreSQL fails with one line', async () => {
  await postgres.kill('SIGKILL')
  const { code, stdout, stderr } = await runProduct(place.environment)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^portbook: [^\n]+\n$/)
  await postgres.restart()
  await assertRecovered()
})

test('SIGTERM while PostgreSQL is stopped › the process exits', async () => {
  const second = await startProduct(place.environment)
  const resume = await stopPostgres()
  try {
    const { durationMs: _, ...ended } = await second.stop()
    assert.deepEqual([ended.code, ended.signal], [0, null])
  } finally {
    resume()
  }
  await assertRecovered()
})

/** Asserts that the process is alive but not ready, and answers every request quickly with 503. */
async function assertAway(): Promise<void> {
  // Requests that are in progress when PostgreSQL stops get the same response as later ones.
  for (let probe = 0; probe < PROBES; probe += 1) {
    const body = createDocument('probe', newMarker())
    const requests = [
      client.send('GET', '/readyz'),
      client.send('GET', '/api/teams'),
      client.send('GET', '/api/events'),
      client.send('PUT', '/api/dataproducts/probe', { body }),
      client.send('PUT', '/api/teams/probe', { body: { id: 'probe', name: newMarker() } }),
      client.send('GET', '/api/teams', { key: null }),
      client.send('GET', '/healthz'),
    ]
    const answers = await Promise.all(requests)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503, 503, 503, 503, 401, 200],
    )
    for (const [at, { status, headers, durationMs, text }] of answers.entries()) {
      assert.ok(
        durationMs < toLimit(ANSWERED_WITHIN_MS),
        `request ${at} was answered after ${durationMs} ms`,
      )
      if (status !== 503) continue
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
      assert.equal(headers['content-type'], 'application/problem+json')
      assert.ok(!/postgres|127\.0\.0\.1|ECONN/i.test(text), 'no detail of the store is reported')
    }
  }
}

async function assertRecovered(): Promise<void> {
  const returnedAtMs = performance.now()
  for (;;) {
    const sentAtMs = performance.now()
    const answers = await Promise.all([
      client.send('GET', '/readyz'),
      client.send('PUT', '/api/dataproducts/probe', { body: createDocument('probe', newMarker()) }),
    ])
    if (answers.every(({ status }) => status === 200)) return
    assert.ok(sentAtMs - returnedAtMs < toLimit(HEALED_WITHIN_MS), 'it did not recover')
  }
}

function assertStatuses(statuses: ReadonlyMap<number, number>): void {
  for (const status of statuses.keys()) {
    assert.ok([200, 404, 503].includes(status), `${statuses.get(status)} times ${status}`)
  }
}

function assertQuick({ slowest }: Ledger): void {
  const { request, status, durationMs } = slowest
  const message = `${request} was answered with ${status} after ${durationMs} ms`
  assert.ok(durationMs < toLimit(ANSWERED_WITHIN_MS), message)
}

/** Stops every process of PostgreSQL; returns a function that resumes them. */
async function stopPostgres(): Promise<() => void> {
  const watcher = new Client({ connectionString: postgres.url })
  await watcher.connect()
  // The postmaster first, so that it starts no further backend.
  await postgres.kill('SIGSTOP')
  const { rows } = await watcher.query<{ pid: number }>('select pid from pg_stat_activity')
  const pids = rows.map(({ pid }) => pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    void postgres.kill('SIGCONT')
    watcher.on('error', () => undefined)
    void watcher.end()
  }
}
