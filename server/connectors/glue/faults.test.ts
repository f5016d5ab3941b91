import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listComplete,
  listPaths,
  newTable,
  startGlueSource,
} from '../../../test/warehouses/glue/source.ts'
import { catchFailure } from '../../../test/source-reading.ts'

/** Creates the answer of a rejected request. */
function newError(code: string, message = 'canary of AWS'): { status: number; body: string } {
  return { status: 400, body: JSON.stringify({ __type: code, Message: message }) }
}

test('glue › a denied database keeps the others complete', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = {
    closed: [newTable('x')],
    sales: [newTable('orders')],
    dropped: [],
    locked: [],
    foreign: [],
  }
  source.model.denied = new Set(['closed'])
  source.proxy.fail('"dropped"', newError('EntityNotFoundException'))
  source.proxy.fail('"locked"', newError('GlueEncryptionException'))
  source.proxy.fail('"foreign"', newError('com.amazonaws.glue#FederationSourceException'))
  const reading = await source.read()
  assert.deepEqual(listComplete(reading), ['sales'])
  assert.ok(listPaths(reading).includes('sales.orders'))
  const failures = reading.outcomes.flatMap(({ failure }) => failure ?? [])
  assert.deepEqual(
    failures.map(({ kind, message }) => `${kind}: ${message}`),
    [
      'permission: AWS Glue does not show the tables of closed.',
      'permission: AWS Glue does not show the tables of dropped.',
      'permission: AWS Glue cannot decrypt the tables of locked: allow kms:Decrypt on the key of the Data Catalog.',
      'protocol: AWS Glue did not return the tables of foreign (FederationSourceException).',
    ],
  )
})

test('glue › throws if the databases are denied or their listing fails', async (t) => {
  const source = await startGlueSource(t)
  source.model.denied = new Set(['*'])
  const failure = await catchFailure(source.read())
  assert.equal(failure.kind, 'permission')
  assert.equal(failure.message, 'AWS Glue does not show its databases.')
  source.model.denied.clear()
  source.model.pageSize = 1
  source.model.databases = { a: [], b: [] }
  source.proxy.fail('page-1', newError('InvalidInputException'))
  assert.equal((await catchFailure(source.read())).kind, 'protocol')
  source.proxy.heal()
  source.proxy.fail('page-1', { status: 500 })
  assert.equal((await catchFailure(source.read())).kind, 'unreachable')
})

test('glue › fails a database whose pages fail', async (t) => {
  const source = await startGlueSource(t)
  const { proxy, model } = source
  model.pageSize = 2
  model.databases = { sales: [1, 2, 3].map((at) => newTable(`t${at}`)), other: [] }
  for (const how of [
    { text: '{"TableList":' },
    { text: '[]' },
    { text: '{}' },
    { text: '{"TableList":[],"NextToken":7}' },
    { text: '{"TableList":[{"Name":""}]}' },
    { status: 403, body: '<html>' },
    newError('InvalidInputException'),
  ]) {
    proxy.fail('page-2', how)
    const { outcomes } = await source.read()
    assert.match(outcomes[0]?.failure?.kind ?? '', /^(protocol|permission)$/)
    assert.deepEqual([outcomes[1]?.path, outcomes[1]?.failure], [['other'], undefined])
    proxy.heal()
  }
  for (const how of [{ status: 502 }, 'drop', 'hang up'] as const) {
    proxy.fail('page-2', how)
    assert.equal((await catchFailure(source.read())).kind, 'unreachable')
    proxy.heal()
  }
})

test('glue › reports a table that cannot be parsed as unreadable', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = {
    sales: [
      newTable('bad', { StorageDescriptor: { Columns: 'none' } }),
      newTable('worse', { TableType: 7, Parameters: [] }),
      newTable('view', { TableType: 'VIRTUAL_VIEW', PartitionKeys: [{}] }),
      newTable('orders'),
    ],
  }
  const reading = await source.read()
  assert.deepEqual(
    reading.unreadable.map(({ path, kind }) => [path[1], kind]),
    [
      ['bad', 'external_table'],
      ['worse', 'table'],
      ['view', 'view'],
    ],
  )
  assert.deepEqual(listPaths(reading), ['sales', 'sales.orders'])
  assert.deepEqual(listComplete(reading), ['sales'])
  const filters = { include: {}, exclude: { table: ['bad', 'worse'] } }
  const filtered = await source.read({ filters, configuration: { includeViews: false } })
  assert.deepEqual(filtered.unreadable, [])
})

