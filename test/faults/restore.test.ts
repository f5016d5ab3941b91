/**
 * The catalog's PostgreSQL is dumped, copied, upgraded or replaced by its standby, and Portbook
 * continues there: followers of the feed continue where they were and miss nothing.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../../server/platform/config.ts'
import { verifyFeed } from '../../server/ledger/events/epoch-service.ts'
import { openStore, type Store } from '../../server/store.ts'
import { verifyStore } from '../../server/transfer/verify.ts'
import { expectProblem, readJson } from '../answers.ts'
import { eventually, isLong } from '../eventually.ts'
import { eventsSoFar } from '../feed.ts'
import {
  createDatabase,
  dumpDatabase,
  execute,
  sameDatabaseOn,
  startBackup15,
  startUpgraded15,
  type Dump,
} from '../postgres-15-copies.ts'
import {
  onPostgres15,
  startPostgres15,
  startStandby15,
  type TestPostgres15,
} from '../postgres-15.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odps,
  uniqueId,
  type Product,
  type World,
} from '../world.ts'

const WITHIN_MS = 10_000
const WRITES = 10
// Far above the transaction ids of a new cluster.
const TRANSACTIONS = isLong ? 50_000 : 5000

// Reverts the migration that added epochs.
const WITHOUT_EPOCHS = `
  alter table event drop constraint event_pkey;
  alter table event drop column epoch;
  alter table activity_entry alter column epoch drop default;
  alter table event add primary key (organization_id, transaction_id, position);
  drop function current_feed_epoch();
  drop table feed_epoch;
  delete from schema_migration where name = '0008_feed_epoch.sql'`

onPostgres15((primary) => {
  let original: string
  let store: Store
  let world: World
  /** The ids of the feed's events when the copies were made, in order. */
  let copied: string[]
  /** The ids of later events, which no dump and no backup contains. */
  let later: string[]
  let dump: Dump
  let standby: TestPostgres15
  let backup: TestPostgres15
  let empty: TestPostgres15
  let upgraded: TestPostgres15 | undefined
  const cleanUp: (() => Promise<unknown>)[] = []

  before(async () => {
    original = await createDatabase(primary())
    store = await open(original)
    world = await newWorld(newProduct(store))
    await useTransactions(original)
    await write(world, 'before')
    copied = await follow(world)
    dump = await dumpDatabase(original)
    const started = [
      startPostgres15(),
      startBackup15(primary()),
      startStandby15(primary(), {}),
    ] as const
    ;[empty, backup, standby] = await Promise.all(started)
    if (isLong) upgraded = await startUpgraded15(primary())
    for (const server of [empty, backup, standby, upgraded]) {
      cleanUp.push(async () => server?.stop())
    }
    await write(world, 'later')
    later = (await follow(world)).slice(copied.length)
  })
  after(async () => {
    await store.close()
    await Promise.all(cleanUp.map((work) => work()))
    await dump.remove()
  })

  test('pg_dump into a new cluster › followers continue, new events come last', async () => {
    await assertContinues(await dump.restoreInto(empty), copied)
  })

  test('pg_dump into a cluster with higher transaction ids › followers continue', async () => {
    await useTransactions(original)
    await assertContinues(await dump.restoreInto(primary()), copied)
  })

  test('a dump of a restored store, restored again › followers continue', async () => {
    const first = await dump.restoreInto(empty)
    await assertContinues(first, copied)
    const both = await onProduct(first, follow)
    const second = await dumpDatabase(first)
    await assertContinues(await second.restoreInto(primary()), both)
    await second.remove()
  })

  test('a store restored from before epochs › every event is delivered again', async () => {
    const url = await dump.restoreInto(empty)
    await execute(url, WITHOUT_EPOCHS)
    await assertContinues(url, copied)
  })

  test('an older base backup › earlier followers continue, and one that is ahead gets an error', async () => {
    const url = sameDatabaseOn(backup, original)
    await assertContinues(url, copied)
    await onProduct(url, async (product) => {
      const path = `/api/events?lastEventId=${later.at(-1)}`
      const answer = product.call('GET', path, { key: world.keys.O })
      const problem = await expectProblem(answer, 400, /restored/)
      assert.equal(problem.code, 'event_unknown')
      assert.equal(problem.violations?.[0]?.field, 'lastEventId')
      assert.deepEqual((await follow(product)).slice(0, copied.length), copied)
    })
  })

  test('a promoted standby › followers continue, including the last events', async () => {
    const url = sameDatabaseOn(standby, original)
    await execute(url, 'select pg_promote()')
    await assertContinues(url, [...copied, ...later])
  })

  test('pg_upgrade › followers continue', { skip: !isLong && 'only in long mode' }, async () => {
    assert.ok(upgraded)
    await assertContinues(sameDatabaseOn(upgraded, original), copied)
  })

  test('a restore under a running process › keeps the order of events', async () => {
    const url = await createDatabase(empty)
    const running = await open(url)
    cleanUp.push(() => running.close())
    await execute(empty.url, `drop database ${getDatabaseName(url)} with (force)`)
    const restored = await dump.restoreInto(empty)
    await execute(
      empty.url,
      `alter database ${getDatabaseName(restored)} rename to ${getDatabaseName(url)}`,
    )
    const product = newProduct(running)
    await eventually(
      WITHIN_MS,
      async () => (await product.call('GET', '/readyz')).status === 200,
      'the process reaches the restored database',
    )
    await write(product, 'running')
    const ids = await follow(product)
    assert.deepEqual(ids.slice(0, copied.length), copied)
    assert.equal(ids.length, copied.length + 2 * WRITES + 1)
  })

  /** Creates two events for each product. */
  async function write(product: Product, name: string): Promise<void> {
    for (let index = 0; index < WRITES; index += 1) {
      const id = `${name}-${index}-${uniqueId()}`
      const body = odps(id, { outputPorts: [{ name: 'out', version: '1' }] })
      await expectOk(product.call('PUT', `/api/dataproducts/${id}`, { key: world.keys.O, body }))
    }
  }

  /** Lists the ids of the feed's events, from start to end. */
  async function follow(product: Product): Promise<string[]> {
    const as: World['as'] = (caller, method, path, options) =>
      product.call(method, path, { ...options, key: world.keys[caller] })
    return (await eventsSoFar({ ...world, ...product, as })).map(({ id }) => id)
  }

  async function eventsAfter(product: Product, id: string | undefined): Promise<string[]> {
    const path = `/api/events?lastEventId=${id}`
    const events = readJson<{ id: string }[]>(product.call('GET', path, { key: world.keys.Or }))
    return (await events).map((event) => event.id)
  }

  /** Opens a copy, asserts that its feed contains these events, and writes there. */
  async function assertContinues(url: string, expected: readonly string[]): Promise<void> {
    await onProduct(url, async (product) => {
      await write(product, 'copy')
      const all = await follow(product)
      assert.deepEqual(all.slice(0, expected.length), expected)
      assert.equal(all.length, expected.length + 2 * WRITES + 1, 'and then the new events')
      for (const index of [0, Math.floor(expected.length / 2), expected.length - 1]) {
        const laterEvents = await eventsAfter(product, expected[index])
        assert.deepEqual(laterEvents, all.slice(index + 1), `a follower after event ${index + 1}`)
      }
      const { db } = product.services
      const verdicts = [...(await verifyStore(db)), ...(await verifyFeed(db))]
      assert.deepEqual(
        verdicts.filter(({ findings }) => findings.length > 0),
        [],
      )
    })
  }
})

async function open(url: string): Promise<Store> {
  const config = readConfig({
    DATABASE_URL: url,
    PORTBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  return await openStore(config, pino({ level: 'silent' }), 'serving')
}

async function onProduct<T>(url: string, use: (product: Product) => Promise<T>): Promise<T> {
  const opened = await open(url)
  try {
    return await use(newProduct(opened))
  } finally {
    await opened.close()
  }
}

async function useTransactions(url: string): Promise<void> {
  await execute(
    url,
    `do $$ begin for i in 1..${TRANSACTIONS} loop perform pg_current_xact_id(); commit; end loop; end $$`,
  )
}

function getDatabaseName(url: string): string {
  return new URL(url).pathname.slice(1)
}
