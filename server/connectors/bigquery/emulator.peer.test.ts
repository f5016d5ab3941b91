/** The connector on bqemulator, a server of another project that answers like BigQuery. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { onPeer } from '../../../test/peers/server.ts'
import { BQEMULATOR } from '../../../test/peers/servers.ts'
import { readSource } from '../../../test/source-reading.ts'
import { BIGQUERY_PAGING, listComplete } from '../../../test/warehouses/bigquery/source.ts'
import { startFaultProxy, type FaultProxy } from '../../../test/warehouses/fault-proxy.ts'
import {
  definePeerPromises,
  toSetup,
  type PeerScene,
} from '../../../test/warehouses/peer-promises.ts'
import { bigQueryConfiguration } from './configuration.ts'
import { bigquery } from './connector.ts'
import { runQuery, type QueryRow } from './jobs.ts'
import { openWarehouse } from './warehouse.ts'

onPeer(BQEMULATOR, (peer) => {
  const proxies: FaultProxy[] = []
  after(async () => {
    for (const proxy of proxies) await proxy.close()
  })

  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await fetch(`${peer().url}/bigquery/v2/projects/test/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
  }

  /** Creates a dataset with tables and a view. The peer is shared, so that each scene has its own. */
  const create = async (): Promise<PeerScene & { dataset: string; proxy: FaultProxy }> => {
    const dataset = `sales_${randomUUID().replaceAll('-', '')}`
    // The emulator returns no page tokens.
    const proxy = await startFaultProxy(peer().url, { paging: BIGQUERY_PAGING })
    proxies.push(proxy)
    const put = (tableId: string, more: object) => {
      const tableReference = { projectId: 'test', datasetId: dataset, tableId }
      return send('POST', `datasets/${dataset}/tables`, { tableReference, ...more })
    }
    const datasetReference = { projectId: 'test', datasetId: dataset }
    const labels = { gold: 'yes' }
    const facts = { description: 'What is sold', labels, location: 'EU' }
    await send('POST', 'datasets', { datasetReference, ...facts })
    await put('orders', ORDERS)
    for (const name of ['old', 'events_20260101', 'events_20260102']) await put(name, PLAIN)
    const query = `CREATE VIEW ${dataset}.big_orders AS SELECT id FROM ${dataset}.orders`
    await send('POST', 'queries', { query, useLegacySql: false })
    return {
      dataset,
      proxy,
      configuration: {
        projects: 'test',
        authentication: 'none',
        method: 'rest',
        endpoint: proxy.url,
      },
      include: { schema: [dataset] },
      secrets: {},
      async change() {
        await put('recent', PLAIN)
        const description = 'One row per sold bicycle'
        await send('PATCH', `datasets/${dataset}/tables/orders`, { description })
        await send('DELETE', `datasets/${dataset}/tables/old`)
        const name = (table: string): string => `test.${dataset}.${table}`
        return { created: [name('recent')], updated: [name('orders')], deleted: [name('old')] }
      },
      stall: () => proxy.stall(`/datasets/${dataset}/tables?`),
    }
  }

  test('bigquery › reads datasets, tables with nested columns, shards and views', async () => {
    const scene = await create()
    const { dataset } = scene
    const reading = await readSource(bigquery, toSetup(bigquery, scene))
    assert.deepEqual(listComplete(reading), ['test', `test.${dataset}`])
    const { kind, description, tags, custom } = reading.table('test', dataset)
    assert.deepEqual([kind, description, tags], ['schema', 'What is sold', ['gold:yes']])
    assert.deepEqual(custom, { project: 'test', dataset, region: 'EU' })
    const { statistic, ...orders } = reading.table('test', dataset, 'orders')
    assert.equal(statistic?.rowCount, 0)
    const line = 'STRUCT<sku STRING, prices ARRAY<FLOAT64>>'
    const prices = { type: 'ARRAY<FLOAT64>', items: { name: 'element', type: 'FLOAT64' } }
    const properties = [
      { name: 'sku', type: 'STRING', description: 'Article' },
      { name: 'prices', ...prices },
    ]
    assert.deepEqual(orders, {
      kind: 'table',
      path: ['test', dataset, 'orders'],
      scope: ['test', dataset],
      description: 'One row per order',
      columns: [
        { name: 'id', type: 'INT64', description: 'Key', required: true },
        { name: 'day', type: 'DATE' },
        {
          name: 'lines',
          type: `ARRAY<${line}>`,
          items: { name: 'element', type: line, properties },
        },
      ],
      partitionColumns: ['day'],
      tags: ['team:web'],
      custom: { project: 'test', dataset, partitioning: 'DAY', clusteringColumns: 'id' },
    })
    const view = reading.table('test', dataset, 'big_orders')
    assert.deepEqual([view.kind, view.columns], ['view', [{ name: 'id', type: 'INT64' }]])
    assert.equal(reading.table('test', dataset, 'events_*').custom?.['shardedBy'], 'day')
  })

  for (const addsEmptyPages of [false, true]) {
    test(`bigquery › reads pages of one table, ${addsEmptyPages ? 'with' : 'without'} empty pages between them`, async () => {
      const scene = await create()
      const whole = await readSource(bigquery, toSetup(bigquery, scene))
      Object.assign(scene.proxy, { pageSize: 1, addsEmptyPages })
      const paged = await readSource(bigquery, toSetup(bigquery, scene))
      assert.deepEqual(paged.assets, whole.assets)
      assert.ok(scene.proxy.count('pageToken') >= 4)
    })
  }

  definePeerPromises(bigquery, create)

  test('bigquery › falls back to the REST API on a server without the views of regions', async () => {
    const scene = await create()
    const expected = await readSource(bigquery, toSetup(bigquery, scene))
    const queries = { ...scene, configuration: { ...scene.configuration, method: 'queries' } }
    const reading = await readSource(bigquery, toSetup(bigquery, queries))
    assert.deepEqual(reading.assets, expected.assets)
    assert.ok(scene.proxy.count('INFORMATION_SCHEMA.TABLES') > 0)
  })

  test('bigquery › runs a query with its parameter, and reports one that is wrong', async (t) => {
    const scene = await create()
    const { dataset } = scene
    const setup = toSetup(bigquery, scene)
    const configuration = bigQueryConfiguration.parse(setup.configuration)
    const warehouse = await openWarehouse(configuration, setup)
    t.after(() => warehouse.close())
    const read = async (column: string): Promise<QueryRow[]> => {
      const sql = `SELECT table_schema, table_name, ${column} FROM ${dataset}.INFORMATION_SCHEMA.COLUMNS
WHERE table_schema IN UNNEST(@datasets) AND table_name = 'orders' ORDER BY ordinal_position`
      const scope = { project: 'test', location: 'EU', datasets: [dataset], what: 'columns' }
      const rows: QueryRow[] = []
      for await (const page of runQuery(warehouse, { ...scope, sql })) rows.push(...page)
      return rows
    }
    const columns = ['id', 'day', 'lines'].map((name) => [dataset, 'orders', name])
    assert.deepEqual(await read('column_name'), columns)
    await assert.rejects(read('no_such_column'), { name: 'SourceFailure', kind: 'protocol' })
  })

  test('bigquery › check › reports that the tables can be read', async () => {
    const scene = await create()
    const findings = await bigquery.check(toSetup(bigquery, scene))
    const what = findings.map((finding) => `${finding.state} ${finding.what}`).join('\n')
    assert.match(what, new RegExp(`^ok The tables of test.${scene.dataset} can be read$`, 'm'))
  })
})

const LINES = {
  name: 'lines',
  type: 'RECORD',
  mode: 'REPEATED',
  fields: [
    { name: 'sku', type: 'STRING', description: 'Article' },
    { name: 'prices', type: 'FLOAT', mode: 'REPEATED' },
  ],
}

const ORDERS = {
  description: 'One row per order',
  labels: { team: 'web' },
  schema: {
    fields: [
      { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: 'Key' },
      { name: 'day', type: 'DATE' },
      LINES,
    ],
  },
  timePartitioning: { type: 'DAY', field: 'day' },
  clustering: { fields: ['id'] },
}

const PLAIN = { schema: { fields: [{ name: 'id', type: 'INTEGER' }] } }
