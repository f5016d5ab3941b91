import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarizeFields, readIn } from '../../../test/specification.ts'
import type { Value } from '../../text/value.ts'
import { readAvro } from './read.ts'

const read = (given: Value) => readIn(given, readAvro)

function getFields(fields: Value): string {
  const { models, warnings } = read({ type: 'record', name: 'R', fields })
  assert.deepEqual(warnings, [])
  return summarizeFields(models[0]?.fields ?? [])
}

test('Avro › a record is a model with its namespace and description', () => {
  const { models, warnings } = read({
    type: 'record',
    name: 'Order',
    namespace: 'com.example',
    doc: 'All orders.',
    aliases: ['OldOrder'],
    fields: [{ name: 'id', type: 'long', doc: 'The number.', aliases: ['no'], default: 0 }],
  })
  assert.deepEqual(warnings, [])
  assert.deepEqual(models, [
    {
      name: 'Order',
      kind: 'object',
      namespace: 'com.example',
      description: 'All orders.',
      primaryKey: [],
      quality: [],
      tags: [],
      origin: '/s',
      fields: [
        {
          name: 'id',
          logicalType: 'integer',
          physicalType: 'long',
          description: 'The number.',
          required: true,
          unique: false,
          tags: [],
          references: [],
          quality: [],
          traits: { 'avro.default': 0, 'avro.aliases': ['no'] },
          origin: '/s/fields/0',
        },
      ],
      traits: { 'avro.aliases': ['com.example.OldOrder'] },
    },
  ])
})

test('Avro › a text in JSON or YAML, a list, a wrapped record and a protocol are read', () => {
  const record = { type: 'record', name: 'a.b.R', fields: [{ name: 'x', type: 'int' }] }
  const list = [record, { type: 'enum', name: 'E', symbols: ['A'] }, { ...record, name: 'S' }]
  assert.equal(read(JSON.stringify(record)).models[0]?.namespace, 'a.b')
  assert.equal(read(JSON.stringify(record)).models[0]?.fields[0]?.origin, '/s')
  assert.deepEqual(
    read('type: record\nname: R\nfields:\n  - {name: x, type: int}').models.length,
    1,
  )
  assert.deepEqual(
    read(list).models.map(({ name }) => name),
    ['R', 'S'],
  )
  assert.deepEqual(read({ type: record }).models[0]?.name, 'R')
  const protocol = {
    protocol: 'P',
    namespace: 'n',
    types: [{ ...record, name: 'R' }],
    messages: {},
  }
  assert.deepEqual(read(protocol).models[0]?.namespace, 'n')
})

const TYPES: { type: Value; says: string }[] = [
  { type: 'boolean', says: 'f! boolean' },
  { type: 'int', says: 'f! integer(int32)' },
  { type: 'long', says: 'f! integer' },
  { type: 'float', says: 'f! number(float)' },
  { type: 'double', says: 'f! number(double)' },
  { type: 'bytes', says: 'f! binary' },
  { type: 'string', says: 'f! string' },
  { type: 'null', says: 'f unknown' },
  { type: { type: 'string' }, says: 'f! string' },
  { type: { type: { type: 'long' } }, says: 'f! integer' },
  { type: ['null', 'string'], says: 'f string' },
  { type: ['string', 'null'], says: 'f string' },
  { type: ['string'], says: 'f! string' },
  { type: { type: 'int', logicalType: 'date' }, says: 'f! date' },
  { type: { type: 'int', logicalType: 'time-millis' }, says: 'f! time' },
  { type: { type: 'long', logicalType: 'time-micros' }, says: 'f! time' },
  ...['timestamp', 'local-timestamp'].flatMap((name) =>
    ['millis', 'micros', 'nanos'].map((unit) => ({
      type: { type: 'long', logicalType: `${name}-${unit}` },
      says: 'f! timestamp',
    })),
  ),
  { type: { type: 'string', logicalType: 'uuid' }, says: 'f! string(uuid)' },
  {
    type: { type: 'fixed', name: 'D', size: 12, logicalType: 'duration' },
    says: 'f! string(duration)',
  },
  { type: { type: 'string', logicalType: 'my-own' }, says: 'f! string' },
  { type: { type: 'array', items: ['null', 'int'] }, says: 'f! array [integer(int32)]' },
  { type: { type: 'map', values: 'long' }, says: 'f! map <! integer>' },
  {
    type: { type: 'record', name: 'I', fields: [{ name: 'g', type: 'int' }] },
    says: 'f! object {g! integer(int32)}',
  },
]

