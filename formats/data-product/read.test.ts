import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { standardsFor } from '../../test/standards.ts'
import { readText, type SourceText } from '../text/text.ts'
import type { DataProduct } from './data-product.ts'
import { type ProductParseResult, readDataProduct } from './read.ts'
import { portKey } from './fields.ts'

const ID = 'orders'
const odps = {
  apiVersion: 'v1.0.0',
  kind: 'DataProduct',
  id: ID,
  name: 'Orders',
  status: 'active',
  version: '1.0.0',
  description: { purpose: 'p' },
  team: { name: 'sales' },
}
const dps = {
  dataProductSpecification: '0.0.1',
  id: ID,
  info: { title: 'Orders', owner: 'sales', description: 'd', status: 'active' },
}

function source(document: unknown): SourceText {
  const text = readText(
    typeof document === 'string' ? document : JSON.stringify(document),
    typeof document === 'string' ? 'application/yaml' : 'application/json',
  )
  assert.ok(text.ok, JSON.stringify(text))
  return text
}

function parse(document: unknown, strict = false): ProductParseResult {
  return readDataProduct(source(document), { id: ID, strict })
}

function product(document: unknown): DataProduct {
  const read = parse(document)
  assert.ok(read.ok, JSON.stringify(read))
  return read.product
}

function problems(document: unknown, strict = false): string[] {
  const read = parse(document, strict)
  assert.ok(!read.ok)
  return read.problems.map(({ field, message }) => `${field}: ${message}`)
}

function warnings(document: unknown): string[] {
  const read = parse(document)
  assert.ok(read.ok, JSON.stringify(read))
  return read.warnings.map(({ field, message }) => `${field}: ${message}`)
}

