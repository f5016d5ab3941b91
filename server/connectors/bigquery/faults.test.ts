import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchFailure } from '../../../test/source-reading.ts'
import { newServiceAccount, reject } from '../../../test/warehouses/bigquery/server.ts'
import {
  listComplete,
  listPaths,
  newTable,
  startBigQuerySource,
} from '../../../test/warehouses/bigquery/source.ts'

const WITH_KEY = { authentication: 'serviceAccount' }

/** Creates the fault of a rejected request. */
function newError(status: number, reason: string, message?: string) {
  return { status, body: JSON.stringify(reject(status, reason, message).body) }
}

test('bigquery › a denied project, dataset or table keeps the others complete', async (t) => {
  const source = await startBigQuerySource(t)
  source.model.projects = {
    closed: { a: [newTable('x')] },
    shop: { hidden: [newTable('x')], sales: [newTable('secret'), newTable('orders')] },
  }
  source.model.denied = new Set(['closed', 'shop.hidden', 'shop.sales.secret'])
  const reading = await source.read({ configuration: { projects: 'closed shop missing' } })
  assert.deepEqual(listComplete(reading), ['shop', 'shop.sales'])
  assert.deepEqual(listPaths(reading), ['shop', 'shop.sales', 'shop.sales.orders'])
  const grant = 'Grant the account roles/bigquery.metadataViewer.'
  const denied = reading.scopes.filter(({ decision }) => decision === 'denied')
  assert.deepEqual(
    denied.map(({ path, message }) => [path, message]),
    [
      [['closed'], `BigQuery does not show the datasets of closed. ${grant}`],
      [['missing'], 'BigQuery does not find the datasets of missing.'],
    ],
  )
  const [failed] = reading.outcomes.filter(({ failure }) => failure)
  assert.equal(failed?.failure?.kind, 'permission')
  assert.equal(failed?.failure?.message, `BigQuery does not show the dataset shop.hidden. ${grant}`)
  assert.deepEqual(reading.unreadable, [
    {
      path: ['shop', 'sales', 'secret'],
      scope: ['shop', 'sales'],
      kind: 'table',
      message: `BigQuery does not show it. ${grant}`,
    },
  ])
})

test('bigquery › names a disabled API and a perimeter as the reason', async (t) => {
  const source = await startBigQuerySource(t)
  source.proxy.fail('/datasets?', newError(403, 'accessNotConfigured'))
  const [disabled] = (await source.read()).scopes
  assert.match(disabled?.message ?? '', /its API is not enabled in the project/)
  const perimeter = 'VPC Service Controls: Request is prohibited'
  source.proxy.fail('/datasets?', newError(403, 'policyViolation', perimeter))
  assert.match((await source.read()).scopes[0]?.message ?? '', /a perimeter of VPC/)
})

test('bigquery › reports a table that cannot be parsed or was dropped as unreadable', async (t) => {
  const source = await startBigQuerySource(t)
  let deep: object = { name: 'a', type: 'STRING' }
  for (let level = 0; level < 40; level += 1) deep = { name: 'a', type: 'RECORD', fields: [deep] }
  source.model.projects = {
    shop: {
      sales: [
        newTable('bad', { schema: 'none' }),
        newTable('deep', { schema: { fields: [deep] } }),
        newTable('untyped', { schema: { fields: [{ name: 'a' }] } }),
        newTable('dropped', { type: 'VIEW' }),
        newTable('orders'),
      ],
    },
  }
  source.proxy.fail('/tables/dropped', newError(404, 'notFound'))
  const reading = await source.read()
  assert.deepEqual(
    reading.unreadable.map(({ path, kind, message }) => `${path.at(-1)} ${kind}: ${message}`),
    [
      'bad table: BigQuery does not follow its protocol in the answer to /bigquery/v2/projects/shop/datasets/sales/tables/bad.',
      'deep table: Its fields are nested more than 32 levels deep.',
      'untyped table: Its schema does not follow the protocol.',
      'dropped view: BigQuery does not find it.',
    ],
  )
  assert.deepEqual(listComplete(reading), ['shop', 'shop.sales'])
})

test('bigquery › fails a dataset whose pages fail, and the run if BigQuery is away', async (t) => {
  const source = await startBigQuerySource(t)
  const { proxy, model } = source
  model.pageSize = 2
  model.projects = { shop: { sales: [1, 2, 3].map((at) => newTable(`t${at}`)), other: [] } }
  const faults = [
    { text: '{"tables":' },
    { text: '<html>Sign in</html>' },
    { text: '[]' },
    { text: '{"tables":[{"tableReference":{}}]}' },
    { text: '{"nextPageToken":"page-2"}' },
    newError(400, 'invalid'),
    newError(403, 'accessDenied'),
  ]
  for (const how of faults) {
    proxy.fail('page-2', how)
    const { outcomes } = await source.read()
    const [, sales, other] = outcomes
    assert.match(sales?.failure?.kind ?? '', /^(protocol|permission)$/, JSON.stringify(how))
    assert.deepEqual([other?.path, other?.failure], [['shop', 'other'], undefined])
    proxy.heal()
  }
  for (const how of [{ status: 502 }, 'drop', 'hang up'] as const) {
    proxy.fail('page-2', how)
    assert.equal((await catchFailure(source.read())).kind, 'unreachable')
    proxy.heal()
  }
})

