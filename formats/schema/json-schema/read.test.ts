import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarizeFields, readIn } from '../../../test/specification.ts'
import type { Value } from '../../text/value.ts'
import { readJsonSchema } from './read.ts'
import type { Field } from '../model.ts'

const read = (given: Value) => readIn(given, readJsonSchema)

function fieldOfSchema(schema: Value, more: { [name: string]: Value } = {}): Field {
  const given = { title: 'T', type: 'object', properties: { f: schema }, required: ['f'], ...more }
  const { models, warnings } = read(given)
  assert.deepEqual(warnings, [])
  const [field] = models[0]?.fields ?? []
  assert.ok(field)
  return field
}

const names = (given: Value) => read(given).models.map(({ name }) => name)

test('JSON Schema › a schema is a model with its name, description, fields and places', () => {
  const { models, warnings } = read({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.com/orders.schema.json',
    description: 'All orders.',
    type: 'object',
    properties: { id: { type: 'integer', description: 'The number.' }, 'a/b': { type: 'string' } },
    required: ['id'],
  })
  assert.deepEqual(warnings, [])
  const plain = { unique: false, tags: [], references: [], quality: [] }
  assert.deepEqual(models, [
    {
      name: 'orders',
      kind: 'object',
      description: 'All orders.',
      primaryKey: [],
      quality: [],
      tags: [],
      origin: '/s',
      fields: [
        {
          name: 'id',
          logicalType: 'integer',
          physicalType: 'integer',
          required: true,
          description: 'The number.',
          origin: '/s/properties/id',
          ...plain,
        },
        {
          name: 'a/b',
          logicalType: 'string',
          physicalType: 'string',
          required: false,
          origin: '/s/properties/a~1b',
          ...plain,
        },
      ],
    },
  ])
})

test('JSON Schema › names come from the title, the end of the id, the name in a map, or the place in a list', () => {
  const properties = { a: { type: 'string' } }
  assert.deepEqual(names({ title: 'Order', $id: 'urn:x:orders', properties }), ['Order'])
  assert.deepEqual(names({ id: 'http://x.y/z/orders.json#', properties }), ['orders'])
  assert.deepEqual(names({ $id: 'urn:example:orders', properties }), ['orders'])
  assert.deepEqual(names({ properties }), ['schema'])
  assert.deepEqual(names([{ properties }, { title: 'B', properties }]), ['schema1', 'B'])
  assert.deepEqual(names({ orders: { title: 'Order', properties }, lines: { properties } }), [
    'orders',
    'lines',
  ])
  assert.deepEqual(names({ $defs: { a: { properties }, b: { properties } } }), ['a', 'b'])
  assert.deepEqual(names({ definitions: { type: { properties } } }), ['type'])
})

test('JSON Schema › texts in JSON and YAML are read, and Avro in their place', () => {
  const schema = { title: 'T', properties: { a: { type: 'string' } } }
  assert.deepEqual(names(JSON.stringify([schema])), ['T'])
  assert.deepEqual(names('title: T\nproperties: {a: {type: string}}'), ['T'])
  const record = { type: 'record', name: 'R', fields: [{ name: 'x', type: ['null', 'int'] }] }
  assert.equal(summarizeFields(read(record).models[0]?.fields ?? []), 'x integer(int32)')
  assert.deepEqual(names(JSON.stringify([record])), ['R'])
})

