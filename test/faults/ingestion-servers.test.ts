/**
 * Two servers on one store, only one of them with workers, and a source that tests stall, lock and
 * kill: only one run at a time, and Cancel reaches the source through both.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually, isLong, toLimit } from '../eventually.ts'
import { newHttpClient, type HttpAnswer, type HttpClient } from '../http-client.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'
import { startProduct, type ProductProcess } from '../process.ts'
import { startScriptedSource, type ScriptedSource } from '../scripted-source.ts'
import {
  assertSound,
  icebergBody,
  lockAnAsset,
  newFaultWorld,
  watchIntegration,
  type FaultWorld,
  type WatchedIntegration,
} from './ingestion.ts'

const ROUNDS = isLong ? 10 : 1
const TRIGGERS = 200
const TRIES_MAX = 20
const CANCELLED_WITHIN_MS = 2000
const TABLES = 30

let faults: FaultWorld
let scripted: ScriptedSource
let postgres: TestPostgres
let database: SourceDatabase
/** The server without workers, and the one with workers. */
const clients: HttpClient[] = []
const servers: ProductProcess[] = []
let catalog: WatchedIntegration
let tables: WatchedIntegration

before(async () => {
  ;[faults, scripted, postgres] = await Promise.all([
    newFaultWorld(),
    startScriptedSource(),
    startPostgres({ durable: true }),
  ])
  scripted.state.tables('sales', TABLES, 'first')
  database = await SourceDatabase.create(postgres.url, SOURCE)
  catalog = await watchIntegration(faults, icebergBody(scripted.url))
  tables = await watchIntegration(faults, postgresBody(database))
  for (const workers of ['0', '2']) {
    const environment = { ...faults.place.environment, PORTBOOK_WORKERS: workers }
    const server = await startProduct(environment)
    servers.push(server)
    clients.push(newHttpClient(server.url, faults.world.keys.T, { connectionsMax: TRIGGERS }))
  }
})
after(async () => {
  for (const client of clients) client.close()
  for (const server of servers) await server.stop()
  await faults.close()
  await scripted.close()
  await postgres.stop()
})

const SOURCE = `
  create schema sales;
  ${Array.from({ length: TABLES }, (_, at) => `create table sales.table_${at} (id int primary key);`).join('')}
  create view sales.newest as select * from sales.table_0`

function postgresBody({ url, name, user, password }: SourceDatabase): object {
  const { hostname: host, port } = url
  const configuration = { host, port: Number(port), database: [name], user, sslMode: 'disable' }
  return { source: 'postgres', configuration, secrets: { password } }
}

/** Returns a client of the server without workers. */
function clientWithoutWorkers(): HttpClient {
  const [client] = clients
  assert.ok(client !== undefined)
  return client
}

/** Returns a client of the server with workers. */
function clientWithWorkers(): HttpClient {
  const [, client] = clients
  assert.ok(client !== undefined)
  return client
}

/** Requests a run, again after 503: a busy machine may not reach its store in time for all requests. */
async function trigger(client: HttpClient): Promise<HttpAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await client.send('POST', toPath(catalog, 'run'))
    if (answer.status !== 503 || tries === TRIES_MAX) return answer
  }
}

function toPath({ externalId }: WatchedIntegration, verb: 'run' | 'cancel'): string {
  return `/api/integrations/ingest/${externalId}/${verb}`
}

/** Cancels through the server without workers; returns the time until the run ended. */
async function cancel(integration: WatchedIntegration): Promise<number> {
  const askedAtMs = performance.now()
  const { status } = await clientWithoutWorkers().send('POST', toPath(integration, 'cancel'))
  assert.equal(status, 204)
  const run = await integration.ended()
  assert.deepEqual([run.status, run.message], ['CANCELLED', 'Cancelled. Nothing was published.'])
  return performance.now() - askedAtMs
}

/** Locks a table that the view reads: reading the view's definition waits for this lock. */
async function lockTable(): Promise<() => Promise<void>> {
  const holder = await database.connect()
  // The test kills this connection's server.
  holder.on('error', () => undefined)
  await holder.query('begin; lock table sales.table_0 in access exclusive mode')
  return () => holder.end()
}

async function isReaderWaiting(): Promise<boolean> {
  return (await database.countSessions(`wait_event_type = 'Lock'`)) > 0
}

async function untilReaderWaits(): Promise<void> {
  await eventually(20_000, isReaderWaiting, 'the reader waits for the lock')
}

