import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import type { Store } from '../../store.ts'
import type { Tables } from '../tables.ts'
import { openDatabase, type OpenDatabase } from './database.ts'
import {
  assumePooling,
  detectPooling,
  DIRECT,
  TRANSACTION_POOLING,
  type Pooling,
} from './pooler.ts'
import type { PoolUse } from './session.ts'

const WINDOWS = 'PostgreSQL 17.2 on x86_64-windows, compiled by msvc-19.42.34435, 64-bit'
const OLDER_WINDOWS = 'PostgreSQL 16.4, compiled by Visual C++ build 1940, 64-bit'

const LIMITS = {
  connectionsMax: 2,
  connectTimeoutMs: 30_000,
  queryTimeoutMs: 30_000,
}

onStore((store: () => Store) => {
  const open = (pooling: Pooling, use: PoolUse): OpenDatabase<Tables> =>
    openDatabase<Tables>(store().connection, LIMITS, () => undefined, { pooling, use })

  async function readSettings(pooling: Pooling, use: PoolUse): Promise<unknown[]> {
    const { db, close } = open(pooling, use)
    try {
      const { rows } = await db.transaction().execute((transaction) =>
        sql<{ mode: string; interval: string }>`
          select current_setting('plan_cache_mode') as mode,
            current_setting('client_connection_check_interval') as interval
        `.execute(transaction),
      )
      return [rows[0]?.mode, rows[0]?.interval]
    } finally {
      await close()
    }
  }

  for (const [name, pooling] of [
    ['a direct connection', DIRECT],
    ['a pooler that shares sessions', TRANSACTION_POOLING],
  ] as const) {
    describe(`sessions over ${name}`, () => {
      test('of background work plan every execution, and notice a lost client', async () => {
        const settings = await readSettings(pooling, 'background')
        assert.deepEqual(settings, ['force_custom_plan', '2s'])
      })

      test('of requests keep the defaults of the server', async () => {
        assert.deepEqual(await readSettings(pooling, 'requests'), ['auto', '0'])
      })

      test('of background work accept an isolation level', async () => {
        const { db, close } = open(pooling, 'background')
        try {
          await db.transaction().execute(async (transaction) => {
            await sql`set transaction isolation level repeatable read`.execute(transaction)
            await sql`select 1`.execute(transaction)
          })
        } finally {
          await close()
        }
      })
    })
  }

  for (const version of [WINDOWS, OLDER_WINDOWS]) {
    describe(`sessions of ${version}`, () => {
      before(async () => {
        await store().pool.query(`
          create schema imitation;
          create function imitation.version() returns text language sql as $$ select '${version}' $$`)
        await setSearchPath('set search_path = imitation, pg_catalog, public')
      })
      after(async () => {
        await setSearchPath('reset search_path')
        await store().pool.query('drop schema imitation cascade')
      })

      test('of background work do not check their clients, which the server cannot', async () => {
        assert.deepEqual(await readSettings(DIRECT, 'background'), ['force_custom_plan', '0'])
        const pooling = await assumePooling(store().connection)
        assert.deepEqual(pooling, { ...TRANSACTION_POOLING, checksClients: false })
        assert.deepEqual(await readSettings(pooling, 'background'), ['force_custom_plan', '0'])
        assert.equal((await detectPooling(store().connection)).checksClients, false)
      })
    })
  }

  async function setSearchPath(change: string): Promise<void> {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      store().db,
    )
    const [{ name } = { name: '' }] = rows
    await sql`alter database ${sql.id(name)} ${sql.raw(change)}`.execute(store().db)
  }
})
