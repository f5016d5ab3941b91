import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  ExactNumber,
  convertToJson,
  jsonText,
  readText,
  type ParseFailure,
  type SourceText,
} from './text.ts'
import { getField } from './value.ts'

function read(text: string): SourceText {
  const source = readText(text, 'application/json')
  assert.ok(source.ok, JSON.stringify(source))
  return source
}

function expectFailure(text: string): ParseFailure {
  const source = readText(text, 'application/json')
  assert.ok(!source.ok, text)
  return source
}

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
const newList = (nodes: number) =>
  `{"a":[${Array(nodes - 2)
    .fill('1')
    .join(',')}]}`

const FAILURES: { text: string; kind: ParseFailure['kind']; at: string; says: RegExp }[] = [
  { text: '', kind: 'malformed', at: '1:1', says: /body is empty/ },
  { text: ' \n\t', kind: 'malformed', at: '1:1', says: /body is empty/ },
  { text: '\uFEFF\uFEFF{}', kind: 'malformed', at: '1:1', says: /byte order mark/ },
  { text: '{', kind: 'malformed', at: '1:2', says: /field name in double quotes is missing/ },
  { text: '{"a":1,}', kind: 'malformed', at: '1:8', says: /Trailing comma before "}"/ },
  { text: '{"a":[1,]}', kind: 'malformed', at: '1:9', says: /Trailing comma before "]"/ },
  { text: '{"a" 1}', kind: 'malformed', at: '1:6', says: /Expected ":" here, found "1"/ },
  { text: '{"a":1 "b":2}', kind: 'malformed', at: '1:8', says: /Expected "," or "}"/ },
  { text: "{'a':1}", kind: 'malformed', at: '1:2', says: /double quotes/ },
  { text: '{"a":tru}', kind: 'malformed', at: '1:6', says: /Expected a value here, found "t"/ },
  { text: '{"a":truex}', kind: 'malformed', at: '1:10', says: /Expected "," or "}"/ },
  { text: '{"a":NaN}', kind: 'malformed', at: '1:6', says: /Expected a value/ },
  { text: '{"a":😀}', kind: 'malformed', at: '1:6', says: /found "😀"/ },
  { text: '{"a":01}', kind: 'malformed', at: '1:6', says: /not a JSON number/ },
  { text: '{"a":1.}', kind: 'malformed', at: '1:6', says: /not a JSON number/ },
  { text: '{"a":-}', kind: 'malformed', at: '1:6', says: /a digit/ },
  { text: '{"a":"x', kind: 'malformed', at: '1:8', says: /ends inside a string/ },
  { text: '{"a":"x\ny"}', kind: 'malformed', at: '1:8', says: /line break/ },
  { text: '{"a":"\\x"}', kind: 'malformed', at: '1:7', says: /Invalid escape/ },
  { text: '{"a":"\\u12"}', kind: 'malformed', at: '1:7', says: /four hexadecimal digits/ },
  { text: '{"a":"\\ud800"}', kind: 'malformed', at: '1:7', says: /lone surrogate/ },
  { text: '{"a":"\\udc00"}', kind: 'malformed', at: '1:7', says: /lone surrogate/ },
  { text: '{"a":"\\ud800\\ud800"}', kind: 'malformed', at: '1:7', says: /lone surrogate/ },
  { text: '{"a":"\ud800"}', kind: 'malformed', at: '1:7', says: /lone surrogate/ },
  { text: '{} {}', kind: 'malformed', at: '1:4', says: /after the end of the document/ },
  { text: '{"a":1,\n "a":2}', kind: 'malformed', at: '2:2', says: /"a" appears twice/ },
  { text: '{"a":1,"\\u0061":2}', kind: 'malformed', at: '1:8', says: /"a" appears twice/ },
  { text: '{"__proto__":1,"__proto__":2}', kind: 'malformed', at: '1:16', says: /appears twice/ },
  { text: '{"a":[{"b":1,"b":1}]}', kind: 'malformed', at: '1:14', says: /"b" appears twice/ },
  { text: '{"a":"\\u0000"}', kind: 'unacceptable', at: '1:7', says: /NUL/ },
  { text: '{"\\u0000":1}', kind: 'unacceptable', at: '1:3', says: /NUL/ },
  { text: '{"a":"\0"}', kind: 'unacceptable', at: '1:7', says: /NUL/ },
  { text: '{"a":1e400}', kind: 'unacceptable', at: '1:6', says: /infinite/ },
  { text: `{"a":${'9'.repeat(1001)}}`, kind: 'unacceptable', at: '1:6', says: /1000 characters/ },
  { text: nested(65), kind: 'unacceptable', at: '1:69', says: /more than 64 levels deep/ },
  { text: newList(100_001), kind: 'unacceptable', at: '1:200003', says: /more than 100000 values/ },
  { text: '[]', kind: 'unacceptable', at: '1:1', says: /object with named fields/ },
  { text: ' "a"', kind: 'unacceptable', at: '1:2', says: /object with named fields/ },
  { text: 'null', kind: 'unacceptable', at: '1:1', says: /object with named fields/ },
]

