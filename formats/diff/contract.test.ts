import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mutations } from '../../test/document-mutations.ts'
import { standardsFor } from '../../test/standards.ts'
import { odcs3FromOdcs2 } from '../data-contract/convert/odcs-2.ts'
import { odcsFromDcs } from '../data-contract/convert/convert.ts'
import { readDataContract } from '../data-contract/read.ts'
import { readText } from '../text/text.ts'
import { getField, isObject, jsonText, asText, type Value, valueAt } from '../text/value.ts'
import { diffDataContracts } from './contract.ts'
import { type Change, highestLevel } from './level.ts'

const ODCS = {
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'x',
  version: '1',
  status: 'active',
  team: { name: 't' },
}
const DCS = {
  dataContractSpecification: '1.2.1',
  id: 'x',
  info: { title: 'X', version: '1', owner: 't' },
}

function parse(value: Value) {
  const source = readText(jsonText(value), 'application/json')
  const id = asText(getField(value, 'id')) ?? asText(getField(value, 'uuid')) ?? 'x'
  return source.ok ? readDataContract(source, { id, strict: false }) : undefined
}

function read(value: Value) {
  const result = parse(value)
  assert.ok(result?.ok === true, JSON.stringify(result))
  return result
}

function diff(before: Value, after: Value): Change[] {
  return diffDataContracts(read(before), read(after))
}

function lines(before: Value, after: Value): string[] {
  return diff(before, after).map(({ level, kind, path }) => `${level} ${kind} ${path}`)
}

const withFields = (...properties: Value[]) => ({
  ...ODCS,
  schema: [{ name: 'orders', properties }],
})

test('paths › point to the changed field, or to the exact position of a changed description', () => {
  const id = { name: 'id', logicalType: 'integer', businessName: 'Id' }
  const gone = { name: 'gone', logicalType: 'date' }
  const before = withFields(gone, id)
  const after = withFields({ ...id, logicalType: 'string', businessName: 'Key', examples: ['a'] })
  assert.deepEqual(lines(before, after), [
    'breaking changed /schema/0/properties/0',
    'breaking removed /schema/0/properties/0',
    'wording changed /schema/0/properties/0/businessName',
    'wording added /schema/0/properties/0/examples',
  ])
})

const field = (more: object) => withFields({ name: 'a', logicalType: 'string', ...more })

test('models › a change of a field is not reported again for the text of the document', () => {
  assert.deepEqual(
    lines(
      field({ physicalType: 'varchar(10)', logicalTypeOptions: { maxLength: 10 } }),
      field({ physicalType: 'varchar(20)', logicalTypeOptions: { maxLength: 20 } }),
    ),
    ['breaking changed /schema/0/properties/0'],
  )
})

test('models › a change that affects no model is wording at the exact position', () => {
  assert.deepEqual(lines(field({ required: false }), field({})), [
    'wording removed /schema/0/properties/0/required',
  ])
  assert.deepEqual(
    lines(
      field({ customProperties: [{ property: 'p', value: 1 }] }),
      field({ customProperties: [{ property: 'p', value: 2 }] }),
    ),
    ['wording changed /schema/0/properties/0/customProperties/0/value'],
  )
})

const called = (name: string, businessName: string) =>
  withFields({ name, logicalType: 'string', businessName }, { name: 'z', logicalType: 'date' })

test('models › a renamed field is reported once, with changes of its description', () => {
  assert.deepEqual(lines(called('a', 'A'), called('b', 'B')), [
    'breaking renamed /schema/0/properties/0',
    'wording changed /schema/0/properties/0/businessName',
  ])
})

test('models › a changed order of models and of fields is one change each', () => {
  const a = { name: 'a', logicalType: 'string' }
  const b = { name: 'b', logicalType: 'date' }
  const schema = [
    { name: 'orders', properties: [a, b] },
    { name: 'lines', properties: [a] },
  ]
  const reversed = [schema[1] ?? {}, { name: 'orders', properties: [b, a] }]
  assert.deepEqual(lines({ ...ODCS, schema }, { ...ODCS, schema: reversed }), [
    'wording changed /schema/1',
    'wording changed /schema',
  ])
})

const avro = (type: string, gap = '') => ({
  ...DCS,
  dataContractSpecification: '0.9.3',
  schema: {
    type: 'avro',
    specification: `{"type":"record","name":"o","fields":[${gap}{"name":"id","type":"${type}"}]}`,
  },
})

test('specifications › are compared by their models', () => {
  assert.deepEqual(lines(avro('int'), avro('long')), ['breaking changed /schema/specification'])
  assert.deepEqual(lines(avro('int'), avro('int', ' ')), ['wording changed /schema/specification'])
})

const at = (host: string, physicalName: string) => ({
  ...ODCS,
  servers: [{ server: 's', type: 'kafka', host }],
  schema: [{ name: 'orders', physicalName }],
})

