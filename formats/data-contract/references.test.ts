import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DCS, listWarnings, ODCS, parseContract } from '../../test/contract-readings.ts'
import type { ObjectValue, Value } from '../text/value.ts'

/** Returns the warnings about references, with their positions. */
function listNowhere(contract: ObjectValue): string[] {
  return listWarnings(contract).filter((warning) => warning.includes('leads nowhere'))
}

const PEOPLE = {
  id: 'people-1',
  name: 'people',
  properties: [
    { id: 'key', name: 'id', logicalType: 'integer' },
    {
      name: 'address',
      logicalType: 'object',
      properties: [{ name: 'city', logicalType: 'string' }],
    },
    {
      name: 'pets',
      logicalType: 'array',
      items: { logicalType: 'object', properties: [{ name: 'chip', logicalType: 'string' }] },
    },
    { name: 'a.b', logicalType: 'integer' },
  ],
}

function referTo(...to: Value[]): ObjectValue {
  const relationships = to.map((one) => ({ to: one }))
  const orders = {
    name: 'orders',
    properties: [{ name: 'a', logicalType: 'string', relationships }],
  }
  return { ...ODCS, schema: [orders, PEOPLE] }
}

function readReferences(contract: ObjectValue): string[] {
  return parseContract(contract).models[0]?.fields[0]?.references ?? []
}

test('a relationship to a field that does not exist is a warning at its position', () => {
  assert.deepEqual(
    listNowhere(referTo('people.nope', 'zzz.q', ['people.id', 'people.address.zip'])),
    [
      'schema[0].properties[0].relationships[0].to: "people.nope" leads nowhere: there is no field "nope" in "people". Correct the reference, or add the field.',
      'schema[0].properties[0].relationships[1].to: "zzz.q" leads nowhere: there is no model "zzz". Correct the reference, or add the model.',
      'schema[0].properties[0].relationships[2].to[1]: "people.address.zip" leads nowhere: there is no field "zip" in "people.address". Correct the reference, or add the field.',
    ],
  )
})

test('a path names models and fields by their ids, and the model has their names', () => {
  const contract = referTo(
    '/schema/people-1/properties/key',
    'schema/people-1/properties/key',
    'people/properties/id',
  )
  assert.deepEqual(listNowhere(contract), [])
  assert.deepEqual(readReferences(contract), ['people.id'])
  assert.deepEqual(
    listNowhere(referTo('/schema/people-1/properties/nope', '/schema/no/properties/x')),
    [
      'schema[0].properties[0].relationships[0].to: "/schema/people-1/properties/nope" leads nowhere: there is no field "nope" in "people". Correct the reference, or add the field.',
      'schema[0].properties[0].relationships[1].to: "/schema/no/properties/x" leads nowhere: there is no model "no". Correct the reference, or add the model.',
    ],
  )
})

test('references to nested fields, to those of items, and to names with dots lead somewhere', () => {
  const contract = referTo('people.address.city', 'people.pets.chip', 'people.a.b', 'orders.a')
  assert.deepEqual(listNowhere(contract), [])
  assert.deepEqual(readReferences(contract), [
    'people.address.city',
    'people.pets.chip',
    'people.a.b',
    'orders.a',
  ])
})

test('references into other files, with a variable, and odd ones are not checked', () => {
  const contract = referTo(
    'other.yaml#/schema/x/properties/y',
    'https://h/c.yml#schema/x/properties/y',
    '${TABLE}.id',
    'x.'.repeat(400),
    '',
    null,
  )
  assert.deepEqual(listNowhere(contract), [])
})

test('both ends of a relationship of a model are checked, each at its position', () => {
  const orders = {
    name: 'orders',
    properties: [
      { name: 'a', logicalType: 'string' },
      { name: 'b', logicalType: 'string' },
    ],
    relationships: [
      { from: 'orders.a', to: 'people.id' },
      { from: ['orders.b', 'orders.gone'], to: ['people.id', 'people.no'] },
    ],
  }
  const contract = { ...ODCS, schema: [orders, PEOPLE] }
  assert.deepEqual(
    listNowhere(contract).map((text) => text.split(' leads')[0]),
    [
      'schema[0].relationships[1].from[1]: "orders.gone"',
      'schema[0].relationships[1].to[1]: "people.no"',
    ],
  )
  const [model] = parseContract(contract).models
  assert.deepEqual(
    model?.fields.map(({ references }) => references),
    [['people.id'], ['people.id']],
  )
})

test('a reference of the Data Contract Specification to nowhere is a warning', () => {
  const models = {
    orders: {
      fields: {
        a: { type: 'string', references: 'people.id' },
        b: { type: 'string', references: 'people.nope' },
        c: { type: 'object', fields: { d: { type: 'string', references: 'zzz.id' } } },
      },
    },
    people: { fields: { id: { type: 'string' } } },
  }
  assert.deepEqual(
    listNowhere({ ...DCS, models }).map((text) => text.split(' leads')[0]),
    [
      'models.orders.fields.b.references: "people.nope"',
      'models.orders.fields.c.fields.d.references: "zzz.id"',
    ],
  )
})

test('a name with many dots has no more ways than places', () => {
  const name = 'a.'.repeat(15) + 'a'
  const nest = (depth: number): Value[] =>
    depth === 0
      ? []
      : [
          { name: 'a', logicalType: 'object', properties: nest(depth - 1) },
          { name: 'a.a', logicalType: 'object', properties: nest(depth - 1) },
        ]
  const schema = [
    { name: 'a', properties: nest(8) },
    {
      name: 'o',
      properties: [{ name: 'x', logicalType: 'string', relationships: [{ to: `${name}.b` }] }],
    },
  ]
  assert.equal(listNowhere({ ...ODCS, schema }).length, 1)
})

test('two items of a list with the same id are a warning', () => {
  const warnings = listWarnings({
    ...ODCS,
    schema: [
      {
        id: 'x',
        name: 'a',
        properties: [
          { id: 'p', name: 'a', logicalType: 'string' },
          { id: 'p', name: 'b', logicalType: 'string' },
        ],
      },
      { id: 'x', name: 'b', properties: [{ id: 'p', name: 'a', logicalType: 'string' }] },
    ],
    slaProperties: [
      { id: 's', property: 'latency', value: 1 },
      { id: 's', property: 'retention', value: 1 },
    ],
  })
  assert.deepEqual(
    warnings.filter((warning) => warning.includes('has the id')),
    [
      'schema[0].properties[1].id: Another item of this list has the id "p"; change one of them.',
      'schema[1].id: Another item of this list has the id "x"; change one of them.',
      'slaProperties[1].id: Another item of this list has the id "s"; change one of them.',
    ],
  )
})
