import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../text/value.ts'
import { ODCS, DCS, parseContract, listWarnings, listFields } from '../../test/contract-readings.ts'

test('models › ODCS properties, with options, keys, references and nested properties', () => {
  const contract = parseContract({
    ...ODCS,
    servers: [{ server: 's', type: 'snowflake', account: 'a', database: 'd', schema: 's' }],
    schema: [
      {
        name: 'orders',
        physicalName: 'ORDERS',
        physicalType: 'VIEW',
        tags: ['t'],
        relationships: [{ from: 'orders.customer', to: 'customers.id' }],
        properties: [
          { name: 'b', physicalType: 'VARCHAR(10)', primaryKey: true, primaryKeyPosition: 5 },
          { name: 'a', logicalType: 'integer', primaryKey: true, primaryKeyPosition: 2 },
          { name: 'c', logicalType: 'integer', primaryKey: true, unique: true },
          {
            name: 'customer',
            logicalType: 'string',
            logicalTypeOptions: { minLength: 1, maxLength: 9, pattern: '^a', format: 'uuid' },
            required: true,
            classification: 'secret',
            relationships: [{ to: 'schema/people/properties/id' }],
            quality: [
              { metric: 'invalidValues', arguments: { validValues: ['x'] }, mustBe: 0 },
              { type: 'sql', query: 'q', mustBe: 1, name: 'n' },
            ],
          },
          {
            name: 'lines',
            logicalType: 'array',
            logicalTypeOptions: { minItems: 1 },
            items: {
              logicalType: 'object',
              properties: [{ name: 'n', physicalType: 'NUMBER(10,2)' }],
            },
          },
        ],
      },
    ],
  })
  const [model] = contract.models
  const { fields: _, ...rest } = model ?? { fields: [] }
  assert.deepEqual(rest, {
    name: 'orders',
    physicalName: 'ORDERS',
    kind: 'view',
    primaryKey: ['a', 'b', 'c'],
    quality: [],
    tags: ['t'],
    origin: '/schema/0',
  })
  assert.deepEqual(listFields(contract), [
    {
      name: 'b',
      logicalType: 'string',
      physicalType: 'VARCHAR(10)',
      maxLength: 10,
      primaryKeyPosition: 2,
    },
    { name: 'a', logicalType: 'integer', primaryKeyPosition: 1 },
    { name: 'c', logicalType: 'integer', unique: true, primaryKeyPosition: 3 },
    {
      name: 'customer',
      logicalType: 'string',
      required: true,
      classification: 'secret',
      references: ['people.id', 'customers.id'],
      enum: ['x'],
      quality: [
        {
          type: 'sql',
          name: 'n',
          rule: { type: 'sql', query: 'q', mustBe: 1, name: 'n' },
          origin: '/schema/0/properties/3/quality/1',
        },
      ],
      minLength: 1,
      maxLength: 9,
      pattern: '^a',
      format: 'uuid',
    },
    {
      name: 'lines',
      logicalType: 'array',
      minItems: 1,
      items: {
        name: 'items',
        logicalType: 'object',
        fields: [
          {
            name: 'n',
            physicalType: 'NUMBER(10,2)',
            logicalType: 'number',
            precision: 10,
            scale: 2,
          },
        ],
      },
    },
  ])
  const nested = model?.fields[4]?.items?.fields?.[0]
  assert.equal(nested?.origin, '/schema/0/properties/4/items/properties/0')
})

test('models › ODCS 3.0 exclusive flags, ODCS 3.2 enumerations and maps', () => {
  const options = { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }
  const older = parseContract({
    ...ODCS,
    apiVersion: 'v3.0.2',
    team: [],
    domain: 'sales',
    schema: [
      {
        name: 'm',
        properties: [{ name: 'n', logicalType: 'integer', logicalTypeOptions: options }],
      },
    ],
  })
  assert.deepEqual(listFields(older), [
    { name: 'n', logicalType: 'integer', exclusiveMinimum: 1, maximum: 9 },
  ])
  const newer = parseContract({
    ...ODCS,
    apiVersion: 'v3.2.0',
    schema: [
      {
        name: 'm',
        properties: [
          { name: 'e', logicalType: 'string', enum: [{ value: 'a' }, { value: null }] },
          {
            name: 'm',
            logicalType: 'map',
            map: { key: { logicalType: 'string' }, value: { logicalType: 'date' } },
          },
        ],
      },
    ],
  })
  assert.deepEqual(listFields(newer), [
    { name: 'e', logicalType: 'string', enum: ['a', null] },
    {
      name: 'm',
      logicalType: 'map',
      keys: { name: 'keys', logicalType: 'string' },
      values: { name: 'values', logicalType: 'date' },
    },
  ])
})

test('models › ODCS 2.2 tables and columns', () => {
  const contract = parseContract({
    apiVersion: 'v2.2.2',
    kind: 'DataContract',
    uuid: 'orders',
    quantumName: 'Orders',
    datasetDomain: 'sales',
    dataset: [
      {
        table: 'orders',
        columns: [
          {
            column: 'id',
            logicalType: 'Integer',
            physicalType: 'bigint',
            isNullable: false,
            isPrimaryKey: true,
          },
          { column: 'note', physicalType: 'varchar(5)', isUnique: true },
        ],
      },
    ],
  })
  assert.equal(contract.name, 'Orders')
  assert.equal(contract.ownerTeamId, 'sales')
  assert.deepEqual(contract.models[0]?.primaryKey, ['id'])
  assert.deepEqual(listFields(contract), [
    {
      name: 'id',
      logicalType: 'integer',
      physicalType: 'bigint',
      required: true,
      primaryKeyPosition: 1,
    },
    { name: 'note', logicalType: 'string', physicalType: 'varchar(5)', maxLength: 5, unique: true },
  ])
})

