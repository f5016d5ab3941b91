/**
 * The public client `data-product-forge` (`fluid dmm`), which publishes its own contracts as data products
 * and data contracts, together with the team that owns them.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { stringify } from 'yaml'
import { odps, putOne } from '../world.ts'
import { checkRow, type CommandRow, type RowContext } from './command-rows.ts'
import { makeFolder, onClient, startCommands, type CommandProcess } from './client.ts'

const CONTRACT = {
  fluidVersion: '0.7.5',
  kind: 'DataProduct',
  id: 'gold.finance.payments_v1',
  name: 'Payments',
  description: 'Payments of all shops',
  domain: 'Finance',
  metadata: { owner: { team: 'finance', email: 'finance@example.test' } },
  exposes: [
    {
      exposeId: 'payments',
      title: 'Payments',
      version: '1.0.0',
      kind: 'table',
      binding: { platform: 'local', format: 'parquet', location: { path: 'payments.parquet' } },
      contract: {
        schema: [
          { name: 'id', type: 'INTEGER', required: true },
          { name: 'paid_at', type: 'TIMESTAMP', required: true },
        ],
      },
    },
  ],
  consumes: [{ productId: 'orders', exposeId: 'current', purpose: 'Payments of orders' }],
  builds: [
    {
      id: 'load',
      pattern: 'acquisition',
      engine: 'python',
      properties: {
        source: { kind: 'postgres', mode: 'full', connection: { host: 'db', database: 'shop' } },
      },
    },
  ],
}

const PRODUCT = '/api/dataproducts/gold.finance.payments_v1'

const ROWS: readonly CommandRow[] = [
  {
    command: 'dmm publish',
    args: ['contract.yaml', '--with-contract'],
    shows: [PRODUCT, { id: 'gold.finance.payments_v1', kind: 'DataProduct' }],
  },
  {
    command: 'dmm publish',
    args: ['contract.yaml', '--with-contract'],
    shows: [
      `/api/access?consumerDataProductId=gold.finance.payments_v1`,
      [
        {
          info: { purpose: 'Payments of orders', status: 'requested', active: false },
          provider: { dataProductId: 'orders', outputPortId: 'current' },
        },
      ],
    ],
  },
  { command: 'dmm teams', prints: [/finance/] },
  { command: 'dmm list', prints: [/gold\.finance\.payments_v1/] },
  { command: 'dmm get', args: ['gold.finance.payments_v1'], prints: [/Payments/] },
  {
    command: 'dmm list-contracts',
    prints: [/payments/],
    keeps: { contract: /(gold\S*payments\S*)/ },
  },
  { command: 'dmm get-contract', args: ['$contract'], prints: [/paid_at/] },
  { command: 'dmm delete', args: ['gold.finance.payments_v1', '--yes'], shows: [PRODUCT, 404] },
  {
    command: 'dmm delete-contract',
    args: ['$contract', '--yes'],
    shows: ['/api/datacontracts/$contract', 404],
  },
  {
    command: 'dmm publish',
    args: ['contract.yaml', '--with-contract', '--contract-format', 'dcs'],
    shows: [PRODUCT, {}],
  },
  {
    command: 'dmm publish',
    args: ['contract.yaml', '--data-product-spec', '0.0.1'],
    shows: [PRODUCT, { dataProductSpecification: '0.0.1' }],
  },
  {
    command: 'test',
    args: ['contract.yaml', '--publish', '$url/api/test-results'],
    // The client has no DuckDB with which it would read the file.
    fails: [1, /duckdb/i],
    shows: ['/api/test-results', [{ result: 'failed' }]],
  },
]

onClient('data-product-forge', (installation) => {
  const folder = makeFolder()
  let commands: CommandProcess
  let context: RowContext
  before(async () => {
    const { url, newOrganization } = installation()
    const world = await newOrganization()
    context = { world, url, values: new Map() }
    const outputPorts = [{ name: 'current', version: '1' }]
    await putOne(world, 'dataproducts', odps('orders', { outputPorts }))
    writeFileSync(join(folder, 'contract.yaml'), stringify(CONTRACT))
    const environment = { DMM_API_URL: url, DMM_API_KEY: world.keys.O ?? '' }
    commands = startCommands('data-product-forge', 'fluid', environment, folder)
  })
  after(() => commands.close())

  for (const row of ROWS) {
    const line = ['fluid', row.command, ...(row.args ?? [])].join(' ')
    test(line, async () => {
      await checkRow(commands, context, row)
    })
  }
})
