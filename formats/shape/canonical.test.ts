import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { canonicalText } from './canonical.ts'
import { canonicalNumber, jsonNumberText, parseNumber } from '../text/number.ts'
import { any, list, map, object, set, type Shape, text } from './shape.ts'
import { readText } from '../text/text.ts'
import { ExactNumber, type Value } from '../text/value.ts'

function canonical(json: string, shape: Shape = any): string {
  const source = readText(`{"v":${json}}`, 'application/json')
  assert.ok(source.ok, JSON.stringify(source))
  return canonicalText(source.value, object({ fields: { v: shape } }))
}

const SAME_NUMBERS = [
  ['1', '1.0', '1e0', '10e-1', '0.1e1', '100E-2'],
  ['0', '-0', '0.0', '-0.000', '0e999999', '0e-9'],
  ['1e300', '10e299', `1${'0'.repeat(300)}`, `1${'0'.repeat(300)}.0`],
  ['12345678901234567890', '12345678901234567890.0', '1234567890123456789e1'],
  ['1e-400', '10e-401', '0.1e-399', '1.0E-400'],
  ['-0.1', '-1e-1', '-0.10'],
  ['0.1000000000000000055511151231257827', '1000000000000000055511151231257827e-34'],
]

for (const [at, spellings] of SAME_NUMBERS.entries()) {
  test(`numbers › ${spellings.join(', ').slice(0, 60)} are the same number, and differ from others`, () => {
    const texts = new Set(spellings.map((spelling) => canonical(spelling)))
    assert.equal(texts.size, 1, [...texts].join(' '))
    for (const [other, others] of SAME_NUMBERS.entries()) {
      if (other !== at) assert.ok(!texts.has(canonical(others[0] ?? '')))
    }
  })
}

test('numbers › differ if only the last of many digits differs', () => {
  assert.notEqual(canonical('12345678901234567890'), canonical('12345678901234567891'))
  assert.notEqual(canonical('9007199254740993'), canonical('9007199254740992'))
  assert.notEqual(canonical('1e-400'), canonical('0'))
  assert.notEqual(canonical('1e-9999999999999999999'), canonical('1e-9999999999999999998'))
})

test('numbers › huge exponents are handled fast and are not expanded', () => {
  assert.ok(canonical('1e-99999999999999999999').length < 60)
  assert.equal(canonicalNumber(new ExactNumber('1e300')), '1e+300')
})

test('numbers › any decimal has one notation, with any zeros and exponent', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 25 })
  fc.assert(
    fc.property(digits, fc.integer({ min: -30, max: 30 }), fc.nat(5), (some, power, zeros) => {
      const whole = `1${some.join('')}`
      const one = `${whole}e${power}`
      const other = `${whole}${'0'.repeat(zeros)}.0${'0'.repeat(zeros)}e${power - zeros}`
      assert.equal(canonical(one), canonical(other))
      assert.equal(canonical(one).slice(5, -1), canonicalNumber(new ExactNumber(one)))
      const number = parseNumber(one)
      if (typeof number === 'number') assert.equal(Number(canonical(one).slice(5, -1)), number)
    }),
    { seed: 1, numRuns: 400 },
  )
})

test('numbers › YAML numbers become JSON numbers', () => {
  const cases = { '+1': '1', '.5': '0.5', '-.5e1': '-0.5e1', '1.': '1', '012': '12', '-0': '-0' }
  for (const [yaml, json] of Object.entries(cases)) assert.equal(jsonNumberText(yaml), json)
  assert.equal(jsonNumberText('0xFFFFFFFFFFFFFFFFFFFF'), '1208925819614629174706175')
})

test('canonical form › ignores the order of fields and of sets, white space and escapes', () => {
  const shape = object({ fields: { tags: set(text()), links: map(text()), list: list(text()) } })
  const same = [
    '{"tags":["b","a"],"links":{"x":"1","y":"2"},"list":["b","a"]}',
    '{ "list":["b","a"], "links":{"y":"2","x":"\\u0031"}, "tags":["a","b"] }',
  ]
  assert.equal(new Set(same.map((json) => canonical(json, shape))).size, 1)
})

test('canonical form › distinguishes the order of lists, null, and the number of equal members', () => {
  const shape = object({ fields: { tags: set(text()), list: list(text()) } })
  const different = [
    '{}',
    '{"tags":null}',
    '{"tags":[]}',
    '{"tags":["a"]}',
    '{"tags":["a","a"]}',
    '{"list":["a","b"]}',
    '{"list":["b","a"]}',
    '{"list":"ab"}',
    '{"other":["a","b"]}',
    '{"other":["b","a"]}',
    '{"other":1}',
    '{"other":"1"}',
    '{"__proto__":1}',
  ]
  assert.equal(new Set(different.map((json) => canonical(json, shape))).size, different.length)
})

function shuffled(value: Value): Value {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, Value] => [name, shuffled(member)])
      .toReversed(),
  )
}

test('canonical form › is JSON with the same meaning for any document', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (document) => {
      const value: Value = JSON.parse(JSON.stringify(document))
      const written = canonicalText(value, any)
      assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(value)))
      assert.equal(canonicalText(shuffled(value), any), written)
    }),
    { seed: 1, numRuns: 200 },
  )
})
