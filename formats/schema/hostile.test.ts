/**
 * Schemas that are designed to consume time: each is read in a time that its size explains. Quadratic work would take
 * minutes.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSoon, readIn } from '../../test/specification.ts'
import { diffModels } from '../diff/models.ts'
import type { Value } from '../text/value.ts'
import { canonicalizeAvro } from './avro/canonical.ts'
import { readAvro } from './avro/read.ts'
import { writeAvro } from './avro/write.ts'
import { REFERRED_FIELDS } from './field-budget.ts'
import { readJsonSchema } from './json-schema/read.ts'
import type { Model } from './model.ts'
import { readProtobuf } from './protobuf/read.ts'
import type { Specification } from './specification.ts'
import { readSqlDdl } from './sql/read.ts'

type Inputs = { readonly [name: string]: Value }

/** The length of most texts: half a megabyte. */
const HALF = 500_000

const many = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at))

const lines = (count: number, make: (at: number) => string): string => many(count, make).join('\n')

const inObject = (members: [string, Value][]): Value => Object.fromEntries(members)

const JSON_SCHEMA: Inputs = {
  'definitions that double': {
    $ref: '#/$defs/d0',
    $defs: inObject(
      many(40, (at) => [
        `d${at}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } },
        },
      ]),
    ),
  },
  'allOf that doubles': {
    $ref: '#/$defs/d0',
    $defs: inObject(
      many(200, (at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    ),
  },
  '10,000 definitions in a chain, used by 1,000 properties': {
    properties: inObject(many(1000, (at) => [`p${at}`, { $ref: '#/$defs/d0' }])),
    $defs: inObject(many(10_000, (at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }])),
  },
  'a property defined in 10,000 places': {
    allOf: many(10_000, () => ({
      properties: { a: { type: 'object' }, b: {} },
      required: ['a'],
    })),
  },
  'a schema that holds itself ten times': {
    properties: inObject(
      many(10, (at) => [`p${at}`, { allOf: [{ $ref: '#' }, { description: 'x' }] }]),
    ),
  },
}

const PROTOBUF: Inputs = {
  'messages in messages': 'message a{'.repeat(50_000),
  'messages that double':
    'syntax = "proto3";' +
    lines(40, (at) => `message M${at} { M${at + 1} a = 1; M${at + 1} b = 2; }`),
  'a long comment': `${lines(100_000, () => '// x')}\nmessage M {}`,
  'comments between fields': `message M {${lines(5_000, (at) => `// x\n optional string f${at} = ${at + 1};`)}}`,
  'an open string': `option a = "${'\\'.repeat(500_000)}`,
  'unknown types': `message M {${lines(10_000, (at) => `optional X${at} f${at} = ${at + 1};`)}}`,
  'many messages': lines(10_000, (at) => `message M${at} { optional string a = 1; }`),
  'messages of many unknown types': lines(
    600,
    (at) => `message M${at} {${lines(30, (f) => `U${at * 30 + f}.X f${f} = ${f + 1};`)}}`,
  ),
  'many extensions': `syntax = "proto2"; message M { extensions 1 to max; }${lines(10_000, (at) => `extend M { optional int32 e${at} = ${at + 1}; }`)}`,
  'many extensions of unknown messages': lines(
    10_000,
    (at) => `extend U${at} { optional int32 e${at} = ${at + 1}; }`,
  ),
  'a long type': `message M { optional ${'a.'.repeat(100_000)}b f = 1; }`,
}

const SQL: Inputs = {
  parentheses: `create table t (a int check ${'('.repeat(HALF)}`,
  conditions: `create table t (a int check (${'a>1 and '.repeat(HALF / 8)}a>2))`,
  'one table after another': 'create table a(b int);'.repeat(HALF / 22),
  columns: `create table t (${many(45_000, (at) => `a${at} int`).join()})`,
  quotes: "'".repeat(HALF),
  dollars: many(HALF / 10, (at) => `$a${at}$`).join(''),
  comments: '/*'.repeat(HALF / 2),
  angles: `create table t (a array${'<'.repeat(HALF)}`,
  alterations: `create table t (a int);${'alter table t add check (a>1);'.repeat(HALF / 30)}`,
  'added columns': `create table t (a int);${many(HALF / 40, (at) => `alter table t add a${at} int first;`).join('')}`,
  renames: `create table t (a int check (a>1));${'alter table t rename a to b;alter table t rename b to a;'.repeat(HALF / 60)}`,
  'unknown tables': 'alter table q drop column b;'.repeat(HALF / 28),
  'missing commas': `create table t (${'a int b < '.repeat(HALF / 10)}`,
  'composite types': `create type t0 as (${many(900, (at) => `a${at} int`).join()});create table x (${many(HALF / 10, (at) => `c${at} t0`).join()});`,
  'inherited changes': `create table p (a int);${many(HALF / 80, (at) => `create table c${at} () inherits (p);`).join('')}${'alter table p add b int;'.repeat(HALF / 50)}`,
  templates: '{%'.repeat(HALF / 2),
  placeholders: '{{'.repeat(HALF / 2),
  'dropped schemas': `${'create table s.a(b int);'.repeat(HALF / 50)}${'drop schema s cascade;'.repeat(HALF / 44)}`,
  'a wide view': `create view v as select ${'a,'.repeat(HALF / 2)}`,
}

const HUGE = 20_000

const avroRecord = (fields: Value) => ({ type: 'record', name: 'R', fields })
const newUnion = (depth: number): Value =>
  depth === 0 ? 'int' : ['null', newUnion(depth - 1), { type: 'array', items: newUnion(depth - 1) }]

const AVRO: Inputs = {
  'records that hold each other in unions': many(60, (at) => ({
    type: 'record',
    name: `R${at}`,
    fields: ['a', 'b', 'c'].map((name) => ({
      name,
      type: ['null', ...many(60, (other) => `R${other}`)],
    })),
  })),
  'unions of unions': avroRecord([{ name: 'a', type: newUnion(7) }]),
  'a huge enum': avroRecord(
    ['a', 'b'].map((name) => ({
      name,
      type: {
        type: 'enum',
        name: 'E',
        symbols: many(HUGE, (at) => `S${at}`),
      },
    })),
  ),
  'a huge union': avroRecord([{ name: 'a', type: many(HUGE, (at) => `T${at}`) }]),
  'a huge list of aliases': {
    ...avroRecord([]),
    aliases: many(HUGE, (at) => `A${at}`),
  },
  'one name defined often': many(HUGE, () => avroRecord([])),
}

const READERS: { [language: string]: [Inputs, (specification: Specification) => Model[]] } = {
  Avro: [AVRO, readAvro],
  'JSON Schema': [JSON_SCHEMA, readJsonSchema],
  Protobuf: [PROTOBUF, readProtobuf],
  SQL: [SQL, (specification) => readSqlDdl(specification, {})],
}

for (const [language, [inputs, read]] of Object.entries(READERS)) {
  for (const [name, given] of Object.entries(inputs)) {
    test(`${language} › ${name} is read quickly`, () => {
      const text = typeof given === 'string' ? given : JSON.stringify(given)
      assertSoon(() => readIn(text, read))
    })
  }
}

for (const [name, given] of Object.entries(AVRO)) {
  test(`Avro › ${name} is compared and written quickly`, () => {
    const { models } = readIn(JSON.stringify(given), readAvro)
    assertSoon(() => {
      assert.deepEqual(diffModels(models, structuredClone(models)), [])
      canonicalizeAvro(given)
      writeAvro(models)
    })
  })
}

test('Avro › the number of fields is limited, even if records double', () => {
  const doubling = many(40, (at) => ({
    type: 'record',
    name: `R${at}`,
    fields: ['a', 'b', 'c'].map((name) => ({ name, type: at === 39 ? 'int' : `R${at + 1}` })),
  }))
  const wide = [
    {
      type: 'record',
      name: 'W',
      fields: many(25_000, (at) => ({ name: `f${at}`, type: 'x' })),
    },
  ]
  for (const given of [doubling, wide]) {
    assertSoon(() => {
      const { models } = readIn(JSON.stringify(given), readAvro)
      assert.ok(JSON.stringify(models).length < REFERRED_FIELDS.fieldsMax * 300)
    })
  }
  assert.match(readIn(doubling, readAvro).warnings.at(-1) ?? '', /more than (10000|16)/)
})