for (const { text, kind, at, says } of FAILURES) {
  test(`JSON › ${JSON.stringify(text).slice(0, 40)} is ${kind}`, () => {
    const failure = expectFailure(text)
    const [problem] = failure.problems
    assert.equal(failure.kind, kind)
    assert.equal(`${problem?.line}:${problem?.column}`, at)
    assert.match(problem?.message ?? '', says)
    assert.match(problem?.message ?? '', /\.$/)
    assert.equal(problem?.field, '')
  })
}

test('JSON › accepts documents at the limits', () => {
  read(nested(64))
  read(newList(100_000))
  read(`{"a":${'9'.repeat(300)}}`)
  read('{"a":"\\ud83d\\ude00"}')
})

test('JSON › rejects half a million open brackets without a stack overflow', () => {
  assert.equal(expectFailure(`{"a":${'['.repeat(500_000)}`).kind, 'unacceptable')
  assert.equal(expectFailure('{"a":'.repeat(500_000)).kind, 'unacceptable')
})

test('JSON › agrees with JSON.parse, except for the rules of the catalog', () => {
  const unit = fc.constantFrom(...Array.from('{}[]",:\\ntru1-.e0 a\n'), '"a":', '"b":1', '{"a":')
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string(), fc.json()), (text) => {
      const source = readText(text, 'application/json')
      if (source.ok) assert.deepEqual(JSON.parse(jsonText(source.value)), JSON.parse(text))
      else if (source.kind === 'malformed' && !source.problems[0]?.message.includes('twice')) {
        assert.throws(() => JSON.parse(text))
      }
    }),
    { seed: 1, numRuns: 1000 },
  )
})

test('JSON › returns a document byte for byte', () => {
  const text = '{ "b" : 1.0,\n "a": [12345678901234567890, 1e2]}'
  assert.equal(convertToJson(read(text)), text)
})

test('numbers › are doubles if a double has their digits, else keep their text', () => {
  const { value } = read(
    '{"a":[1,1.0,0.1,-0,1e2,9007199254740993,0.1000000000000000055511151231257827,1e-400,123456789012345680000]}',
  )
  assert.deepEqual(getField(value, 'a'), [
    1,
    1,
    0.1,
    -0,
    100,
    new ExactNumber('9007199254740993'),
    new ExactNumber('0.1000000000000000055511151231257827'),
    new ExactNumber('1e-400'),
    123456789012345680000,
  ])
  assert.equal(
    jsonText(value),
    '{"a":[1,1,0.1,0,100,9007199254740993,0.1000000000000000055511151231257827,1e-400,123456789012345680000]}',
  )
})

test('names › of prototype properties are treated like any other', () => {
  const text = '{"__proto__":{"polluted":true},"constructor":1,"toString":2,"hasOwnProperty":3}'
  const { value } = read(text)
  assert.equal(jsonText(value), text)
  assert.deepEqual(Object.keys(value ?? {}), [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
  assert.ok(!('polluted' in {}))
  assert.equal(getField(read('{}').value, 'constructor'), undefined)
})

test('positions › are those of names and items, or of the nearest existing parent', () => {
  const source = read('{\n  "a": {"b": [1,\n 2]},\n  "\\u0063": "x\\"y", "d": {}\n}')
  const at = (...path: (string | number)[]) => Object.values(source.locate(path)).join(':')
  assert.equal(at(), '1:1')
  assert.equal(at('a'), '2:3')
  assert.equal(at('a', 'b'), '2:9')
  assert.equal(at('a', 'b', 0), '2:15')
  assert.equal(at('a', 'b', 1), '3:2')
  assert.equal(at('a', 'b', 2), '2:9')
  assert.equal(at('a', 'x', 'y'), '2:3')
  assert.equal(at('c'), '4:3')
  assert.equal(at('d'), '4:21')
  assert.equal(at('x'), '1:1')
})

test('positions › exist for every value of any document', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (document, indent) => {
      const text = JSON.stringify(document, null, indent)
      const source = readText(text, 'application/json')
      if (!source.ok) return
      const lines = text.split('\n')
      for (const name of Object.keys(document)) {
        const { line, column } = source.locate([name])
        assert.ok(lines[line - 1]?.slice(column - 1).startsWith(JSON.stringify(name)))
      }
    }),
    { seed: 1, numRuns: 500 },
  )
})
