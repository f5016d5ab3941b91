/** The connector on a server of another project with the API of the open-source Unity Catalog. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { onPeer } from '../../../test/peers/server.ts'
import { UNITY } from '../../../test/peers/servers.ts'
import { readSource } from '../../../test/source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../../../test/warehouses/fault-proxy.ts'
import { pagingByQuery, type Paging } from '../../../test/warehouses/paging.ts'
import {
  definePeerPromises,
  toSetup,
  type PeerScene,
} from '../../../test/warehouses/peer-promises.ts'
import { databricks } from './connector.ts'

const PAGING = pagingByQuery(['catalogs', 'schemas', 'tables'], 'page_token', 'next_page_token')

// The server's own pages: without a size, it returns everything at once.
const SERVER_PAGES: Paging = {
  lists: [],
  nextToken: 'next_page_token',
  getToken: () => '',
  withToken: (request) => ({
    ...request,
    target: request.target.replace('max_results=0', 'max_results=3'),
  }),
}

// The server of Unity Catalog now and then answers 500 to a request that it accepts the next time.
const ATTEMPTS = 3

onPeer(UNITY, (peer) => {
  const proxies: FaultProxy[] = []
  after(async () => {
    for (const proxy of proxies) await proxy.close()
  })

  const send = async (
    method: string,
    path: string,
    body?: object,
    attempts = ATTEMPTS,
  ): Promise<void> => {
    const response = await fetch(`${peer().url}/api/2.1/unity-catalog/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.status === 500 && attempts > 1) {
      await response.body?.cancel()
      await send(method, path, body, attempts - 1)
      return
    }
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`)
  }

  /** Creates a catalog with a schema, tables and a metric view. */
  const create = async (): Promise<PeerScene & { catalog: string; proxy: FaultProxy }> => {
    const catalog = `shop_${randomUUID().replaceAll('-', '')}`
    const names = { catalog_name: catalog, schema_name: 'sales' }
    const root = `s3://lake/${catalog}`
    const location = { name: catalog, url: root, credential_name: catalog }
    const role = { role_arn: 'arn:aws:iam::123456789012:role/lake' }
    const createTable = (name: string, more: object = {}): Promise<void> =>
      send('POST', 'tables', {
        ...names,
        name,
        table_type: 'EXTERNAL',
        data_source_format: 'PARQUET',
        storage_location: `${root}/tables/${name}`,
        columns: [newColumn('id', 'int', '"integer"')],
        ...more,
      })
    await send('POST', 'credentials', { name: catalog, purpose: 'STORAGE', aws_iam_role: role })
    await send('POST', 'external-locations', location)
    await send('POST', 'catalogs', { name: catalog, comment: 'Sold', storage_root: `${root}/own` })
    await send('POST', 'schemas', { name: 'sales', catalog_name: catalog, comment: 'Orders' })
    await createTable('orders', { comment: 'One row per order', columns: COLUMNS })
    await createTable('old')
    await send('POST', 'tables', {
      ...names,
      name: 'counts',
      table_type: 'METRIC_VIEW',
      data_source_format: 'DELTA',
      view_definition: writeMetricView(`${catalog}.sales.orders`),
      comment: 'Per order',
    })
    const proxy = await startFaultProxy(peer().url, { paging: PAGING })
    proxies.push(proxy)
    return {
      catalog,
      proxy,
      configuration: { url: proxy.url, authentication: 'none' },
      secrets: {},
      include: { catalog: [catalog] },
      async change() {
        await createTable('recent')
        await send('PATCH', `schemas/${catalog}.sales`, { comment: 'Orders and returns' })
        await send('DELETE', `tables/${catalog}.sales.old`)
        const schema = `${catalog}.sales`
        return { created: [`${schema}.recent`], updated: [schema], deleted: [`${schema}.old`] }
      },
      stall: () =>
        proxy.stall(({ target }) => target.includes('/tables') && target.includes(catalog)),
    }
  }

  test('databricks › reads catalogs, schemas, tables with nested types and views', async () => {
    const scene = await create()
    const { catalog } = scene
    const reading = await readSource(databricks, toSetup(databricks, scene))
    assert.equal(reading.table(catalog).description, 'Sold')
    assert.equal(reading.table(catalog, 'sales').description, 'Orders')
    const orders = reading.table(catalog, 'sales', 'orders')
    assert.deepEqual([orders.kind, orders.description], ['external_table', 'One row per order'])
    assert.equal(orders.custom?.['location'], `s3://lake/${catalog}/tables/orders`)
    assert.equal(orders.custom?.['format'], 'parquet')
    assert.ok(orders.sourceId !== undefined)
    const [id, lines] = orders.columns ?? []
    assert.deepEqual(id, { name: 'id', type: 'bigint', required: true, description: 'Key' })
    const element = 'struct<sku:string,amount:decimal(10,2)>'
    assert.equal(lines?.type, `array<${element}>`)
    assert.deepEqual(
      lines?.items?.properties?.map(({ name, type }) => [name, type]),
      [
        ['sku', 'string'],
        ['amount', 'decimal(10,2)'],
      ],
    )
    const view = reading.table(catalog, 'sales', 'counts')
    assert.deepEqual(
      [view.kind, view.description, view.viewDefinition],
      ['view', 'Per order', writeMetricView(`${catalog}.sales.orders`)],
    )
  })

  for (const addsEmptyPages of [false, true]) {
    test(`databricks › reads pages of one table, ${addsEmptyPages ? 'with' : 'without'} empty pages between them`, async () => {
      const scene = await create()
      const whole = await readSource(databricks, toSetup(databricks, scene))
      Object.assign(scene.proxy, { pageSize: 1, addsEmptyPages })
      const paged = await readSource(databricks, toSetup(databricks, scene))
      assert.deepEqual(paged.assets, whole.assets)
      assert.ok(scene.proxy.count('page_token=cut') >= 1)
    })
  }

  test('databricks › follows the page tokens of the server', async () => {
    const { catalog, configuration, ...scene } = await create()
    const names = Array.from({ length: 7 }, (_, at) => `schema_${at}`)
    for (const name of names) await send('POST', 'schemas', { name, catalog_name: catalog })
    const proxy = await startFaultProxy(peer().url, { paging: SERVER_PAGES })
    proxies.push(proxy)
    proxy.pageSize = 3
    const paged = { ...scene, configuration: { ...configuration, url: proxy.url } }
    const { scopes } = await readSource(databricks, toSetup(databricks, paged))
    assert.ok(proxy.count('page_token=') >= 3)
    const listed = scopes.flatMap(({ path: [of, name] }) => (of === catalog && name ? [name] : []))
    assert.deepEqual(listed.toSorted(), ['sales', ...names])
  })

  definePeerPromises(databricks, create)
})

function writeMetricView(source: string): string {
  return [
    'version: "0.1"',
    `source: ${source}`,
    'dimensions:',
    '  - name: id',
    '    expr: id',
    'measures:',
    '  - name: count',
    '    expr: count(1)',
  ].join('\n')
}

function newColumn(name: string, text: string, json: string, more: object = {}): object {
  const type_json = `{"name":"${name}","type":${json},"nullable":true,"metadata":{}}`
  return {
    name,
    position: 0,
    type_text: text,
    type_json,
    type_name: 'INT',
    nullable: true,
    ...more,
  }
}

const STRUCT =
  '{"type":"struct","fields":[{"name":"sku","type":"string","nullable":true,"metadata":{}},' +
  '{"name":"amount","type":"decimal(10,2)","nullable":true,"metadata":{}}]}'

const COLUMNS = [
  newColumn('id', 'bigint', '"long"', { type_name: 'LONG', nullable: false, comment: 'Key' }),
  newColumn(
    'lines',
    'array<struct<sku:string,amount:decimal(10,2)>>',
    `{"type":"array","elementType":${STRUCT},"containsNull":true}`,
    { type_name: 'ARRAY', position: 1 },
  ),
]
