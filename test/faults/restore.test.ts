/**
 * The catalog's PostgreSQL is dumped, copied, upgraded or replaced by its standby, and Portbook goes on
 * there: followers of the feed go on where they were and miss nothing.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../../server/config.ts'
import { verifyFeed } from '../../server/events/epoch-service.ts'
import { openStore, type Store } from '../../server/store.ts'
import { verifyStore } from '../../server/transfer/verify.ts'
import { expectProblem, jsonOf } from '../answers.ts'
import { eventually } from '../eventually.ts'
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
import { isLong } from './load.ts'

const WITHIN_MS = 10_000
const WRITES = 10
// Far above the transaction ids of a new cluster.
const TRANSACTIONS = isLong ? 50_000 : 5000

// Takes back the migration that brought epochs.
const WITHOUT_EPOCHS = `
  alter table event drop constraint event_pkey;
  alter table event drop column epoch;
  alter table event add primary key (organization_id, transaction_id, position);
  drop function current_feed_epoch();
  drop table feed_epoch;
  delete from schema_migration where name = '0008_feed_epoch.sql'`

onPostgres15((primary) => {
  let original: string
  let store: Store
  let world: World
  /** The ids of the feed's events when the copies were made, in their order. */
  let copied: string[]
  /** Those that came after it: no dump and no backup has them. */
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

  test('pg_dump into a new cluster › followers go on, new events come last', async () => {
    await assertGoesOn(await dump.restoreInto(empty), copied)
  })

  test('pg_dump into a cluster with higher transaction ids › followers go on', async () => {
    await useTransactions(original)
    await assertGoesOn(await dump.restoreInto(primary()), copied)
  })

  test('a dump of a restored store, restored again › followers go on', async () => {
    const first = await dump.restoreInto(empty)
    await assertGoesOn(first, copied)
    const both = await onProduct(first, follow)
    const second = await dumpDatabase(first)
    await assertGoesOn(await second.restoreInto(primary()), both)
    await second.remove()
  })

  test('a store that was restored before it had epochs › every event is there again', async () => {
    const url = await dump.restoreInto(empty)
    await execute(url, WITHOUT_EPOCHS)
    await assertGoesOn(url, copied)
  })

  test('an older base backup › followers of its time go on, one that is ahead is told', async () => {
    const url = sameDatabaseOn(backup, original)
    await assertGoesOn(url, copied)
    await onProduct(url, async (product) => {
      const path = `/api/events?lastEventId=${later.at(-1)}`
      const answer = product.call('GET', path, { key: world.keys.O })
      const problem = await expectProblem(answer, 400, /restored/)
      assert.equal(problem.code, 'event_unknown')
      assert.equal(problem.violations?.[0]?.field, 'lastEventId')
      assert.deepEqual((await follow(product)).slice(0, copied.length), copied)
    })
  })

  test('a promoted standby › followers go on, with the last events too', async () => {
    const url = sameDatabaseOn(standby, original)
    await execute(url, 'select pg_promote()')
    await assertGoesOn(url, [...copied, ...later])
  })

  test('pg_upgrade › followers go on', { skip: !isLong && 'only in long mode' }, async () => {
    assert.ok(upgraded)
    await assertGoesOn(sameDatabaseOn(upgraded, original), copied)
  })

  test('a restore under a running process › nothing is written in a wrong order', async () => {
    const url = await createDatabase(empty)
    const running = await open(url)
    cleanUp.push(() => running.close())
    await execute(empty.url, `drop database ${nameOf(url)} with (force)`)
    const restored = await dump.restoreInto(empty)
    await execute(empty.url, `alter database ${nameOf(restored)} rename to ${nameOf(url)}`)
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

  /** Makes two events a product. */
  async function write(product: Product, name: string): Promise<void> {
    for (let index = 0; index < WRITES; index += 1) {
      const id = `${name}-${index}-${uniqueId()}`
      const body = odps(id, { outputPorts: [{ name: 'out', version: '1' }] })
      await expectOk(product.call('PUT', `/api/dataproducts/${id}`, { key: world.keys.O, body }))
    }
  }

  /** The ids of the feed's events, from the start to its end. */
  async function follow(product: Product): Promise<string[]> {
    const as: World['as'] = (caller, method, path, options) =>
      product.call(method, path, { ...options, key: world.keys[caller] })
    return (await eventsSoFar({ ...world, ...product, as })).map(({ id }) => id)
  }

  async function eventsAfter(product: Product, id: string | undefined): Promise<string[]> {
    const path = `/api/events?lastEventId=${id}`
    const events = jsonOf<{ id: string }[]>(product.call('GET', path, { key: world.keys.Or }))
    return (await events).map((event) => event.id)
  }

  /** Opens a copy, whose feed must have these events, and writes there. */
  async function assertGoesOn(url: string, expected: readonly string[]): Promise<void> {
    await onProduct(url, async (product) => {
      await write(product, 'copy')
      const all = await follow(product)
      assert.deepEqual(all.slice(0, expected.length), expected)
      assert.equal(all.length, expected.length + 2 * WRITES + 1, 'and then the new events')
      for (const index of [0, Math.floor(expected.length / 2), expected.length - 1]) {
        const found = await eventsAfter(product, expected[index])
        assert.deepEqual(found, all.slice(index + 1), `a follower after event ${index + 1}`)
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

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}