test('models › DCS fields inherit from definitions; unknown and circular references are warnings', () => {
  const value = {
    ...DCS,
    models: {
      orders: {
        type: 'view',
        primaryKey: ['b', 'a'],
        config: { snowflakeTable: 'ORDERS', avroNamespace: 'shop' },
        fields: {
          a: { $ref: '#/definitions/id', description: 'own' },
          b: { type: 'decimal', precision: 10, scale: 2, minimum: 0 },
          c: { $ref: '#/definitions/missing', type: 'timestamp_tz' },
          d: { $ref: '#/definitions/circle' },
          m: { type: 'map', keys: { type: 'text' }, values: { $ref: '#/definitions/id' } },
        },
      },
    },
    definitions: {
      id: { type: 'text', format: 'uuid', description: 'inherited', tags: ['t'] },
      circle: { $ref: '#/definitions/circle', type: 'record', fields: { x: { type: 'bytes' } } },
    },
  }
  const contract = parseContract(value)
  const [model] = contract.models
  assert.deepEqual(
    [model?.kind, model?.physicalName, model?.namespace, model?.primaryKey],
    ['view', 'ORDERS', 'shop', ['b', 'a']],
  )
  const id = { physicalType: 'text', logicalType: 'string', format: 'uuid', tags: ['t'] }
  assert.deepEqual(listFields(contract), [
    { name: 'a', ...id, description: 'own', primaryKeyPosition: 2 },
    {
      name: 'b',
      physicalType: 'decimal',
      logicalType: 'number',
      precision: 10,
      scale: 2,
      minimum: 0,
      primaryKeyPosition: 1,
    },
    { name: 'c', physicalType: 'timestamp_tz', logicalType: 'timestamp', withTimeZone: true },
    {
      name: 'd',
      physicalType: 'record',
      logicalType: 'object',
      fields: [{ name: 'x', physicalType: 'bytes', logicalType: 'binary' }],
    },
    {
      name: 'm',
      physicalType: 'map',
      logicalType: 'map',
      keys: { name: 'keys', physicalType: 'text', logicalType: 'string' },
      values: { name: 'values', ...id, description: 'inherited' },
    },
  ])
  assert.deepEqual(
    listWarnings(value).filter((warning) => warning.includes('definition "')),
    [
      'models.orders.fields.c.$ref: Unknown definition "#/definitions/missing"; add it to "definitions".',
      'models.orders.fields.d.$ref: Unknown definition "#/definitions/circle"; add it to "definitions".',
    ],
  )
})

const SPECIFICATIONS: { [type: string]: Value } = {
  dbt: 'version: 2\nmodels:\n  - name: orders\n    columns:\n      - {name: id, data_type: bigint}\n',
  bigquery: {
    tableReference: { tableId: 'orders' },
    schema: { fields: [{ name: 'id', type: 'INT64' }] },
  },
  'json-schema': { title: 'orders', type: 'object', properties: { id: { type: 'integer' } } },
  jsonschema: '[{"type": "record", "name": "orders", "fields": [{"name": "id", "type": "long"}]}]',
  avro: { type: 'record', name: 'orders', fields: [{ name: 'id', type: 'long' }] },
  protobuf: 'syntax = "proto3"; message orders { int64 id = 1; }',
  'sql-ddl': 'create table orders (id bigint)',
}

for (const [type, specification] of Object.entries(SPECIFICATIONS)) {
  test(`models › reads a specification in ${type}`, () => {
    const dcs = { ...DCS, dataContractSpecification: '0.9.3', schema: { type, specification } }
    const contract = parseContract(dcs)
    assert.equal(contract.schemaType, type)
    assert.deepEqual(
      contract.models.map(({ name, fields }) => [
        name,
        fields.map((field) => [field.name, field.logicalType]),
      ]),
      [['orders', [['id', 'integer']]]],
    )
  })
}

function withSchema(type: string, specification: Value): Value {
  return { ...DCS, dataContractSpecification: '0.9.3', schema: { type, specification } }
}

test('models › a custom specification is not parsed; an invalid or unknown one is a warning', () => {
  const custom = withSchema('custom', '{{{')
  assert.deepEqual([parseContract(custom).models, listWarnings(custom)], [[], []])
  const broken = withSchema('avro', '{"type": "record",')
  assert.deepEqual(parseContract(broken).models, [])
  assert.match(listWarnings(broken).join(), /schema\.specification/)
  assert.match(
    listWarnings(withSchema('xsd', 'x')).join(),
    /"xsd" is not a supported schema language/,
  )
})

const newEnum = (more: object) => {
  const rule = { metric: 'invalidValues', arguments: { validValues: ['a'] }, mustBe: 0, ...more }
  const property = { name: 'f', logicalType: 'string', quality: [rule] }
  const contract = parseContract({ ...ODCS, schema: [{ name: 'm', properties: [property] }] })
  return contract.models[0]?.fields[0]?.enum
}

test('models › a rule that lists the allowed values is an enumeration, with any description', () => {
  const words = { name: 'n', description: 'd', dimension: 'conformity', severity: 'error' }
  assert.deepEqual(newEnum({ type: 'library', ...words, schedule: '0 1 * * *' }), ['a'])
  assert.equal(newEnum({ ...words, mustBe: 5 }), undefined)
  assert.equal(newEnum({ ...words, mustBeLessThan: 5 }), undefined)
  assert.equal(newEnum({ ...words, arguments: { pattern: 'a' } }), undefined)
})
