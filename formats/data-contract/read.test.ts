import assert from 'node:assert/strict'
import { NO_OWNER } from './contract-fields.ts'
import { test, type TestContext } from 'node:test'
import { standardsFor } from '../../test/standards.ts'
import type { Field } from '../schema/model.ts'
import { type MediaType, readText } from '../text/text.ts'
import { type ObjectValue, jsonText, type Value } from '../text/value.ts'
import type { DataContract } from './data-contract.ts'
import { ownerPath } from './facts.ts'
import { type ContractParseResult, readDataContract } from './read.ts'

const ODCS = {
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'orders',
  name: 'Orders',
  version: '1.0.0',
  status: 'active',
  team: { name: 'sales' },
  description: { purpose: 'All orders.' },
  schema: [],
}

const DCS = {
  dataContractSpecification: '1.2.1',
  id: 'orders',
  info: { title: 'Orders', version: '1.0.0', owner: 'sales' },
}

function read(
  value: Value | string,
  {
    strict = false,
    mediaType = 'application/json',
  }: { strict?: boolean; mediaType?: MediaType } = {},
): ContractParseResult {
  const source = readText(typeof value === 'string' ? value : jsonText(value), mediaType)
  assert.ok(source.ok, JSON.stringify(source))
  return readDataContract(source, { id: 'orders', strict })
}

function parseContract(
  value: Value | string,
  mediaType: MediaType = 'application/json',
): DataContract {
  const reading = read(value, { mediaType })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.contract
}

function listProblems(value: Value, strict = false): string[] {
  const reading = read(value, { strict })
  assert.ok(!reading.ok)
  return reading.problems.map(({ field, message }) => `${field}: ${message}`)
}

function listWarnings(value: Value): string[] {
  const reading = read(value)
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.warnings.map(({ field, message }) => `${field}: ${message}`)
}

function isWritten(value: unknown): boolean {
  return value !== false && !(Array.isArray(value) && value.length === 0)
}

// Returns the properties of a field that differ from their defaults.
function compactField(field: Field): object {
  const { origin: _, fields, items, keys, values, ...rest } = field
  const nested = {
    ...(fields && { fields: fields.map(compactField) }),
    ...(items && { items: compactField(items) }),
    ...(keys && { keys: compactField(keys) }),
    ...(values && { values: compactField(values) }),
  }
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => isWritten(value))),
    ...nested,
  }
}

function listFields(contract: DataContract): object[] {
  return (contract.models[0]?.fields ?? []).map(compactField)
}

test('parse › reads all models of every example of the standards', (t: TestContext) => {
  for (const kind of ['odcs', 'dcs'] as const) {
    for (const { name, text } of standardsFor(t, kind) ?? []) {
      if (!name.endsWith('.yaml')) continue
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok)
      const id = String(Object(source.value)['id'])
      const reading = readDataContract(source, { id, strict: false })
      if (!reading.ok) {
        // Some examples have no owner.
        const fields = reading.problems.map(({ field }) => field)
        assert.deepEqual(fields, [kind === 'odcs' ? 'team.name' : 'info.owner'], name)
        continue
      }
      const value: ObjectValue = Object(reading.value)
      const listed = Object.keys(Object(value['models'] ?? value['schema'] ?? {})).length
      const count = value['models'] === undefined && kind === 'dcs' ? 1 : listed
      assert.equal(reading.contract.models.length, count, name)
      for (const warning of reading.warnings) assert.doesNotMatch(warning.message, /no language/)
    }
  }
})

test('parse › reads an ODCS document', () => {
  const contract = parseContract({
    ...ODCS,
    domain: 'shop',
    tags: ['a'],
    servers: [{ server: 'prod', type: 'postgres', host: 'h', port: 1, database: 'd', schema: 's' }],
    slaProperties: [{ property: 'retention', value: 1, unit: 'y', element: 'orders.id' }],
  })
  const { models, servers, serviceLevels, ...rest } = contract
  assert.deepEqual(rest, {
    format: 'odcs',
    formatVersion: 'v3.1.0',
    id: 'orders',
    name: 'Orders',
    ownerTeamId: 'sales',
    version: '1.0.0',
    status: 'active',
    domain: 'shop',
    description: 'All orders.',
    tags: ['a'],
    quality: [],
  })
  assert.deepEqual(models, [])
  assert.deepEqual([servers[0]?.name, servers[0]?.type], ['prod', 'postgres'])
  assert.deepEqual(serviceLevels, [
    {
      property: 'retention',
      value: 1,
      unit: 'y',
      element: 'orders.id',
      origin: '/slaProperties/0',
    },
  ])
})

