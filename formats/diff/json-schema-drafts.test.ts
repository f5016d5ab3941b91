// Changes of the draft of a JSON Schema, for each keyword whose meaning depends on the draft.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { diffSpecifications } from '../../test/specification-versions.ts'
import type { ObjectValue, Value } from '../text/value.ts'
import { highestLevel, type Level } from './level.ts'

const DRAFTS = ['draft-03', 'draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12']

/** A schema with each keyword, and the first and last draft that has it. */
const KEYWORDS: readonly [name: string, first: string, last: string, schema: ObjectValue][] = [
  ['extends', 'draft-03', 'draft-03', { extends: { minLength: 1 } }],
  ['disallow', 'draft-03', 'draft-03', { disallow: 'string' }],
  ['divisibleBy', 'draft-03', 'draft-03', { divisibleBy: 2 }],
  ['allOf', 'draft-04', '2020-12', { allOf: [{ minLength: 1 }] }],
  ['anyOf', 'draft-04', '2020-12', { anyOf: [{ minLength: 1 }, { maxLength: 5 }] }],
  ['oneOf', 'draft-04', '2020-12', { oneOf: [{ minLength: 1 }, { maxLength: 5 }] }],
  ['not', 'draft-04', '2020-12', { not: { minLength: 1 } }],
  ['required', 'draft-04', '2020-12', { required: ['a'] }],
  ['minProperties', 'draft-04', '2020-12', { minProperties: 1 }],
  ['maxProperties', 'draft-04', '2020-12', { maxProperties: 1 }],
  ['multipleOf', 'draft-04', '2020-12', { multipleOf: 2 }],
  ['exclusiveMinimum, a number', 'draft-06', '2020-12', { exclusiveMinimum: 1 }],
  ['exclusiveMaximum, a number', 'draft-06', '2020-12', { exclusiveMaximum: 1 }],
  ['exclusiveMinimum, a boolean', 'draft-03', 'draft-04', { minimum: 1, exclusiveMinimum: true }],
  ['exclusiveMaximum, a boolean', 'draft-03', 'draft-04', { maximum: 1, exclusiveMaximum: true }],
  ['const', 'draft-06', '2020-12', { const: 'a' }],
  ['contains', 'draft-06', '2020-12', { contains: { type: 'string' } }],
  ['propertyNames', 'draft-06', '2020-12', { propertyNames: { pattern: '^a' } }],
  ['a boolean as a schema', 'draft-06', '2020-12', { properties: { a: false } }],
  ['1.0 as an integer', 'draft-06', '2020-12', { type: 'integer' }],
  ['1.0 as one of several types', 'draft-06', '2020-12', { type: ['integer', 'string'] }],
  ['if', 'draft-07', '2020-12', { if: { minLength: 1 } }],
  ['then', 'draft-07', '2020-12', JSON.parse('{ "then": { "minLength": 1 } }')],
  ['else', 'draft-07', '2020-12', { else: { minLength: 1 } }],
  ['dependencies', 'draft-03', 'draft-07', { dependencies: { a: ['b'] } }],
  ['dependencies, schemas', 'draft-03', 'draft-07', { dependencies: { a: { pattern: 'b' } } }],
  ['beside $ref', '2019-09', '2020-12', { $ref: '#/definitions/s', maxLength: 3 }],
  ['dependentRequired', '2019-09', '2020-12', { dependentRequired: { a: ['b'] } }],
  ['dependentSchemas', '2019-09', '2020-12', { dependentSchemas: { a: { maxLength: 1 } } }],
  ['minContains', '2019-09', '2020-12', { minContains: 2 }],
  ['maxContains', '2019-09', '2020-12', { maxContains: 2 }],
  ['unevaluatedItems', '2019-09', '2020-12', { unevaluatedItems: { maxLength: 1 } }],
  ['unevaluatedProperties', '2019-09', '2020-12', { unevaluatedProperties: { maxLength: 1 } }],
  ['prefixItems', '2020-12', '2020-12', { prefixItems: [{ type: 'string' }] }],
  ['items as a list', 'draft-03', '2019-09', { items: [{ type: 'string' }] }],
  ['additionalItems', 'draft-03', '2019-09', { additionalItems: { type: 'string' } }],
  ['nullable', 'none', 'none', { nullable: true }],
]

function toAddress(draft: string): string {
  const isOld = draft.startsWith('draft')
  return isOld
    ? `http://json-schema.org/${draft}/schema#`
    : `https://json-schema.org/draft/${draft}/schema`
}

function getSchema(draft: string | undefined, field: Value): ObjectValue {
  return {
    ...(draft === undefined ? {} : { $schema: toAddress(draft) }),
    title: 'Order',
    type: 'object',
    properties: { f: field },
    definitions: { s: { type: 'string' } },
  }
}

function getLevel(before: Value, after: Value): Level {
  return highestLevel(diffSpecifications('json-schema', before, after))
}

function inner(draft: string): ObjectValue {
  return { $schema: toAddress(draft), dependencies: { a: ['b'] } }
}

function hasKeyword(first: string, last: string, draft: string): boolean {
  const at = DRAFTS.indexOf(draft)
  return first !== 'none' && DRAFTS.indexOf(first) <= at && at <= DRAFTS.indexOf(last)
}

