import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarizeFields, readIn } from '../../../test/specification.ts'
import type { Value } from '../../text/value.ts'
import type { Traits } from '../model.ts'
import { readEveryMessage, readProtobuf } from './read.ts'

const read = (given: Value) => readIn(given, readProtobuf)

function fieldsIn(text: string): string {
  const { models, warnings } = read(text)
  assert.deepEqual(warnings, [])
  return summarizeFields(models[0]?.fields ?? [])
}

test('Protobuf › a message is a model with its package, and its comments are descriptions', () => {
  const { models, warnings } = read(`syntax = "proto3";
package com.example;
import "other.proto";
option java_package = "x";

// All orders.
// Of every shop.
message Order {
  reserved 9, 10 to 12; reserved "old";
  // The number.
  int64 id = 1;
  string note = 2; // What the customer wrote.
}
service Orders { rpc Get (Order) returns (Order); }
`)
  assert.deepEqual(warnings, [])
  const [model] = models
  assert.deepEqual(
    [model?.name, model?.namespace, model?.kind, model?.description],
    ['Order', 'com.example', 'object', 'All orders.\nOf every shop.'],
  )
  assert.deepEqual(model?.fields, [
    {
      name: 'id',
      logicalType: 'integer',
      physicalType: 'int64',
      traits: { 'protobuf.number': 1, 'protobuf.encoding': 'varint, a text in JSON' },
      description: 'The number.',
      required: true,
      unique: false,
      tags: [],
      references: [],
      quality: [],
      origin: '/s',
    },
    {
      name: 'note',
      logicalType: 'string',
      physicalType: 'string',
      traits: { 'protobuf.number': 2 },
      description: 'What the customer wrote.',
      required: true,
      unique: false,
      tags: [],
      references: [],
      quality: [],
      origin: '/s',
    },
  ])
})

const TYPES: { field: string; says: string }[] = [
  { field: 'int32 f = 1;', says: 'f! integer(int32)' },
  { field: 'sint64 f = 1;', says: 'f! integer' },
  { field: 'fixed32 f = 1;', says: 'f! integer(uint32)' },
  { field: 'uint64 f = 1;', says: 'f! integer(uint64)' },
  { field: 'float f = 1;', says: 'f! number(float)' },
  { field: 'double f = 1;', says: 'f! number(double)' },
  { field: 'bool f = 1;', says: 'f! boolean' },
  { field: 'bytes f = 1;', says: 'f! binary' },
  { field: 'optional string f = 1;', says: 'f string' },
  { field: 'oneof x { string f = 1; bool g = 2; }', says: 'f string, g boolean' },
  { field: 'repeated int32 f = 1;', says: 'f! array [! integer(int32)]' },
  {
    field: 'map<string, In> f = 1; message In { bool b = 1; }',
    says: 'f! map <! object {b! boolean}>',
  },
  { field: 'In f = 1; message In { bool b = 1; }', says: 'f object {b! boolean}' },
  { field: 'E f = 1; enum E { A = 0; B = 1; }', says: 'f! string' },
  { field: 'google.protobuf.Timestamp f = 1;', says: 'f timestamp' },
  { field: '.google.protobuf.Duration f = 1;', says: 'f string(duration)' },
  { field: 'google.protobuf.StringValue f = 1;', says: 'f string' },
  { field: 'google.protobuf.Struct f = 1;', says: 'f object' },
  { field: 'google.type.Date f = 1;', says: 'f date' },
  { field: 'M f = 1;', says: 'f object → M' },
  {
    field: 'string constructor = 1; string toString = 2;',
    says: 'constructor! string, toString! string',
  },
]

for (const { field, says } of TYPES) {
  test(`Protobuf › ${field} is read as ${says}`, () => {
    assert.equal(fieldsIn(`syntax = "proto3"; message M { ${field} }`), says)
  })
}

test('Protobuf › proto2 and editions mark required fields explicitly', () => {
  assert.equal(
    fieldsIn(
      'message M { required string a = 1; optional E b = 2; enum E { X = 0; } repeated int32 c = 3; }',
    ),
    'a! string, b string, c! array [! integer(int32)]',
  )
  assert.equal(
    fieldsIn(
      'edition = "2023"; message M { string a = 1; string b = 2 [features.field_presence = IMPLICIT]; string c = 3 [features.field_presence = LEGACY_REQUIRED]; }',
    ),
    'a string, b! string, c! string',
  )
})

const names = (text: string) => read(`syntax = "proto3"; ${text}`).models.map(({ name }) => name)

