// Documents that are designed to consume time or memory: each is handled quickly, with a clear result.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from '../text/text.ts'
import { jsonText, type ObjectValue, type Value } from '../text/value.ts'
import { odcsFromDcs } from './convert/convert.ts'
import { readDataContract } from './read.ts'
import { assertSoon } from '../../test/specification.ts'

const ODCS = { apiVersion: 'v3.1.0', kind: 'DataContract', id: 'a', team: { name: 't' } }
const DCS = { dataContractSpecification: '1.2.1', id: 'a', info: { title: 'T', owner: 't' } }

function many<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function named(count: number, make: (at: number) => Value): ObjectValue {
  return Object.fromEntries(many(count, (at) => [`n${at}`, make(at)]))
}

function nested(depth: number, inner: Value, around: (inner: Value) => Value): Value {
  return depth === 0 ? inner : nested(depth - 1, around(inner), around)
}

const wide = 'struct<' + many(2000, (at) => `c${at}:int`).join(',') + '>'

const DOCUMENTS: { [name: string]: Value } = {
  'definitions that refer to each other in a chain': {
    ...DCS,
    models: { m: { fields: named(3000, () => ({ $ref: '#/definitions/n0' })) } },
    definitions: named(3000, (at) => ({ $ref: `#/definitions/n${at + 1}` })),
  },
  'definitions that double at each step': {
    ...DCS,
    models: { m: { fields: { x: { $ref: '#/definitions/n0' } } } },
    definitions: named(40, (at) => ({
      type: 'object',
      fields: named(2, () => ({ $ref: `#/definitions/n${at + 1}` })),
    })),
  },
  'a definition inside of itself': {
    ...DCS,
    models: { m: { fields: { x: { $ref: '#/definitions/n0' } } } },
    definitions: named(1, () => ({
      type: 'object',
      fields: named(20, () => ({ $ref: '#/definitions/n0' })),
    })),
  },
  'a large definition at many fields': {
    ...DCS,
    models: { m: { fields: named(10_000, () => ({ $ref: '#/definitions/n0' })) } },
    definitions: { n0: { type: 'text', ...named(20_000, () => 1) } },
  },
  'fields as deep as a document may be': {
    ...ODCS,
    schema: [
      {
        name: 'm',
        properties: [
          { name: 'x', ...Object(nested(50, {}, (items) => ({ logicalType: 'array', items }))) },
        ],
      },
    ],
  },
  'a type of thousands of fields at thousands of columns': {
    ...ODCS,
    schema: [{ name: 'm', properties: many(60, (at) => ({ name: `f${at}`, physicalType: wide })) }],
  },
  'types that are all different': {
    ...ODCS,
    schema: [
      {
        name: 'm',
        properties: many(12_000, (at) => ({ name: `f${at}`, physicalType: `x${at}(${at})` })),
      },
    ],
  },
  'a column name ten thousand times': {
    ...ODCS,
    schema: [{ name: 'm', properties: many(20_000, () => ({ name: 'f' })) }],
  },
  'fields that are in no standard': { ...ODCS, ...named(60_000, () => 1) },
  'servers without known fields': {
    ...DCS,
    servers: named(3000, () => ({ type: 's3', locatoin: 'x', formta: 'y', delimetir: 'z' })),
  },
  'references that look like paths': {
    ...ODCS,
    schema: [
      {
        name: 'm',
        properties: [
          {
            name: 'f',
            relationships: [{ to: '/a'.repeat(250_000) }, { to: `${'a.'.repeat(250_000)}#` }],
          },
        ],
      },
    ],
  },
  'a percentage of many digits': {
    ...DCS,
    servicelevels: { availability: { percentage: '1'.repeat(500_000) } },
  },
  'names of the language itself': jsonValue(
    '{"apiVersion":"v3.1.0","kind":"DataContract","id":"a","team":{"name":"t"},"__proto__":{"x":1},"constructor":1,"schema":[{"name":"__proto__","__proto__":[],"properties":[{"name":"__proto__","__proto__":{"logicalType":"string"}}]}]}',
  ),
  'models named like the language': jsonValue(
    '{"dataContractSpecification":"1.2.1","id":"a","info":{"title":"T","owner":"t"},"models":{"__proto__":{"fields":{"__proto__":{"$ref":"#/definitions/__proto__"},"x":{"$ref":"#/definitions/toString"}}}},"servicelevels":{"__proto__":{"toString":"x"},"constructor":{"a":1}}}',
  ),
}

function jsonValue(text: string): Value {
  return JSON.parse(text)
}

for (const [name, value] of Object.entries(DOCUMENTS)) {
  test(`hostile › ${name}`, () => {
    const source = readText(jsonText(value), 'application/json', { nodesMax: 500_000 })
    if (!source.ok) return
    assertSoon(() => {
      const reading = readDataContract(source, { id: 'a', strict: false })
      assert.ok(reading.ok, JSON.stringify(!reading.ok && reading.problems[0]))
      const count = reading.contract.models.reduce((sum, { fields }) => sum + fields.length, 0)
      assert.ok(count <= 100_000 && reading.canonical.length > 0)
      assert.ok(reading.warnings.length > 0 && reading.warnings.length < 2100)
      if (reading.contract.format === 'dcs') odcsFromDcs(value, 'a')
    })
  })
}

test('hostile › reports a recursive type once', () => {
  const value: Value = {
    ...DCS,
    models: { m: { fields: { x: { $ref: '#/definitions/n0' } } } },
    definitions: { n0: { type: 'object', fields: { y: { $ref: '#/definitions/n0' } } } },
  }
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'a', strict: false })
  const [field] = (reading.ok && reading.contract.models[0]?.fields) || []
  assert.deepEqual([field?.name, field?.fields?.[0]?.name], ['x', 'y'])
  assert.deepEqual(
    [field?.fields?.[0]?.logicalType, field?.fields?.[0]?.fields],
    ['object', undefined],
  )
})
