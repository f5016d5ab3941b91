/**
 * PostgreSQL fails over to its standby while clients write and follow the feed: the primary crashes, or it is demoted.
 * Every acknowledged write is on the standby, because replication is synchronous.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { eventually, isLong } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { createDatabase, execute } from '../postgres-15-copies.ts'
import {
  onPostgres15,
  startPostgres15,
  startStandby15,
  type TestPostgres15,
} from '../postgres-15.ts'
import { createUnattendedStart, startProduct, type ProductProcess } from '../process.ts'
import { connectThrough, type StoreProxy } from '../store-proxy.ts'
import { newLocalPlace, type StorePlace } from '../stores.ts'
import {
  checkStore,
  checkThroughHttp,
  createDocument,
  newLedger,
  newMarker,
  registerTeam,
  startWriters,
} from './load.ts'

const ROUNDS = isLong ? 4 : 1
const WITHIN_MS = 60_000

onPostgres15(() => {
  let primary: TestPostgres15
  let proxy: StoreProxy
  let place: StorePlace
  let environment: Record<string, string>
  let product: ProductProcess
  let client: HttpClient
  let session: string
  const ledger = newLedger(8)

  before(async () => {
    primary = await startPostgres15()
    const url = await createDatabase(primary)
    const name = new URL(url).pathname.slice(1)
    // The server's own setting acknowledges a commit before it is on any disk.
    await execute(primary.url, `alter database ${name} set synchronous_commit = on`)
    const through = await connectThrough({ connectionString: url })
    proxy = through.proxy
    const local = newLocalPlace()
    place = {
      ...local,
      environment: {
        ...local.environment,
        DATABASE_URL: through.connection.connectionString ?? '',
        PORTBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
    }
    const start = createUnattendedStart(place)
    environment = start.environment
    product = await startProduct(environment)
    client = newHttpClient(product.url, start.key())
    await registerTeam(client)
    const signedIn = await client.ok('POST', '/ui/sign-in', {
      key: null,
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { email: environment['PORTBOOK_OWNER_EMAIL'], password: start.password },
    })
    session = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  })
  after(async () => {
    client.close()
    await product.stop()
    await proxy.close()
    await primary.stop()
    await place.remove()
  })

  test('the primary crashes and its standby is promoted › 200 and 503 only, and nothing acknowledged is lost', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await underLoad(async () => {
        const standby = await startSynchronousStandby()
        await primary.stop()
        await untilAnswered(503, 'store_unavailable')
        proxy.moveTo(toTarget(standby))
        await untilReadOnly()
        await promote(standby, await startProduct(environment))
      })
    }
  })

  test('the primary is set to read-only and its standby is promoted › 200 and 503 only, and nothing acknowledged is lost', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await underLoad(async () => {
        const standby = await startSynchronousStandby()
        const demoted = primary
        await execute(demoted.url, 'alter system set default_transaction_read_only = on')
        await execute(demoted.url, 'select pg_reload_conf()')
        await untilReadOnly()
        proxy.moveTo(toTarget(standby))
        await promote(standby)
        await demoted.stop()
      })
    }
  })

  /** Changes the primary while writers and a follower of the feed work; checks what they were answered. */
  async function underLoad(change: () => Promise<void>): Promise<void> {
    const writers = startWriters(client, ledger)
    const follower = startFollower(client)
    try {
      await writers.acknowledged(50)
      await change()
      await writers.acknowledged(50)
    } finally {
      await writers.stop()
    }
    for (const [status, count] of ledger.statuses) {
      // A DELETE whose outcome is unknown may be repeated after it was saved.
      assert.ok([200, 404, 503].includes(status), `${count} times ${status}`)
    }
    await checkThroughHttp(client, ledger)
    await checkStore(place, ledger)
    const feed = await readFeed(client)
    await eventually(
      WITHIN_MS,
      async () => follower.ids().length >= feed.length,
      'the follower reaches the end of the feed',
    )
    await follower.stop()
    assert.deepEqual(follower.ids(), feed)
    const fatal = product.log().filter(({ level }) => level === 'fatal')
    assert.deepEqual(fatal, [])
  }

  async function startSynchronousStandby(): Promise<TestPostgres15> {
    const standby = await startStandby15(primary, {})
    await execute(primary.url, `alter system set synchronous_standby_names = '*'`)
    await execute(primary.url, 'select pg_reload_conf()')
    await eventually(
      WITHIN_MS,
      async () => {
        const states = await readRows(primary.url, 'select sync_state from pg_stat_replication')
        return states.some((row) => row['sync_state'] === 'sync')
      },
      'replication is synchronous',
    )
    return standby
  }

  /** Promotes the standby; `other` is a process that was started before. */
  async function promote(standby: TestPostgres15, other?: ProductProcess): Promise<void> {
    await execute(standby.url, 'select pg_promote()')
    primary = standby
    await untilAnswered(200)
    await untilReadable(client)
    if (other === undefined) return
    const second = newHttpClient(other.url, createUnattendedStart(place).key())
    await untilAnswered(200, undefined, second)
    second.close()
    await other.stop()
  }

  /** Waits until writes are refused and reads are answered. */
  async function untilReadOnly(): Promise<void> {
    await untilAnswered(503, 'store_read_only')
    await untilReadable(client)
    const { status, text } = await client.send('GET', '/readyz')
    const state = { status: 'ready', writable: false, reason: 'store_read_only' }
    assert.deepEqual([status, JSON.parse(text)], [200, state])
  }

  /** Waits until a key and a session can read. */
  async function untilReadable(asking: HttpClient): Promise<void> {
    const isReadable = async (): Promise<boolean> => {
      const answers = await Promise.all([
        asking.send('GET', '/api/teams'),
        asking.send('GET', '/ui/session', { key: null, headers: { cookie: session } }),
      ])
      for (const { status, text } of answers) assert.ok([200, 503].includes(status), text)
      return answers.every(({ status }) => status === 200)
    }
    await eventually(WITHIN_MS, isReadable, 'a key and a session can read')
  }

  /** Waits until a write is answered with a status and a code. */
  async function untilAnswered(expected: number, code?: string, asking = client): Promise<void> {
    const isSo = async (): Promise<boolean> => {
      const body = createDocument('probe', newMarker())
      const { status, text } = await asking.send('PUT', '/api/dataproducts/probe', { body })
      assert.ok([200, 503].includes(status), text)
      return status === expected && (code === undefined || readCode(text) === code)
    }
    await eventually(WITHIN_MS, isSo, `a write is answered ${expected} ${code ?? ''}`)
  }
})

