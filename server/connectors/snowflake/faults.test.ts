import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import {
  listComplete,
  listFailures,
  listPaths,
  newTable,
  startSnowflake,
} from '../../../test/warehouses/snowflake/source.ts'

const SUBMISSION = 'POST /api/v2/statements?'

function newTables(count: number, more: Parameters<typeof newTable>[0] = {}) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`T${String(at).padStart(5, '0')}`, newTable(more)]),
  )
}

for (const count of [4, 5]) {
  test(`snowflake › reads ${count} tables in partitions of 2 rows, compressed or not`, async (t) => {
    const source = await startSnowflake(t)
    source.model.databases = { SHOP: { schemas: { SALES: { tables: newTables(count) } } } }
    source.model.rowsPerPartition = 2
    const reading = await source.read()
    assert.equal(listPaths(reading).length, 2 + count)
    // Two statements have all tables, and each further partition is one request.
    assert.equal(source.proxy.count('?partition='), 2 * (Math.ceil(count / 2) - 1))
    const direct = await source.read({ configuration: { url: source.serverUrl } })
    assert.deepEqual(direct.assets, reading.assets)
  })
}

test('snowflake › submits every statement with an id, the session and limits', async (t) => {
  const source = await startSnowflake(t)
  await source.read({ configuration: { warehouse: 'wh', role: '"Reader"', queryTag: 'catalog' } })
  const ids = source.proxy.requests
    .filter(({ target }) => target.includes('requestId='))
    .map(({ target }) => new URL(target, 'http://x').searchParams.get('requestId'))
  assert.equal(new Set(ids).size, source.model.statements.length)
  const [body] = source.model.bodies
  assert.deepEqual(body, {
    statement: 'SHOW DATABASES',
    timeout: 300,
    warehouse: 'WH',
    role: 'Reader',
    parameters: { query_tag: 'catalog', rows_per_resultset: 0, client_result_chunk_size: 48 },
  })
})

test('snowflake › repeats a failed request with retry=true, so that no statement runs twice', async (t) => {
  const source = await startSnowflake(t)
  source.proxy.fail(SUBMISSION, 'drop', 1)
  source.proxy.fail('information_schema.tables', 'drip', 0)
  const reading = await source.read()
  assert.deepEqual(listComplete(reading), ['SHOP', 'SHOP.SALES'])
  assert.equal(source.model.statements.filter((sql) => sql === 'SHOW DATABASES').length, 1)
  const retries = source.proxy.requests.filter(({ target }) => target.includes('retry=true'))
  assert.equal(retries.length, 1)
})

test('snowflake › waits after 429 as long as Snowflake requests, and polls slow statements', async (t) => {
  const source = await startSnowflake(t)
  source.proxy.fail('information_schema.columns', { status: 429, retryAfter: 7 }, 1)
  source.proxy.fail('GET /api/v2/statements/', { status: 503 }, 1)
  source.model.pendingPolls = 3
  const reading = await source.read()
  assert.deepEqual(listComplete(reading), ['SHOP', 'SHOP.SALES'])
  assert.ok(Math.max(...source.waitsMs) > 6900, String(source.waitsMs))
  assert.ok([25, 50, 100].every((ms) => source.waitsMs.includes(ms)))
})

test('snowflake › cancels a running statement when the run is cancelled', async (t) => {
  const source = await startSnowflake(t)
  source.model.pendingPolls = Infinity
  const abort = new AbortController()
  const stalled = source.proxy.stall('GET /api/v2/statements/handle-1')
  const reading = source.read({ signal: abort.signal })
  await stalled.reached
  abort.abort()
  assert.equal((await catchFailure(reading)).kind, 'cancelled')
  assert.deepEqual(source.model.cancelled, ['handle-1'])
})

test('snowflake › ends and cancels a statement that never ends', async (t) => {
  const source = await startSnowflake(t)
  source.model.pendingPolls = Infinity
  const failure = await catchFailure(source.read({ configuration: { statementTimeoutMs: 1000 } }))
  assert.match(failure.message, /Reading its databases does not end/)
  assert.deepEqual(source.model.cancelled, ['handle-1'])
})

