/** The organization with which the tables of commands begin. */

import { addIntegration, ingest, sourceTable } from '../../ingested-assets.ts'
import { expectOk, odcs, odps, type World } from '../../world.ts'
import type { RowContext } from '../command-rows.ts'

/** The data contract of the filled organization. */
export const ORDERS_CONTRACT = odcs('orders-contract', {
  name: 'Orders',
  schema: [
    {
      name: 'orders',
      physicalType: 'table',
      properties: [
        { name: 'id', logicalType: 'integer', physicalType: 'integer', primaryKey: true },
        { name: 'amount', logicalType: 'number', physicalType: 'decimal' },
        { name: 'email', logicalType: 'string', physicalType: 'text', classification: 'pii' },
      ],
    },
  ],
})

/** The data product of the filled organization. */
export const ORDERS_PRODUCT = odps('orders', {
  name: 'Orders of all shops',
  description: { purpose: 'All purchases that customers made' },
  outputPorts: [
    { name: 'current', version: '1.0.0', type: 'postgres', contractId: 'orders-contract' },
  ],
})

/**
 * Registers a data contract, a data product, an asset, and an integration with one run and one ingested
 * asset. Keeps the values `$integration`, `$run`, `$ingested` and `$key`.
 */
export async function fillCatalog(world: World, url: string): Promise<RowContext> {
  const put = async (path: string, body: unknown): Promise<unknown> =>
    await expectOk(world.as('O', 'PUT', path, { body }))
  await put('/api/datacontracts/orders-contract', ORDERS_CONTRACT)
  await put('/api/dataproducts/orders', ORDERS_PRODUCT)
  await put('/api/assets/orders-table', {
    id: 'orders-table',
    info: { name: 'orders', type: 'table', source: 'postgres', owner: 'a' },
  })
  const integration = await addIntegration(world, { owner: 'a' })
  const [ingested = ''] = await ingest(world, integration, [sourceTable(['shop', 'sales', 'pay'])])
  const values = new Map([
    ['integration', integration.externalId],
    ['run', integration.runId],
    ['ingested', ingested],
    ['key', world.keys.O ?? ''],
  ])
  return { world, url, values }
}
