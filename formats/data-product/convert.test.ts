import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { standardsFor, type StandardFile } from '../../test/standards.ts'
import { canonicalText } from '../shape/canonical.ts'
import type { Shape } from '../shape/shape.ts'
import { readText } from '../text/text.ts'
import { getField, isObject, jsonText, asText, type Value, valueAt } from '../text/value.ts'
import { dpsFromOdps, odpsFromDps } from './convert.ts'
import { DPS } from './dps-shape.ts'
import { ODPS_NEWEST } from './odps-shape.ts'
import { words, dpsDocuments, odpsDocuments, validDps } from '../../test/product-arbitrary.ts'

const RUNS = 500

function assertSame(actual: Value, expected: Value, shape: Shape): void {
  const text = canonicalText(actual, shape)
  if (text !== canonicalText(expected, shape)) assert.deepEqual(actual, expected)
}

test('DPS → ODPS → DPS › preserves every document', () => {
  fc.assert(
    fc.property(dpsDocuments, words, (document, id) => {
      assertSame(dpsFromOdps(odpsFromDps(document, id)), document, DPS)
    }),
    { seed: 1, numRuns: RUNS },
  )
})

test('ODPS → DPS → ODPS › preserves every document', () => {
  fc.assert(
    fc.property(odpsDocuments, words, (document, word) => {
      // A document is stored under its own id, if it has one.
      const id = asText(getField(document, 'id')) ?? word
      assertSame(odpsFromDps(dpsFromOdps(document), id), document, ODPS_NEWEST)
    }),
    { seed: 1, numRuns: RUNS },
  )
})

function turned(value: Value): Value {
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, member]): [string, Value] => [
    name,
    turned(member),
  ])
  return Object.fromEntries(fields.toReversed())
}

test('conversion › does not depend on the order of fields', () => {
  const clash = { custom: { 'odps.description.usage': 'u', 'odps.description': {} } }
  assertSame(odpsFromDps(turned(clash), 'x'), odpsFromDps(clash, 'x'), ODPS_NEWEST)
  fc.assert(
    fc.property(dpsDocuments, (document) => {
      assertSame(odpsFromDps(turned(document), 'x'), odpsFromDps(document, 'x'), ODPS_NEWEST)
    }),
    { seed: 1, numRuns: 200 },
  )
})

test('conversion › preserves two custom properties with the same name, in any order', () => {
  const two = [
    { property: 'dps.links', value: ['x'] },
    { property: 'dps.links', value: {} },
    { property: 'a', value: 1 },
    { property: 'a', value: 2 },
  ]
  for (const customProperties of [two, two.toReversed()]) {
    const odps = { kind: 'DataProduct', id: 'x', customProperties }
    const dps = dpsFromOdps(odps)
    assertSame(odpsFromDps(dps, 'x'), odps, ODPS_NEWEST)
    assert.ok(!jsonText(dps).includes('odpsDocument'))
  }
})

test('conversion › preserves documents over two round trips, including embedded documents', () => {
  fc.assert(
    fc.property(dpsDocuments, (document) => {
      const odps = odpsFromDps(document, 'x')
      const wrapped = dpsFromOdps({ customProperties: [{ property: 'dpsDocument', value: odps }] })
      assertSame(dpsFromOdps(odpsFromDps(wrapped, 'x')), wrapped, DPS)
    }),
    { seed: 1, numRuns: 200 },
  )
})