for (const { type, says } of TYPES) {
  test(`Avro › ${JSON.stringify(type)} is read as ${says}`, () => {
    assert.equal(getFields([{ name: 'f', type }]), says)
  })
}

test('Avro › a decimal has its digits, an enumeration its values, a fixed its length', () => {
  const { models } = read({
    type: 'record',
    name: 'R',
    fields: [
      { name: 'a', type: { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 } },
      {
        name: 'b',
        type: { type: 'fixed', name: 'F', size: 8, logicalType: 'decimal', precision: 9 },
      },
      { name: 'c', type: { type: 'enum', name: 'E', symbols: ['A', 'B'] } },
      { name: 'd', type: { type: 'fixed', name: 'G', size: 16 } },
    ],
  })
  const [a, b, c, d] = models[0]?.fields ?? []
  assert.deepEqual([a?.precision, a?.scale, a?.physicalType], [10, 2, 'decimal(10,2)'])
  assert.deepEqual([b?.precision, b?.scale], [9, 0])
  assert.deepEqual([c?.logicalType, c?.enum], ['string', ['A', 'B']])
  assert.deepEqual([d?.minLength, d?.maxLength], [16, 16])
})

test('Avro › a type that was defined before is used by its name, with or without its namespace', () => {
  const address = { type: 'record', name: 'Address', fields: [{ name: 'city', type: 'string' }] }
  const { models, warnings } = read([
    { ...address, namespace: 'n' },
    {
      type: 'record',
      name: 'n.Order',
      fields: [
        { name: 'to', type: 'Address' },
        { name: 'bill', type: ['null', 'n.Address'] },
        { name: 'all', type: { type: 'array', items: 'Address' } },
      ],
    },
  ])
  assert.deepEqual(warnings, [])
  const object = 'object {city! string}'
  assert.equal(
    summarizeFields(models[1]?.fields ?? []),
    `to! ${object}, bill ${object}, all! array [! ${object}]`,
  )
})

test('Avro › a recursive record is an object that refers to it', () => {
  const says = getFields([
    { name: 'value', type: 'long' },
    { name: 'next', type: ['null', 'R'] },
    { name: 'tree', type: { type: 'record', name: 'T', fields: [{ name: 't', type: 'T' }] } },
  ])
  assert.equal(says, 'value! integer, next object → R, tree! object {t! object → T}')
})

test('Avro › an unreadable part has a warning at its location', () => {
  const { models, warnings } = read({
    type: 'record',
    name: 'R',
    fields: [
      { name: 'a', type: ['null', 'string', 'long'] },
      { name: 'b', type: 'Nowhere' },
      { name: 'c' },
      { type: 'int' },
      { name: 'd', type: { type: 'string', logicalType: 'date' } },
      { name: 'e', type: { type: 'string', logicalType: 'decimal', precision: 3 } },
      { name: 'f', type: 7 },
    ],
  })
  assert.equal(
    summarizeFields(models[0]?.fields ?? []),
    'a unknown, b! unknown, c! unknown, d! string, e! string, f! unknown',
  )
  assert.deepEqual(
    warnings.map((warning) => warning.split(' ')[1]),
    [
      's.fields[1].type',
      's.fields[2]',
      's.fields[3]',
      's.fields[4].type',
      's.fields[5].type',
      's.fields[6].type',
    ],
  )
  for (const warning of warnings) assert.match(warning, /\.$/)
})

test('Avro › other values than records give a warning and no model', () => {
  for (const given of [
    null,
    7,
    [],
    {},
    'x',
    '{',
    '"x"',
    { type: 'record' },
    [1],
    { type: 'string' },
  ]) {
    const { models, warnings } = read(given)
    assert.deepEqual(models, [])
    assert.ok(warnings.length > 0 || JSON.stringify(given) === '[]', JSON.stringify(given))
  }
})

test('Avro › the branches of a union are fields, named by their types', () => {
  const paid = { type: 'record', name: 'Paid', fields: [{ name: 'at', type: 'long' }] }
  const { models, warnings } = read({
    type: 'record',
    name: 'Event',
    namespace: 'n',
    fields: [{ name: 'payload', type: ['null', 'string', paid, 'Event'] }],
  })
  assert.deepEqual(warnings, [])
  const [payload] = models[0]?.fields ?? []
  assert.deepEqual(
    [payload?.required, payload?.logicalType, payload?.physicalType],
    [false, 'unknown', 'union(string, n.Paid, n.Event)'],
  )
  assert.equal(
    summarizeFields(payload?.branches ?? []),
    'string! string, n.Paid! object {at! integer}, n.Event! object → Event',
  )
})

