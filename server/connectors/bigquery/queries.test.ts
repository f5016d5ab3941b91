import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { SourceAsset } from '../connector.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import { reject, type BigQueryTableEntry } from '../../../test/warehouses/bigquery/server.ts'
import {
  listComplete,
  listPaths,
  newTable,
  startBigQuerySource,
  type BigQuerySource,
} from '../../../test/warehouses/bigquery/source.ts'

const REST = { method: 'rest' }

/** Starts a source in which queries are allowed. */
async function startQuerySource(
  t: TestContext,
  datasets: Record<string, BigQueryTableEntry[]>,
): Promise<BigQuerySource> {
  const source = await startBigQuerySource(t)
  const { model } = source
  model.billingProject = 'shop'
  model.projects = { shop: datasets }
  for (const name of Object.keys(datasets)) model.details[`shop.${name}`] = { location: 'EU' }
  return source
}

function newFields(): object[] {
  const town = { name: 'town', type: 'STRING', maxLength: '50', description: 'Line\n"two" \\ ä' }
  const geo = { name: 'geo', type: 'FLOAT', mode: 'REPEATED', description: 'Points' }
  const sku = { name: 'the sku', type: 'BYTES', policyTags: { names: ['projects/p/policyTags/2'] } }
  return [
    { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: 'Key' },
    { name: 'address', type: 'RECORD', fields: [town, geo], description: 'Home' },
    { name: 'lines', type: 'RECORD', mode: 'REPEATED', fields: [sku] },
    {
      name: 'amount',
      type: 'NUMERIC',
      precision: '10',
      scale: '2',
      policyTags: { names: ['p/1'] },
    },
    { name: 'valid', type: 'RANGE', rangeElementType: { type: 'DATE' } },
    { name: 'at', type: 'TIMESTAMP', defaultValueExpression: 'CURRENT_TIMESTAMP()' },
  ]
}

/** Creates tables with everything that a query or the REST API returns. */
function newTables(): BigQueryTableEntry[] {
  const town = { name: 'town', type: 'STRING', mode: 'REQUIRED' }
  const partitionings = {
    daily: { timePartitioning: { type: 'DAY', field: 'id' } },
    loads: { timePartitioning: { type: 'HOUR' } },
    monthly: { timePartitioning: { type: 'MONTH', field: 'id' } },
    ranges: { rangePartitioning: { field: 'id' } },
  }
  return [
    newTable('orders', {
      description: 'One row\nper "order" \\n ä',
      friendlyName: 'Orders',
      labels: { team: 'web', gold: '' },
      resourceTags: { '123456/tier': 'one' },
      schema: { fields: newFields() },
      requirePartitionFilter: true,
      clustering: { fields: ['at', 'id'] },
      numRows: '1234',
      numBytes: '5000',
      lastModifiedTime: '1000',
    }),
    newTable('recent', { type: 'VIEW', view: { query: 'SELECT 1 -- "x"' } }),
    newTable('Orders'),
    { name: 'none' },
    ...Object.entries(partitionings).map(([name, more]) => newTable(name, more)),
    newTable('summed', { type: 'MATERIALIZED_VIEW', materializedView: { query: 'SELECT 2' } }),
    newTable('raw', { type: 'EXTERNAL', externalDataConfiguration: { sourceFormat: 'CSV' } }),
    newTable('keyed', { tableConstraints: { primaryKey: { columns: ['id'] } } }),
    newTable('strict', { schema: { fields: [{ name: 'a', type: 'RECORD', fields: [town] }] } }),
    newTable('churn', { type: 'MODEL' }),
    newTable('events_20260101', { schema: { fields: [] } }),
    newTable('events_20260103', { description: 'Newest' }),
    newTable('events_20260102', { schema: { fields: [] } }),
  ].map((table) => ({ ...table, location: 'EU' }))
}

function byPath(
  { path: one }: { path: readonly string[] },
  { path: other }: { path: readonly string[] },
) {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}

