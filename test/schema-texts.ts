/**
 * Generates texts in the schema languages of contracts: mostly legal, with the constructs of each language
 * in unusual places and combinations.
 */

import * as fc from 'fast-check'
import { joinTexts } from './join-texts.ts'
import { sqlName, sqlTexts, sqlType } from './sql-texts.ts'

/** One specification in a contract: its `type` and its text. */
export interface SchemaText {
  type: string
  specification: fc.JsonValue
}

const name = fc.constantFrom('a', 'b', 'order', 'Order', 'select', 'constructor', '__proto__', 'é')
const typeName = fc.constantFrom('M', 'N', 'Order', 'a.b.M', '.M', 'M.N', 'Unknown')

// --- Protobuf ---

const scalar = fc.constantFrom('string', 'int32', 'sint64', 'fixed32', 'bytes', 'double', 'bool')
const label = fc.constantFrom('', 'optional ', 'repeated ', 'required ')
const fieldNumber = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.constantFrom(0, 19_000, 536_870_911),
)
const protoName = fc.constantFrom('a', 'b', 'order_id', 'constructor', 'to', 'max', 'message')
const fieldOptions = fc.constantFrom(
  '',
  ' [deprecated = true]',
  ' [default = 1]',
  ' [default = "x\\n"]',
  ' [packed = true, json_name = "x"]',
  ' [(my.option).sub = { a: 1 b: "x" }]',
)
const protoField = fc
  .tuple(label, fc.oneof(scalar, typeName), protoName, fieldNumber, fieldOptions)
  .map(([kind, of, called, at, more]) => `${kind}${of} ${called}_${at} = ${at}${more};`)
const mapField = fc
  .tuple(scalar, fc.oneof(scalar, typeName), fieldNumber)
  .map(([key, value, at]) => `map<${key}, ${value}> entries_${at} = ${at};`)
const enumeration = fc.tuple(typeName, fc.boolean()).map(([called, hasAlias]) => {
  const alias = hasAlias ? 'option allow_alias = true; C = 0; ' : ''
  return `enum ${lastPart(called)}${hasAlias ? 'Alias' : 'Plain'} { A = 0; ${alias}B = -1; reserved 5 to max; }`
})

const { message } = fc.letrec<{ message: string; statement: string; group: string }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: protoField },
    { weight: 1, arbitrary: mapField },
    { weight: 1, arbitrary: enumeration },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'extensions 100 to max;',
        'extensions 4, 20 to 30 [declaration = { number: 4 }];',
        'reserved 2, 15, 9 to 11;',
        'reserved "foo", "bar";',
        'option deprecated = true;',
        'option (my.message_option) = "x";',
        ';',
        '// a comment\n',
        '/* another */',
      ),
    },
    {
      weight: 1,
      arbitrary: joinTexts(protoField, ' ', 3).map((fields) => `oneof choice { ${fields} }`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(typeName, joinTexts(protoField, ' ', 3, 1))
        .map(([of, fields]) => `extend ${of} { ${fields} }`),
    },
    { weight: 1, arbitrary: tie('group') },
    { weight: 1, arbitrary: tie('message') },
  ),
  group: fc
    .tuple(label, joinTexts(tie('statement'), ' ', 3), fieldNumber)
    .map(([kind, body, at]) => `${kind}group Group${at} = ${at} { ${body} }`),
  message: fc
    .tuple(typeName, joinTexts(tie('statement'), ' ', 5))
    .map(([called, body]) => `message ${lastPart(called)} { ${body} }`),
}))

const service = fc
  .tuple(typeName, typeName, fc.constantFrom('', 'stream '))
  .map(
    ([input, output, stream]) =>
      `service S { option deprecated = true; rpc Get (${stream}${input}) returns (${output}) { option idempotency_level = IDEMPOTENT; } }`,
  )
const protoHead = fc.constantFrom(
  '',
  'syntax = "proto2";',
  'syntax = "proto3";',
  'edition = "2023";',
  'syntax = "proto2"; package a.b; import "google/protobuf/timestamp.proto"; import public "x.proto";',
  'syntax = "proto3"; option java_package = "x"; option (my.file_option) = { a: [1, 2] };',
)
const extension = fc
  .tuple(typeName, joinTexts(protoField, ' ', 3, 1))
  .map(([of, fields]) => `extend ${of} { ${fields} }`)

/** Generates Protobuf files: messages, enums, groups, extensions, services and options. */
export const protobufTexts: fc.Arbitrary<string> = fc
  .tuple(
    protoHead,
    joinTexts(
      fc.oneof(
        { weight: 6, arbitrary: message },
        { weight: 1, arbitrary: enumeration },
        { weight: 1, arbitrary: extension },
        { weight: 1, arbitrary: service },
      ),
      '\n',
      4,
      1,
    ),
  )
  .map(([head, body]) => `${head}\n${body}\n`)

function lastPart(dotted: string): string {
  return dotted.split('.').at(-1) ?? dotted
}

// --- Avro, JSON Schema, BigQuery, dbt: trees ---

type Tree = { value: fc.JsonValue }

const { value: avroType } = fc.letrec<Tree>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<fc.JsonValue>(
      'null',
      'string',
      'long',
      'bytes',
      'R',
      'n.s.R',
      { type: 'int', logicalType: 'date' },
      { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 },
      { type: 'fixed', name: 'F', size: 16 },
      { type: 'enum', name: 'E', symbols: ['A', 'B'], default: 'A' },
    ),
    tie('value').map((items): fc.JsonValue => ({ type: 'array', items })),
    tie('value').map((values): fc.JsonValue => ({ type: 'map', values })),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .tuple(name, fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }))
      .map(([called, fields]) => avroRecord(called, fields)),
  ),
}))

