import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { withId, withIds, withMembers } from './json.ts'

describe('withMembers', () => {
  for (const [object, expected] of [
    ['{}', '{"a":1}'],
    ['{ \n}', '{"a":1}'],
    ['{"x":{}}', '{"x":{},"a":1}'],
    ['{"x":"{" }\n', '{"x":"{","a":1}\n'],
  ] as const) {
    test(`adds a member to ${JSON.stringify(object)}`, () => {
      assert.equal(withMembers(object, { a: '1' }), expected)
      assert.equal(withMembers(object, {}), object)
    })
  }
})

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

describe('withIds', () => {
  test('adds missing ids, in the order of the documents', async () => {
    const documents = [
      { id: 'a', document: '{"x":1}' },
      { id: 'b', document: '{"id":"b"}' },
      { id: 'c', document: '{"externalId":"c"}' },
    ]
    assert.deepEqual(await withIds(documents), [
      '{"id":"a","x":1}',
      '{"id":"b"}',
      '{"id":"c","externalId":"c"}',
    ])
    assert.equal((await withIds(documents, 'externalId'))[2], '{"externalId":"c"}')
  })

  test('reads at most 64 KiB of a document, and leaves it as it is then', async () => {
    const document = JSON.stringify({ x: Array.from({ length: 20_000 }, () => ({ id: 1 })) })
    assert.deepEqual(await withIds([{ id: 'a', document }]), [document])
  })

  test('lets other work run between many documents', async () => {
    const document = JSON.stringify({ x: 'x'.repeat(64 * 1024), y: { id: 1 } })
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await withIds(Array.from({ length: 50 }, () => ({ id: 'a', document })))
    isDone = true
    assert.ok(turns >= 8, `${turns}`)
  })
})