for (const [rowsPerPage, pendingAnswers] of [
  [1000, 0],
  [1, 2],
] as const) {
  test(`bigquery › queries return the same assets as the REST API, in pages of ${rowsPerPage}`, async (t) => {
    const source = await startQuerySource(t, {
      sales: newTables(),
      Sales: [newTable('b', { location: 'EU' })],
    })
    Object.assign(source.model, { rowsPerPage, pendingAnswers })
    const queried = await source.read()
    const requestCount = source.proxy.count('/tables/')
    const rest = await source.read({ configuration: REST })
    assert.equal(queried.assets.length, 17)
    const [some, others] = [queried, rest].map(({ assets }) => assets.toSorted(byPath))
    assert.deepEqual(some?.map(withMeaning), others?.map(withMeaning))
    const meanings = queried.assets.map(({ statistic }) => statistic?.changedMeans)
    assert.ok(meanings.includes('data'))
    assert.deepEqual(listComplete(queried), ['shop', 'shop.Sales', 'shop.sales'])
    // Only a materialized view, an external table, keys, required inner fields and a table without columns need
    // a request per table.
    assert.equal(requestCount, 5)
  })
}

// Only the view of the storage has the time of the rows.
function withMeaning({ statistic, ...asset }: SourceAsset): object {
  const { changedMeans: _, ...values } = statistic ?? {}
  return { ...asset, statistic: values }
}

test('bigquery › limits what a query is billed, labels it, and runs it in the location', async (t) => {
  const source = await startQuerySource(t, { sales: [newTable('orders')], skipped: [] })
  source.model.billingProject = 'admin'
  const configuration = { billingProject: 'admin', maximumGigabytesBilled: 3 }
  const filters = { include: { schema: ['sales'] }, exclude: {} }
  await source.read({ configuration, filters })
  const { queries } = source.model
  assert.equal(queries.length, 6)
  for (const { query, queryParameters, requestId, ...rest } of queries) {
    assert.match(String(query), /FROM `shop`\.`region-eu`\.INFORMATION_SCHEMA\./)
    assert.match(JSON.stringify(queryParameters), /"arrayValues":\[\{"value":"sales"\}\]/)
    assert.match(String(requestId), /^[\w-]{36}$/)
    assert.deepEqual(rest, {
      useLegacySql: false,
      location: 'EU',
      parameterMode: 'NAMED',
      timeoutMs: 500,
      maxResults: 10_000,
      maximumBytesBilled: '3000000000',
      labels: { tool: 'portbook' },
    })
  }
})

test('bigquery › the number of requests depends only on pages of 1,000 tables', async (t) => {
  const tables = Array.from({ length: 500 }, (_, at) => newTable(`t${at}`))
  const source = await startQuerySource(t, { sales: tables })
  const { batchSizes, assets } = await source.read()
  assert.equal(assets.length, 502)
  // The datasets, the dataset, the list of its tables, and six queries.
  assert.equal(source.proxy.requests.length, 9)
  assert.ok(Math.max(...batchSizes) <= 1000)
})

test('bigquery › reads datasets of several locations, and without queries where it has to', async (t) => {
  const source = await startQuerySource(t, {
    eu: [newTable('a')],
    us: [newTable('b')],
    odd: [newTable('c')],
    linked: [newTable('d')],
    empty: [],
  })
  const { details } = source.model
  details['shop.us'] = { location: 'us-east1' }
  details['shop.odd'] = { location: 'x`; DROP' }
  details['shop.linked'] = { location: 'EU', type: 'LINKED' }
  const reading = await source.read()
  const names = ['a', 'b', 'c', 'd'].map(
    (name, at) => `${['eu', 'us', 'odd', 'linked'][at]}.${name}`,
  )
  for (const name of names) assert.ok(listPaths(reading).includes(`shop.${name}`), name)
  assert.equal(listComplete(reading).length, 6)
  const queried = source.model.queries.map(({ query }) => /region-[\w-]+/.exec(String(query))?.[0])
  assert.deepEqual([...new Set(queried)], ['region-eu', 'region-us-east1'])
})

test('bigquery › reads listed tables that the views hide, so that they do not look deleted', async (t) => {
  const hidden = { isHidden: true, description: 'Hidden' }
  const source = await startQuerySource(t, {
    sales: [
      newTable('a', hidden),
      newTable('b'),
      newTable('events_20260101'),
      newTable('events_20260102', hidden),
      newTable('log_20260101', hidden),
      newTable('churn', { type: 'MODEL' }),
    ],
  })
  source.proxy.pageSize = 2
  const reading = await source.read()
  assert.deepEqual(
    reading.assets.slice(2).map(({ path, description }) => [path.at(-1), description]),
    [
      ['b', undefined],
      ['a', 'Hidden'],
      ['events_*', 'Hidden'],
      ['log_20260101', 'Hidden'],
    ],
  )
  assert.equal(reading.table('shop', 'sales', 'events_*').custom?.['shardedBy'], 'day')
  assert.equal(source.proxy.count('/tables/'), 3)
  source.proxy.fail('/tables?', { status: 403 })
  const [, outcome] = (await source.read()).outcomes
  assert.equal(outcome?.failure?.kind, 'permission')
})