/** A follower of the feed that reads it again from its start if its last event is unknown. */
function startFollower(client: HttpClient): { ids(): string[]; stop(): Promise<void> } {
  let ids: string[] = []
  const stopping = new AbortController()
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { status, text } = await client.send('GET', eventsAfter(ids.at(-1)))
      if (status === 200) {
        const page = readIds(text)
        ids.push(...page)
        if (page.length > 0) continue
      } else if (status === 400 && readCode(text) === 'event_unknown') ids = []
      else assert.equal(status, 503, text)
      await pause(5)
    }
  }
  const following = follow()
  // The error is reported to the caller of `stop`.
  following.catch(() => undefined)
  return {
    ids: () => ids,
    async stop() {
      stopping.abort()
      await following
    },
  }
}

async function readFeed(client: HttpClient): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const page = readIds((await client.ok('GET', eventsAfter(ids.at(-1)))).text)
    if (page.length === 0) return ids
    ids.push(...page)
  }
}

function eventsAfter(id: string | undefined): string {
  return id === undefined ? '/api/events' : `/api/events?lastEventId=${id}`
}

function readIds(text: string): string[] {
  return (JSON.parse(text) as { id: string }[]).map(({ id }) => id)
}

function readCode(text: string): unknown {
  return (JSON.parse(text) as { code?: unknown }).code
}

function toTarget({ url }: TestPostgres15): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

async function readRows(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
