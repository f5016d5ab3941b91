import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import {
  dps,
  ID,
  listProblems,
  listWarnings,
  odps,
  parse,
  readProduct,
} from '../../test/product-texts.ts'
import { standardsFor } from '../../test/standards.ts'
import { readText } from '../text/text.ts'
import { portKey } from './fields.ts'
import { readDataProduct } from './read.ts'

test('ODPS › is parsed to a data product', () => {
  assert.deepEqual(
    readProduct({
      ...odps,
      domain: 'shop',
      tags: ['a'],
      authoritativeDefinitions: [{ type: 'docs', url: 'https://example.com' }],
      customProperties: [
        { property: 'type', value: 'aggregate' },
        { property: 'maturity', value: 'managed' },
      ],
      inputPorts: [
        {
          name: 'in',
          version: '2',
          contractId: 'c',
          customProperties: [{ property: 'sourceSystemId', value: 's' }],
        },
      ],
      outputPorts: [
        {
          name: 'out',
          version: '1',
          description: 'd',
          type: 'tables',
          contractId: 'c',
          tags: ['t'],
          customProperties: [
            { property: 'displayName', value: 'Out' },
            { property: 'status', value: 'active' },
            { property: 'server', value: { account: 'x' } },
            { property: 'location', value: 'l' },
            { property: 'containsPii', value: 'true' },
            { property: 'autoApprove', value: false },
          ],
        },
      ],
    }),
    {
      format: 'odps',
      formatVersion: 'v1.0.0',
      id: ID,
      name: 'Orders',
      ownerTeamId: 'sales',
      description: 'p',
      status: 'active',
      archetype: 'aggregate',
      maturity: 'managed',
      domain: 'shop',
      version: '1.0.0',
      tags: ['a'],
      links: [{ type: 'docs', url: 'https://example.com' }],
      custom: [
        { property: 'type', value: 'aggregate' },
        { property: 'maturity', value: 'managed' },
      ],
      inputPorts: [
        {
          key: 'in@2',
          id: 'in',
          name: 'in',
          version: '2',
          contractId: 'c',
          sourceSystemId: 's',
          tags: [],
        },
      ],
      outputPorts: [
        {
          key: 'out@1',
          id: 'out',
          name: 'Out',
          version: '1',
          description: 'd',
          type: 'tables',
          status: 'active',
          contractId: 'c',
          location: 'l',
          server: { account: 'x' },
          containsPii: true,
          autoApprove: false,
          tags: ['t'],
          canonical:
            '{"contractId":"c","customProperties":[{"property":"autoApprove","value":false},{"property":"containsPii","value":"true"},{"property":"displayName","value":"Out"},{"property":"location","value":"l"},{"property":"server","value":{"account":"x"}},{"property":"status","value":"active"}],"description":"d","name":"out","tags":["t"],"type":"tables","version":"1"}',
        },
      ],
    },
  )
})

test('DPS › is parsed to a data product', () => {
  assert.deepEqual(
    readProduct({
      ...dps,
      info: { ...dps.info, domain: 'shop', archetype: 'aggregate', maturity: 'raw' },
      tags: ['a'],
      links: { docs: 'https://example.com' },
      custom: { platform: 'aws' },
      inputPorts: [{ id: 'in', name: 'In', sourceSystemId: 's', type: 'Kafka', location: 'topic' }],
      outputPorts: [
        {
          id: 'out',
          name: 'Out',
          type: 't',
          status: 'active',
          dataContractId: 'c',
          location: 'l',
          server: { a: 'b' },
          containsPii: true,
          tags: ['t'],
        },
      ],
    }),
    {
      format: 'dps',
      formatVersion: '0.0.1',
      id: ID,
      name: 'Orders',
      ownerTeamId: 'sales',
      description: 'd',
      status: 'active',
      archetype: 'aggregate',
      maturity: 'raw',
      domain: 'shop',
      tags: ['a'],
      links: [{ type: 'docs', url: 'https://example.com' }],
      custom: [{ property: 'platform', value: 'aws' }],
      inputPorts: [
        {
          key: 'in',
          id: 'in',
          name: 'In',
          type: 'Kafka',
          sourceSystemId: 's',
          location: 'topic',
          tags: [],
        },
      ],
      outputPorts: [
        {
          key: 'out',
          id: 'out',
          name: 'Out',
          type: 't',
          status: 'active',
          contractId: 'c',
          location: 'l',
          server: { a: 'b' },
          containsPii: true,
          tags: ['t'],
          canonical:
            '{"containsPii":true,"dataContractId":"c","id":"out","location":"l","name":"Out","server":{"a":"b"},"status":"active","tags":["t"],"type":"t"}',
        },
      ],
    },
  )
})

test('format › is detected by its version fields', () => {
  const owned = { name: 'n', team: { name: 't' } }
  assert.equal(readProduct({ kind: 'DataProduct', ...owned }).format, 'odps')
  assert.equal(readProduct({ apiVersion: 'v1.0.0', ...owned }).format, 'odps')
  assert.equal(readProduct({ info: { title: 'x', owner: 't' } }).format, 'dps')
  assert.equal(
    readProduct({ dataProductSpecification: '0.0.1', info: { title: 'x', owner: 't' } }).format,
    'dps',
  )
  assert.equal(
    readProduct({ apiVersion: null, kind: null, info: { title: 'x', owner: 't' } }).format,
    'dps',
  )
  assert.match(listProblems({}).join(), /^: This is neither an ODPS document/)
  assert.match(listProblems({ info: 'x' }).join(), /neither/)
  assert.match(listProblems({ kind: 'Other' }).join(), /neither/)
})