describe('a change of the draft', () => {
  for (const [name, first, last, schema] of KEYWORDS) {
    // Without a draft, validators do not use the oldest ones.
    const newest = name.startsWith('1.0')
    test(`is breaking if one draft has the keyword and the other does not › ${name}`, () => {
      for (const before of DRAFTS) {
        for (const after of DRAFTS.filter((draft) => draft !== before)) {
          const differs = hasKeyword(first, last, before) !== hasKeyword(first, last, after)
          const level = getLevel(getSchema(before, schema), getSchema(after, schema))
          assert.equal(level, differs ? 'breaking' : 'wording', `${before} to ${after}`)
        }
      }
    })

    test(`is breaking from and to no draft › ${name}`, () => {
      const without = getSchema(undefined, schema)
      for (const draft of DRAFTS) {
        const expected = newest && hasKeyword(first, last, draft) ? 'wording' : 'breaking'
        assert.equal(getLevel(without, getSchema(draft, schema)), expected, draft)
        assert.equal(getLevel(getSchema(draft, schema), without), expected, draft)
      }
    })
  }

  test('is wording if no keyword depends on it', () => {
    const field = { type: 'string', enum: ['a'], pattern: '^a' }
    for (const before of [undefined, ...DRAFTS]) {
      for (const after of DRAFTS.filter((draft) => draft !== before)) {
        const [older, newer] = [getSchema(before, field), getSchema(after, field)]
        assert.equal(getLevel(older, newer), 'wording', `${before} to ${after}`)
        assert.equal(getLevel(newer, older), 'wording', `${after} to ${before}`)
      }
    }
  })

  test('is breaking if the new or old dialect is unknown', () => {
    const own = { ...getSchema(undefined, { type: 'string' }), $schema: 'https://example.com/own' }
    const known = getSchema('draft-07', { type: 'string' })
    assert.equal(getLevel(known, own), 'breaking')
    assert.equal(getLevel(own, known), 'breaking')
    assert.equal(getLevel(own, { ...own, $schema: 'https://example.com/other' }), 'breaking')
  })

  test('ignores https, the end "#" and names of the same draft', () => {
    const field = { const: 'a' }
    const older = { ...getSchema('draft-07', field) }
    const newer = { ...older, $schema: 'https://json-schema.org/draft-07/schema' }
    assert.equal(getLevel(older, newer), 'wording')
  })

  test('is found in inner schemas, in lists and maps of schemas and in OpenAPI', () => {
    const containers: ((draft: string) => Value)[] = [
      (draft) => getSchema(undefined, inner(draft)),
      (draft) => getSchema('2019-09', { anyOf: [{ type: 'string' }, inner(draft)] }),
      (draft) => [
        { title: 'A', type: 'object' },
        { title: 'B', type: 'object', ...inner(draft) },
      ],
      (draft) => ({ A: { type: 'object', ...inner(draft) } }),
      (draft) => ({ $schema: toAddress(draft), $defs: { A: { dependencies: { a: ['b'] } } } }),
      (draft) => ({
        openapi: draft === 'draft-07' ? '3.0.3' : '3.1.0',
        components: { schemas: { A: { type: 'object', dependencies: { a: ['b'] } } } },
      }),
      (draft) => JSON.stringify(getSchema(draft, { dependencies: { a: ['b'] } })),
    ]
    for (const container of containers) {
      const [older, newer] = [container('draft-07'), container('2020-12')]
      assert.equal(getLevel(older, newer), 'breaking', JSON.stringify(newer))
      assert.equal(getLevel(newer, older), 'breaking', JSON.stringify(newer))
    }
  })
})

describe('a keyword that the draft does not have', () => {
  test('does not replace one that it has', () => {
    const pairs: [draft: string, before: Value, after: Value][] = [
      ['draft-07', { dependencies: { a: ['b'] } }, { dependentRequired: { a: ['b'] } }],
      ['2020-12', { dependentRequired: { a: ['b'] } }, { dependencies: { a: ['b'] } }],
      ['draft-04', { enum: ['a'] }, { const: 'a' }],
      ['draft-07', { items: [{ type: 'string' }] }, { prefixItems: [{ type: 'string' }] }],
      ['2020-12', { prefixItems: [{ type: 'string' }] }, { items: [{ type: 'string' }] }],
      ['draft-07', { type: 'string', maxLength: 3 }, { $ref: '#/definitions/s', maxLength: 3 }],
      ['draft-06', { maxLength: 3 }, JSON.parse('{ "if": true, "then": { "maxLength": 3 } }')],
      ['2020-12', { minimum: 1, exclusiveMinimum: 1 }, { minimum: 1, exclusiveMinimum: true }],
    ]
    for (const [draft, before, after] of pairs) {
      const level = getLevel(getSchema(draft, before), getSchema(draft, after))
      assert.equal(level, 'breaking', `${draft} ${JSON.stringify(after)}`)
    }
  })

  test('may move to the new draft with the new draft', () => {
    const older = getSchema('draft-07', { dependencies: { a: ['b'] } })
    const newer = getSchema('2020-12', { dependentRequired: { a: ['b'] } })
    assert.equal(getLevel(older, newer), 'wording')
    assert.equal(getLevel(newer, older), 'wording')
  })
})
