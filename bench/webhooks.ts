import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { newHttpClient } from '../test/http-client.ts'
import { openPlace } from './database-place.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread, toTail } from './rounds.ts'
import { startProduct } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

const NAME = 'webhooks'
const EVENTS_PER_SECOND = 1000
const SECONDS = 20
const BATCHES_PER_SECOND = 10
const BACKLOG = 10_000
const SUBJECTS = 5000
const CONNECTIONS = 8
const TIMEOUT_MS = 180_000
const GOAL = 0.95

/** Deliveries to a healthy receiver on this machine: events at a steady rate, and a backlog. */
export const webhooks: Figure = {
  name: NAME,
  title: `webhooks to a local receiver: ${EVENTS_PER_SECOND} events a second for ${SECONDS} s, and a backlog of ${BACKLOG} against bare POSTs`,
  async *measure(stage) {
    await stage.clear()
    for (const kind of stage.serverKinds) yield* measureOn(stage, kind)
  },
}

async function* measureOn(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const { environment, database, keyFile } = await stage.newPlace(kind)
  const product = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
  const client = newHttpClient(product.url, readFileSync(keyFile, 'utf8').trim())
  const receiver = await startCountingReceiver()
  const { connection, close } = await openPlace(database)
  const db = new Client(connection)
  await db.connect()
  try {
    const body = { name: 'Bench', url: receiver.url }
    await client.ok('POST', '/api/webhooks', { body })
    await untilFollowed(db)
    const steady = await measureSteady(db, receiver)
    yield {
      figure: `${NAME}, steady`,
      server: kind,
      subject: `${Math.round(steady.perSecond)}/s, p50 ${toSpread(steady.delaysMs).median.toFixed(0)} ms, p99 ${toTail(steady.delaysMs).median.toFixed(0)} ms`,
      limit: `${EVENTS_PER_SECOND}/s`,
      result: toSpread([steady.perSecond / EVENTS_PER_SECOND]),
      unit: 'ratio',
      goal: GOAL,
      measured: { perSecond: steady.perSecond, ledger: steady.ledger },
    }
    const backlog = await measureBacklog(db, receiver)
    yield {
      figure: `${NAME}, backlog`,
      server: kind,
      subject: `${Math.round(backlog.perSecond)}/s`,
      limit: `${Math.round(backlog.barePerSecond)}/s`,
      result: toSpread([backlog.perSecond / backlog.barePerSecond]),
      unit: 'ratio',
      goal: undefined,
      measured: backlog,
    }
  } finally {
    await db.end()
    await close()
    client.close()
    await receiver.close()
    await product.stop()
  }
}

/** Inserts events as writers do, ten times a second, and waits until the ledger has all of them. */
async function measureSteady(db: Client, receiver: CountingReceiver) {
  receiver.delaysMs.length = 0
  const before = await countLedger(db)
  const startedAtMs = performance.now()
  const batches = SECONDS * BATCHES_PER_SECOND
  for (let batch = 0; batch < batches; batch += 1) {
    await sleep(Math.max(0, startedAtMs + (batch * 1000) / BATCHES_PER_SECOND - performance.now()))
    await insertEvents(db, EVENTS_PER_SECOND / BATCHES_PER_SECOND)
  }
  const total = EVENTS_PER_SECOND * SECONDS
  const ledger = await untilDelivered(db, before + total)
  // The first events are sent within the first second, the last ones a moment after they were inserted.
  const seconds = (performance.now() - startedAtMs) / 1000
  return { perSecond: total / Math.max(seconds, SECONDS), delaysMs: [...receiver.delaysMs], ledger }
}

async function measureBacklog(db: Client, receiver: CountingReceiver) {
  const before = await countLedger(db)
  const startedAtMs = performance.now()
  await insertEvents(db, BACKLOG)
  await untilDelivered(db, before + BACKLOG)
  const perSecond = (BACKLOG * 1000) / (performance.now() - startedAtMs)
  const bareStartMs = performance.now()
  let left = BACKLOG
  const send = async (): Promise<void> => {
    const client = newHttpClient(receiver.url, '')
    while ((left -= 1) >= 0) await client.ok('POST', '/', { body: { time: '' } })
    client.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
  return { perSecond, barePerSecond: (BACKLOG * 1000) / (performance.now() - bareStartMs) }
}

// Events before the first look at the feed are not sent.
async function untilFollowed(db: Client): Promise<void> {
  for (;;) {
    const { rows } = await db.query('select from feed_follower')
    if (rows.length > 0) return
    await sleep(20)
  }
}

async function insertEvents(db: Client, count: number): Promise<void> {
  await db.query(
    `insert into event (
       organization_id, id, type, kind, subject, version, removal, principal, time
     )
     select
       organization.id, gen_random_uuid(), 'DataProductUpdatedEvent', 'data-product',
       'product-' || (random() * $2)::integer, 1, false, 'system', clock_timestamp()
     from organization
     cross join generate_series(1, $1)`,
    [count, SUBJECTS],
  )
}

async function countLedger(db: Client): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count
     from delivery
     join delivery_attempt as attempt on attempt.organization_id = delivery.organization_id
       and attempt.delivery_id = delivery.id
     where state = 'delivered'`,
  )
  return rows[0]?.count ?? 0
}

/** Waits until the ledger has a number of deliveries with their attempts. Returns it. */
async function untilDelivered(db: Client, count: number): Promise<number> {
  const endMs = performance.now() + TIMEOUT_MS
  while (performance.now() < endMs) {
    const { rows } = await db.query('select from delivery_lane limit 1')
    const isIdle = rows.length === 0
    const delivered = isIdle ? await countLedger(db) : 0
    if (delivered >= count) return delivered
    await sleep(50)
  }
  throw new Error(`the ledger has ${await countLedger(db)} of ${count} deliveries`)
}

interface CountingReceiver {
  url: string
  /** The times from an event to its arrival. */
  delaysMs: number[]
  close(): Promise<void>
}

async function startCountingReceiver(): Promise<CountingReceiver> {
  const delaysMs: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const [, time = ''] = /"time":"([^"]+)"/.exec(body) ?? []
      if (time !== '') delaysMs.push(Date.now() - Date.parse(time))
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    delaysMs,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