test('bigquery › falls back to the REST API if queries are not allowed', async (t) => {
  const source = await startQuerySource(t, { sales: newTables() })
  const expected = (await source.read({ configuration: REST })).assets
  source.model.billingProject = undefined
  const denied = await source.read()
  assert.deepEqual(denied.assets, expected)
  assert.match(
    source.log.join('\n'),
    /shop in EU is read without queries: The account may not run queries in shop\. Grant it roles\/bigquery\.jobUser\./,
  )
  source.model.billingProject = 'shop'
  const rejections = [
    reject(403, 'accessDenied'),
    reject(400, 'invalidQuery'),
    reject(400, 'bytesBilledLimitExceeded'),
  ]
  for (const view of ['TABLES', 'COLUMNS']) {
    for (const rejection of rejections) {
      source.model.rejectedViews = { [view]: rejection }
      assert.deepEqual((await source.read()).assets, expected)
    }
  }
  assert.ok(!source.log.join('\n').includes('canary'))
})

test('bigquery › reads without sizes if only their view is rejected', async (t) => {
  const source = await startQuerySource(t, { sales: [newTable('orders', { numRows: '5' })] })
  source.model.rejectedViews = { TABLE_STORAGE: reject(403, 'accessDenied') }
  const reading = await source.read()
  assert.equal(reading.table('shop', 'sales', 'orders').statistic, undefined)
  assert.equal(source.proxy.count('/tables/'), 0)
  assert.match(source.log.join('\n'), /Without row counts and sizes/)
})

test('bigquery › fails all datasets after a page that fails, so that none looks empty', async (t) => {
  const source = await startQuerySource(t, {
    first: [newTable('a')],
    second: [newTable('b'), newTable('c')],
    third: [newTable('d')],
  })
  source.model.rowsPerPage = 2
  for (const view of ['TABLES', 'COLUMNS']) {
    source.model.rejectedViews = { [`${view} page 2`]: reject(400, 'invalid') }
    const { outcomes } = await source.read()
    assert.deepEqual(
      outcomes.map(({ path, failure }) => [path.at(-1), failure?.kind]),
      [
        ['shop', undefined],
        ['first', undefined],
        ['second', 'protocol'],
        ['third', 'protocol'],
      ],
    )
  }
})

test('bigquery › fails the run if a page of a query cannot be fetched', async (t) => {
  const source = await startQuerySource(t, { sales: newTables() })
  source.model.rowsPerPage = 5
  source.proxy.fail('pageToken=5', { status: 500 })
  assert.equal((await catchFailure(source.read())).kind, 'unreachable')
})

test('bigquery › a result that does not end or has no schema is a failure of the query', async (t) => {
  const source = await startQuerySource(t, { sales: [newTable('orders')] })
  const answers = [
    { jobComplete: true, schema: { fields: [] }, errors: [{ reason: 'invalidQuery' }] },
    { jobComplete: false },
    { jobReference: { jobId: '../x' }, jobComplete: false },
  ]
  for (const answer of answers) {
    source.proxy.fail('/queries', { text: JSON.stringify(answer) })
    const reading = await source.read()
    assert.ok(listPaths(reading).includes('shop.sales.orders'))
    assert.match(source.log.splice(0).join('\n'), /is read without queries/)
    source.proxy.heal()
  }
  const rows = [{ f: [{ v: 'a' }, { v: 'b' }] }]
  const complete = { jobReference: { jobId: 'job-1' }, jobComplete: true, schema: { fields: [{}] } }
  const endless = { ...complete, rows, pageToken: 'same' }
  source.proxy.fail('/queries', { text: JSON.stringify(endless) })
  assert.match((await source.read()).outcomes[1]?.failure?.message ?? '', /does not end/)
})

test('bigquery › cancels running queries when the run is cancelled', async (t) => {
  const source = await startQuerySource(t, { sales: [newTable('orders')] })
  source.model.pendingAnswers = Infinity
  const abort = new AbortController()
  const stalled = source.proxy.stall('GET /bigquery/v2/projects/shop/queries/job-1')
  const reading = source.read({ signal: abort.signal })
  await stalled.reached
  abort.abort()
  assert.equal((await catchFailure(reading)).kind, 'cancelled')
  assert.deepEqual(source.model.cancelled, ['job-1'])
})