test('owner › ODCS: team, else a custom property, else the domain; ownerPath points to each', () => {
  const { team: _, ...ownerless } = ODCS
  const custom = {
    customProperties: [
      { property: 'x', value: 1 },
      { property: 'owner', value: 'b' },
    ],
  }
  const cases: [Value, string, (string | number)[]][] = [
    [{ ...ODCS, ...custom, domain: 'c' }, 'sales', ['team', 'name']],
    [{ ...ownerless, ...custom, domain: 'c' }, 'b', ['customProperties', 1, 'value']],
    [{ ...ownerless, domain: 'c' }, 'c', ['domain']],
    [
      { ...ownerless, apiVersion: 'v3.0.2', team: [{ username: 'u' }], domain: 'c' },
      'c',
      ['domain'],
    ],
    [DCS, 'sales', ['info', 'owner']],
  ]
  for (const [value, owner, path] of cases) {
    assert.equal(parseContract(value).ownerTeamId, owner)
    assert.deepEqual(ownerPath(value), path)
  }
  assert.equal(parseContract(ownerless).ownerTeamId, undefined)
  assert.deepEqual(listWarnings(ownerless), [`team.name: ${NO_OWNER}`])
})

test('errors › a wrong type, a different id, a missing title; anything else is a warning', () => {
  assert.match(listProblems({ ...ODCS, version: 1 })[0] ?? '', /^version: This must be text/)
  assert.match(
    listProblems({ ...ODCS, id: 'other' })[0] ?? '',
    /^id: The document has the id “other”/,
  )
  const info = { version: '1', owner: 'sales' }
  assert.match(listProblems({ ...DCS, info })[0] ?? '', /^info.title: This field is missing/)
  const withoutOwner = { ...DCS, info: { title: 'T', version: '1' } }
  assert.ok(listWarnings(withoutOwner).includes(`info.owner: ${NO_OWNER}`))
  const { version: _, name: __, ...few } = ODCS
  const odd = { ...few, color: 'red', price: { priceAmount: 1, more: 2 } }
  assert.equal(parseContract(odd).name, 'orders')
  const fields = listWarnings(odd).map((warning) => warning.split(':')[0])
  assert.deepEqual(fields, ['color', 'name', 'price.more', 'version'])
  assert.deepEqual(
    listProblems(odd, true).map((problem) => problem.split(':')[0]),
    ['color', 'price.more', 'version'],
  )
})

test('errors › a document at the wrong endpoint, or in no supported format', () => {
  assert.match(listProblems({ kind: 'DataProduct', apiVersion: 'v1.0.0' })[0] ?? '', /dataproducts/)
  assert.match(listProblems({ dataProductSpecification: '0.0.1' })[0] ?? '', /dataproducts/)
  assert.match(listProblems({ id: 'orders' })[0] ?? '', /neither an ODCS document/)
})

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
    listWarnings(value).filter((warning) => warning.includes('definition “')),
    [
      'models.orders.fields.c.$ref: Unknown definition “#/definitions/missing”; add it to “definitions”.',
      'models.orders.fields.d.$ref: Unknown definition “#/definitions/circle”; add it to “definitions”.',
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
    /“xsd” is not a supported schema language/,
  )
})

test('warnings › repeated names, each with its position', () => {
  const yaml = `apiVersion: v3.1.0
kind: DataContract
id: orders
name: Orders
version: 1.0.0
status: active
team: {name: sales}
description: {purpose: p}
schema:
  - name: a
    properties:
      - {name: x, logicalType: string}
      - {name: x, logicalType: string}
  - name: a
`
  const reading = read(yaml, { mediaType: 'application/yaml' })
  assert.ok(reading.ok)
  assert.deepEqual(
    reading.warnings.map(({ field, line, message }) => [field, line, message]),
    [
      ['schema[0].properties[1]', 13, 'Another field has the name “x”; rename one of them.'],
      ['schema[1]', 14, 'Another model has the name “a”; rename one of them.'],
    ],
  )
})

function canonical(value: Value): string {
  const reading = read(value)
  assert.ok(reading.ok)
  return reading.canonical
}

test('canonical form › ignores the order of sets and notations, but not the order of columns', () => {
  const model = (...names: string[]) => ({
    ...ODCS,
    schema: [{ name: 'm', properties: names.map((name) => ({ name, logicalType: 'string' })) }],
  })
  assert.equal(canonical({ ...ODCS, tags: ['a', 'b'] }), canonical({ tags: ['b', 'a'], ...ODCS }))
  assert.notEqual(canonical(model('a', 'b')), canonical(model('b', 'a')))
  const tags = (...names: string[]) => canonical({ ...DCS, tags: names })
  assert.equal(tags('a', 'b'), tags('b', 'a'))
})

const enumOf = (more: object) => {
  const rule = { metric: 'invalidValues', arguments: { validValues: ['a'] }, mustBe: 0, ...more }
  const property = { name: 'f', logicalType: 'string', quality: [rule] }
  const contract = parseContract({ ...ODCS, schema: [{ name: 'm', properties: [property] }] })
  return contract.models[0]?.fields[0]?.enum
}

test('models › a rule that lists the allowed values is an enumeration, with any description', () => {
  const words = { name: 'n', description: 'd', dimension: 'conformity', severity: 'error' }
  assert.deepEqual(enumOf({ type: 'library', ...words, schedule: '0 1 * * *' }), ['a'])
  assert.equal(enumOf({ ...words, mustBe: 5 }), undefined)
  assert.equal(enumOf({ ...words, mustBeLessThan: 5 }), undefined)
  assert.equal(enumOf({ ...words, arguments: { pattern: 'a' } }), undefined)
})
