/** The connector on the reference server of the protocol. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onPeer } from '../../../test/peers/server.ts'
import { ICEBERG } from '../../../test/peers/servers.ts'
import { readSource } from '../../../test/source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../../../test/warehouses/fault-proxy.ts'
import { newIcebergClient } from '../../../test/warehouses/iceberg/client.ts'
import { createIcebergShop, ORDERS_COLUMNS } from '../../../test/warehouses/iceberg/shop.ts'
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

  const create = async (): Promise<PeerScene & { top: string; proxy: FaultProxy }> => {
    const shop = await createIcebergShop(newIcebergClient(`${peer().url}/v1`), { hasViews: true })
    const proxy = await startFaultProxy(peer().url, { paging: PAGING })
    proxies.push(proxy)
    return {
      ...shop,
      proxy,
      configuration: { uri: proxy.url },
      secrets: {},
      stall: () =>
        proxy.stall(({ target }) => target.includes(shop.top) && target.includes('/tables')),
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
    assert.deepEqual(orders.columns, ORDERS_COLUMNS)
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
