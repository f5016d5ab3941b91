import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIn } from '../../../test/specification.ts'
import type { Value } from '../../text/value.ts'
import { readJsonSchema } from './read.ts'

const read = (given: Value) => readIn(given, readJsonSchema)

const TRAITS: { schema: Value; traits: Value }[] = [
  { schema: { type: 'string' }, traits: null },
  { schema: {}, traits: null },
  { schema: { type: ['string', 'null'] }, traits: { null: true, present: true } },
  { schema: { minimum: 0 }, traits: { untyped: true } },
  {
    schema: { anyOf: [{ $ref: '#/$defs/e' }, { type: 'string', title: 'S' }] },
    traits: { anyOf: [{ type: 'string' }, { enum: ['y'] }] },
  },
  { schema: { type: 'number', multipleOf: 2 }, traits: { multipleOf: 2 } },
  {
    schema: { type: 'number', multipleOf: 2, allOf: [{ multipleOf: 3 }] },
    traits: { multipleOf: 2, allOf: [{ multipleOf: 3 }] },
  },
  {
    schema: { type: 'array', items: [{ type: 'string' }, true], additionalItems: false },
    traits: { prefixItems: [{ type: 'string' }, true], items: false },
  },
  {
    schema: { type: 'object', patternProperties: { '^a': { type: 'string' } } },
    traits: { otherKeys: true },
  },
]

for (const { schema, traits } of TRAITS) {
  test(`JSON Schema › ${JSON.stringify(schema)} has the traits ${JSON.stringify(traits)}`, () => {
    const given = { title: 'T', properties: { f: schema }, required: ['f'] }
    const { models } = read({ ...given, type: 'object', $defs: { e: { const: 'y' } } })
    const names = Object.entries(models[0]?.fields[0]?.traits ?? {}).map(
      ([name, value]) => [name.replace('json-schema.', ''), value] as const,
    )
    assert.deepEqual(names.length === 0 ? null : Object.fromEntries(names), traits)
  })
}

test('JSON Schema › keywords that are neither read nor annotations are unanalyzed', () => {
  const { models } = read({
    title: 'T',
    type: 'object',
    properties: { f: { type: 'string', unit: 'kg', title: 'F', 'x-order': 1 } },
  })
  assert.deepEqual(models[0]?.fields[0]?.traits, { unanalyzed: [{ unit: 'kg' }] })
})