function odpsValidator(files: StandardFile[]): (document: Value) => string {
  const schema = files.find(({ name: file }) => file === 'odps-v1.0.0.schema.json')
  const ajv = new Ajv2019({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(schema?.text ?? 'null'))
  return (document) => (validate(document) ? '' : JSON.stringify(validate.errors))
}

test('DPS → ODPS › the result of a valid document is valid under the official schema', (t: TestContext) => {
  const files = standardsFor(t, 'odps')
  if (files === undefined) return
  const listProblems = odpsValidator(files)
  fc.assert(
    fc.property(validDps, fc.string(), (document, id) => {
      const odps = odpsFromDps(document, id)
      // A custom field `odps.apiVersion` makes it a document of that version, whose schema is not available.
      if (getField(odps, 'apiVersion') === 'v1.0.0') assert.equal(listProblems(odps), '')
      assertSame(dpsFromOdps(odps), document, DPS)
    }),
    { seed: 1, numRuns: RUNS },
  )
})

test('DPS → ODPS › the results of the public examples are valid under the official schema, and readable', (t: TestContext) => {
  const files = standardsFor(t, 'odps')
  const examples = standardsFor(t, 'dps')
  if (files === undefined || examples === undefined) return
  const listProblems = odpsValidator(files)
  let count = 0
  for (const { text } of examples) {
    const source = readText(text, 'application/yaml')
    if (!source.ok || !isObject(getField(source.value, 'info'))) continue
    count += 1
    const odps = odpsFromDps(source.value, 'x')
    assert.equal(listProblems(odps), '')
    assertSame(dpsFromOdps(odps), source.value, DPS)
    assert.ok(!jsonText(odps).includes('dpsDocument'))
  }
  assert.equal(count, 2)
})

test('DPS → ODPS › maps every field that has an equivalent in ODPS', () => {
  const dps = {
    dataProductSpecification: '0.0.1',
    id: 'orders',
    info: {
      title: 'Orders',
      owner: 'sales',
      description: 'All orders.',
      domain: 'shop',
      status: 'in development',
      archetype: 'aggregate',
      maturity: 'managed',
      icon: '📦',
      color: 'blue',
    },
    tags: ['a'],
    links: { docs: 'https://example.com/docs', wiki: 'not a link' },
    custom: { platform: 'aws', status: 'own', 'odps.tenant': 'acme' },
    outputPorts: [
      {
        id: 'orders_v1',
        name: 'Orders, first version',
        dataContractId: 'orders',
        server: { account: 'x' },
        containsPii: true,
      },
    ],
    inputPorts: [{ id: 'in', name: 'in', sourceSystemId: 'shop' }],
  }
  const odps = {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id: 'orders',
    name: 'Orders',
    team: { name: 'sales' },
    description: { purpose: 'All orders.' },
    domain: 'shop',
    status: 'in development',
    tenant: 'acme',
    tags: ['a'],
    authoritativeDefinitions: [{ type: 'docs', url: 'https://example.com/docs' }],
    inputPorts: [
      {
        name: 'in',
        version: '',
        contractId: '',
        customProperties: [{ property: 'sourceSystemId', value: 'shop' }],
      },
    ],
    outputPorts: [
      {
        name: 'orders_v1',
        version: '',
        contractId: 'orders',
        customProperties: [
          { property: 'displayName', value: 'Orders, first version' },
          { property: 'containsPii', value: true },
          { property: 'server', value: { account: 'x' } },
        ],
      },
    ],
    customProperties: [
      { property: 'type', value: 'aggregate' },
      { property: 'maturity', value: 'managed' },
      { property: 'icon', value: '📦' },
      { property: 'platform', value: 'aws' },
      { property: 'status', value: 'own' },
      { property: 'dps.info.color', value: 'blue' },
      { property: 'dps.links.wiki', value: 'not a link' },
    ],
  }
  assert.deepEqual(odpsFromDps(dps, 'orders'), odps)
})

test('ODPS → DPS › preserves fields that only ODPS has as custom fields', () => {
  const odps = {
    apiVersion: 'v1.1.0',
    kind: 'DataProduct',
    id: 'orders',
    name: 'Orders',
    version: '2.0.0',
    team: { name: 'sales', members: [{ username: 'ada' }] },
    description: { purpose: 'All orders.', usage: 'Any.' },
    support: [{ channel: 'c', url: 'https://example.com' }],
    color: 'blue',
    outputPorts: [{ id: 'p', name: 'orders', deprecated: true }],
  }
  const dps = {
    dataProductSpecification: '0.0.1',
    id: 'orders',
    info: { title: 'Orders', owner: 'sales', description: 'All orders.' },
    outputPorts: [
      {
        id: 'orders',
        name: 'orders',
        custom: { 'odps.version': null, 'odps.id': 'p', 'odps.deprecated': true },
      },
    ],
    custom: {
      'odps.apiVersion': 'v1.1.0',
      'odps.status': null,
      'odps.version': '2.0.0',
      'odps.team.members': [{ username: 'ada' }],
      'odps.description.usage': 'Any.',
      'odps.support': [{ channel: 'c', url: 'https://example.com' }],
      'odps.color': { value: 'blue' },
    },
  }
  assert.deepEqual(dpsFromOdps(odps), dps)
  assert.deepEqual(odpsFromDps(dps, 'orders'), odps)
})

test('DPS → ODPS → edit → DPS › shows the edit, even if a whole document is embedded', () => {
  // No document embeds values that ODPS documents contain anyway.
  const awkward = {
    id: 'a',
    info: { title: 'Old', owner: 't' },
    custom: { 'odps.apiVersion': 'v1.0.0' },
  }
  const odps = odpsFromDps(awkward, 'a')
  assert.ok(isObject(odps) && jsonText(odps).includes('dpsDocument'))
  const edited = dpsFromOdps({ ...odps, name: 'New' })
  assert.equal(valueAt(edited, ['info', 'title']), 'New')
})

test('conversion › a missing DPS status becomes unknown, and absent again when converting back', () => {
  const dps = { dataProductSpecification: '0.0.1', id: 'a', info: { title: 'A', owner: 't' } }
  const odps = odpsFromDps(dps, 'a')
  assert.equal(getField(odps, 'status'), 'unknown')
  assert.deepEqual(dpsFromOdps(odps), dps)
})

test('conversion › preserves both notations of DPS', () => {
  const dps = { dataProductSpecification: '0.0.1', info: { id: 'a', name: 'A' }, teamId: 't' }
  const odps = odpsFromDps(dps, 'a')
  assert.equal(getField(odps, 'name'), 'A')
  assert.deepEqual(valueAt(odps, ['team', 'name']), 't')
  assert.deepEqual(dpsFromOdps(odps), dps)
  assert.ok(isObject(odps) && !jsonText(odps).includes('dpsDocument'))
  // The edit is applied to the field in the old notation.
  assert.equal(valueAt(dpsFromOdps({ ...odps, name: 'B' }), ['info', 'name']), 'B')
})