test('Protobuf › messages used by others are not models, unless they use each other', () => {
  assert.deepEqual(names('message A { B b = 1; } message B {} message C {}'), ['A', 'C'])
  assert.deepEqual(names('message A { A a = 1; }'), ['A'])
  assert.deepEqual(names('message A { B b = 1; } message B { A a = 1; } message C {}'), ['A', 'C'])
  assert.deepEqual(names('message A { message B { A a = 1; } B b = 1; } message C {}'), ['A', 'C'])
})

test('Protobuf › keeps a message of which another one uses only a nested message', () => {
  const text =
    'message A { string x = 1; message P { string y = 1; } } message B { repeated A.P ps = 1; }'
  const { models, warnings } = read(`syntax = "proto3"; ${text}`)
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    models.map(({ name, fields }) => `${name}: ${summarizeFields(fields)}`),
    ['A: x! string', 'B: ps! array [! object {y! string}]'],
  )
})

test('Protobuf › a nested message that no field uses is a model', () => {
  assert.deepEqual(names('message A { message B { C c = 1; } } message C {}'), ['A', 'A.B'])
  assert.deepEqual(names('message A { string x = 1; message B { A a = 1; } }'), ['A', 'A.B'])
})

test('Protobuf › an unreadable part has a warning at its line, and an unknown type at its location', () => {
  const broken = read('syntax = "proto3";\nmessage M {\n  string a = ;\n}\n')
  assert.deepEqual(broken.models, [])
  assert.match(broken.warnings[0] ?? '', /^2:45 s This cannot be read as Protobuf: illegal id ';'/)
  const unknown = read('syntax = "proto3";\nmessage M {\n  other.Thing a = 1;\n}\n')
  assert.equal(summarizeFields(unknown.models[0]?.fields ?? []), 'a unknown')
  assert.match(unknown.warnings[0] ?? '', /^2:45 s The type "other.Thing" is not defined here/)
})

test('Protobuf › other texts than .proto give a warning and no model', () => {
  for (const given of [
    null,
    {},
    [],
    7,
    '',
    'x',
    '{}',
    'message',
    'message M { string a = 1; string a = 2; }',
    'message __proto__ {}',
    '/*',
  ]) {
    const { models, warnings } = read(given)
    assert.deepEqual(models, [], JSON.stringify(given))
    assert.equal(warnings.length, 1, JSON.stringify(given))
  }
})

const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join('\n')
const field = (at: number) => `optional string f${at} = ${at + 1};`

test('Protobuf › a message with 1,900 fields is read, one with 2,000 is too much for the parser', () => {
  assert.equal(read(`message M {${many(1900, field)}}`).models[0]?.fields.length, 1900)
  const { models, warnings } = read(`message M {${many(2000, field)}}`)
  assert.deepEqual(models, [])
  assert.match(warnings[0] ?? '', /too many fields/)
  const inOneofs = many(2000, (at) => `/* } */ oneof o${at} { string f${at} = ${at + 1}; } // "{`)
  assert.match(read(`message M {${inOneofs}}`).warnings[0] ?? '', /too many fields/)
  const apart = many(500, (at) => `message M${at} {${many(50, field)}}`)
  assert.equal(read(apart).models.length, 500)
})

test('Protobuf › reads fields of extend blocks into messages of the same text, and warns about others', () => {
  const { models, warnings } = read(`syntax = "proto2";
package p;
message M {
  extensions 100 to max;
  optional string name = 1;
  extend N { optional int32 deep = 7; }
}
message N { extensions 1 to 99; }
extend M { optional int32 extra = 100; repeated group Line = 101 { optional int32 sku = 1; } }
extend .other.Unknown { repeated string far = 5; }
extend google.protobuf.FieldOptions { optional string unit = 50001; }
`)
  assert.deepEqual(
    models.map(({ name, fields }) => `${name}: ${summarizeFields(fields)}`),
    [
      'M: name string, [p.extra] integer(int32), [p.line]! array [! object {sku integer(int32)}]',
      'N: [p.M.deep] integer(int32)',
    ],
  )
  assert.deepEqual(models[0]?.fields[1]?.traits, {
    'protobuf.number': 100,
    'protobuf.encoding': 'varint',
  })
  assert.deepEqual(models[0]?.traits, {
    'protobuf.extensions': [[100, 536_870_911]],
    'protobuf.legacyJson': true,
  })
  assert.deepEqual(
    warnings.map((warning) => warning.replace(/^\S+ s /, '')),
    [
      'The fields of "extend .other.Unknown" are left out, because this text does not define that message.',
    ],
  )
})