const TYPES: { schema: Value; says: string }[] = [
  { schema: { type: 'string' }, says: 'f! string' },
  { schema: { type: 'integer', format: 'int64' }, says: 'f! integer(int64)' },
  { schema: { type: 'number' }, says: 'f! number' },
  { schema: { type: ['integer', 'number'] }, says: 'f! number' },
  { schema: { type: 'boolean' }, says: 'f! boolean' },
  { schema: { type: 'null' }, says: 'f unknown' },
  { schema: {}, says: 'f! unknown' },
  { schema: true, says: 'f! unknown' },
  { schema: { type: 'string', format: 'date' }, says: 'f! date' },
  { schema: { type: 'string', format: 'time' }, says: 'f! time' },
  { schema: { type: 'string', format: 'date-time' }, says: 'f! timestamp' },
  { schema: { type: 'string', format: 'uuid' }, says: 'f! string(uuid)' },
  { schema: { type: 'string', contentEncoding: 'base64' }, says: 'f! binary' },
  { schema: { type: 'string', format: 'byte' }, says: 'f! binary' },
  { schema: { type: ['string', 'null'] }, says: 'f string' },
  { schema: { type: 'string', nullable: true }, says: 'f string' },
  { schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, says: 'f integer' },
  { schema: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/d' }] }, says: 'f date' },
  { schema: { enum: ['a', 'b', null] }, says: 'f string' },
  { schema: { const: 'a' }, says: 'f! string' },
  { schema: { enum: [1, 2] }, says: 'f! integer' },
  { schema: { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, says: 'f! string' },
  { schema: { minimum: 0 }, says: 'f! number' },
  { schema: { pattern: '^a' }, says: 'f! string' },
  { schema: { format: 'email' }, says: 'f! string(email)' },
  { schema: { type: 'array', items: { type: 'string' } }, says: 'f! array [! string]' },
  { schema: { items: { type: ['null', 'string'] } }, says: 'f! array [string]' },
  { schema: { type: 'array', prefixItems: [{ type: 'string' }] }, says: 'f! array [! string]' },
  { schema: { type: 'array' }, says: 'f! array' },
  { schema: { type: 'object' }, says: 'f! object' },
  { schema: { properties: { g: {} } }, says: 'f! object {g unknown}' },
  {
    schema: { additionalProperties: { type: 'integer' }, type: 'object' },
    says: 'f! map <! integer>',
  },
  { schema: { patternProperties: { '^x': { type: 'string' } } }, says: 'f! map <! string>' },
  { schema: { type: 'object', additionalProperties: false }, says: 'f! object' },
  { schema: { $ref: '#/$defs/d' }, says: 'f! date' },
  { schema: { $ref: '#d' }, says: 'f! date' },
  { schema: { $ref: 'https://example.com/d.json' }, says: 'f! date' },
  { schema: { $ref: 'e.json#/definitions/x%20y' }, says: 'f! boolean' },
  { schema: { allOf: [{ type: 'integer' }, { minimum: 1 }] }, says: 'f! integer' },
  {
    schema: {
      allOf: [{ $ref: '#/$defs/o' }, { properties: { h: { type: 'string' } }, required: ['h'] }],
    },
    says: 'f! object {g! string, h! string}',
  },
]

const DEFS = {
  $id: 'https://example.com/root.json',
  $defs: {
    d: { $id: 'd.json', $anchor: 'd0', type: 'string', format: 'date' },
    a: { $anchor: 'd', type: 'string', format: 'date' },
    o: { type: 'object', properties: { g: { type: 'string' } }, required: ['g'] },
    e: { $id: 'e.json', definitions: { 'x y': { type: 'boolean' } } },
  },
}

for (const { schema, says } of TYPES) {
  test(`JSON Schema › ${JSON.stringify(schema)} is read as ${says}`, () => {
    assert.equal(summarizeFields([fieldOfSchema(schema, DEFS)]), says)
  })
}

test('JSON Schema › limits are read, the narrower of two, and the exclusive ones of draft-04', () => {
  const number = fieldOfSchema({
    type: 'number',
    minimum: 1,
    exclusiveMinimum: true,
    maximum: 9,
    allOf: [{ maximum: 7 }, { exclusiveMaximum: 8 }],
  })
  assert.deepEqual([number.minimum, number.exclusiveMinimum], [undefined, 1])
  assert.deepEqual([number.maximum, number.exclusiveMaximum], [7, 8])
  const text = fieldOfSchema({
    type: 'string',
    minLength: 1,
    maxLength: 9,
    pattern: '(a+)+$',
    enum: ['a'],
  })
  assert.deepEqual(
    [text.minLength, text.maxLength, text.pattern, text.enum],
    [1, 9, '(a+)+$', ['a']],
  )
  const list = fieldOfSchema({ type: 'array', minItems: 1, maxItems: 2 })
  assert.deepEqual([list.minItems, list.maxItems], [1, 2])
  const map = fieldOfSchema({
    type: 'object',
    additionalProperties: {},
    propertyNames: { pattern: 'a' },
  })
  assert.equal(map.keys?.pattern, 'a')
})

test('JSON Schema › a recursive schema is an object that refers to it', () => {
  const { models, warnings } = read({
    title: 'Node',
    properties: {
      next: { $ref: '#' },
      children: { type: 'array', items: { allOf: [{ $ref: '#' }] } },
      tree: { $ref: '#/definitions/tree' },
      loop: { $ref: '#/definitions/loop' },
    },
    definitions: {
      tree: { properties: { left: { $ref: '#/definitions/tree' } } },
      loop: { $ref: '#/definitions/loop' },
    },
  })
  assert.deepEqual(warnings, [])
  assert.equal(
    summarizeFields(models[0]?.fields ?? []),
    'next object → Node, children array [! object → Node], tree object {left object → tree}, loop unknown',
  )
})

test('JSON Schema › a schema that two others share is not a cycle', () => {
  const { models } = read({
    title: 'Order',
    allOf: [{ $ref: '#/$defs/thing' }],
    properties: {
      customer: { allOf: [{ $ref: '#/$defs/thing' }], properties: { name: { type: 'string' } } },
    },
    $defs: { thing: { type: 'object', properties: { id: { type: 'integer' } } } },
  })
  assert.equal(
    summarizeFields(models[0]?.fields ?? []),
    'customer object {name string, id integer}, id integer',
  )
})

test('JSON Schema › a part that is not in the model has a warning at its location', () => {
  const { models, warnings } = read({
    properties: {
      a: { type: ['string', 'integer'] },
      b: { anyOf: [{ type: 'string' }, { type: 'object' }] },
      c: { $ref: 'https://example.com/other.json' },
      d: { $ref: '#/$defs/nowhere' },
      e: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
    },
  })
  assert.equal(
    summarizeFields(models[0]?.fields ?? []),
    'a unknown, b unknown, c unknown, d unknown, e array',
  )
  assert.deepEqual(
    warnings.map((warning) => warning.split(' ')[1]),
    [
      's.properties.a',
      's.properties.b.anyOf',
      's.properties.c.$ref',
      's.properties.d.$ref',
      's.properties.e.items[1]',
    ],
  )
  assert.match(warnings[2] ?? '', /is not fetched/)
})

test('JSON Schema › other values than schemas give a warning and no model', () => {
  for (const given of [null, 7, {}, [1], 'x', '{', { a: 1 }]) {
    const { models, warnings } = read(given)
    assert.deepEqual(models, [])
    assert.ok(warnings.length > 0, JSON.stringify(given))
  }
})

test('JSON Schema › names of prototypes are names like any other', () => {
  const text =
    '{"title":"T","properties":{"__proto__":{"type":"string"},"constructor":{"$ref":"#/$defs/__proto__"}},"$defs":{"__proto__":{"type":"integer"}}}'
  const { models, warnings } = read(text)
  assert.deepEqual(warnings, [])
  assert.equal(summarizeFields(models[0]?.fields ?? []), '__proto__ string, constructor integer')
})

test('JSON Schema › a description is its own, else that of what it refers to, else its own title', () => {
  const { models } = read({
    title: 'T',
    description: 'The whole.',
    properties: {
      a: { $ref: '#/$defs/d', description: 'Mine.' },
      b: { $ref: '#/$defs/d' },
      c: { title: 'Third', type: 'string' },
      d: { $ref: '#' },
    },
    $defs: { d: { type: 'string', title: 'D', description: 'Theirs.' } },
  })
  assert.deepEqual(
    models[0]?.fields.map(({ description }) => description),
    ['Mine.', 'Theirs.', 'Third', undefined],
  )
})

test('JSON Schema › a choice between one schema and null is nullable, however null is written', () => {
  const nulls: Value[] = [{ type: 'null' }, { const: null }, { enum: [null] }, { type: ['null'] }]
  for (const none of nulls) {
    for (const keyword of ['oneOf', 'anyOf']) {
      const field = fieldOfSchema({ [keyword]: [{ type: 'string' }, none] })
      assert.deepEqual([field.logicalType, field.required], ['string', false])
    }
  }
})

test('JSON Schema › the schemas of an OpenAPI document are models, with references and nullable', () => {
  const { models, warnings } = read({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: {},
    components: {
      schemas: {
        Order: {
          type: 'object',
          required: ['id', 'note', 'customer'],
          properties: {
            id: { type: 'integer', format: 'int64' },
            note: { type: 'string', nullable: true },
            customer: { $ref: '#/components/schemas/Customer' },
          },
        },
        Customer: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
  })
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    models.map(({ name, fields }) => [name, summarizeFields(fields)]),
    [
      ['Order', 'id! integer(int64), note string, customer! object {name string}'],
      ['Customer', 'name string'],
    ],
  )
})
