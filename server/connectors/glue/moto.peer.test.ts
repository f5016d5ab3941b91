/** The connector on moto, a server of another project that answers like AWS. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { onPeer } from '../../../test/peers/server.ts'
import { MOTO } from '../../../test/peers/servers.ts'
import { catchFailure, readSource } from '../../../test/source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../../../test/warehouses/fault-proxy.ts'
import {
  ANY_KEY,
  callMotoGlue,
  createMotoUser,
  MOTO_ACCOUNT,
  MOTO_REGION,
  requireMotoKeys,
} from '../../../test/warehouses/glue/moto-client.ts'
import { pagingByBody } from '../../../test/warehouses/paging.ts'
import {
  definePeerPromises,
  toSetup,
  type PeerScene,
} from '../../../test/warehouses/peer-promises.ts'
import { glue } from './connector.ts'

const PAGING = pagingByBody(['DatabaseList', 'TableList'], 'NextToken')

onPeer(MOTO, (peer) => {
  const proxies: FaultProxy[] = []
  after(async () => {
    for (const proxy of proxies) await proxy.close()
  })

  const call = (operation: string, input: Record<string, unknown>) =>
    callMotoGlue(peer().url, operation, input)

  /** Creates a database with two tables and a view. The peer is shared, so that each scene has its own. */
  const create = async (): Promise<PeerScene & { database: string; proxy: FaultProxy }> => {
    const database = `sales-${randomUUID()}`
    const proxy = await startFaultProxy(peer().url, { paging: PAGING })
    proxies.push(proxy)
    const put = (operation: string, table: Record<string, unknown>) =>
      call(operation, { DatabaseName: database, TableInput: table })
    await call('CreateDatabase', { DatabaseInput: { Name: database, Description: 'Sold' } })
    await put('CreateTable', ORDERS)
    await put('CreateTable', { Name: 'old', TableType: 'EXTERNAL_TABLE' })
    await put('CreateTable', VIEW)
    return {
      database,
      proxy,
      configuration: {
        region: MOTO_REGION,
        catalogId: MOTO_ACCOUNT,
        accessKeyId: ANY_KEY.accessKeyId,
        endpoint: proxy.url,
      },
      include: { database: [database] },
      secrets: { secretAccessKey: ANY_KEY.secretAccessKey },
      async change() {
        await put('CreateTable', { Name: 'recent', TableType: 'EXTERNAL_TABLE' })
        await put('UpdateTable', { ...ORDERS, Description: 'One row per sold bicycle' })
        await call('DeleteTable', { DatabaseName: database, Name: 'old' })
        const name = (table: string): string => `${database}.${table}`
        return { created: [name('recent')], updated: [name('orders')], deleted: [name('old')] }
      },
      stall: () => proxy.stall(`"DatabaseName":"${database}"`),
    }
  }

  test('glue › reads databases, tables with partition keys, nested types and views', async () => {
    const scene = await create()
    const { database } = scene
    const reading = await readSource(glue, toSetup(glue, scene))
    assert.equal(reading.table(database).description, 'Sold')
    const orders = reading.table(database, 'orders')
    assert.equal(orders.kind, 'external_table')
    assert.equal(orders.description, 'One row per order')
    assert.deepEqual(orders.partitionColumns, ['day'])
    const { columns = [] } = orders
    assert.deepEqual(
      columns.map(({ name, type }) => [name, type]),
      [
        ['id', 'bigint'],
        ['lines', 'array<struct<sku:string,amount:decimal(10,2)>>'],
        ['day', 'date'],
      ],
    )
    assert.deepEqual(
      columns[1]?.items?.properties?.map(({ name, type }) => [name, type]),
      [
        ['sku', 'string'],
        ['amount', 'decimal(10,2)'],
      ],
    )
    assert.equal(columns[0]?.description, 'Key')
    assert.equal(orders.custom?.['location'], 's3://lake/orders')
    const view = reading.table(database, 'big_orders')
    assert.deepEqual([view.kind, view.viewDefinition], ['view', 'SELECT id FROM orders'])
  })

  for (const addsEmptyPages of [false, true]) {
    test(`glue › reads pages of two tables, ${addsEmptyPages ? 'with' : 'without'} empty pages between them`, async () => {
      const scene = await create()
      const whole = await readSource(glue, toSetup(glue, scene))
      Object.assign(scene.proxy, { pageSize: 2, addsEmptyPages })
      const paged = await readSource(glue, toSetup(glue, scene))
      assert.deepEqual(paged.assets, whole.assets)
      assert.ok(scene.proxy.count('NextToken') >= 1)
    })
  }

  definePeerPromises(glue, create)

  // The last test, because the peer checks keys from then on.
  test('glue › signs requests as AWS verifies them, and lists nothing with wrong keys', async () => {
    const { configuration, database, include } = await create()
    const direct = { ...configuration, endpoint: peer().url }
    const key = await createMotoUser(peer().url, 'portbook')
    const secrets = { secretAccessKey: key.secretAccessKey }
    const own = { ...direct, accessKeyId: key.accessKeyId }
    await requireMotoKeys(peer().url, 0)
    const reading = await readSource(glue, toSetup(glue, { configuration: own, secrets, include }))
    assert.equal(reading.table(database, 'orders').columns?.length, 3)
    const wrong = { ...secrets, secretAccessKey: 'canary-wrong' }
    for (const given of [
      { configuration: own, secrets: wrong },
      { configuration: { ...own, accessKeyId: 'AKIAUNKNOWN' }, secrets },
    ]) {
      const failure = await catchFailure(readSource(glue, toSetup(glue, given)))
      // Moto explains its refusal in XML; AWS answers in JSON, as keys.test.ts expects.
      assert.equal(failure.kind, 'permission', failure.message)
      assert.doesNotMatch(failure.message, /canary/)
    }
  })
})

const ORDERS = {
  Name: 'orders',
  Description: 'One row per order',
  TableType: 'EXTERNAL_TABLE',
  StorageDescriptor: {
    Columns: [
      { Name: 'id', Type: 'bigint', Comment: 'Key' },
      { Name: 'lines', Type: 'array<struct<sku:string,amount:decimal(10,2)>>' },
    ],
    Location: 's3://lake/orders',
  },
  PartitionKeys: [{ Name: 'day', Type: 'date' }],
  Parameters: { classification: 'parquet' },
}

const VIEW = {
  Name: 'big_orders',
  TableType: 'VIRTUAL_VIEW',
  ViewOriginalText: 'SELECT id FROM orders',
  StorageDescriptor: { Columns: [{ Name: 'id', Type: 'bigint' }] },
}