test('glue › fails on a listing that does not end', async (t) => {
  const source = await startGlueSource(t)
  const page = { TableList: [newTable('orders')], NextToken: 'same' }
  source.proxy.fail('"DatabaseName"', { status: 200, body: JSON.stringify(page) })
  const { outcomes } = await source.read()
  assert.equal(outcomes[0]?.failure?.kind, 'protocol')
  assert.match(outcomes[0]?.failure?.message ?? '', /the tables of sales .* does not end/)
  source.proxy.heal()
  const databases = { DatabaseList: [{ Name: 'a' }], NextToken: 'same' }
  source.proxy.fail('CatalogId', { status: 200, body: JSON.stringify(databases) })
  assert.match((await catchFailure(source.read())).message, /its databases .* does not end/)
})

test('glue › waits when AWS throttles, as long as it requests', async (t) => {
  const source = await startGlueSource(t)
  const { proxy, waitsMs } = source
  proxy.fail('"DatabaseName"', newError('ThrottlingException', 'Rate exceeded'), 3)
  assert.deepEqual(listComplete(await source.read()), ['sales'])
  assert.equal(waitsMs.length, 3)
  assert.match(source.log.join('\n'), /AWS Glue asks for fewer requests \(status 400\)/)
  proxy.fail('"DatabaseName"', { ...newError('ThrottlingException'), status: 429 }, 1)
  proxy.fail('CatalogId', { status: 429, retryAfter: 7 }, 1)
  assert.deepEqual(listComplete(await source.read()), ['sales'])
  assert.ok(Math.max(...waitsMs) > 6900, String(waitsMs))
  proxy.fail('"DatabaseName"', newError('com.amazonaws.glue#OperationTimeoutException'), 1)
  assert.deepEqual(listComplete(await source.read()), ['sales'])
})

test('glue › stops when AWS throttles for minutes', async (t) => {
  const source = await startGlueSource(t)
  source.proxy.fail('"DatabaseName"', newError('ThrottlingException'))
  assert.equal((await catchFailure(source.read())).kind, 'rate_limited')
  const waitedMs = source.waitsMs.reduce((sum, ms) => sum + ms, 0)
  assert.ok(waitedMs > 60_000 && waitedMs < 600_000, String(waitedMs))
})

test('glue › throttling of Lake Formation does not delay AWS Glue', async (t) => {
  const source = await startGlueSource(t)
  source.proxy.fail('/GetResourceLFTags', { status: 429, retryAfter: 5 }, 1)
  const reading = await source.read({ configuration: { includeTags: true } })
  assert.deepEqual(listComplete(reading), ['sales'])
  // The second request for tags also waits, but not the request for tables between them.
  assert.equal(source.waitsMs.length, 2)
})

test('glue › ends at once when the run is cancelled', async (t) => {
  const source = await startGlueSource(t)
  for (const when of ['"DatabaseName"', '"MaxResults"']) {
    const abort = new AbortController()
    const stalled = source.proxy.stall(when)
    const reading = source.read({ signal: abort.signal })
    await stalled.reached
    abort.abort()
    assert.equal((await catchFailure(reading)).kind, 'cancelled')
    stalled.release()
  }
})

test('glue › logs no text of AWS', async (t) => {
  const source = await startGlueSource(t)
  source.proxy.fail('"DatabaseName"', newError('InvalidInputException', 'x'.repeat(10_000)))
  const { outcomes, statements } = await source.read()
  const failure = outcomes[0]?.failure
  assert.ok(!/x{3}/.test(`${failure?.message}${source.log.join()}${statements.join()}`))
  // The cause goes to the operator's log.
  assert.ok(String(failure?.cause).length < 600)
})
