/** The features of Avro, Protobuf and JSON Schema. */

import type { ObjectValue, Value } from '../formats/text/value.ts'
import { createSpecification, createFeatures } from './feature.ts'

const avro = (field: Value): ObjectValue =>
  createSpecification('avro', {
    type: 'record',
    name: 'orders',
    fields: [{ name: 'id', type: 'long' }, ...(field === null ? [] : [field])],
  })

function avroType(type: Value): Value {
  return { name: 'f', type }
}

export const AVRO = [
  ...createFeatures('avro', avro, avroType('string'), {
    ...Object.fromEntries(
      ['int', 'long', 'float', 'double', 'boolean', 'bytes'].map((type) => [type, avroType(type)]),
    ),
    ...Object.fromEntries(
      [
        ['int', 'date'],
        ['int', 'time-millis'],
        ['long', 'time-micros'],
        ...['timestamp', 'local-timestamp'].flatMap((name) =>
          ['millis', 'micros', 'nanos'].map((unit) => ['long', `${name}-${unit}`]),
        ),
        ['string', 'uuid'],
      ].map(([type = '', logicalType = '']) => [logicalType, avroType({ type, logicalType })]),
    ),
    decimal: avroType({ type: 'bytes', logicalType: 'decimal', precision: 40, scale: 20 }),
    fixed: avroType({ type: 'fixed', name: 'F', size: 16 }),
    duration: avroType({ type: 'fixed', name: 'F', size: 12, logicalType: 'duration' }),
    enum: avroType({ type: 'enum', name: 'E', symbols: ['A', 'B'] }),
    'enum with words that differ in case': avroType({
      type: 'enum',
      name: 'E',
      symbols: ['get', 'GET'],
    }),
    array: avroType({ type: 'array', items: 'long' }),
    'array of arrays': avroType({ type: 'array', items: { type: 'array', items: 'long' } }),
    map: avroType({ type: 'map', values: 'long' }),
    record: avroType({
      type: 'record',
      name: 'R',
      fields: [{ name: 'select', type: 'string', doc: 'inner' }],
    }),
    'empty record': avroType({ type: 'record', name: 'R', fields: [] }),
    recursion: avroType(['null', 'orders']),
    nullable: avroType(['null', 'string']),
    union: avroType(['string', 'long']),
    doc: { name: 'f', type: 'string', doc: 'd' },
  }),
  ...createFeatures(
    'avro',
    (extra: ObjectValue) =>
      createSpecification('avro', {
        type: 'record',
        name: 'orders',
        fields: [{ name: 'f', type: 'string' }],
        ...extra,
      }),
    {},
    { namespace: { namespace: 'com.example.sales' }, doc: { doc: 'd' } },
  ),
  ...createFeatures('avro', avro, avroType('string'), {
    default: { name: 'f', type: 'string', default: 'x' },
    aliases: { name: 'f', type: 'string', aliases: ['g'] },
  }),
]

const protobuf = (body: string): ObjectValue =>
  createSpecification('protobuf', `syntax = "proto3"; message orders { int64 id = 1; ${body} }`)

export const PROTOBUF = createFeatures('protobuf', protobuf, 'string f = 2;', {
  ...Object.fromEntries(
    'int32 int64 sint64 fixed32 uint32 uint64 double float bool bytes'
      .split(' ')
      .map((type) => [type, `${type} f = 2;`]),
  ),
  ...Object.fromEntries(
    'Timestamp Duration Struct Value Int64Value FieldMask'
      .split(' ')
      .map((type) => [type, `google.protobuf.${type} f = 2;`]),
  ),
  optional: 'optional string f = 2;',
  repeated: 'repeated string f = 2;',
  map: 'map<string, int32> f = 2;',
  'map of messages': 'map<int32, M> f = 2; message M { string select = 1; }',
  message: 'M f = 2; message M { string select = 1; }',
  'empty message': 'M f = 2; message M {}',
  recursion: 'orders f = 2;',
  enum: 'E f = 2; enum E { A = 0; B = 1; }',
  comment: '\n// d\nstring f = 2;',
  oneof: 'oneof c { string f = 2; }',
  number: 'string f = 7;',
  jsonName: 'string f = 2 [json_name = "x"];',
})

const jsonSchema = (field: Value): ObjectValue =>
  createSpecification('json-schema', {
    title: 'orders',
    type: 'object',
    properties: { id: { type: 'integer' }, f: field },
  })

export const JSON_SCHEMA = createFeatures(
  'json-schema',
  jsonSchema,
  { type: 'string' },
  {
    ...Object.fromEntries(
      ['integer', 'number', 'boolean', 'object', 'array'].map((type) => [type, { type }]),
    ),
    ...Object.fromEntries(
      ['date', 'time', 'date-time', 'uuid', 'email', 'duration', 'ipv4', 'byte'].map((format) => [
        format,
        { type: 'string', format },
      ]),
    ),
    int32: { type: 'integer', format: 'int32' },
    maxLength: { type: 'string', maxLength: 10 },
    'very long text': { type: 'string', maxLength: 100_000_000 },
    minLength: { type: 'string', minLength: 2 },
    pattern: { type: 'string', pattern: '^a' },
    enum: { type: 'string', enum: ['a', "it's", 'back\\slash'] },
    'enum of numbers': { type: 'integer', enum: [1, 2] },
    const: { const: 'x' },
    minimum: { type: 'integer', minimum: 0 },
    exclusiveMaximum: { type: 'number', exclusiveMaximum: 1.5 },
    'array of texts': { type: 'array', items: { type: 'string' } },
    'items with limits': { type: 'array', items: { type: 'string', maxLength: 3, pattern: 'x' } },
    minItems: { type: 'array', items: { type: 'string' }, minItems: 1 },
    nested: {
      type: 'object',
      required: ['group'],
      properties: { group: { type: 'string', enum: ['a'], description: 'd' } },
    },
    'nested with odd names': {
      type: 'object',
      properties: { $schema: { type: 'string' }, '^[0-5]$': { type: 'integer' } },
    },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    recursion: { $ref: '#' },
    anything: {},
    description: { type: 'string', description: 'd' },
    'long description': { type: 'string', description: 'd'.repeat(3000) },
    multipleOf: { type: 'integer', multipleOf: 5 },
    uniqueItems: { type: 'array', uniqueItems: true },
    oneOf: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  },
  {
    default: { type: 'string', default: 'x' },
  },
)

/** Types of each platform that others lack or name differently. */
