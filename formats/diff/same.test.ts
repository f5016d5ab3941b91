import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mutations } from '../../test/document-mutations.ts'
import { canonicalText } from '../shape/canonical.ts'
import { DCS_NEWEST } from '../data-contract/dcs/shape.ts'
import { ODCS_NEWEST } from '../data-contract/odcs/shape.ts'
import { any, set, type Shape, text } from '../shape/shape.ts'
import { ExactNumber, isObject, type Value } from '../text/value.ts'
import { isSame } from './same.ts'

const ODCS: Value = {
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'x',
  version: '1',
  tags: ['a', 'b', 'a'],
  team: { name: 't', members: [{ username: 'u' }, { username: 'v', role: null }] },
  servers: [
    { server: 's', type: 'kafka', host: 'h', customProperties: [{ property: 'p', value: [1, 2] }] },
    { server: 't', type: 'postgres', host: 'h', port: 5432, database: 'd', schema: 's' },
  ],
  customProperties: [
    { property: 'p', value: { b: 1, a: [new ExactNumber('1.0'), 12] } },
    { property: 'q', value: new ExactNumber('12345678901234567890') },
  ],
  schema: [
    {
      name: 'orders',
      tags: ['c'],
      properties: [
        { name: 'a', logicalType: 'string', tags: ['x', 'y'], examples: [1, 'b'] },
        { name: 'b', logicalType: 'integer', logicalTypeOptions: { minimum: 0, maximum: 1e21 } },
        { name: 'c', quality: [{ metric: 'nullValues', mustBe: 0 }] },
      ],
    },
  ],
  slaProperties: [{ property: 'latency', value: 1, unit: 'd' }],
  extra: { z: [], y: {} },
}

const DCS: Value = {
  dataContractSpecification: '1.2.1',
  id: 'x',
  info: { title: 'X', version: '1', owner: 't' },
  servers: { s: { type: 'kafka', host: 'h', topic: 't' }, toString: { type: 'local', path: '/' } },
  models: {
    orders: {
      type: 'table',
      fields: { a: { type: 'string', enum: ['x', 'y'], tags: ['p', 'q'] }, b: { type: 'long' } },
    },
  },
  tags: ['b', 'a'],
  servicelevels: { retention: { period: '1y', unlimited: false } },
  quality: { type: 'SodaCL', specification: 'checks' },
}

// Writes a value with the same meaning in another notation where possible, and sometimes changes the meaning.
function rewrite(value: Value, turn: () => number): Value {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewrite(item, turn))
    return turn() < 3 ? items.toReversed() : items
  }
  if (typeof value === 'number' && turn() < 5) {
    return new ExactNumber(Number.isInteger(value) && value < 1e15 ? `${value}.0` : String(value))
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, member]): [string, Value] => [
    name,
    rewrite(member, turn),
  ])
  return Object.fromEntries(turn() < 5 ? entries.toReversed() : entries)
}

const turns = fc.infiniteStream(fc.integer({ min: 0, max: 9 }))

for (const { name, document, shape } of [
  { name: 'ODCS', document: ODCS, shape: ODCS_NEWEST },
  { name: 'DCS', document: DCS, shape: DCS_NEWEST },
]) {
  test(`isSame › ${name} documents are the same if and only if their canonical texts are equal`, () => {
    const seen = { same: 0, other: 0 }
    const versions = mutations(document)
    fc.assert(
      fc.property(
        versions,
        versions,
        fc.constantFrom(0, 1, 2),
        turns,
        (one, other, pick, stream) => {
          const base = [document, one, other][pick] ?? document
          const after = rewrite(base, () => stream.next().value ?? 9)
          const expected = canonicalText(one, shape) === canonicalText(after, shape)
          assert.equal(isSame(one, after, shape), expected, JSON.stringify([one, after]))
          assert.equal(isSame(after, one, shape), expected)
          seen[expected ? 'same' : 'other'] += 1
        },
      ),
      { seed: 8, numRuns: 700 },
    )
    assert.ok(seen.same > 30 && seen.other > 30, JSON.stringify(seen))
  })
}

const values = fc.letrec<{ value: Value; leaf: Value }>((tie) => ({
  leaf: fc.constantFrom<Value[]>(
    null,
    true,
    false,
    0,
    -0,
    1,
    '',
    'a',
    '1',
    1e21,
    ...['1.0', '-0.0', '1e21', '1000000000000000000000', '10e-1'].map(
      (one) => new ExactNumber(one),
    ),
  ),
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(
        fc.tuple(fc.constantFrom('a', 'b', '1', '__proto__', 'toString'), tie('value')),
        {
          selector: ([name]) => name,
          maxLength: 3,
        },
      )
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

const SHAPES: readonly Shape[] = [any, set(any), set(set(text())), ODCS_NEWEST, DCS_NEWEST]

test('isSame › any two values are the same if and only if their canonical texts are equal', () => {
  fc.assert(
    fc.property(values, values, fc.constantFrom(...SHAPES), (one, other, shape) => {
      const expected = canonicalText(one, shape) === canonicalText(other, shape)
      assert.equal(isSame(one, other, shape), expected)
      assert.equal(isSame(one, structuredCopy(one), shape), true)
    }),
    { seed: 9, numRuns: 2000 },
  )
})

function structuredCopy(value: Value): Value {
  if (value instanceof ExactNumber) return new ExactNumber(value.text)
  if (Array.isArray(value)) return value.map(structuredCopy)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, structuredCopy(member)]),
  )
}

test('isSame › repeated members of a set count separately', () => {
  assert.equal(isSame(['a', 'a', 'b'], ['b', 'a', 'a'], set(text())), true)
  assert.equal(isSame(['a', 'a', 'b'], ['a', 'b', 'b'], set(text())), false)
})
