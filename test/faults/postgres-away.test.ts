/**
 * PostgreSQL goes away, killed or stopped, and comes back: until then every answer is a quick 503,
 * and the process lives through it.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { runProduct, startProduct, unattended, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import {
  checkStore,
  checkThroughHttp,
  documentOf,
  isLong,
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
  const made = await newStorePlace()
  const environment = { ...made.environment, DATABASE_URL: postgres.url }
  place = { ...made, environment }
  const start = unattended(place)
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

test('PostgreSQL is killed under load › 503 within 3 s, heals within 2 s of its return', async () => {
  const ledger = newLedger(8)
  for (let round = 0; round < ROUNDS; round += 1) {
    const writers = startWriters(client, ledger)
    await writers.acknowledged(50)
    await postgres.kill('SIGKILL')
    await assertAway()
    await postgres.restart()
    await assertHealed()
    await writers.acknowledged(1)
    await writers.stop()
    await checkThroughHttp(client, ledger)
  }
  await checkStore(place, ledger)
  assertStatuses(ledger.statuses)
  assertQuick(ledger)
})

test('PostgreSQL is stopped under load › 503 within 3 s, heals within 2 s of its return', async () => {
  const ledger = newLedger(8)
  ledger.shared = ledger.shared.map((id) => `${id}-stopped`)
  ledger.own = ledger.own.map((product) => ({ ...product, id: `${product.id}-stopped` }))
  for (let round = 0; round < ROUNDS; round += 1) {
    const writers = startWriters(client, ledger)
    await writers.acknowledged(50)
    const goOn = await stopPostgres()
    try {
      await assertAway()
    } finally {
      goOn()
    }
    await assertHealed()
    await writers.acknowledged(1)
    await writers.stop()
    await checkThroughHttp(client, ledger)
  }
  await checkStore(place, ledger)
  assertStatuses(ledger.statuses)
  assertQuick(ledger)
})

test('a start while PostgreSQL is away ends with one line', async () => {
  await postgres.kill('SIGKILL')
  const { code, stdout, stderr } = await runProduct(place.environment)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^portbook: [^\n]+\n$/)
  await postgres.restart()
  await assertHealed()
})

test('SIGTERM while PostgreSQL is stopped › the process ends', async () => {
  const second = await startProduct(place.environment)
  const goOn = await stopPostgres()
  try {
    const { durationMs: _, ...ended } = await second.stop()
    assert.deepEqual([ended.code, ended.signal], [0, null])
  } finally {
    goOn()
  }
  await assertHealed()
})

/** The process says that it lives but is not ready, and answers every request soon with 503. */
async function assertAway(): Promise<void> {
  // A request that is under way when it happens is answered like those that come later.
  for (let probe = 0; probe < PROBES; probe += 1) {
    const body = documentOf('probe', newMarker())
    const asked = [
      client.send('GET', '/readyz'),
      client.send('GET', '/api/teams'),
      client.send('GET', '/api/events'),
      client.send('PUT', '/api/dataproducts/probe', { body }),
      client.send('PUT', '/api/teams/probe', { body: { id: 'probe', name: newMarker() } }),
      client.send('GET', '/api/teams', { key: null }),
      client.send('GET', '/healthz'),
    ]
    const answers = await Promise.all(asked)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503, 503, 503, 503, 401, 200],
    )
    for (const { status, headers, durationMs, text } of answers) {
      assert.ok(durationMs < ANSWERED_WITHIN_MS, `answered after ${durationMs} ms`)
      if (status !== 503) continue
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
      assert.equal(headers['content-type'], 'application/problem+json')
      assert.ok(!/postgres|127\.0\.0\.1|ECONN/i.test(text), 'nothing of the store is told')
    }
  }
}

async function assertHealed(): Promise<void> {
  const returnedAtMs = performance.now()
  for (;;) {
    const sentAtMs = performance.now()
    const answers = await Promise.all([
      client.send('GET', '/readyz'),
      client.send('PUT', '/api/dataproducts/probe', { body: documentOf('probe', newMarker()) }),
    ])
    if (answers.every(({ status }) => status === 200)) return
    assert.ok(sentAtMs - returnedAtMs < HEALED_WITHIN_MS, 'it did not heal')
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
  assert.ok(durationMs < ANSWERED_WITHIN_MS, message)
}

/** Stops every process of PostgreSQL; returns what lets them go on. */
async function stopPostgres(): Promise<() => void> {
  const watcher = new Client({ connectionString: postgres.url })
  await watcher.connect()
  // The postmaster first, so that it makes no backend that is not known here.
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
