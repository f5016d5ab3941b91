import assert from 'node:assert/strict'
import test from 'node:test'
import {
  assertFails,
  complete,
  getFailure,
  paths,
  read,
  createSetup,
  startSource,
} from '../../../test/iceberg-reading.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import { iceberg } from './connector.ts'

test('iceberg › fails a scope if one of its pages fails', async (t) => {
  const from = await startSource(t, { pageSize: 10 })
  from.state.tables('sales', 25)
  from.state.tables('other', 5)
  for (const how of [
    { status: 500 },
    'drop',
    'hang up',
    { text: '{"identif' },
    { text: '[]' },
  ] as const) {
    const heal = from.fail(({ name, page }) => name === 'tables sales' && page === 1, how)
    const reading = await read(from)
    heal()
    getFailure(reading, 'sales')
    assert.deepEqual(complete(reading), ['other'])
  }
})

test('iceberg › throws if the listing of namespaces fails', async (t) => {
  const from = await startSource(t, { pageSize: 1 })
  from.state.namespace('a')
  from.state.namespace('b')
  from.fail(({ name, page }) => name === 'namespaces' && page === 1, { status: 502 })
  await assertFails(read(from), 'unreachable')
  from.heal()
  from.fail('namespaces a', { status: 500 })
  await assertFails(read(from), 'unreachable')
  from.heal()
  from.fail('namespaces', { status: 403 })
  await assertFails(read(from), 'permission')
})

test('iceberg › fails on a listing that does not end', async (t) => {
  const from = await startSource(t, { pageSize: 2 })
  from.state.tables('sales', 5)
  from.fail('tables sales', 'repeat')
  assert.equal(getFailure(await read(from), 'sales').kind, 'protocol')
  from.heal()
  from.fail('namespaces', 'repeat')
  await assertFails(read(from), 'protocol')
})

test('iceberg › leaves out a table that is dropped during the listing, and the scope is complete', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 3)
  const stalled = from.stall('table sales.table_0002')
  const reading = read(from)
  await stalled.reached
  from.state.drop('sales', 'table_0002')
  stalled.release()
  const done = await reading
  assert.deepEqual(complete(done), ['sales'])
  assert.deepEqual(done.unreadable, [])
  assert.equal(done.assets.length, 3)
})

test('iceberg › reports a table as unreadable if it is listed again but not found', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 3)
  from.fail('table sales.table_0002', { status: 404 })
  const reading = await read(from)
  assert.deepEqual(complete(reading), ['sales'])
  assert.deepEqual(paths(reading.unreadable), ['sales|table_0002'])
})

test('iceberg › reports a table that cannot be read as unreadable', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 4)
  const metadata = from.state.getMetadata(['sales'], 'tables', 'table_0002') as object
  const texts = [
    '{}',
    'null',
    '<html>',
    JSON.stringify({ metadata: { ...metadata, schemas: [], 'current-schema-id': 3 } }),
    JSON.stringify({
      metadata: { ...metadata, schemas: [{ 'schema-id': 3, fields: [{ id: 1 }] }] },
    }),
    `{"metadata":{"schema":{"fields":[{"id":1,"name":"a","type":${'{"type":"list","element":'.repeat(5000)}"int"${'}'.repeat(5000)}}]}}}`,
  ]
  const hows = [
    ...texts.map((text) => ({ text })),
    { status: 403 },
    { status: 500 },
    'drop',
  ] as const
  for (const how of hows) {
    const heal = from.fail('table sales.table_0002', how)
    const reading = await read(from)
    heal()
    assert.deepEqual(complete(reading), ['sales'], JSON.stringify(how).slice(0, 80))
    assert.deepEqual(paths(reading.unreadable), ['sales|table_0002'])
    assert.equal(reading.assets.length, 4)
  }
})

test('iceberg › fails a scope if every table fails', async (t) => {
  const from = await startSource(t)
  from.state.tables('few', 2)
  from.state.tables('many', 40)
  from.fail('table *', { status: 500 })
  const reading = await read(from)
  assert.equal(getFailure(reading, 'few').kind, 'unreachable')
  assert.equal(getFailure(reading, 'many').kind, 'unreachable')
  assert.deepEqual(complete(reading), [])
  assert.ok(from.count('table many.*') < 100)
})

test('iceberg › keeps many tables that fail in a row, unless the catalog fails too', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 60)
  const broken = ['table sales.table_001*', 'table sales.table_002*']
  for (const tables of broken) from.fail(tables, { status: 500 })
  const reading = await read(from)
  assert.deepEqual(complete(reading), ['sales'])
  assert.equal(reading.unreadable.length, 20)
  assert.equal(reading.assets.length, 1 + 40)
  from.heal()
  for (const tables of broken) from.fail(tables, { status: 500 })
  // The listing itself succeeds only once.
  let count = 0
  const isRepeated = ({ name }: { name: string }): boolean => name === 'tables sales' && ++count > 1
  from.fail(isRepeated, { status: 500 })
  assert.equal(getFailure(await read(from), 'sales').kind, 'unreachable')
})

