import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { withId } from './json.ts'

describe('withId', () => {
  for (const document of [
    '{"id":"a","x":1}',
    '{"x":{"id":1},"id":"a"}',
    '{"x":"\\"{","id" : "a"}',
    '{"x":"id","id":null}',
  ]) {
    test(`keeps ${document}`, () => assert.equal(withId(document, 'other'), document))
  }

  for (const [document, expected] of [
    ['{}', '{"id":"a"}'],
    ['{ }', '{"id":"a" }'],
    ['{"x":"id"}', '{"id":"a","x":"id"}'],
    ['{\n  "x": {"id": 1}, "y": ["id"]\n}', '{"id":"a",\n  "x": {"id": 1}, "y": ["id"]\n}'],
    ['{"x":"\\\\","y":"\\",\\"id\\":"}', '{"id":"a","x":"\\\\","y":"\\",\\"id\\":"}'],
  ] as const) {
    test(`adds the id to ${document}`, () => assert.equal(withId(document, 'a'), expected))
  }

  test('adds the id to any object without one, and changes nothing else', () => {
    const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const expected = Object.hasOwn(value, 'id') ? value : { id: 'a"', ...value }
      const result: unknown = JSON.parse(withId(JSON.stringify(value), 'a"'))
      assert.deepEqual(result, JSON.parse(JSON.stringify(expected)))
    })
    fc.assert(property, { numRuns: 300 })
  })
})