test('bigquery › waits as long as BigQuery requests, and treats a quota like 429', async (t) => {
  const source = await startBigQuerySource(t)
  const { proxy, waitsMs } = source
  proxy.fail('/tables?', { status: 429, retryAfter: 7 }, 1)
  proxy.fail('/tables/orders', newError(403, 'rateLimitExceeded'), 1)
  proxy.fail('/datasets/sales?', newError(403, 'quotaExceeded'), 1)
  proxy.fail('/datasets?', 'drop', 1)
  const reading = await source.read()
  assert.deepEqual(listComplete(reading), ['shop', 'shop.sales'])
  assert.deepEqual(reading.unreadable, [])
  assert.ok(waitsMs.length >= 4, String(waitsMs))
  assert.ok(Math.max(...waitsMs) > 6900, String(waitsMs))
  proxy.fail('/tables/orders', newError(403, 'rateLimitExceeded'))
  assert.equal((await catchFailure(source.read())).kind, 'rate_limited')
})

test('bigquery › signs in with the key and renews a token that is rejected in mid-run', async (t) => {
  const source = await startBigQuerySource(t)
  const { model, proxy } = source
  const account = newServiceAccount()
  Object.assign(model, { account, tokens: new Set() })
  const given = { configuration: WITH_KEY, secrets: { serviceAccountKey: account.json } }
  const stalled = proxy.stall('/tables/orders')
  const reading = source.read(given)
  await stalled.reached
  model.tokens?.clear()
  stalled.release()
  const { statements, ...rest } = await reading
  assert.deepEqual(listComplete({ statements, ...rest }), ['shop', 'shop.sales'])
  assert.equal(proxy.count('POST /token'), 2)
  assert.ok(!JSON.stringify([statements, source.log]).includes('canary'))
  // A token that expires is renewed before BigQuery rejects it.
  model.expiresInSeconds = 0.001
  const before = proxy.count('POST /token')
  await source.read(given)
  assert.equal(proxy.count('POST /token') - before, 4)
})

test('bigquery › a wrong or deleted key is a failure of authentication without its text', async (t) => {
  const source = await startBigQuerySource(t)
  const account = newServiceAccount()
  const other = newServiceAccount()
  Object.assign(source.model, { account, tokens: new Set() })
  const key = JSON.parse(account.json) as Record<string, unknown>
  const cases: readonly [string, RegExp][] = [
    ['', /The service account key is not valid/],
    ['{"type":"authorized_user"}', /The service account key is not valid/],
    [JSON.stringify({ ...key, private_key: 'canary' }), /The private key .* is not valid/],
    [other.json, /does not accept the service account key/],
    [JSON.stringify({ ...key, client_email: 'x@y' }), /does not accept the service account key/],
    [JSON.stringify({ ...key, token_uri: 'https://evil.example/' }), /does not accept/],
  ]
  for (const [serviceAccountKey, message] of cases) {
    const reading = source.read({ configuration: WITH_KEY, secrets: { serviceAccountKey } })
    const failure = await catchFailure(reading)
    assert.equal(failure.kind, 'auth')
    assert.match(failure.message, message)
    assert.ok(!`${failure.message}${String(failure.cause)}`.includes('canary'))
  }
  const given = { configuration: WITH_KEY, secrets: { serviceAccountKey: account.json } }
  source.proxy.fail('/datasets', newError(401, 'authError'))
  const failure = await catchFailure(source.read(given))
  assert.equal(failure.message, 'BigQuery does not accept the credentials.')
})

test('bigquery › ends at once when the run is cancelled', async (t) => {
  const source = await startBigQuerySource(t)
  for (const when of ['/datasets?', '/tables?', '/tables/orders']) {
    const abort = new AbortController()
    const stalled = source.proxy.stall(when)
    const reading = source.read({ signal: abort.signal })
    await stalled.reached
    abort.abort()
    assert.equal((await catchFailure(reading)).kind, 'cancelled')
    stalled.release()
  }
})

test('bigquery › logs no text of BigQuery', async (t) => {
  const source = await startBigQuerySource(t)
  source.proxy.fail('/tables?', newError(400, 'invalid', 'x'.repeat(10_000)))
  const { outcomes, statements } = await source.read()
  const failure = outcomes[1]?.failure
  assert.ok(!/x{3}/.test(`${failure?.message}${source.log.join()}${statements.join()}`))
  // The cause goes to the operator's log.
  assert.ok(String(failure?.cause).length < 600)
})