function avroRecord(
  called: string,
  fields: readonly (readonly [string, fc.JsonValue])[],
): fc.JsonValue {
  return {
    type: 'record',
    name: called,
    namespace: 'n.s',
    aliases: ['Old'],
    fields: fields.map(([field, type], index) => ({
      name: `${field}${index}`,
      type,
      default: null,
      doc: 'x',
      order: 'ignore',
    })),
  }
}

/** Generates Avro schemas as JSON texts. */
export const avroTexts: fc.Arbitrary<string> = fc
  .array(fc.tuple(name, avroType), { maxLength: 5 })
  .map((fields) => JSON.stringify(avroRecord('R', fields)))

const { value: jsonSchema } = fc.letrec<Tree>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<fc.JsonValue>(
      true,
      false,
      {},
      { type: ['string', 'null'], format: 'date-time', minLength: 1 },
      { type: 'integer', multipleOf: 0.01, exclusiveMinimum: 0 },
      { $ref: '#' },
      { $ref: '#/$defs/d' },
      { $ref: 'https://example.test/other.json' },
      { enum: [1, 'a', null, { b: 1 }] },
      { const: 1.0 },
    ),
    fc
      .dictionary(name, tie('value'), { maxKeys: 4 })
      .map((properties): fc.JsonValue => ({ type: 'object', properties, required: ['a', 'b'] })),
    fc
      .tuple(
        fc.constantFrom('allOf', 'anyOf', 'oneOf', 'prefixItems'),
        fc.array(tie('value'), { maxLength: 3 }),
      )
      .map(([keyword, schemas]): fc.JsonValue => ({ [keyword]: schemas })),
    fc
      .tuple(
        fc.constantFrom('not', 'if', 'items', 'contains', 'additionalProperties', 'propertyNames'),
        tie('value'),
      )
      .map(([keyword, schema]): fc.JsonValue => ({ [keyword]: schema, uniqueItems: true })),
  ),
}))

const jsonSchemas: fc.Arbitrary<fc.JsonValue> = fc
  .tuple(fc.dictionary(name, jsonSchema, { maxKeys: 5 }), jsonSchema)
  .map(([properties, d]) => ({ title: 'T', type: 'object', properties, $defs: { d } }))

const { value: bigQueryField } = fc.letrec<Tree>((tie) => ({
  value: fc
    .record({
      name,
      type: fc.constantFrom('STRING', 'NUMERIC(10, 2)', 'RECORD', 'RANGE', 'geography', 'X'),
      mode: fc.constantFrom('NULLABLE', 'REQUIRED', 'REPEATED', 'x'),
      fields: fc.option(fc.array(tie('value'), { maxLength: 3 }), { maxDepth: 3, nil: [] }),
    })
    .map((field): fc.JsonValue => ({ ...field, maxLength: '10', description: 'x' })),
}))

const dbtModels: fc.Arbitrary<fc.JsonValue> = fc
  .array(
    fc.record({
      name,
      data_type: fc.constantFrom('varchar(10)', 'struct<a int64>', 'array<', ''),
      tests: fc.constantFrom<fc.JsonValue[]>(
        ['unique', 'not_null'],
        [{ accepted_values: { values: ['a', 1] } }],
        [{ relationships: { to: "ref('m')", field: 'a' } }],
        ['package.test', 1, null],
      ),
      constraints: fc.constantFrom<fc.JsonValue[]>(
        [],
        [{ type: 'primary_key' }, { type: 'check', expression: 'a > 0' }],
        ['x'],
      ),
    }),
    { maxLength: 5 },
  )
  .map((columns): fc.JsonValue => ({
    version: 2,
    models: [{ name: 'm', columns, config: { contract: { enforced: true } } }, { name: 'm' }],
  }))

// --- SQL ---

/** Generates one specification in any of the languages. */
export const schemaTexts: fc.Arbitrary<SchemaText> = fc.oneof(
  protobufTexts.map((specification) => ({ type: 'protobuf', specification })),
  avroTexts.map((specification) => ({ type: 'avro', specification })),
  fc.tuple(jsonSchemas, fc.boolean()).map(([schema, isText]) => ({
    type: 'json-schema',
    specification: isText ? JSON.stringify(schema) : schema,
  })),
  sqlTexts.map((specification) => ({ type: 'sql-ddl', specification })),
  dbtModels.map((specification) => ({ type: 'dbt', specification })),
  fc
    .array(bigQueryField, { maxLength: 5 })
    .map((specification) => ({ type: 'bigquery', specification })),
)

const { nativeType } = fc.letrec<{ nativeType: string }>((tie) => ({
  nativeType: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    sqlType,
    tie('nativeType').map((items) => `array<${items}>`),
    fc.tuple(tie('nativeType'), tie('nativeType')).map((types) => `map<${types.join(', ')}>`),
    fc
      .array(fc.tuple(sqlName, tie('nativeType')), { maxLength: 3 })
      .map((fields) => `struct<${fields.map((field) => field.join(': ')).join(', ')}>`),
    fc
      .tuple(
        tie('nativeType'),
        fc.constantFrom('[]', '(10', '>', ' not null', '; drop table t', '('),
      )
      .map((parts) => parts.join('')),
  ),
}))

/** Generates physical types of columns in the spellings of platforms, including nested and broken ones. */
export const physicalTypes: fc.Arbitrary<string> = nativeType