const TRAITS: { name: string; text: string; traits: Traits }[] = [
  { name: 'a number', text: 'syntax = "proto3"; message M { string f = 7; }', traits: {} },
  {
    name: 'a JSON name',
    text: 'syntax = "proto3"; message M { string my_field = 7 [json_name = "x"]; }',
    traits: { 'protobuf.jsonName': 'x' },
  },
  {
    name: 'no JSON name that is the usual one',
    text: 'syntax = "proto3"; message M { string my_field = 7 [json_name = "myField"]; }',
    traits: {},
  },
  {
    name: 'a default',
    text: 'syntax = "proto2"; message M { optional int32 f = 7 [default = 5]; }',
    traits: { 'protobuf.encoding': 'varint', 'protobuf.default': '5' },
  },
  {
    name: 'a oneof',
    text: 'syntax = "proto3"; message M { oneof choice { string f = 7; } }',
    traits: { 'protobuf.oneof': 'choice' },
  },
  {
    name: 'no oneof for an optional field',
    text: 'syntax = "proto3"; message M { optional string f = 7; }',
    traits: {},
  },
  {
    name: 'numbers and aliases of an enumeration',
    text: 'syntax = "proto3"; message M { E f = 7; } enum E { option allow_alias = true; A = 0; B = 5; C = 5; reserved 7, 8 to 9, "X"; }',
    traits: { 'protobuf.enum': { A: 0, B: 5, C: 5 }, 'protobuf.reserved': [[7, 9], 'X'] },
  },
  {
    name: 'the implied default of a closed enumeration',
    text: 'edition = "2023"; option features.enum_type = CLOSED; message M { E f = 7; } enum E { B = 5; A = 0; }',
    traits: {
      'protobuf.default': 'B',
      'protobuf.enum': { B: 5, A: 0 },
      'protobuf.closed': true,
    },
  },
  {
    name: 'a packed list',
    text: 'syntax = "proto3"; message M { repeated sint32 f = 7; }',
    traits: { 'protobuf.encoding': 'zigzag', 'protobuf.packed': true },
  },
  {
    name: 'an expanded list',
    text: 'syntax = "proto3"; message M { repeated sint32 f = 7 [packed = false]; }',
    traits: { 'protobuf.encoding': 'zigzag', 'protobuf.packed': false },
  },
  {
    name: 'a delimited message',
    text: 'edition = "2023"; message M { N f = 7 [features.message_encoding = DELIMITED]; } message N {}',
    traits: { 'protobuf.encoding': 'group' },
  },
  {
    name: 'unknown options',
    text: 'syntax = "proto3"; message M { string f = 7 [(a.b).c = {x: [1, inf]}, deprecated = true, (d) = 1]; }',
    traits: { unanalyzed: '[{"(a.b)":{"c":{"x":[1,"Infinity"]}}},{"(d)":1}]' },
  },
]

for (const { name, text, traits } of TRAITS) {
  test(`Protobuf › records ${name}`, () => {
    const { models, warnings } = read(text)
    assert.deepEqual(warnings, [])
    const [field] = models[0]?.fields ?? []
    const found = { ...field?.traits, ...field?.items?.traits }
    assert.deepEqual(found, { 'protobuf.number': 7, ...traits })
  })
}

test('Protobuf › reads each message once under its full name for comparisons', () => {
  const { models } = readIn(
    'syntax = "proto3"; package p; message A { B b = 1; repeated B.C c = 2; .p.B.C d = 3; } message B { C c = 1; message C { A a = 1; } }',
    readEveryMessage,
  )
  assert.deepEqual(
    models.map(({ name, namespace, fields }) => [
      name,
      namespace,
      fields.map(({ physicalType }) => physicalType),
    ]),
    [
      ['A', 'p', ['B', 'repeated B.C', 'B.C']],
      ['B', 'p', ['B.C']],
      ['B.C', 'p', ['A']],
    ],
  )
})

test('Protobuf › a group is an object', () => {
  const text =
    'syntax = "proto2"; message M { repeated group Line = 1 { required int32 sku = 1; } }'
  assert.equal(fieldsIn(text), 'line! array [! object {sku! integer(int32)}]')
})

test('Protobuf › finds types from the innermost scope outwards', () => {
  const text = `syntax = "proto3"; package a.b;
message T { string outer = 1; }
message M {
  message T { string inner = 1; }
  message In { T t = 1; }
  In in = 1; .a.b.T absolute = 2; b.T relative = 3; M.T path = 4;
}`
  const { models, warnings } = read(text)
  assert.deepEqual(warnings, [])
  const fields = summarizeFields(models.find(({ name }) => name === 'M')?.fields ?? [])
  const inner = 'object {inner! string}'
  const outer = 'object {outer! string}'
  assert.equal(
    fields,
    `in object {t ${inner}}, absolute ${outer}, relative ${outer}, path ${inner}`,
  )
})
