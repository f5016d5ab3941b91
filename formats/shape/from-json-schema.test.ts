import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import { adaptObject, adaptText, alsoRead } from './adapt.ts'
import { fromJsonSchema, type Overlay } from './from-json-schema.ts'
import { inspectValue, NOWHERE } from './inspect.ts'
import { flag, shapeAt } from './shape.ts'

const TEXT = { type: 'string' }

function parseObject(text: string): ObjectValue {
  const value = JSON.parse(text)
  assert.ok(isObject(value))
  return value
}

// Each part of a parsed schema is an object of its own.
function parse(schema: ObjectValue): ObjectValue {
  return parseObject(JSON.stringify(schema))
}

function listProblems(schema: ObjectValue, value: Value, overlay: Partial<Overlay> = {}): string[] {
  const shape = fromJsonSchema(parse(schema), { sets: [], parts: {}, ...overlay })
  const { errors, warnings } = inspectValue(value, shape, NOWHERE, { strict: true })
  return [...errors, ...warnings].map(({ field, message }) => `${field}: ${message}`)
}

function conditional(condition: ObjectValue, part: ObjectValue): ObjectValue {
  return parseObject(`{"if":${JSON.stringify(condition)},"then":${JSON.stringify(part)}}`)
}

function isType(type: string): ObjectValue {
  return { properties: { type: { const: type } }, required: ['type'] }
}

function isValid(schema: ObjectValue, value: Value): boolean {
  return listProblems(schema, value).length === 0
}

test('JSON Schema › conditions decide which fields an object has', () => {
  const port = {
    type: 'object',
    properties: { type: TEXT },
    allOf: [
      conditional(isType('a'), { properties: { one: TEXT }, required: ['one'] }),
      conditional(isType('b'), { properties: { two: TEXT } }),
    ],
    unevaluatedProperties: false,
  }
  const schema = { type: 'object', properties: { port } }
  assert.ok(isValid(schema, { port: { type: 'a', one: 'x' } }))
  assert.ok(isValid(schema, { port: { type: 'b', two: 'x' } }))
  assert.ok(isValid(schema, { port: {} }))
  assert.ok(!isValid(schema, { port: { type: 'a' } }))
  assert.ok(!isValid(schema, { port: { type: 'b', one: 'x' } }))
  assert.ok(!isValid(schema, { port: { two: 'x' } }))
})

test('JSON Schema › a condition on a required field is not met if the field is missing', () => {
  const port = {
    type: 'object',
    properties: { type: TEXT },
    required: ['type'],
    allOf: [conditional({ properties: { type: { const: 'a' } } }, { required: ['one'] })],
  }
  const schema = { type: 'object', properties: { port } }
  assert.deepEqual(listProblems(schema, { port: {} }), [
    'port.type: This field is missing; the standard requires it.',
  ])
})

test('JSON Schema › alternative objects are chosen by their type', () => {
  const alternatives = Object.entries({ a: 'one', b: 'two' }).map(([type, name]) => ({
    type: 'object',
    properties: { type: { type: 'string', enum: [type] }, [name]: TEXT },
    required: ['type', name],
  }))
  const values = { oneOf: alternatives }
  const schema = { type: 'object', additionalProperties: values }
  const nested = { type: 'object', properties: { all: schema } }
  assert.ok(isValid(nested, { all: { x: { type: 'a', one: '1' }, y: { type: 'b', two: '2' } } }))
  assert.ok(!isValid(nested, { all: { x: { type: 'a', two: '2' } } }))
  assert.ok(!isValid(nested, { all: { x: { type: 'c' } } }))
  assert.ok(!isValid(nested, { all: { x: {} } }))
})

test('JSON Schema › alternatives with one required field each exclude each other', () => {
  const alternatives = ['one', 'two'].map((name) => ({
    properties: { [name]: TEXT },
    required: [name],
  }))
  const schema = { type: 'object', oneOf: alternatives }
  assert.ok(isValid(schema, { one: 'x' }))
  assert.deepEqual(listProblems(schema, {}, { exactlyOne: 'Give one of both.' }), [
    'one: Give one of both.',
  ])
  assert.ok(!isValid(schema, { one: 'x', two: 'x' }))
})

test('JSON Schema › only fields that all closed parts have are allowed', () => {
  const schema = {
    type: 'object',
    properties: { own: TEXT },
    $ref: '#/$defs/Base',
    $defs: {
      Base: {
        type: 'object',
        properties: { base: TEXT, inner: { $ref: '#/$defs/Base' } },
        unevaluatedProperties: false,
      },
    },
  }
  assert.ok(isValid(schema, { base: 'x', inner: { inner: { base: 'x' } } }))
  assert.ok(!isValid(schema, { own: 'x' }))
  assert.ok(!isValid(schema, { inner: { inner: { own: 'x' } } }))
})

test('JSON Schema › the overlay adapts parts by their addresses', () => {
  const schema = {
    type: 'object',
    properties: {
      tags: { type: 'array', items: TEXT },
      steps: { type: 'array', items: TEXT },
      ports: { type: 'array', items: { $ref: '#/$defs/Port' } },
    },
    $defs: { Port: { type: 'object', properties: { kind: TEXT, size: TEXT } } },
  }
  const overlay: Overlay = {
    sets: ['tags'],
    parts: {
      '': adaptObject({ recommended: ['steps'] }),
      Port: adaptObject({ seen: { open: flag } }),
      'Port.kind': adaptText({ customary: ['rest'] }),
      'Port.size': alsoRead(flag, 'Write text.'),
    },
  }
  const shape = fromJsonSchema(parse(schema), overlay)
  const lists = ['tags', 'steps'].map((name) => shapeAt(shape, [name]))
  assert.deepEqual(
    lists.map((list) => list?.kind === 'list' && list.set),
    [true, false],
  )
  assert.deepEqual(listProblems(schema, { ports: [{ kind: 'x', size: true, open: 1 }] }, overlay), [
    'ports[0].size: Write text.',
    'ports[0].kind: "x" is unusual; common values are rest.',
    'ports[0].open: This must be true or false, not a number.',
    'steps: This field is missing; the standard recommends it.',
  ])
})
