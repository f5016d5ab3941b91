/** The connector on fakesnow, which runs the SQL of Snowflake, behind a façade with the SQL API. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { onPeer } from '../../../test/peers/server.ts'
import { SNOWFLAKE, SNOWFLAKE_TOKEN } from '../../../test/peers/servers.ts'
import { catchFailure, readSource } from '../../../test/source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../../../test/warehouses/fault-proxy.ts'
import {
  definePeerPromises,
  toSetup,
  type PeerScene,
} from '../../../test/warehouses/peer-promises.ts'
import { runOnFacade, setUpFacade } from '../../../test/warehouses/snowflake/facade-client.ts'
import { snowflake } from './connector.ts'

onPeer(SNOWFLAKE, (peer) => {
  const proxies: FaultProxy[] = []
  after(async () => {
    for (const proxy of proxies) await proxy.close()
  })

  /** Creates a database with two tables: fakesnow does not list views. The peer is shared, so that each scene has its own. */
  const create = async (): Promise<PeerScene & { database: string }> => {
    const database = `SHOP_${randomUUID().slice(0, 8).toUpperCase()}`
    const proxy = await startFaultProxy(peer().url)
    proxies.push(proxy)
    const run = async (sql: string): Promise<void> => {
      await runOnFacade(peer().url, sql.replaceAll('SHOP', database))
    }
    for (const sql of CONTENTS) await run(sql)
    const name = (table: string): string => `${database}.SALES.${table}`
    return {
      database,
      configuration: { account: 'myorg-account1', url: proxy.url, authentication: 'token' },
      include: { database: [database] },
      secrets: { token: SNOWFLAKE_TOKEN },
      async change() {
        await run('create table SHOP.SALES.RECENT (ID number)')
        await run('alter table SHOP.SALES.ORDERS add column NOTE varchar')
        await run('drop table SHOP.SALES.OLD')
        return { created: [name('RECENT')], updated: [name('ORDERS')], deleted: [name('OLD')] }
      },
      stall: () => proxy.stall('information_schema.columns'),
      // It has no ACCOUNT_USAGE.
      unprovenCount: 1,
    }
  }

  test('snowflake › reads databases, schemas, and tables with keys', async () => {
    const scene = await create()
    const { database } = scene
    const reading = await readSource(snowflake, toSetup(snowflake, scene))
    const orders = reading.table(database, 'SALES', 'ORDERS')
    assert.equal(orders.description, 'Sold')
    assert.deepEqual(orders.primaryKey, ['ID'])
    assert.deepEqual(
      orders.columns?.map(({ name, type, required }) => [name, type, required]),
      [
        ['ID', 'NUMBER(10,0)', true],
        ['Customer name', 'VARCHAR(20)', undefined],
        ['PAID_AT', 'TIMESTAMP_NTZ(9)', undefined],
      ],
    )
  })

  test('snowflake › reads results of several partitions that are not ready at once', async () => {
    const scene = await create()
    const whole = await readSource(snowflake, toSetup(snowflake, scene))
    await setUpFacade(peer().url, { partitionRows: 1, pendingPolls: 1 })
    const parts = await readSource(snowflake, toSetup(snowflake, scene))
    await setUpFacade(peer().url, { partitionRows: 10_000, pendingPolls: 0 })
    assert.deepEqual(parts.assets, whole.assets)
  })

  test('snowflake › fails with a wrong token, and without a warehouse', async () => {
    const scene = await create()
    const wrong = { ...scene, secrets: { token: 'canary-wrong' } }
    const failure = await catchFailure(readSource(snowflake, toSetup(snowflake, wrong)))
    assert.deepEqual(
      [failure.kind, failure.message],
      ['auth', 'Snowflake does not accept the programmatic access token.'],
    )
    await setUpFacade(peer().url, { warehouse: null })
    const missing = await catchFailure(readSource(snowflake, toSetup(snowflake, scene)))
    await setUpFacade(peer().url, { warehouse: 'PORTBOOK_WH' })
    assert.match(missing.message, /^No warehouse is active/)
  })

  definePeerPromises(snowflake, create)
})

const CONTENTS = [
  'create database SHOP',
  'create schema SHOP.SALES',
  `create table SHOP.SALES.ORDERS (
    ID number(10,0) not null primary key, "Customer name" varchar(20), PAID_AT timestamp_ntz
  ) comment = 'Sold'`,
  'create table SHOP.SALES.OLD (ID number)',
]