test(`POST …/run › of ${TRIGGERS} concurrent requests through two servers, one gets 202 and the others 409`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const stall = scripted.stall('namespaces')
    const requests = Array.from({ length: TRIGGERS }, (_, at) =>
      at % 2 === 0 ? trigger(clientWithoutWorkers()) : trigger(clientWithWorkers()),
    )
    const answers = await Promise.all(requests)
    const conflicts = answers.filter(({ status }) => status === 409)
    const accepted = answers.filter(({ status }) => status === 202)
    assert.deepEqual([accepted.length, conflicts.length], [1, TRIGGERS - 1])
    for (const answer of conflicts) assertInProgress(answer)
    const { ingestionRunId } = JSON.parse(accepted[0]?.text ?? '') as { ingestionRunId: string }
    const running = await catalog.latest()
    assert.deepEqual([running.ingestionRunId, running.status], [ingestionRunId, 'RUNNING'])
    await stall.reached
    stall.release()
    const run = await catalog.ended()
    assert.deepEqual([run.ingestionRunId, run.status], [ingestionRunId, 'SUCCESS'])
    await assertSound(faults)
  }
})

function assertInProgress({ text, headers }: HttpAnswer): void {
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(text), {
    status: 'already_running',
    message: `A run of ${catalog.externalId} is in progress. Wait until it ends, or cancel it.`,
  })
}

for (const [moment, when] of [
  ['before it lists', 'config'],
  ['while it lists', 'table sales.*'],
] as const) {
  test(`POST …/cancel ${moment} › is CANCELLED within 2 s and publishes nothing`, async () => {
    const before = await catalog.livePaths()
    scripted.state.commentAll(`cancelled ${moment}`)
    const stall = scripted.stall(when)
    const id = await catalog.trigger()
    await stall.reached
    const tookMs = await cancel(catalog)
    stall.release()
    assert.ok(tookMs < toLimit(CANCELLED_WITHIN_MS), `it took ${tookMs} ms`)
    assert.deepEqual(await catalog.changes(id), [])
    assert.deepEqual(await catalog.livePaths(), before)
    await assertSound(faults)
  })
}

test('POST …/cancel while it publishes › is CANCELLED and publishes nothing', async () => {
  scripted.state.commentAll('never published')
  const unlock = await lockAnAsset(faults)
  const id = await catalog.trigger()
  await catalog.inPhase('publishing')
  await clientWithoutWorkers().ok('POST', toPath(catalog, 'cancel'))
  await unlock()
  assert.equal((await catalog.ended()).status, 'CANCELLED')
  assert.deepEqual(await catalog.changes(id), [])
  await assertSound(faults)
})

test('POST …/cancel while PostgreSQL waits for a lock › is CANCELLED within 2 s and cancels the statement', async () => {
  await tables.trigger()
  assert.equal((await tables.ended()).status, 'SUCCESS')
  for (let round = 0; round < ROUNDS; round += 1) {
    const unlock = await lockTable()
    await tables.trigger()
    await untilReaderWaits()
    const tookMs = await cancel(tables)
    const leftAtMs = performance.now()
    const isGone = async (): Promise<boolean> =>
      (await database.countSessions(`state <> 'idle'`)) === 0
    await eventually(CANCELLED_WITHIN_MS, isGone, 'the statement ends')
    const goneMs = tookMs + performance.now() - leftAtMs
    assert.ok(
      goneMs < toLimit(CANCELLED_WITHIN_MS),
      `cancelled in ${tookMs} ms, gone in ${goneMs} ms`,
    )
    await unlock()
    await assertSound(faults)
  }
})

test('a source that is killed during a run and restarts › SUCCESS without deletes', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await tables.livePaths()
    const unlock = await lockTable()
    const id = await tables.trigger()
    await untilReaderWaits()
    await postgres.kill('SIGKILL')
    await unlock()
    await postgres.restart()
    const run = await tables.ended()
    assert.deepEqual(
      [run.status, run.assetsProcessed],
      ['SUCCESS', before.length],
      run.message ?? '',
    )
    assert.deepEqual(await tables.changes(id), [])
    assert.deepEqual(await tables.livePaths(), before)
    await assertSound(faults)
  }
})

test('a source that is killed during a run and stays away › FAILED without deletes', async (t) => {
  if (!isLong) return t.skip('retries take twenty seconds: npm run faults')
  const before = await tables.livePaths()
  const unlock = await lockTable()
  const id = await tables.trigger()
  await untilReaderWaits()
  await postgres.kill('SIGKILL')
  await unlock()
  const run = await tables.ended(60_000)
  assert.equal(run.status, 'FAILED')
  assert.match(run.message ?? '', /Nothing was published/)
  await postgres.restart()
  assert.deepEqual(await tables.changes(id), [])
  assert.deepEqual(await tables.livePaths(), before)
  await assertSound(faults)
})
