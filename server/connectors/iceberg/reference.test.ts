/** The connector on the reference server of the protocol. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { onPeer } from '../../../test/peers/server.ts'
import { ICEBERG } from '../../../test/peers/servers.ts'
import { readSource } from '../../../test/source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../../../test/warehouses/fault-proxy.ts'
import { newIcebergClient, newView, OLD, ORDERS } from '../../../test/warehouses/iceberg/client.ts'
import { pagingByQuery } from '../../../test/warehouses/paging.ts'
import {
  definePeerPromises,
  toSetup,
  type PeerScene,
} from '../../../test/warehouses/peer-promises.ts'
import { iceberg } from './connector.ts'

const PAGING = pagingByQuery(['namespaces', 'identifiers'], 'pageToken', 'next-page-token')

onPeer(ICEBERG, (peer) => {
  const proxies: FaultProxy[] = []
  after(async () => {
    for (const proxy of proxies) await proxy.close()
  })

  /** Creates a namespace with two tables and a view in one below it. */
  const create = async (): Promise<PeerScene & { top: string; proxy: FaultProxy }> => {
    const top = `shop-${randomUUID()}`
    const sales = [top, 'sales']
    const client = newIcebergClient(`${peer().url}/v1`)
    const proxy = await startFaultProxy(peer().url, { paging: PAGING })
    proxies.push(proxy)
    await client.createNamespace([top], { comment: 'Sold', owner: 'ann' })
    await client.createNamespace(sales)
    await client.createTable(sales, ORDERS)
    await client.createTable(sales, OLD)
    await client.createView(sales, newView(sales))
    return {
      top,
      proxy,
      configuration: { uri: proxy.url },
      secrets: {},
      include: { namespace: [top, `${top}.*`] },
      async change() {
        await client.createTable(sales, { ...OLD, name: 'recent' })
        await client.updateTable(sales, 'orders', [
          { action: 'set-properties', updates: { comment: 'One row per sold bicycle' } },
        ])
        await client.dropTable(sales, 'old')
        const name = (table: string): string => [...sales, table].join('.')
        return { created: [name('recent')], updated: [name('orders')], deleted: [name('old')] }
      },
      stall: () => proxy.stall(({ target }) => target.includes(top) && target.includes('/tables')),
    }
  }

  test('iceberg › reads nested namespaces, tables with nested types and views', async () => {
    const scene = await create()
    const { top } = scene
    const reading = await readSource(iceberg, toSetup(iceberg, scene))
    const sales = `${top}.sales`
    assert.deepEqual(
      [reading.table(top).description, reading.table(top).ownerName, reading.table(sales).parent],
      ['Sold', 'ann', [top]],
    )
    const orders = reading.table(sales, 'orders')
    assert.deepEqual([orders.kind, orders.description], ['table', 'One row per order'])
    assert.deepEqual(orders.primaryKey, ['id'])
    assert.deepEqual(orders.partitionColumns, ['month(day)'])
    assert.match(orders.sourceId ?? '', /^[\da-f-]{36}$/)
    const element = 'struct<sku:string NOT NULL,amount:decimal(10,2)>'
    assert.deepEqual(orders.columns, [
      { name: 'id', type: 'long', required: true, description: 'Key' },
      { name: 'day', type: 'date' },
      {
        name: 'lines',
        type: `list<${element}>`,
        items: {
          name: 'element',
          type: element,
          required: true,
          properties: [
            { name: 'sku', type: 'string', required: true, description: 'Article' },
            { name: 'amount', type: 'decimal(10,2)' },
          ],
        },
      },
    ])
    const view = reading.table(sales, 'big_orders')
    assert.deepEqual(
      [view.kind, view.description, view.viewDefinition],
      ['view', 'Large ones', 'SELECT id FROM orders'],
    )
  })

  for (const addsEmptyPages of [false, true]) {
    test(`iceberg › reads pages of one table, ${addsEmptyPages ? 'with' : 'without'} empty pages between them`, async () => {
      const scene = await create()
      const whole = await readSource(iceberg, toSetup(iceberg, scene))
      Object.assign(scene.proxy, { pageSize: 1, addsEmptyPages })
      const paged = await readSource(iceberg, toSetup(iceberg, scene))
      assert.deepEqual(paged.assets, whole.assets)
      assert.ok(scene.proxy.count('pageToken=cut') >= 1)
    })
  }

  definePeerPromises(iceberg, create)
})
