import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSoon } from '../../../test/specification.ts'
import { canonicalProtobuf, findEdition, splitTokens } from './tokens.ts'

test('tokens of Protobuf › comments and white space are left out, strings are whole', () => {
  assert.deepEqual(splitTokens(`a.b = "x // y" /* ; */; // z\n'q\\'' .c`), [
    'a.b',
    '=',
    '"x // y"',
    ';',
    "'q\\''",
    '.c',
  ])
})

test('tokens of Protobuf › the edition is that of the first statement', () => {
  assert.equal(findEdition('message M {}'), 'proto2')
  assert.equal(findEdition('// syntax = "proto2";\n/* x */ syntax = "proto3";'), 'proto3')
  assert.equal(findEdition("edition = '2023';"), '2023')
  assert.equal(findEdition('message M {}\nsyntax = "proto3";'), 'proto2')
})

const SAME: { name: string; one: string; other: string }[] = [
  { name: 'comments and white space', one: 'message M{}', other: '// x\nmessage  M { }' },
  {
    name: 'the order of statements',
    one: 'message A { B b = 1; C c = 2; } enum E { X = 0; }',
    other: 'enum E { X = 0; } message A { C c = 2; B b = 1; }',
  },
  {
    name: 'spelling of names, numbers and strings',
    one: `package p; message A { B b = 0x1 [(x) = 'y']; }`,
    other: 'package p; message A { .p.B b = 1 [(x) = "y"]; }',
  },
  {
    name: 'annotations and recorded options',
    one: 'option java_package = "x"; message A { string a = 1 [deprecated = true, (x) = 1]; }',
    other: 'message A { string a = 1 [(x) = 1, packed = true]; reserved 2; }',
  },
  {
    name: 'the order of options',
    one: 'message A { string a = 1 [(x) = {a: [1, 2]}, (y) = 1]; }',
    other: 'message A { string a = 1 [(y) = 1, (x) = {a: [1, 2]}]; }',
  },
]

for (const { name, one, other } of SAME) {
  test(`tokens of Protobuf › the canonical form ignores ${name}`, () => {
    assert.equal(canonicalProtobuf(one), canonicalProtobuf(other))
  })
}

const OTHER: { name: string; one: string; other: string }[] = [
  { name: 'numbers', one: 'message M { A a = 1; }', other: 'message M { A a = 2; }' },
  {
    name: 'custom options',
    one: 'option (x) = { a: 1 };',
    other: 'option (x) = { a: 2 };',
  },
  {
    name: 'values in the options of a field',
    one: 'message M { A a = 1 [(x) = { a: 1 }]; }',
    other: 'message M { A a = 1 [(x) = { a: 2 }]; }',
  },
  {
    name: 'the parent of a message',
    one: 'message A { message B {} }',
    other: 'message A {} message B {}',
  },
]

for (const { name, one, other } of OTHER) {
  test(`tokens of Protobuf › the canonical form shows ${name}`, () => {
    assert.notEqual(canonicalProtobuf(one), canonicalProtobuf(other))
  })
}

const HOSTILE: { name: string; text: string }[] = [
  { name: 'open blocks', text: 'message a {'.repeat(50_000) },
  { name: 'closed blocks', text: '}'.repeat(500_000) },
  { name: 'open comments', text: '/*'.repeat(250_000) },
  { name: 'open strings', text: '"\\'.repeat(250_000) },
  { name: 'comments before the edition', text: '/**/'.repeat(125_000) },
  { name: 'brackets', text: `a ${'[,'.repeat(125_000)}${']'.repeat(125_000)};` },
]

for (const { name, text } of HOSTILE) {
  test(`tokens of Protobuf › ${name} take little time`, () => {
    assertSoon(() => {
      canonicalProtobuf(text)
      findEdition(text)
    })
  })
}
