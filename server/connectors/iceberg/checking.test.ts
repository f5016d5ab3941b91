import assert from 'node:assert/strict'
import test from 'node:test'
import { createSetup, startSource, type Given } from '../../../test/iceberg-reading.ts'
import type { Finding } from '../connector.ts'
import { iceberg } from './connector.ts'

/** Returns the findings as texts, with errors marked. */
function listFindings(findings: readonly Finding[]): string[] {
  return findings.map(({ state, what }) => `${state === 'ok' ? '' : '! '}${what}`)
}

async function check(from: { url: string }, given: Given = {}): Promise<Finding[]> {
  return await iceberg.check(createSetup(from, given, { log: [], sent: [] }))
}

test('iceberg check › reports what works, in few requests', async (t) => {
  const from = await startSource(t)
  from.state.namespace('empty')
  from.state.tables('sales', 3)
  assert.deepEqual(listFindings(await check(from)), [
    `The catalog at ${from.url} answers`,
    'The catalog shows 2 namespaces, of which 2 are included',
    'The table sales.table_0001 can be read',
  ])
  assert.ok(from.requests.length <= 10)
})

test('iceberg check › reports a missing privilege and what to do', async (t) => {
  const from = await startSource(t)
  const cases: readonly (readonly [prepare: () => void, wrong: RegExp, hint: RegExp])[] = [
    [() => {}, /shows 0 namespaces/, /warehouse/],
    [() => from.state.tables('sales', 1), /^$/, /^$/],
    [
      () => from.fail('namespaces', { status: 403 }),
      /does not show its namespaces/,
      /list namespaces/,
    ],
    [() => from.fail('tables sales', { status: 403 }), /the tables of sales/, /will be absent/],
    [() => from.fail('table *', { status: 403 }), /the table sales\.table_0001/, /will be absent/],
    [() => from.fail('config', { status: 404 }), /\/v1\/config/, /without \/v1/],
    [() => from.fail('config', { status: 401 }), /credentials/, /requires a token/],
    [() => from.fail('config', { text: '<html>' }), /invalid JSON/, /Iceberg REST catalog/],
    [
      () => from.fail('config', { status: 500 }),
      /failed with status 500\.$/,
      /check the warehouse/,
    ],
    [() => from.fail('config', 'drop'), /./, /host and port/],
  ]
  for (const [prepare, wrong, hint] of cases) {
    from.heal()
    prepare()
    const finding = (await check(from)).find(({ state }) => state !== 'ok')
    assert.match(finding?.what ?? '', wrong)
    assert.match(finding?.hint ?? '', hint)
  }
})

test('iceberg check › warns of credentials that travel without encryption', async (t) => {
  const from = await startSource(t)
  from.access = { kind: 'token', token: 'canary-token' }
  const given = { configuration: { authentication: 'token' }, secrets: { token: 'canary-token' } }
  const findings = await check(from, given)
  assert.equal(findings[0]?.state, 'warning')
  assert.match(findings[0]?.what ?? '', /without encryption/)
  assert.ok(!JSON.stringify(findings).includes('canary'))
})
