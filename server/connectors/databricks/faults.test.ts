import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import {
  listComplete,
  newColumn,
  newTable,
  startUnitySource,
} from '../../../test/warehouses/unity/source.ts'

const TOKEN = { authentication: 'token' }

test('databricks › fails a scope if its keys cannot be read, so that no asset loses them', async (t) => {
  const source = await startUnitySource(t)
  const configuration = { warehouseId: 'abc1' }
  const error = { error_code: 'INSUFFICIENT_PERMISSIONS', message: 'canary' }
  source.model.results = { key_column_usage: error }
  const { outcomes } = await source.read({ configuration })
  assert.equal(outcomes.find(({ failure }) => failure)?.failure?.kind, 'permission')
  source.model.results = { key_column_usage: { error_code: 'BAD_REQUEST', message: 'x' } }
  const again = await source.read({ configuration })
  assert.equal(again.outcomes.find(({ failure }) => failure)?.failure?.kind, 'protocol')
})

test('databricks › cancels a running statement when the run is cancelled', async (t) => {
  const source = await startUnitySource(t)
  source.model.pendingStates = Infinity
  const abort = new AbortController()
  const stalled = source.proxy.stall('GET /api/2.0/sql/statements/')
  const reading = source.read({ configuration: { warehouseId: 'abc1' }, signal: abort.signal })
  await stalled.reached
  abort.abort()
  assert.equal((await catchFailure(reading)).kind, 'cancelled')
  assert.deepEqual(source.model.cancelled, ['statement-1'])
})

test('databricks › fails on a listing that does not end', async (t) => {
  const source = await startUnitySource(t)
  const page = { tables: [newTable('orders')], next_page_token: 'same' }
  source.proxy.fail('/tables', { text: JSON.stringify(page) })
  const { outcomes } = await source.read()
  assert.equal(outcomes.at(-1)?.failure?.kind, 'protocol')
  source.proxy.fail('/catalogs', { text: JSON.stringify({ next_page_token: 'same' }) })
  assert.equal((await catchFailure(source.read())).kind, 'protocol')
})

test('databricks › a denied catalog or schema keeps the others complete', async (t) => {
  const source = await startUnitySource(t)
  source.model.catalogs = {
    closed: { a: [newTable('x')] },
    main: { hidden: [newTable('x')], sales: [newTable('orders')] },
  }
  source.model.denied = new Set(['closed', 'main.hidden'])
  const reading = await source.read()
  assert.deepEqual(listComplete(reading), ['main', 'main.sales'])
  const denied = reading.scopes.find(({ decision }) => decision === 'denied')
  assert.deepEqual(denied?.path, ['closed'])
  assert.match(denied?.message ?? '', /Grant USE CATALOG, or BROWSE, on closed\./)
  const failed = reading.outcomes.find(({ failure }) => failure)
  assert.deepEqual([failed?.path, failed?.failure?.kind], [['main', 'hidden'], 'permission'])
})

test('databricks › reports a table that cannot be parsed as unreadable', async (t) => {
  const source = await startUnitySource(t)
  const deep = `${'{"type":"array","elementType":'.repeat(100)}"long"${'}'.repeat(100)}`
  source.model.catalogs = {
    main: {
      sales: [
        { name: 'bad', columns: 'none' },
        { name: 'deep', columns: [newColumn('a', deep)] },
        { name: 'untyped', columns: [{ name: 'a' }] },
        newTable('orders'),
      ],
    },
  }
  const reading = await source.read()
  const unreadable = reading.unreadable.map(({ path }) => path.at(-1))
  assert.deepEqual(unreadable, ['bad', 'deep', 'untyped'])
  assert.deepEqual(listComplete(reading), ['main', 'main.sales'])
  source.model.catalogs = { main: { sales: [{ name: '' }] } }
  assert.equal((await source.read()).outcomes.at(-1)?.failure?.kind, 'protocol')
})

test('databricks › fails a scope whose pages fail, and the run if the catalogs fail', async (t) => {
  const source = await startUnitySource(t)
  for (const how of [{ text: '{"tables":' }, { text: '[]' }] as const) {
    source.proxy.fail('/tables', how)
    const { outcomes } = await source.read()
    assert.equal(outcomes.at(-1)?.failure?.kind, 'protocol')
    source.proxy.heal()
  }
  source.proxy.fail('/tables', { status: 502 })
  assert.equal((await catchFailure(source.read())).kind, 'unreachable')
})

test('databricks › a rejected token is a failure of authentication', async (t) => {
  const source = await startUnitySource(t)
  source.model.tokens = new Set(['canary-good'])
  assert.ok(await source.read({ configuration: TOKEN, secrets: { token: 'canary-good' } }))
  for (const token of ['canary-old', '', 'canary\r\nx: y']) {
    const failure = await catchFailure(source.read({ configuration: TOKEN, secrets: { token } }))
    assert.equal(failure.kind, 'auth')
    assert.ok(!failure.message.includes('canary'))
  }
})
