/** The connector on Nessie, a catalog of another project. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { onPeer } from '../../../test/peers/server.ts'
import { NESSIE } from '../../../test/peers/servers.ts'
import { openSourceGate, type SourceGate } from '../../../test/source-gate.ts'
import { readSource } from '../../../test/source-reading.ts'
import { newIcebergClient } from '../../../test/warehouses/iceberg/client.ts'
import { createIcebergShop, ORDERS_COLUMNS } from '../../../test/warehouses/iceberg/shop.ts'
import {
  definePeerPromises,
  toSetup,
  type PeerScene,
} from '../../../test/warehouses/peer-promises.ts'
import { iceberg } from './connector.ts'

onPeer(NESSIE, (peer) => {
  const gates: SourceGate[] = []
  before(async () => {
    await createBucket(peer().neededUrl)
  })
  after(async () => {
    for (const gate of gates) await gate.close()
  })

  const create = async (): Promise<PeerScene & { top: string }> => {
    const root = `${peer().url}/iceberg/v1/main`
    const shop = await createIcebergShop(newIcebergClient(root), { hasViews: false })
    // Nessie returns the address to which a request was sent, so that no proxy of HTTP may change it.
    const gate = await openSourceGate('127.0.0.1', peer().port)
    gates.push(gate)
    return {
      ...shop,
      configuration: { uri: `http://127.0.0.1:${gate.port}/iceberg` },
      secrets: {},
      stall() {
        gate.hold()
        const isOpen = async (): Promise<boolean> => gate.openCount() > 0
        const reached = eventually(30_000, isOpen, 'the connector connects')
        return { reached, release: () => gate.release() }
      },
    }
  }

  test('iceberg › reads nested namespaces and tables of Nessie', async () => {
    const scene = await create()
    const { top } = scene
    const reading = await readSource(iceberg, toSetup(iceberg, scene))
    const sales = `${top}.sales`
    assert.equal(reading.table(top).description, 'Sold')
    assert.deepEqual(reading.table(sales).parent, [top])
    const orders = reading.table(sales, 'orders')
    assert.deepEqual([orders.kind, orders.description], ['table', 'One row per order'])
    assert.deepEqual(orders.primaryKey, ['id'])
    assert.deepEqual(orders.partitionColumns, ['month(day)'])
    assert.deepEqual(orders.columns, ORDERS_COLUMNS)
  })

  test('iceberg › warns that views of Nessie are not read, because it does not announce them', async () => {
    const findings = await iceberg.check(toSetup(iceberg, await create()))
    assert.deepEqual(
      findings.flatMap(({ state, hint }) => (state === 'warning' ? [hint] : [])),
      ['Views are not read'],
    )
  })

  definePeerPromises(iceberg, create)
})

async function createBucket(motoUrl: string): Promise<void> {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=any'
  const response = await fetch(`${motoUrl}/lake`, { method: 'PUT', headers: { authorization } })
  assert.equal(response.status, 200)
}
