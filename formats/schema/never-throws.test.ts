import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { protobufTexts } from '../../test/schema-texts.ts'
import { readIn } from '../../test/specification.ts'
import type { Value } from '../text/value.ts'
import { readAvro } from './avro/read.ts'
import { writeAvro } from './avro/write.ts'
import { readJsonSchema } from './json-schema/read.ts'
import { writeJsonSchema } from './json-schema/write.ts'
import type { Model, Written } from './model.ts'
import { readProtobuf } from './protobuf/read.ts'
import { writeProtobuf } from './protobuf/write.ts'
import { readSqlDdl } from './sql/read.ts'
import { writeSqlDdl } from './sql/write.ts'
import type { Specification } from './specification.ts'
import type { Platform } from './types/native-type.ts'
import { sqlTexts } from '../../test/sql-texts.ts'

const KEYWORDS = {
  avro: 'type name namespace fields items values symbols size doc default logicalType precision scale aliases portbook.name types protocol __proto__',
  'json-schema':
    '$id id $ref $anchor $defs definitions type title description properties required items prefixItems additionalProperties patternProperties propertyNames allOf anyOf oneOf enum const format pattern minimum exclusiveMinimum maximum minLength maxItems nullable contentEncoding not if then else dependencies dependentSchemas dependentRequired unevaluatedProperties contains minContains additionalItems multipleOf uniqueItems minProperties unit x-a __proto__',
}
const WORDS =
  'record enum fixed array map string int long bytes null decimal date uuid R a.b.R 1 # #/ #/$defs/a #/properties/a %zz http://x.y/z date-time object integer number boolean base64 - ~1 '

/** Values that look like schemas, with anything in any position. */
function schemaLike(language: keyof typeof KEYWORDS): fc.Arbitrary<Value> {
  const { value } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, depthSize: 'medium' },
      fc.constantFrom<Value[]>(...WORDS.split(' '), null, true, false, 0, 1, -1, 1.5, 1e21),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(
          fc.constantFrom(...KEYWORDS[language].split(' ')),
          fc.constantFrom('a', 'b', 'x/y'),
        ),
        tie('value'),
        { maxKeys: 6 },
      ),
    ),
  }))
  return value
}

const PROTO_WORDS =
  'message enum oneof map<string, repeated optional required string int32 M E a b = ; { } < > , . 1 2 -1 0x1 "x" \' " // /* */ \n syntax = "proto3"; package import option extend reserved to max group service rpc returns ( ) [ ] [deprecated=true] google.protobuf.Timestamp __proto__ constructor extensions stream edition = "2023";'

function check(
  given: Value,
  read: (specification: Specification) => Model[],
  write: (models: readonly Model[]) => Written,
): void {
  const { models, warnings } = readIn(given, read)
  for (const warning of warnings) assert.match(warning, /^\d+:\d+ s/)
  // Everything that was read can be written, and everything that was written can be read without
  // warnings.
  const { text } = write(models)
  if (models.length > 0) assert.deepEqual(readIn(text, read).warnings, [])
}

test('reading › no JSON Schema makes the reader or the writer throw', () => {
  const like = schemaLike('json-schema')
  const properties = fc.array(like, { minLength: 1, maxLength: 4 }).map((some): Value => ({
    properties: Object.fromEntries(some.entries()),
    $defs: { a: some[0] ?? {} },
  }))
  fc.assert(
    fc.property(fc.oneof(like, properties), fc.boolean(), (value, isText) => {
      check(isText ? JSON.stringify(value) : value, readJsonSchema, writeJsonSchema)
    }),
    { seed: 1, numRuns: 600 },
  )
})

test('reading › no Avro schema makes the reader or the writer throw', () => {
  const record = fc
    .array(schemaLike('avro'), { minLength: 1, maxLength: 3 })
    .map((types): Value => ({
      type: 'record',
      name: 'R',
      fields: types.map((type, at) => ({ name: `f${at}`, type })),
    }))
  fc.assert(
    fc.property(fc.oneof(schemaLike('avro'), record), fc.boolean(), (value, isText) => {
      check(isText ? JSON.stringify(value) : value, readAvro, writeAvro)
    }),
    { seed: 2, numRuns: 600 },
  )
})

