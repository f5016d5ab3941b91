import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bigquery } from '../../../server/connectors/bigquery/connector.ts'
import { bigQueryConfiguration } from '../../../server/connectors/bigquery/configuration.ts'
import { runQuery } from '../../../server/connectors/bigquery/jobs.ts'
import { openWarehouse } from '../../../server/connectors/bigquery/warehouse.ts'
import { newSetup, readSource, type KeepingSetup } from '../../source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts'
import { findEmulator, startEmulator, type Emulator } from './emulator.ts'
import { BIGQUERY_PAGING, listComplete, listPaths } from './source.ts'

const FIELDS = [
  { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: 'Key' },
  { name: 'day', type: 'DATE' },
  {
    name: 'lines',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'sku', type: 'STRING', description: 'Article' },
      { name: 'prices', type: 'FLOAT', mode: 'REPEATED' },
    ],
  },
]

const emulator = findEmulator()

describe('the BigQuery emulator', () => {
  if ('missing' in emulator) {
    test('is installed', { skip: process.env.CI === 'true' ? false : emulator.missing }, () => {
      throw new Error(emulator.missing)
    })
    return
  }
  let peer: Emulator
  let proxy: FaultProxy

  before(async () => {
    peer = await startEmulator(emulator.python)
    // The emulator returns no page tokens.
    proxy = await startFaultProxy(peer.url, { paging: BIGQUERY_PAGING })
    await fill(peer)
  })
  after(async () => {
    await proxy.close()
    await peer.close()
  })

  function setup(given: Record<string, unknown> = {}): KeepingSetup & { lines: string[] } {
    const lines: string[] = []
    const configuration = bigQueryConfiguration.parse({
      projects: 'test',
      authentication: 'none',
      endpoint: proxy.url,
      ...given,
    })
    const log = (_level: string, text: string) => lines.push(text)
    return { ...newSetup({ configuration, secrets: {}, log }), lines }
  }

  test('shows datasets, tables and views with the REST API, page by page', async () => {
    const given = { method: 'rest' }
    const reading = await readSource(bigquery, setup(given))
    assert.deepEqual(listComplete(reading), ['test', 'test.empty', 'test.sales'])
    assert.deepEqual(listPaths(reading).toSorted(), [
      'test',
      'test.empty',
      'test.sales',
      'test.sales.events_*',
      'test.sales.orders',
      'test.sales.recent',
    ])
    const { statistic, ...orders } = reading.table('test', 'sales', 'orders')
    assert.equal(statistic?.rowCount, 0)
    assert.deepEqual(orders, {
      kind: 'table',
      path: ['test', 'sales', 'orders'],
      scope: ['test', 'sales'],
      description: 'One row per order',
      columns: [
        { name: 'id', type: 'INT64', description: 'Key', required: true },
        { name: 'day', type: 'DATE' },
        {
          name: 'lines',
          type: 'ARRAY<STRUCT<sku STRING, prices ARRAY<FLOAT64>>>',
          items: {
            name: 'element',
            type: 'STRUCT<sku STRING, prices ARRAY<FLOAT64>>',
            properties: [
              { name: 'sku', type: 'STRING', description: 'Article' },
              {
                name: 'prices',
                type: 'ARRAY<FLOAT64>',
                items: { name: 'element', type: 'FLOAT64' },
              },
            ],
          },
        },
      ],
      partitionColumns: ['day'],
      tags: ['team:web'],
      custom: {
        project: 'test',
        dataset: 'sales',
        partitioning: 'DAY',
        clusteringColumns: 'id',
      },
    })
    const { kind, description, tags, custom } = reading.table('test', 'sales')
    assert.deepEqual([kind, description, tags], ['schema', 'What is sold', ['gold:yes']])
    assert.equal(custom?.['region'], 'EU')
    assert.equal(reading.table('test', 'sales', 'recent').kind, 'view')
    assert.deepEqual(reading.table('test', 'sales', 'recent').columns, [
      { name: 'id', type: 'INT64' },
    ])
    assert.equal(reading.table('test', 'sales', 'events_*').custom?.['shardCount'], 2)
    for (const addsEmptyPages of [false, true]) {
      Object.assign(proxy, { pageSize: 1, addsEmptyPages })
      const paged = await readSource(bigquery, setup(given))
      assert.deepEqual(paged.assets, reading.assets)
    }
    Object.assign(proxy, { pageSize: undefined, addsEmptyPages: false })
  })

  test('lacks views of regions, so that the connector falls back to the REST API', async () => {
    const { assets } = await readSource(bigquery, setup({ method: 'rest' }))
    const queried = setup()
    assert.deepEqual((await readSource(bigquery, queried)).assets, assets)
    assert.match(queried.lines.join('\n'), /test in EU is read without queries/)
  })

  test('runs a query with its parameter, and reports one that is wrong', async () => {
    const given = setup()
    const warehouse = await openWarehouse(bigQueryConfiguration.parse(given.configuration), given)
    const read = async (view: string): Promise<unknown[]> => {
      const sql = `SELECT table_schema, table_name, column_name FROM sales.INFORMATION_SCHEMA.${view} WHERE table_schema IN UNNEST(@datasets) ORDER BY table_name, ordinal_position`
      const query = { sql, project: 'test', location: 'EU', datasets: ['sales'], what: 'columns' }
      const rows: unknown[] = []
      for await (const page of runQuery(warehouse, query)) rows.push(...page)
      return rows
    }
    try {
      const rows = await read('COLUMNS')
      const orders = ['id', 'day', 'lines'].map((name) => ['sales', 'orders', name])
      assert.deepEqual(rows.slice(2, 5), orders)
      await assert.rejects(read('TABLES'), { name: 'SourceFailure', kind: 'protocol' })
    } finally {
      warehouse.close()
    }
  })

  test('is checked: its datasets can be read', async () => {
    const states = (await bigquery.check(setup({ method: 'rest' }))).map(({ what }) => what)
    assert.match(states.join('\n'), /shows 2 datasets of test, 2 of them included/)
  })
})

async function fill(peer: Emulator): Promise<void> {
  for (const [datasetId, more] of [
    ['empty', {}],
    ['sales', { description: 'What is sold', labels: { gold: 'yes' }, location: 'EU' }],
  ] as const) {
    const datasetReference = { projectId: 'test', datasetId }
    await peer.post('datasets', { datasetReference, ...more })
  }
  const orders = {
    description: 'One row per order',
    labels: { team: 'web' },
    schema: { fields: FIELDS },
    timePartitioning: { type: 'DAY', field: 'day' },
    clustering: { fields: ['id'] },
  }
  await peer.post('datasets/sales/tables', newTable('orders', orders))
  for (const day of ['20260101', '20260102']) {
    const shard = { schema: { fields: [{ name: 'id', type: 'INTEGER' }] } }
    await peer.post('datasets/sales/tables', newTable(`events_${day}`, shard))
  }
  const query = 'CREATE VIEW sales.recent AS SELECT id FROM sales.orders'
  await peer.post('queries', { query, useLegacySql: false })
}

function newTable(tableId: string, more: object): object {
  return { tableReference: { projectId: 'test', datasetId: 'sales', tableId }, ...more }
}