test('Avro › names, aliases, defaults and encodings of types are traits', () => {
  const type = { namespace: 'x', aliases: ['Old', 'y.Older'] }
  const { models, warnings } = read({
    type: 'record',
    name: 'n.R',
    fields: [
      { name: 'a', type: { type: 'enum', name: 'E', symbols: ['A'], default: 'A', ...type } },
      { name: 'b', type: { type: 'fixed', name: 'F', size: 4 }, default: 'abcd' },
      { name: 'c', type: { type: 'bytes', logicalType: 'decimal', precision: 4 } },
      {
        name: 'd',
        type: { type: 'fixed', name: 'D', size: 8, logicalType: 'decimal', precision: 4 },
      },
      { name: 'e', type: { type: 'string', logicalType: 'mine' }, owner: 'ignored' },
      { name: 'f', type: 'null' },
      { name: 'g', type: ['null', 'F'], aliases: ['h'], default: null },
    ],
  })
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    models[0]?.fields.map(({ traits }) => traits),
    [
      { 'avro.type': { name: 'x.E', aliases: ['x.Old', 'y.Older'] }, 'avro.symbolDefault': 'A' },
      { 'avro.type': 'n.F', 'avro.default': 'abcd' },
      undefined,
      { 'avro.type': 'n.D', 'avro.encoding': 'fixed(8)' },
      { 'avro.logicalType': 'mine' },
      { 'avro.onlyNull': true },
      { 'avro.type': 'n.F', 'avro.default': null, 'avro.aliases': ['h'] },
    ],
  )
})

test('Avro › a logical type beside the type is ignored, with a warning', () => {
  const { models, warnings } = read({
    type: 'record',
    name: 'R',
    fields: [{ name: 'at', type: 'long', logicalType: 'timestamp-micros' }],
  })
  assert.equal(summarizeFields(models[0]?.fields ?? []), 'at! integer')
  assert.match(warnings.join(), /"type": "long", "logicalType": "timestamp-micros"/)
})

function unanalyzed(given: Value): [string, boolean][] {
  return read(given).models.map(({ name, traits }) => [name, traits !== undefined])
}

test('Avro › parts that no model shows are kept as unanalyzed, in any order of models', () => {
  const [a, b] = ['A', 'B'].map((name) => ({ type: 'record', name, fields: [] }))
  const rest = { type: 'enum', name: 'Unused', symbols: ['X'] }
  assert.deepEqual(unanalyzed([a ?? null, b ?? null, rest]), [
    ['A', true],
    ['B', false],
  ])
  assert.deepEqual(unanalyzed([rest, b ?? null, a ?? null]), [
    ['B', false],
    ['A', true],
  ])
  assert.deepEqual(unanalyzed({ type: 'record', name: 'A', fields: [{ type: 'int' }] }), [
    ['A', true],
  ])
  const messages = { get: { doc: 'x', request: [], response: 'A' } }
  const protocol = (given: Value): Value => ({ protocol: 'P', types: [a ?? null], messages: given })
  const [documented, plain, other] = [
    messages,
    { get: { request: [], response: 'A' } },
    { get: { request: [], response: 'null' } },
  ].map((given) => read(protocol(given)).models[0]?.traits)
  assert.deepEqual(documented, plain)
  assert.notDeepEqual(documented, other)
})

test('Avro › a list may name a record that is defined inside another one', () => {
  const inner = { type: 'record', name: 'B', fields: [{ name: 'x', type: 'int' }] }
  const outer = { type: 'record', name: 'A', namespace: 'n', fields: [{ name: 'b', type: inner }] }
  const { models, warnings } = read([outer, 'n.B'])
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    models.map(({ name, namespace }) => [name, namespace]),
    [
      ['A', 'n'],
      ['B', 'n'],
    ],
  )
})

test('Avro › names of prototypes are names like any other', () => {
  const says = getFields(
    JSON.parse('[{"name":"__proto__","type":"int"},{"name":"b","type":"constructor"}]').slice(0, 1),
  )
  assert.equal(says, '__proto__! integer(int32)')
  assert.equal(
    read({ type: 'record', name: 'R', fields: [{ name: 'a', type: 'constructor' }] }).warnings
      .length,
    1,
  )
})