test('format › a document with the version fields of both is ODPS, with a warning', () => {
  const both = { ...odps, dataProductSpecification: '0.0.1' }
  assert.equal(readProduct(both).format, 'odps')
  assert.match(
    listWarnings(both).join('\n'),
    /^dataProductSpecification: The document has the version fields of both ODPS .* it is treated as ODPS\./m,
  )
})

test('archetype › is the type of v1.1.0 in its notation, else the custom property', () => {
  const custom = { customProperties: [{ property: 'type', value: 'aggregate' }] }
  assert.equal(
    readProduct({ ...odps, apiVersion: 'v1.1.0', type: 'sourceAligned', ...custom }).archetype,
    'source-aligned',
  )
  assert.equal(readProduct({ ...odps, apiVersion: 'v1.1.0', type: 'own' }).archetype, 'own')
  assert.equal(readProduct({ ...odps, ...custom }).archetype, 'aggregate')
})

function getContractId(document: object, port: object): string | undefined {
  return readProduct({ ...document, outputPorts: [port] }).outputPorts[0]?.contractId
}

test('contract of a port › is read from every position that documents use', () => {
  assert.equal(getContractId(odps, { name: 'a', contractId: 'c' }), 'c')
  assert.equal(getContractId(odps, { name: 'a', dataContractId: 'c' }), 'c')
  assert.equal(
    getContractId(odps, {
      name: 'a',
      contractId: '',
      customProperties: [{ property: 'contractId', value: 'c' }],
    }),
    'c',
  )
  assert.equal(getContractId(dps, { id: 'a', contractId: 'c' }), 'c')
  assert.equal(getContractId(dps, { id: 'a', custom: { contractId: 'c' } }), 'c')
  assert.equal(getContractId(dps, { id: 'a', dataContractId: 'b', contractId: 'c' }), 'b')
})

test('ports › are looked up by id, identified by key, and duplicate keys are reported', () => {
  const { outputPorts } = readProduct({
    ...odps,
    outputPorts: [
      { name: 'a', version: '1' },
      { name: 'a', version: '2' },
      { id: 'x', name: 'b', version: '' },
      {},
    ],
  })
  assert.deepEqual(
    outputPorts.map(({ key, id, name }) => [key, id, name]),
    [
      ['a@1', 'a', 'a'],
      ['a@2', 'a', 'a'],
      ['b', 'x', 'b'],
      ['outputPorts[3]', 'outputPorts[3]', 'outputPorts[3]'],
    ],
  )
  const twice = { ...dps, outputPorts: [{ id: 'a', name: 'x' }, null, { id: 'a', name: 'y' }] }
  assert.match(listProblems(twice).join(), /outputPorts\[1\]: This must be an object/)
  assert.match(
    listWarnings({
      ...dps,
      outputPorts: [
        { id: 'a', name: 'x' },
        { id: 'a', name: 'y' },
      ],
    }).join('\n'),
    /^outputPorts\[1\]: Another port has the name "a"; rename one of them\.$/m,
  )
})

test('keys of ports › are unique for every pair of name and version', () => {
  assert.notEqual(portKey('a@b', undefined), portKey('a', 'b'))
  assert.notEqual(portKey('a%40b', undefined), portKey('a@b', undefined))
  assert.equal(portKey('a', ''), portKey('a', undefined))
  const part = fc.string({ unit: fc.constantFrom('a', '@', '%', '4', '0'), maxLength: 4 })
  fc.assert(
    fc.property(part, part, part, part, (name, version, otherName, otherVersion) => {
      const isSame = name === otherName && version === otherVersion
      assert.equal(portKey(name, version) === portKey(otherName, otherVersion), isSame)
    }),
    { seed: 1, numRuns: 400 },
  )
})

function canonical(document: unknown): string {
  const read = parse(document)
  assert.ok(read.ok)
  return read.canonical
}

test('canonical form › equal for documents that mean the same', () => {
  const one = {
    ...odps,
    tags: ['a', 'b'],
    outputPorts: [
      {
        name: 'a',
        version: '1',
        customProperties: [
          { property: 'n', value: 1 },
          { property: 'm', value: 2 },
        ],
      },
      { name: 'b', version: '1' },
    ],
  }
  const two = Object.fromEntries(
    Object.entries({
      ...one,
      tags: ['b', 'a'],
      outputPorts: [
        { version: '1', name: 'b' },
        {
          name: 'a',
          customProperties: [
            { value: 2.0, property: 'm' },
            { property: 'n', value: 1 },
          ],
          version: '1',
        },
      ],
    }).toReversed(),
  )
  assert.equal(canonical(one), canonical(two))
  assert.notEqual(canonical(one), canonical({ ...one, tags: ['a'] }))
  assert.notEqual(canonical(one), canonical({ ...one, tenant: null }))
})

test('public examples › are parsed', (t: TestContext) => {
  const files = [...(standardsFor(t, 'odps') ?? []), ...(standardsFor(t, 'dps') ?? [])]
  const names: string[] = []
  for (const { name, text } of files) {
    if (!/shelf|stock_updated|customer/.test(name)) continue
    const yaml = readText(text, 'application/yaml')
    assert.ok(yaml.ok)
    const id = /^id: (\S+)/m.exec(text)?.[1] ?? ''
    const read = readDataProduct(yaml, { id, strict: false })
    assert.ok(read.ok, JSON.stringify(read))
    names.push(`${read.product.name}, ${read.product.outputPorts.length}`)
  }
  if (files.length > 0)
    assert.deepEqual(names, ['Customer Data Product, 4', 'Shelf Warmers, 2', 'Stock Updates, 2'])
})