test('iceberg › fails only the namespace that is not shown', async (t) => {
  const from = await startSource(t)
  from.state.tables('hidden', 2)
  from.state.tables('gone', 2)
  from.state.tables('sales', 2)
  from.fail('tables hidden', { status: 403 })
  from.fail('namespace gone', { status: 404 })
  const reading = await read(from)
  assert.equal(getFailure(reading, 'hidden').kind, 'permission')
  assert.equal(getFailure(reading, 'gone').kind, 'permission')
  assert.deepEqual(complete(reading), ['sales'])
  assert.match(getFailure(reading, 'hidden').message, /tables of hidden/)
})

test('iceberg › reads the tables of a namespace without its properties', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 2)
  from.fail('namespace sales', { status: 403 })
  from.fail('namespaces sales', { status: 403 })
  const reading = await read(from)
  assert.deepEqual(complete(reading), ['sales'])
  assert.equal(reading.assets.length, 3)
  assert.equal(reading.log.length, 2)
})

test('iceberg › waits after 429 and 503 as long as the catalog requests', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 3)
  from.fail('table sales.*', { status: 429, retryAfter: 1 }, 1)
  from.fail(
    'tables sales',
    { status: 503, retryAfter: new Date(Date.now() + 1500).toUTCString() },
    1,
  )
  from.fail('namespaces', { status: 429 }, 1)
  const reading = await read(from)
  // One wait at least for each of the three answers, and a second for the last of them.
  assert.ok(reading.waitsMs.length >= 3, String(reading.waitsMs))
  assert.ok(Math.max(...reading.waitsMs) > 900, String(reading.waitsMs))
  assert.deepEqual(complete(reading), ['sales'])
  assert.equal(reading.assets.length, 4)
})

test('iceberg › retries requests that fail once or twice', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 2)
  for (const [when, how] of [
    ['config', { status: 500 }],
    ['namespaces', 'drop'],
    ['tables sales', 'hang up'],
    ['table sales.table_0001', { text: '{"metadata":' }],
    ['table sales.table_0002', { status: 503 }],
  ] as const) {
    from.fail(when, how, 2)
  }
  const reading = await read(from)
  assert.deepEqual(complete(reading), ['sales'])
  assert.deepEqual(reading.unreadable, [])
  assert.equal(reading.assets.length, 3)
})

test('iceberg › does not follow redirects or another host', async (t) => {
  const [from, other] = [await startSource(t), await startSource(t)]
  from.state.tables('sales', 1)
  from.fail('tables sales', { status: 307, location: `${other.url}/v1/namespaces/sales/tables` })
  assert.equal(getFailure(await read(from), 'sales').kind, 'protocol')
  from.fail('config', { text: JSON.stringify({ defaults: {}, overrides: { uri: other.url } }) })
  await assertFails(read(from), 'protocol')
  assert.equal(other.requests.length, 0)
})

test('iceberg › rejects a prefix or a name that would leave the catalog', async (t) => {
  const from = await startSource(t)
  from.state.table('sales', '..', { id: 'int' })
  from.state.table('sales', 'orders', { id: 'int' })
  const reading = await read(from)
  assert.deepEqual(paths(reading.unreadable), ['sales|..'])
  for (const prefix of ['../admin', 'a/%2e%2e/b', 'a?b', 'a#b', '/../..', 'a\\b']) {
    from.fail('config', { text: JSON.stringify({ overrides: { prefix } }) }, 1)
    await assertFails(read(from), 'protocol')
  }
  from.prefix = 'arn%3Aaws/main'
  assert.deepEqual(complete(await read(from)), ['sales'])
})

test('iceberg › aborts a stalled and a waiting read', async (t) => {
  const from = await startSource(t)
  from.state.tables('sales', 1)
  const stalled = from.stall('tables sales')
  const controller = new AbortController()
  const reading = read(from, { signal: controller.signal })
  await stalled.reached
  controller.abort()
  assert.equal(getFailure(await reading, 'sales').kind, 'cancelled')
  from.heal()

  const waiting = new AbortController()
  from.fail('namespaces', { status: 429, retryAfter: 30 })
  const setup = createSetup(from, { signal: waiting.signal }, { log: [], sent: [] })
  const session = await iceberg.open({ ...setup, log: () => waiting.abort() })
  await assertFails(session.scopes()[Symbol.asyncIterator]().next(), 'cancelled')
  await session.close()
})

test('iceberg › reports a rejected or closed address as unreachable', async (t) => {
  const from = await startSource(t)
  const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined })
  const refused = await assertFails(read(from, { dialer }), 'unreachable')
  assert.match(refused.message, /private address/)
  assert.equal(from.requests.length, 0)
  await from.close()
  await assertFails(read(from), 'unreachable')
})

test('iceberg › cannot detect tables that a faulty catalog leaves out', async (t) => {
  const from = await startSource(t, { pageSize: 10 })
  from.state.tables('sales', 25)
  for (const [how, count] of [
    ['nothing', 0],
    ['cut', 5],
    [{ omit: 'table_0003' }, 24],
  ] as const) {
    const heal = from.fail('tables sales', how)
    const reading = await read(from)
    heal()
    assert.deepEqual(complete(reading), ['sales'])
    assert.equal(reading.assets.length - 1, count)
  }
  assert.equal((await read(from)).assets.length - 1, 25)
})
