// A JSON Schema that is split by `allOf` has the same meaning, so a change of the parts is wording.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { splitSchemas } from '../../test/json-schema-splits.ts'
import { diffSpecifications } from '../../test/specification-versions.ts'
import type { ObjectValue, Value } from '../text/value.ts'
import { highestLevel, type Level } from './level.ts'

function getLevel(before: Value, after: Value): Level {
  return highestLevel(diffSpecifications('json-schema', before, after))
}

function toRoot(schema: ObjectValue): ObjectValue {
  return { title: 'Order', ...schema }
}

function toField(schema: ObjectValue): ObjectValue {
  return { title: 'Order', type: 'object', properties: { f: schema } }
}

const A = { type: 'string', minLength: 1 }
const CLOSED = { properties: { a: A }, additionalProperties: false }

/** Schemas with the same meaning. */
const EQUAL: readonly [name: string, schema: ObjectValue, split: ObjectValue][] = [
  [
    'two parts',
    { type: 'object', properties: { a: A, b: {} }, required: ['a', 'b'] },
    {
      allOf: [
        { type: 'object', properties: { a: A }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
    },
  ],
  [
    'one part and its own keywords',
    { type: 'object', properties: { a: A }, required: ['a'], minProperties: 1 },
    {
      type: 'object',
      properties: { a: A },
      allOf: [{ type: 'object', required: ['a'] }, { minProperties: 1 }],
    },
  ],
  [
    'references',
    { type: 'object', properties: { a: A, b: A } },
    {
      allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
      $defs: { a: { type: 'object', properties: { a: A } }, b: { properties: { b: A } } },
    },
  ],
  [
    'a closed part',
    { type: 'object', ...CLOSED, required: ['a'] },
    { allOf: [{ type: 'object', ...CLOSED }, { required: ['a'] }] },
  ],
  [
    'a property in two parts',
    { type: 'object', properties: { a: { ...A, maxLength: 3 } } },
    { type: 'object', allOf: [{ properties: { a: A } }, { properties: { a: { maxLength: 3 } } }] },
  ],
  [
    'parts of parts',
    { type: 'object', required: ['a', 'b', 'c'] },
    {
      allOf: [
        { allOf: [{ type: 'object' }, { required: ['a'] }] },
        { required: ['b'], allOf: [{ required: ['c'] }] },
      ],
    },
  ],
  [
    'two unions',
    {
      type: 'object',
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      allOf: [{ anyOf: [{ required: ['c'] }, A] }],
    },
    {
      type: 'object',
      allOf: [
        { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
        { anyOf: [{ required: ['c'] }, A] },
      ],
    },
  ],
]

/** A schema, and parts that together mean something else. */
const DIFFERENT: readonly [name: string, schema: ObjectValue, split: ObjectValue][] = [
  [
    'a closed part without properties of other parts',
    { type: 'object', properties: { a: A, b: A }, additionalProperties: false },
    { type: 'object', allOf: [CLOSED, { properties: { b: A } }] },
  ],
  [
    'items beside others',
    { type: 'array', prefixItems: [{ type: 'integer' }], items: A },
    { type: 'array', allOf: [{ prefixItems: [{ type: 'integer' }], items: A }, { items: A }] },
  ],
  [
    'contains without its count',
    { type: 'array', contains: A, minContains: 0 },
    { type: 'array', allOf: [{ contains: A, minContains: 0 }, { contains: A }] },
  ],
  [
    'a condition without its consequence',
    { type: 'object', if: { required: ['a'] }, else: false },
    { type: 'object', allOf: [{ if: { required: ['a'] } }, { else: false }] },
  ],
]

describe('a JSON Schema that is split by allOf', () => {
  for (const [name, schema, split] of EQUAL) {
    test(`is wording › ${name}`, () => {
      for (const place of [toRoot, toField, (one: ObjectValue) => toField({ anyOf: [one, A] })]) {
        const definitions = split['$defs'] === undefined ? {} : { $defs: split['$defs'] }
        const [before, after] = [place(schema), { ...place(split), ...definitions }]
        assert.equal(getLevel(before, after), 'wording', JSON.stringify(after))
        assert.equal(getLevel(after, before), 'wording', JSON.stringify(after))
      }
    })
  }

  for (const [name, schema, split] of DIFFERENT) {
    test(`is not wording if it means something else › ${name}`, () => {
      for (const place of [toRoot, toField, (one: ObjectValue) => toField({ anyOf: [one, A] })]) {
        const levels = [
          getLevel(place(schema), place(split)),
          getLevel(place(split), place(schema)),
        ]
        assert.ok(levels.includes('breaking'), JSON.stringify(levels))
      }
    })
  }

  test('is wording › generated schemas', () => {
    fc.assert(
      fc.property(splitSchemas, ([before, after]) => {
        assert.match(getLevel(before, after), /^(?:none|wording)$/)
        assert.match(getLevel(after, before), /^(?:none|wording)$/)
      }),
      { seed: 1, numRuns: 100 },
    )
  })
})