test('reading › no Protobuf text makes the reader or the writer throw', () => {
  const name = fc.constantFrom('a', 'b', 'M', 'N', 'R', 'constructor')
  const label = fc.constantFrom('', 'optional ', 'repeated ', 'required ', 'oneof x { ')
  const type = fc.constantFrom(
    'string',
    'int32',
    'M',
    '.R',
    'R.M',
    'E',
    'Any',
    'map<string, M>',
    'a.b.C',
  )
  const field = fc
    .tuple(label, type, name, fc.integer({ min: 1, max: 400 }))
    .map(([kind, of, called, at]) => {
      if (of.startsWith('map')) return `${of} ${called}${at} = ${at};`
      return `${kind}${of} ${called}${at} = ${at};${kind.includes('{') ? ' }' : ''}`
    })
  const statement = fc.oneof(
    { weight: 9, arbitrary: field },
    { weight: 2, arbitrary: name.map((called) => `message ${called} { `) },
    { weight: 1, arbitrary: fc.constant('enum E { A = 0; } ') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'extend M { ',
        'extend .a.Unknown { optional int32 e = 100; }',
        'optional group G = 9 { ',
        'extend M { repeated group X = 101 { ',
        'extensions 100 to max;',
        'service S { rpc Get (stream M) returns (R) { option deprecated = true; } }',
        'option (a.b).c = { x: [1, 2] y { z: "t" } };',
        'string o = 300 [(a).b = 1, deprecated = true, default = "x"];',
        'reserved 1, 5 to max; reserved "a";',
        'edition = "2023";',
        'syntax = "proto2";',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(' } ', '// portbook.name: "x"\n', '/* x */', 'A = 0;'),
    },
  )
  const proto = fc.array(statement, { maxLength: 6 }).map((parts) => {
    const text = parts.join(' ')
    const open = (text.match(/\{/g)?.length ?? 0) - (text.match(/\}/g)?.length ?? 0)
    return `${text}${' }'.repeat(Math.max(0, open))}`.split(' ')
  })
  const tokens = fc.array(fc.constantFrom(...PROTO_WORDS.split(' ')), { maxLength: 40 })
  fc.assert(
    fc.property(fc.oneof(tokens, proto), fc.boolean(), (tokens, isInMessage) => {
      const text = tokens.join(' ')
      check(
        isInMessage ? `syntax = "proto3"; message R { ${text} }` : text,
        readProtobuf,
        writeProtobuf,
      )
    }),
    { seed: 3, numRuns: 600 },
  )
})

test('reading › no SQL script makes the reader or the writer throw', () => {
  const pieces =
    "create alter drop rename table view type domain index unique or replace if not exists only column columns add modify change set type to schema null default primary key foreign references check constraint like including inherits partition of as select * from with enum generated always identity collate comment on is exec sp_rename 'x' 'a.b' COLUMN begin end go delimiter // $$ do /*!50001 */ -- +goose Down \n ( ) , ; . @ : ${s} {{ s }} {% if %} t a b int text mood [ ] < > = \" ` '"
  const tokens = fc.array(fc.constantFrom(...pieces.split(' ')), { maxLength: 40 })
  const script = fc.array(
    fc.oneof(
      sqlTexts,
      tokens.map((words) => words.join(' ')),
    ),
    {
      maxLength: 4,
    },
  )
  const platform = fc.constantFrom<Platform | undefined>(
    undefined,
    'postgresql',
    'mysql',
    'sqlserver',
    'snowflake',
    'bigquery',
    'databricks',
  )
  fc.assert(
    fc.property(script, platform, (texts, platform) => {
      const text = texts.join('\n')
      const { models, warnings } = readIn(text, (specification) =>
        readSqlDdl(specification, platform ? { platform } : {}),
      )
      for (const warning of warnings) assert.match(warning, /^\d+:\d+ s/)
      writeSqlDdl(models, { dialect: platform ?? 'postgresql', name: 'c', id: 'c' })
    }),
    { seed: 5, numRuns: 600 },
  )
})

test('legal Protobuf › extensions, groups, services and options never throw', () => {
  fc.assert(
    fc.property(protobufTexts, (text) => check(text, readProtobuf, writeProtobuf)),
    { seed: 4, numRuns: 600 },
  )
})
