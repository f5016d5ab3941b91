/** Two servers behind one PgBouncer that assigns each transaction another of a few backends. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isLong, toLimit } from '../eventually.ts'
import { listFeed } from '../feed.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { query } from '../operator.ts'
import { onPgbouncer, startPgbouncer, type TestPgbouncer } from '../pgbouncer.ts'
import { runProduct, startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { startScriptedSource, type ScriptedSource } from '../scripted-source.ts'
import { newStorePlace, onServer, type StorePlace } from '../stores.ts'
import {
  assertSound,
  icebergBody,
  newFaultWorld,
  watchIntegration,
  type FaultWorld,
  type WatchedIntegration,
} from './ingestion.ts'
import {
  checkStore,
  checkThroughHttp,
  createDocument,
  newLedger,
  newMarker,
  registerTeam,
  startWriters,
  TEAM,
} from './load.ts'

const PUTS = isLong ? 6000 : 600
// More concurrent requests than backends, but few enough that a slow machine answers none of them 503.
const CONNECTIONS_EACH = isLong ? 64 : 16
const WRITES = isLong ? 5000 : 100
const READERS = isLong ? 100 : 20
const CANCELS = isLong ? 20 : 2
const CANCELLED_WITHIN_MS = 2000
// Fewer backends than connections of one server: all statements share them.
const BACKENDS = 5

onPgbouncer(() => {
  let place: StorePlace
  let pgbouncer: TestPgbouncer
  let pooledEnvironment: Record<string, string>
  let faults: FaultWorld
  let source: ScriptedSource
  let catalog: WatchedIntegration
  const servers: ProductProcess[] = []
  const clients: HttpClient[] = []

  before(async () => {
    place = await newStorePlace()
    const url = place.environment['DATABASE_URL'] ?? ''
    await onServer(url, 'drop schema public cascade; create schema public')
    pgbouncer = await startPgbouncer(url, { default_pool_size: BACKENDS })
    pooledEnvironment = { ...place.environment, DATABASE_URL: pgbouncer.through(url) }
    const start = createUnattendedStart(place)
    const both = ['0', '1'].map((workers) =>
      startProduct({
        ...start.environment,
        ...pooledEnvironment,
        PORTBOOK_WORKERS: workers,
        PORTBOOK_PRIVATE_SOURCES: 'allow',
      }),
    )
    servers.push(...(await Promise.all(both)))
    for (const { url: at } of servers) {
      clients.push(newHttpClient(at, start.key(), { connectionsMax: CONNECTIONS_EACH }))
    }
    await registerTeam(client(0))
    source = await startScriptedSource()
    source.state.tables('sales', 30, 'first')
    faults = await newFaultWorld(url)
    catalog = await watchIntegration(faults, icebergBody(source.url))
  })
  after(async () => {
    for (const one of clients) one.close()
    for (const server of servers) await server.stop()
    await source?.close()
    await faults?.close()
    await pgbouncer?.stop()
    await place?.remove()
  })

  function client(index: number): HttpClient {
    const found = clients[index % clients.length]
    assert.ok(found !== undefined)
    return found
  }

  test('two servers that start concurrently on an empty database › both serve, and report the pooler', () => {
    for (const server of servers) {
      const line = server.log().find(({ mode }) => mode !== undefined)
      assert.equal(line?.['mode'], 'transaction')
    }
  })

  test(`${PUTS} PUTs, ${2 * CONNECTIONS_EACH} concurrent writes through both, then reads of every kind › are all answered 200`, async () => {
    // Each sender waits for its response, so that requests do not time out in a queue.
    const senders = Array.from({ length: 2 * CONNECTIONS_EACH }, async (_, sender) => {
      const statuses: number[] = []
      for (let at = sender; at < PUTS; at += 2 * CONNECTIONS_EACH) {
        const body = createDocument(`pooled-${at}`, newMarker())
        const put = client(at).send('PUT', `/api/dataproducts/pooled-${at}`, { body })
        // oxlint-disable-next-line no-await-in-loop
        statuses.push((await put).status)
      }
      return statuses
    })
    assert.deepEqual(counted((await Promise.all(senders)).flat()), { 200: PUTS })
    const reads = Array.from({ length: READERS }, async (_, reader) => {
      const statuses: number[] = []
      for (const path of READS) {
        const at = path.replace('{id}', `pooled-${reader}`)
        statuses.push((await client(reader).send('GET', at)).status)
      }
      return statuses
    })
    const statuses = (await Promise.all(reads)).flat()
    assert.deepEqual(counted(statuses), { 200: READERS * READS.length })
  })

  test('writers on both › get no 5xx and lose no acknowledged write, and the feed is complete', async () => {
    const ledger = newLedger(8)
    const half = ledger.own.length / 2
    const writers = [
      startWriters(client(0), { ...ledger, own: ledger.own.slice(0, half) }),
      startWriters(client(1), { ...ledger, own: ledger.own.slice(half) }),
    ]
    await Promise.all(writers.map((one) => one.acknowledged(WRITES)))
    for (const one of writers) await one.stop()
    assert.deepEqual(
      [...ledger.statuses.keys()].filter((status) => status === 0 || status >= 500),
      [],
    )
    await checkThroughHttp(client(0), ledger)
    await checkStore(place, ledger)
    const feed = (await listFeed(client(1))).map(({ id }) => id)
    const [row] = await query(
      place,
      `select count(*)::int as count from event
       where organization_id = (select id from organization where name = 'Velmora Rail Cargo')`,
    )
    assert.equal(new Set(feed).size, feed.length, 'no event is repeated')
    assert.equal(feed.length, row?.['count'])
  })

  test('a key created through one server works through the other, and is deleted there', async () => {
    const made = await client(0).ok('POST', '/api/api-keys', {
      body: { scope: 'team', teamId: TEAM },
    })
    const { key, organizationApiKeyId } = JSON.parse(made.text) as Record<string, string>
    const path = '/api/organization/settings'
    assert.equal((await client(1).send('GET', path, { key: key ?? '' })).status, 200)
    await client(1).ok('DELETE', `/api/api-keys/${organizationApiKeyId}`)
    assert.equal((await client(1).send('GET', path, { key: key ?? '' })).status, 401)
  })

  test('a triggered run › SUCCESS; when cancelled through the server without workers › ends within 2 s', async () => {
    const clientWithoutWorkers = newHttpClient(servers[0]?.url ?? '', faults.world.keys.T)
    const path = `/api/integrations/ingest/${catalog.externalId}`
    await clientWithoutWorkers.ok('POST', `${path}/run`)
    assert.equal((await catalog.ended()).status, 'SUCCESS')
    for (let round = 0; round < CANCELS; round += 1) {
      source.state.commentAll(`cancelled ${round}`)
      const stall = source.stall('table sales.*')
      await clientWithoutWorkers.ok('POST', `${path}/run`)
      await stall.reached
      const cancelledAtMs = performance.now()
      await clientWithoutWorkers.ok('POST', `${path}/cancel`)
      assert.equal((await catalog.ended()).status, 'CANCELLED')
      const tookMs = performance.now() - cancelledAtMs
      assert.ok(tookMs < toLimit(CANCELLED_WITHIN_MS), `it took ${tookMs} ms`)
      stall.release()
    }
    clientWithoutWorkers.close()
    await assertSound(faults)
  })

  test('verify and export work through the pooler', async () => {
    const file = join(pooledEnvironment['PORTBOOK_DATA_DIR'] ?? '', 'export.jsonl')
    const [verified, exported] = await Promise.all([
      runProduct(pooledEnvironment, ['verify']),
      runProduct(pooledEnvironment, ['export', file]),
    ])
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
    assert.doesNotMatch(verified.stdout, /FAIL/)
    assert.equal(exported.code, 0, exported.stderr)
    assert.match(exported.stdout, /^exported to /)
  })

  test('no server logged an error', () => {
    for (const server of servers) {
      const bad = server.log().filter(({ level }) => level === 'error' || level === 'warn')
      assert.deepEqual(bad, [])
    }
  })
})

const READS = [
  '/api/dataproducts/{id}',
  '/api/dataproducts/{id}/versions',
  '/api/dataproducts?p=0',
  '/api/search?query={id}',
  '/api/events',
  '/api/teams',
]

function counted(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