test('physical names › a changed name is breaking, even on the same server', () => {
  assert.deepEqual(lines(at('h', 'a'), at('h', 'b')), ['breaking changed /schema/0'])
  assert.deepEqual(lines(at('h', 'a'), at('i', 'b')), [
    'breaking changed /schema/0',
    'breaking changed /servers/0/host',
  ])
})

test('across formats › the same contract is only a wording change', () => {
  const dcs = {
    ...DCS,
    models: { orders: { type: 'table', fields: { id: { type: 'long', required: true } } } },
  }
  const odcs = odcsFromDcs(dcs, 'x')
  assert.deepEqual(lines(dcs, odcs), ['wording changed '])
  assert.deepEqual(lines(odcs, dcs), ['wording changed '])
  const schema = [{ name: 'orders', physicalType: 'table', properties: [] }]
  const parts = isObject(odcs) ? odcs : {}
  const changes = diff(dcs, { ...parts, schema })
  assert.equal(highestLevel(changes), 'breaking')
})

// Every readable document, with one position changed.
for (const kind of ['odcs', 'dcs'] as const) {
  test(`${kind} › reports no change of official examples and their mutations if and only if both mean the same`, (context) => {
    const files = standardsFor(context, kind)?.filter(({ name }) => name.endsWith('.yaml')) ?? []
    for (const { name, text } of files) {
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok, name)
      const document = source.value
      const original = parse(document)
      if (original?.ok !== true) continue
      assert.deepEqual(diffDataContracts(original, original), [], name)
      const property = fc.property(mutations(document), mutations(document), (one, other) => {
        const [before, after] = [parse(one), parse(other)]
        if (before?.ok !== true || after?.ok !== true) return
        for (const [a, b] of [
          [original, after],
          [before, after],
        ] as const) {
          const changes = diffDataContracts(a, b)
          const isEqual = a.canonical === b.canonical && a.contract.format === b.contract.format
          assert.equal(changes.length === 0, isEqual, `${name}: ${JSON.stringify(changes)}`)
          for (const change of changes) checkChange(change, a.value, b.value)
        }
      })
      fc.assert(property, { seed: 5, numRuns: 40 })
    }
  })
}

function checkChange({ path, after: now, message }: Change, before: Value, after: Value): void {
  assert.match(message, /^\S[^]*\.$/)
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const leads = (value: Value) => {
    let here: Value | undefined = value
    for (const step of steps) {
      here = Array.isArray(here) ? here[Number(step)] : getField(here, step)
    }
    return here !== undefined
  }
  // A value without content may be absent.
  if (now === null) assert.ok(leads(before) || leads(after), `${path}: ${message}`)
  else assert.ok(leads(after), `${path}: ${message}`)
}

test('dcs › the ODCS form of every official example means the same', (context) => {
  for (const { name, text } of standardsFor(context, 'dcs') ?? []) {
    if (!name.endsWith('.yaml')) continue
    const source = readText(text, 'application/yaml')
    assert.ok(source.ok, name)
    const original = parse(source.value)
    if (original?.ok !== true) continue
    const converted = read(odcsFromDcs(source.value, original.contract.id))
    for (const changes of [
      diffDataContracts(original, converted),
      diffDataContracts(converted, original),
    ]) {
      assert.deepEqual(
        changes.map(({ level, path }) => `${level} ${path}`),
        ['wording '],
        name,
      )
    }
  }
})

const leaf = fc.constantFrom<Value>('a', 'b', '', null, 1, true)
const property = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', '__proto__'),
    logicalType: fc.constantFrom('string', 'integer', 'array', 'object'),
    physicalType: fc.constantFrom('int', 'int4', 'varchar(5)', 'varchar(9)', 'odd'),
    required: fc.boolean(),
    businessName: leaf,
    description: leaf,
    tags: fc.array(fc.constantFrom('s', 't'), { maxLength: 2 }),
    primaryKey: fc.boolean(),
    logicalTypeOptions: fc.constantFrom({}, { maxLength: 3 }, { maxLength: 4, multipleOf: 2 }),
    quality: fc.constantFrom([], [{ metric: 'nullValues', mustBe: 0 }]),
    properties: fc.constantFrom([], [{ name: 'n' }], [{ name: 'm' }, { name: 'n' }]),
    items: fc.constantFrom({ logicalType: 'string' }, { logicalType: 'integer' }),
  },
  { requiredKeys: ['name'] },
)
const documents: fc.Arbitrary<Value> = fc
  .record(
    {
      schema: fc.array(
        fc.record(
          {
            name: fc.constantFrom('m', 'n', 'o'),
            properties: fc.array(property, { maxLength: 3 }),
            physicalName: leaf,
            extra: leaf,
          },
          { requiredKeys: ['name'] },
        ),
        { maxLength: 3 },
      ),
      servers: fc.array(
        fc.record({
          server: fc.constantFrom('s', 't'),
          type: fc.constant('kafka'),
          host: fc.constantFrom('h', 'i'),
        }),
        { maxLength: 2 },
      ),
      slaProperties: fc.array(
        fc.record({
          property: fc.constantFrom('latency', 'x'),
          value: leaf,
          unit: fc.constantFrom('h', 'd'),
        }),
        { maxLength: 2 },
      ),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }),
      unknown: leaf,
    },
    { requiredKeys: [] },
  )
  .map((some) => JSON.parse(JSON.stringify({ ...ODCS, ...some })))