test('ODPS › is parsed to a data product', () => {
  assert.deepEqual(
    product({
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
    product({
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
  assert.equal(product({ kind: 'DataProduct', ...owned }).format, 'odps')
  assert.equal(product({ apiVersion: 'v1.0.0', ...owned }).format, 'odps')
  assert.equal(product({ info: { title: 'x', owner: 't' } }).format, 'dps')
  assert.equal(
    product({ dataProductSpecification: '0.0.1', info: { title: 'x', owner: 't' } }).format,
    'dps',
  )
  assert.equal(
    product({ apiVersion: null, kind: null, info: { title: 'x', owner: 't' } }).format,
    'dps',
  )
  assert.match(problems({}).join(), /^: This is neither an ODPS document/)
  assert.match(problems({ info: 'x' }).join(), /neither/)
  assert.match(problems({ kind: 'Other' }).join(), /neither/)
})

test('format › a document with the version fields of both is ODPS, with a warning', () => {
  const both = { ...odps, dataProductSpecification: '0.0.1' }
  assert.equal(product(both).format, 'odps')
  assert.match(
    warnings(both).join('\n'),
    /^dataProductSpecification: The document has the version fields of both ODPS .* it is treated as ODPS\./m,
  )
})

test('format › a document for another endpoint is rejected with a hint', () => {
  assert.match(problems({ ...odps, kind: 'DataContract' }).join(), /^kind: This is a data contract/)
  assert.match(
    problems({ dataContractSpecification: '1.1.0', info: {} }).join(),
    /^dataContractSpecification: This is a data contract/,
  )
  const other = /opendataproducts\.org; here ODPS means the Open Data Product Standard of bitol\.io/
  assert.match(
    problems({
      schema: 'https://opendataproducts.org/v3.0/schema/odps.yaml',
      version: '3.0',
      product: {},
    }).join(),
    other,
  )
  assert.match(problems({ product: { en: { name: 'x' } } }).join(), other)
  assert.match(problems({ ...odps, schema: 'https://www.opendataproducts.org/x' }).join(), other)
  assert.equal(product({ ...odps, product: {} }).format, 'odps')
})

test('id › a missing id is that of the address; a different one is an error that names both', () => {
  const { id: _, ...withoutId } = odps
  assert.equal(product(withoutId).id, ID)
  assert.equal(product({ ...odps, id: null }).id, ID)
  const message =
    'The document has the id “other”, but the address has “orders”; make them equal, or remove the id.'
  assert.deepEqual(problems({ ...odps, id: 'other' }), [`id: ${message}`])
  assert.deepEqual(problems({ ...dps, id: 'other' }), [`id: ${message}`])
  assert.deepEqual(problems({ info: { id: 'other', name: 'x', owner: 't' } }), [
    `info.id: ${message}`,
  ])
  assert.match(
    problems({ ...odps, id: 5 }).join(),
    /^id: This must be text, not a number; put it in quotes: "5"\.$/,
  )
})

test('id › an id like __proto__ is an id', () => {
  const read = readDataProduct(source({ ...odps, id: '__proto__' }), {
    id: '__proto__',
    strict: false,
  })
  assert.ok(read.ok && read.product.id === '__proto__')
})

test('name and owner › are required, and must not be blank', () => {
  const name = 'name: This field is missing; give the data product a name.'
  const owner =
    'team.name: This field is missing; give the id of the team that owns the data product.'
  assert.deepEqual(problems({ kind: 'DataProduct' }), [name, owner])
  assert.deepEqual(problems({ kind: 'DataProduct', name: null, team: null }), [name, owner])
  assert.deepEqual(problems({ ...odps, name: ' \n' }), [
    'name: This field is blank; give the data product a name.',
  ])
  assert.deepEqual(problems({ ...odps, team: { name: '' } }), [
    'team.name: This field is blank; give the id of the team that owns the data product.',
  ])
  assert.deepEqual(problems({ info: {} }), [
    'info.owner: This field is missing; give the id of the team that owns the data product.',
    'info.title: This field is missing; give the data product a title.',
  ])
})

test('DPS › supports both notations; contradictions are errors', () => {
  const old = product({ info: { id: ID, name: 'Orders' }, teamId: 'sales' })
  assert.deepEqual([old.id, old.name, old.ownerTeamId], [ID, 'Orders', 'sales'])
  const same = { id: ID, info: { id: ID, title: 'A', name: 'A', owner: 't' }, teamId: 't' }
  assert.equal(product(same).name, 'A')
  assert.deepEqual(
    problems({ id: ID, info: { id: 'b', title: 'A', name: 'B', owner: 't' }, teamId: 'u' }),
    [
      'info.id: This is “b”, but id is “orders”; keep one of them.',
      'info.name: This is “B”, but info.title is “A”; keep one of them.',
      'teamId: This is “u”, but info.owner is “t”; keep one of them.',
    ],
  )
})

test('errors › are reported together, sorted by field, with advice', () => {
  assert.deepEqual(
    problems(
      'apiVersion: v1.0.0\nkind: DataProduct\nid: other\nversion: 1.0\ndescription: All orders.\noutputPorts:\n  - name: a\n    version: 2\n  - x\n',
    ),
    [
      'description: This must be an object, not text; description is an object in ODPS; move the text to description.purpose.',
      'id: The document has the id “other”, but the address has “orders”; make them equal, or remove the id.',
      'name: This field is missing; give the data product a name.',
      'outputPorts[0].version: This must be text, not a number; put it in quotes: "2".',
      'outputPorts[1]: This must be an object, not text.',
      'team.name: This field is missing; give the id of the team that owns the data product.',
      'version: This must be text, not a number; put it in quotes: "1.0".',
    ],
  )
})

test('warnings › unusual values are stored and reported', () => {
  assert.deepEqual(warnings(odps), [])
  assert.deepEqual(warnings({ ...odps, nmae: 'x', status: 'odd', tenant: null }), [
    'nmae: Unknown field “nmae”; did you mean “name”?',
    'status: “odd” is unusual; common values are proposed, draft, active, deprecated, retired.',
    'tenant: This field is null, which means absent; remove it.',
  ])
  assert.deepEqual(
    warnings({ ...odps, customProperties: [{ property: 'maturity', value: 'ripe' }] }),
    ['customProperties[0].value: “ripe” is unusual; common values are raw, defined, managed.'],
  )
  assert.deepEqual(warnings({ ...dps, info: { ...dps.info, archetype: 'application' } }), [
    'info.archetype: “application” is unusual; common values are source-aligned, aggregate, consumer-aligned.',
  ])
})

test('strict › turns deviations into errors, but not unusual values', () => {
  const deviating = { ...odps, color: 'x', status: null }
  assert.deepEqual(warnings(deviating).length, 2)
  assert.deepEqual(problems(deviating, true), [
    'color: Unknown field “color”; remove it, or make it a custom property.',
    'status: This field is missing; the standard requires it.',
  ])
  assert.ok(parse({ ...odps, status: 'odd' }, true).ok)
})

test('versions › each document is validated against the schema of its version', () => {
  const port = { outputPorts: [{ id: 'x', name: 'a' }] }
  assert.deepEqual(warnings({ ...odps, ...port }), [
    'outputPorts[0].id: Unknown field “id”; remove it, or make it a custom property.',
    'outputPorts[0].version: This field is missing; the standard requires it.',
  ])
  assert.deepEqual(warnings({ ...odps, ...port, apiVersion: 'v1.1.0' }), [])
  assert.deepEqual(warnings({ ...odps, ...port, apiVersion: 'v9' }), [
    'apiVersion: “v9” is not allowed; write “v0.9.0” or “v1.0.0” or “v1.1.0”.',
  ])
  assert.match(
    warnings({ ...odps, apiVersion: 'v0.9.0' }).join(),
    /team: In v0\.9\.0 team is a list/,
  )
  assert.match(
    problems({ ...odps, team: [{ username: 'ada' }] }).join(),
    /team: .*team is an object in ODPS/,
  )
})

test('archetype › is the type of v1.1.0 in its notation, else the custom property', () => {
  const custom = { customProperties: [{ property: 'type', value: 'aggregate' }] }
  assert.equal(
    product({ ...odps, apiVersion: 'v1.1.0', type: 'sourceAligned', ...custom }).archetype,
    'source-aligned',
  )
  assert.equal(product({ ...odps, apiVersion: 'v1.1.0', type: 'own' }).archetype, 'own')
  assert.equal(product({ ...odps, ...custom }).archetype, 'aggregate')
})

function getContractId(document: object, port: object): string | undefined {
  return product({ ...document, outputPorts: [port] }).outputPorts[0]?.contractId
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
  const { outputPorts } = product({
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
  assert.match(problems(twice).join(), /outputPorts\[1\]: This must be an object/)
  assert.match(
    warnings({
      ...dps,
      outputPorts: [
        { id: 'a', name: 'x' },
        { id: 'a', name: 'y' },
      ],
    }).join('\n'),
    /^outputPorts\[1\]: Another port has the name “a”; rename one of them\.$/m,
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
    { seed: 1, numRuns: 1000 },
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

test('parsing › never throws, and each problem has a position', () => {
  const names = fc.constantFrom(
    'apiVersion',
    'kind',
    'id',
    'name',
    'team',
    'info',
    'title',
    'owner',
    'tags',
    'links',
    'custom',
    'customProperties',
    'property',
    'value',
    'outputPorts',
    'inputPorts',
    'server',
    'description',
    '__proto__',
    'constructor',
    'product',
    'schema',
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('DataProduct', 'v1.0.0', '', 'a', null, true, 1),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(names, value, { maxKeys: 8 }), fc.boolean(), (document, strict) => {
      const read = readDataProduct(source(document), { id: ID, strict })
      const found = read.ok ? read.warnings : read.problems
      assert.ok(read.ok || found.length > 0)
      for (const { line, column, message } of found) {
        assert.ok(line >= 1 && column >= 1 && /[.?]$/.test(message))
      }
      assert.deepEqual(
        found.map(({ field }) => field),
        found.map(({ field }) => field).toSorted(),
      )
    }),
    { seed: 1, numRuns: 2000 },
  )
})
