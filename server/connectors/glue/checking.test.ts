import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newTable,
  startGlueSource,
  type Given,
  type GlueSource,
} from '../../../test/warehouses/glue/source.ts'

async function summarize(source: GlueSource, given?: Given): Promise<string[]> {
  const findings = await source.check(given)
  return findings.map(({ state, what, hint }) => [state, what, hint ?? ''].join(' | '))
}

const STATEMENT =
  '{"Effect":"Allow","Action":["glue:GetDatabases","glue:GetTables","glue:GetTable"],' +
  '"Resource":["arn:aws:glue:eu-central-1:123456789012:catalog",' +
  '"arn:aws:glue:eu-central-1:123456789012:database/*",' +
  '"arn:aws:glue:eu-central-1:123456789012:table/*/*"]}'

test('glue check › reports what works', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = { empty: [], sales: [newTable('orders')], secret: [newTable('x')] }
  const filters = { include: {}, exclude: { database: ['secret'] } }
  assert.deepEqual(await summarize(source, { filters }), [
    'warning | Requests, and the credentials in them, are sent without encryption | Use https unless the network to the endpoint is private',
    'ok | AWS Glue shows 3 databases of the account 123456789012 in eu-central-1, 2 of them included | ',
    'ok | The tables of sales can be read | ',
  ])
  assert.equal(source.proxy.count('"secret"'), 0)
})

test('glue check › needs at most ten requests', async (t) => {
  const source = await startGlueSource(t)
  const names = Array.from({ length: 250 }, (_, at) => `database_${at}`)
  source.model.databases = Object.fromEntries(names.map((name) => [name, []]))
  const configuration = {
    authentication: 'role',
    roleArn: source.model.role.arn,
    includeTags: true,
  }
  const summary = await summarize(source, { configuration })
  assert.match(String(summary), /shows 100 databases and more of the account/)
  assert.match(String(summary), /ok \| The tags of database_0 can be read/)
  assert.ok(source.proxy.requests.length <= 10)
})

test('glue check › reports missing privileges with the statement that grants them', async (t) => {
  const source = await startGlueSource(t)
  source.model.denied = new Set(['sales'])
  const [, , denied = ''] = await summarize(source)
  assert.match(denied, /^warning \| AWS Glue does not show the tables of sales\. \| /)
  assert.ok(denied.includes(STATEMENT))
  assert.match(denied, /grant DESCRIBE on the databases and on all their tables/)
  source.model.denied = new Set(['*'])
  const [, hidden = ''] = await summarize(source)
  assert.match(hidden, /^error \| AWS Glue does not show its databases\. \| /)
  assert.ok(hidden.includes(STATEMENT))
  source.model.denied.clear()
  source.model.databases = {}
  const [, empty = ''] = await summarize(source)
  assert.match(
    empty,
    /^error \| AWS Glue shows 0 databases .* \| Check region, account and filters/,
  )
})

test('glue check › reports denied tags', async (t) => {
  const source = await startGlueSource(t)
  source.model.tags = { sales: 'AccessDeniedException' }
  const summary = await summarize(source, { configuration: { includeTags: true } })
  const [, , , tags = ''] = summary
  assert.match(tags, /^error \| Lake Formation does not show the tags of sales\. \| /)
  assert.match(tags, /"Action":"lakeformation:GetResourceLFTags","Resource":"\*"/)
})

test('glue check › suggests what to do about every failure', async (t) => {
  const source = await startGlueSource(t)
  const { proxy } = source
  const role = { authentication: 'role', roleArn: 'arn:aws:iam::123456789012:role/other' }
  const reject = (code: string, message = '') =>
    proxy.fail('CatalogId', { status: 400, body: JSON.stringify({ __type: code, message }) })
  const cases: readonly (readonly [prepare: () => void, expected: RegExp, given?: Given])[] = [
    [() => {}, /Check access key id/, { secrets: { secretAccessKey: 'canary-wrong' } }],
    [() => {}, /error \| The secret access key is missing/, { secrets: {} }],
    [() => {}, /"Action":"sts:AssumeRole","Resource":"arn:aws:iam::/, { configuration: role }],
    [() => reject('ExpiredTokenException'), /Enter a new access key with its session token/],
    [() => reject('InvalidSignatureException', 'Signature expired: x'), /Synchronize the clock/],
    [() => reject('InvalidInputException'), /\(InvalidInputException\)\. \| Check the endpoint/],
    [() => proxy.fail('CatalogId', { status: 429, retryAfter: 9999 }), /Try again later/],
    [() => proxy.fail('CatalogId', { text: '<html>' }), /invalid JSON/],
    [() => proxy.fail('CatalogId', { status: 500 }), /Check region and endpoint/],
    [() => proxy.fail('CatalogId', 'hang up'), /Check region and endpoint/],
  ]
  for (const [prepare, expected, given] of cases) {
    prepare()
    const summary = String(await summarize(source, given))
    assert.match(summary, expected)
    assert.ok(!summary.includes('canary'), summary)
    proxy.heal()
  }
})

test('glue check › warns only of endpoints without encryption', async (t) => {
  const source = await startGlueSource(t)
  const closed = {
    endpoint: 'https://127.0.0.1:1',
    stsEndpoint: 'https://127.0.0.1:1',
    lakeFormationEndpoint: undefined,
  }
  const [first = ''] = await summarize(source, { configuration: closed })
  assert.match(first, /^error \| /)
})