function renamesIn(changes: readonly Change[]): number {
  return changes.filter(({ kind, path }) => kind === 'renamed' && !path.includes('quality')).length
}

test('generated contracts › reports no change if and only if both mean the same', () => {
  fc.assert(
    fc.property(documents, documents, fc.boolean(), (one, other, isSelf) => {
      const [before, after] = [parse(one), parse(isSelf ? one : other)]
      if (before?.ok !== true || after?.ok !== true) return
      const changes = diffDataContracts(before, after)
      assert.equal(changes.length === 0, before.canonical === after.canonical)
      for (const change of changes) checkChange(change, before.value, after.value)
      const back = diffDataContracts(after, before)
      assert.equal(renamesIn(back), renamesIn(changes))
    }),
    { seed: 6, numRuns: 1000 },
  )
})

test('generated contracts › the order of unordered parts is ignored', () => {
  fc.assert(
    fc.property(documents, (one) => {
      const before = parse(one)
      if (before?.ok !== true) return
      const turn = (name: string): [string, Value] => {
        const list = valueAt(one, [name])
        return [name, Array.isArray(list) ? list.toReversed() : (list ?? null)]
      }
      const names = Object.keys(before.value ?? {}).toReversed()
      const sets = new Set(['tags', 'servers', 'slaProperties'])
      const reversed = names.map((name): [string, Value] =>
        sets.has(name) ? turn(name) : [name, valueAt(one, [name]) ?? null],
      )
      assert.deepEqual(diffDataContracts(before, read(Object.fromEntries(reversed))), [])
    }),
    { seed: 7, numRuns: 300 },
  )
})

const ODCS_2 = {
  apiVersion: 'v2.2.2',
  kind: 'DataContract',
  uuid: 'x',
  version: '1',
  status: 'active',
  type: 'tables',
  datasetName: 'shop',
  quantumName: 'Orders',
  datasetDomain: 'sales',
  sourcePlatform: 'PostgreSQL',
  server: 'db',
  database: 'shop',
  driver: 'd',
  slaDefaultColumn: 'orders.id',
  stakeholders: [{ username: 'ada', role: 'owner' }],
  slaProperties: [{ property: 'retention', value: 3, unit: 'y', column: 'orders.id' }],
  dataset: [
    {
      table: 'orders',
      columns: [
        { column: 'id', logicalType: 'STRING', physicalType: 'varchar(9)', isNullable: false },
      ],
    },
  ],
}
const place = { type: 'postgres', host: 'db', database: 'shop', port: 5432 }
const odcs3 = (physicalType: string, host = 'db', server = 'production') => ({
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'x',
  version: '1',
  status: 'active',
  name: 'Orders',
  domain: 'sales',
  slaDefaultElement: 'orders.id',
  team: { members: [{ username: 'ada', role: 'owner' }] },
  servers: [{ server, ...place, host }],
  slaProperties: [{ property: 'retention', value: 3, unit: 'y', element: 'orders.id' }],
  schema: [
    {
      name: 'orders',
      physicalType: 'table',
      properties: [{ name: 'id', logicalType: 'string', physicalType, required: true }],
    },
  ],
})

test('ODCS 2.2 and 3 › a renamed key is no change, and other changes are reported', () => {
  const same = ['wording changed ', 'additive added /servers/0/port']
  assert.deepEqual(lines(ODCS_2, odcs3('varchar(9)')), same)
  assert.deepEqual(lines(odcs3('varchar(9)'), ODCS_2), [
    'wording changed ',
    'breaking removed /servers/0/port',
  ])
  assert.deepEqual(lines(ODCS_2, odcs3('varchar(10)')), [
    'wording changed ',
    'breaking changed /schema/0/properties/0',
    'additive added /servers/0/port',
  ])
  assert.ok(lines(ODCS_2, odcs3('varchar(9)', 'other')).includes('breaking removed /servers/0'))
  assert.deepEqual(lines(ODCS_2, odcs3FromOdcs2(ODCS_2, 'x')), ['wording changed '])
  // The server of 2.2 may have been its address or its name.
  assert.deepEqual(lines(ODCS_2, odcs3('varchar(9)', 'db.example.com', 'db')), [
    'wording changed ',
    'additive added /servers/0/host',
    'additive added /servers/0/port',
  ])
  // Two documents of 2.2 are compared without conversion.
  assert.deepEqual(lines(ODCS_2, { ...ODCS_2, database: 'store' }), ['breaking changed /database'])
})
