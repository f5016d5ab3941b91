import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import type { ClientConfig } from 'pg'
import { onStore } from '../../../test/stores.ts'
import { openDatabase, type OpenDatabase } from './database.ts'
import { readShort } from './short-reads.ts'
import { StoreUnavailable } from './store-errors.ts'

const LIMITS = { connectionsMax: 1, connectTimeoutMs: 10_000, queryTimeoutMs: 10_000 }
const END_SESSION = sql`select pg_terminate_backend(pg_backend_pid())`

/** The ways in which a statement reaches the database. */
const WAYS: Readonly<
  Record<string, (db: OpenDatabase<object>['db'], query: RawBuilder<unknown>) => Promise<unknown>>
> = {
  'a statement': (db, query) => query.execute(db),
  'a short read': (db, query) => readShort(db, query),
  'a transaction': (db, query) => db.transaction().execute((inside) => query.execute(inside)),
}

async function use<T>(
  connection: ClientConfig,
  work: (database: OpenDatabase<object>) => Promise<T>,
): Promise<T> {
  const database = openDatabase<object>(connection, LIMITS, () => undefined)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

onStore((store) => {
  for (const [way, send] of Object.entries(WAYS)) {
    test(`StoreHealth › ${way} whose session ends makes the database suspect`, async () => {
      await use(store().connection, async ({ db, health }) => {
        await send(db, sql`select 1`)
        assert.equal(health.isSuspect(), false)
        await assert.rejects(send(db, END_SESSION), StoreUnavailable)
        assert.equal(health.isSuspect(), true)
      })
    })

    test(`StoreHealth › ${way} without a connection makes the database suspect`, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      server.close()
      await use({ host: '127.0.0.1', port }, async ({ db, health }) => {
        await assert.rejects(send(db, sql`select 1`), StoreUnavailable)
        assert.equal(health.isSuspect(), true)
      })
    })

    test(`StoreHealth › ${way} that is wrong does not make the database suspect`, async () => {
      await use(store().connection, async ({ db, health }) => {
        await assert.rejects(send(db, sql`select 1 / 0`), /division by zero/)
        assert.equal(health.isSuspect(), false)
      })
    })
  }

  test('StoreHealth › a short read that a read-only server rejects closes earlier connections', async () => {
    const connection = { ...store().connection, options: '-c default_transaction_read_only=on' }
    await use(connection, async ({ db, health }) => {
      await readShort(db, sql`select 1`)
      const openedAtMs = performance.now()
      assert.equal(health.isStale(openedAtMs - 1), false)
      await assert.rejects(readShort(db, sql`create table not_here ()`), StoreUnavailable)
      assert.equal(health.isStale(openedAtMs - 1), true)
    })
  })
})