test('snowflake › fails a scope whose result is incomplete or no JSON', async (t) => {
  const source = await startSnowflake(t)
  source.model.databases = { SHOP: { schemas: { SALES: { tables: newTables(3) } } } }
  source.model.rowsPerPartition = 2
  const rows = [
    ['?partition=1', { text: '{"data":[]}' }],
    ['?partition=1', { text: '{"data":[["SALES","T00002"]]}' }, 1],
    ['?partition=1', { text: '{"data":' }],
    ['?partition=1', { text: '<html>Sign in</html>' }],
    ['?partition=1', { status: 404 }],
    ['information_schema.tables', { text: '<html>Sign in</html>' }],
    ['information_schema.tables', { text: '[]' }],
    [
      'information_schema.tables',
      {
        text: '{"statementHandle":"h","resultSetMetaData":{"numRows":2,"rowType":[{"name":"TABLE_NAME"}],"partitionInfo":[{"rowCount":1}]},"data":[["T00000"]]}',
      },
    ],
  ] as const
  for (const [when, how, times] of rows) {
    source.proxy.fail(when, how, times)
    const reading = await source.read()
    source.proxy.heal()
    assert.deepEqual(listFailures(reading), ['SHOP.SALES protocol'], JSON.stringify(how))
  }
})

test('snowflake › a failed listing of databases ends the run', async (t) => {
  const source = await startSnowflake(t)
  const rows = [
    [{ text: '<html></html>' }, 'protocol'],
    [{ status: 502 }, 'unreachable'],
    ['hang up', 'unreachable'],
    [{ status: 429, retryAfter: 3600 }, 'rate_limited'],
    [{ status: 403, body: '<html></html>' }, 'auth'],
  ] as const
  for (const [how, kind] of rows) {
    source.proxy.fail(SUBMISSION, how)
    assert.equal((await catchFailure(source.read())).kind, kind)
    source.proxy.heal()
  }
})

test('snowflake › splits a schema by its table names when Snowflake returns too much data', async (t) => {
  const source = await startSnowflake(t)
  const names = ['A', 'B', 'a', "a'b", 'é', '😀', '｡', '日本']
  const tables = Object.fromEntries(names.map((name) => [name, newTable()]))
  source.model.databases = { SHOP: { schemas: { SALES: { tables } } } }
  const whole = await source.read()
  source.model.rowsMax = 2
  source.model.statements.length = 0
  const reading = await source.read()
  assert.deepEqual(listPaths(reading).toSorted(), listPaths(whole).toSorted())
  assert.ok(reading.assets.slice(2).every(({ columns }) => columns?.length === 1))
  // One name listing, and 1 + 2 + 4 statements for tables and for columns.
  const reads = source.model.statements.filter((sql) => sql.includes('information_schema'))
  assert.equal(reads.length, 14)
  assert.ok(source.model.statements.includes('SHOW OBJECTS IN SCHEMA "SHOP"."SALES"'))
})

test('snowflake › reports only a table that is too large by itself as unreadable', async (t) => {
  const source = await startSnowflake(t)
  const { columns } = newTable()
  const wide = { columns: [...columns, ...columns, ...columns] }
  source.model.databases = {
    SHOP: {
      schemas: { BIG: { tables: { A: wide, B: newTable() } }, OK: { tables: newTables(2) } },
    },
  }
  source.model.rowsMax = 2
  const reading = await source.read()
  assert.deepEqual(listFailures(reading), [])
  assert.deepEqual(listComplete(reading), ['SHOP', 'SHOP.BIG', 'SHOP.OK'])
  assert.deepEqual(
    reading.unreadable.map(({ path, message }) => [path.join('.'), message]),
    [['SHOP.BIG.A', 'Snowflake returns too much data for the columns of SHOP.BIG.']],
  )
  assert.equal(reading.table('SHOP', 'BIG', 'B').columns?.length, 1)
})

for (const count of [10_000, 10_001]) {
  test(`snowflake › reads the text of ${count} views, although SHOW returns 10,000 rows`, async (t) => {
    const source = await startSnowflake(t)
    source.model.rowsPerPartition = 100_000
    const tables = newTables(count, { text: 'select 1' })
    source.model.databases = { SHOP: { schemas: { SALES: { tables } } } }
    const reading = await source.read()
    const texts = reading.assets.filter(({ viewDefinition }) => viewDefinition === 'select 1')
    assert.equal(texts.length, count)
    const pages = source.model.statements.filter((sql) => sql.startsWith('SHOW VIEWS'))
    assert.deepEqual(pages, [
      'SHOW VIEWS IN SCHEMA "SHOP"."SALES"',
      `SHOW VIEWS IN SCHEMA "SHOP"."SALES" LIMIT 10000 FROM 'T09999'`,
    ])
  })
}

test('snowflake › no warehouse ends the run at the first statement that needs one', async (t) => {
  const source = await startSnowflake(t)
  source.model.hasWarehouse = false
  const failure = await catchFailure(source.read())
  assert.deepEqual([failure.kind, source.model.statements.length], ['auth', 3])
  assert.match(failure.message, /^No warehouse is active/)
})
