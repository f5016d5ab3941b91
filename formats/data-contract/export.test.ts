import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { differingPaths } from '../../test/model-equality.ts'
import { standardsFor } from '../../test/standards.ts'
import { readText } from '../text/text.ts'
import { getField, isObject, jsonText, asText, type Value } from '../text/value.ts'
import { getServerPlatform } from '../schema/types/platform.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { DIALECTS, EXPORT_FORMATS, exportContract, exportLosses } from './export.ts'
import { type ContractParseResult, readDataContract } from './read.ts'

function parse(value: Value): Extract<ContractParseResult, { ok: true }> {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const id = asText(getField(value, 'id')) ?? 'a'
  const reading = readDataContract(source, { id, strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading
}

const SERVER_TYPES =
  `postgresql postgres redshift cloudsql alloydb cockroachdb yugabytedb mysql mariadb sqlserver mssql azure-sql synapse
  fabric snowflake bigquery databricks spark hive glue athena impala trino presto`.split(/\s+/)

const ODCS = {
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'a',
  name: 'A',
  version: '1',
  status: 'active',
  team: { name: 't' },
  servers: [{ server: 's', type: 'mysql', host: 'h', port: 1, database: 'd' }],
  schema: [
    {
      name: 'orders',
      properties: [{ name: 'id', logicalType: 'integer', physicalType: 'bigint', required: true }],
    },
  ],
}

const DCS = {
  dataContractSpecification: '1.2.1',
  id: 'a',
  info: { title: 'A', version: '1', owner: 't', status: 'active' },
  models: { orders: { type: 'table', fields: { id: { type: 'bigint', required: true } } } },
}

test('export › every format contains the models and has a media type', () => {
  for (const format of EXPORT_FORMATS) {
    for (const value of [ODCS, DCS]) {
      const { text, mediaType } = exportContract(parse(value), { format })
      assert.match(text, /orders/i, format)
      assert.match(mediaType, /^[a-z]+\/[a-z+-]+$/)
    }
  }
})

test('export › SQL has the requested dialect, or else that of the server', () => {
  const read = parse(ODCS)
  const own = exportContract(read, { format: 'sql' }).text
  assert.equal(own, exportContract(read, { format: 'sql', dialect: 'mysql' }).text)
  const texts = DIALECTS.map((dialect) => exportContract(read, { format: 'sql', dialect }).text)
  assert.ok(new Set(texts).size > 2)
})

test('export › ODCS is unchanged, DCS is converted with the same models', () => {
  const odcs = exportContract(parse(ODCS), { format: 'odcs' })
  assert.deepEqual(JSON.parse(odcs.text), ODCS)
  const converted: Value = JSON.parse(exportContract(parse(DCS), { format: 'odcs' }).text)
  const models = parse(converted).contract.models
  assert.deepEqual(differingPaths(parse(DCS).contract.models, models), [])
})

test('export › lists losses of a format, and reports an unreadable schema', () => {
  const secret = { ...DCS.models.orders.fields.id, classification: 'secret' }
  const models = { orders: { fields: { id: secret } } }
  const losses = exportLosses(parse({ ...DCS, models }))
  const sql = losses.find(({ format }) => format === 'sql')
  assert.ok(sql?.losses.some(({ path }) => path === 'orders.id'))
  const { models: _, ...older } = { ...DCS, dataContractSpecification: '0.9.3' }
  const broken = { ...older, schema: { type: 'avro', specification: '{' } }
  const [loss] = exportContract(parse(broken), { format: 'sql' }).losses
  assert.deepEqual(loss, {
    path: 'schema',
    message: 'The schema (avro) could not be read, so the export contains no models.',
  })
})

const SPECIFICATIONS: [type: string, specification: Value][] = [
  [
    'avro',
    {
      type: 'record',
      namespace: 'shop',
      name: 'orders',
      doc: 'd',
      fields: [
        { name: 'id', type: { type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 } },
        { name: 'tags', type: { type: 'map', values: { type: 'array', items: 'long' } } },
        { name: 'kind', type: ['null', { type: 'enum', name: 'k', symbols: ['A', 'B'] }] },
        { name: 'at', type: { type: 'int', logicalType: 'time-millis' } },
        { name: 'any', type: ['int', 'string'] },
        { name: 'fix', type: { type: 'fixed', name: 'f', size: 16 } },
      ],
    },
  ],
  [
    'json-schema',
    {
      title: 'orders',
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer', minimum: -5, maximum: 7, enum: [1, 2] },
        at: { type: 'string', format: 'date-time', description: 'd' },
        code: { type: 'string', pattern: '^a', minLength: 1, maxLength: 3 },
        lines: { type: 'array', minItems: 1, items: { $ref: '#' } },
        more: { type: 'object', additionalProperties: { type: 'number' } },
        any: {},
      },
    },
  ],
  [
    'dbt',
    'models:\n  - name: orders\n    config: {materialized: view}\n    columns:\n      - {name: id, data_type: "numeric(10,2)", tests: [not_null, unique, {accepted_values: {values: [a]}}, {dbt_utils.at_least_one: {x: 1}}]}\n    tests: [t, {u: {v: 1}}]\n',
  ],
  [
    'sql-ddl',
    'create table shop.orders (id bigint primary key, n varchar(10) not null unique, c int references customers (id), a text[], d decimal(10,2) check (d > 0));',
  ],
  [
    'protobuf',
    'syntax = "proto3"; package shop; message Orders { int64 id = 1; repeated string tags = 2; map<string, Line> lines = 3; message Line { bytes b = 1; optional float f = 2; } enum E { A = 0; } E e = 4; }',
  ],
  [
    'bigquery',
    {
      tableReference: { projectId: 'p', datasetId: 'd', tableId: 'orders' },
      type: 'VIEW',
      schema: {
        fields: [
          { name: 'id', type: 'NUMERIC', mode: 'REQUIRED', precision: 4, scale: 2 },
          { name: 'r', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'j', type: 'JSON' }] },
        ],
      },
    },
  ],
]

for (const [type, specification] of SPECIFICATIONS) {
  for (const server of ['postgres', 'bigquery', 'snowflake', undefined]) {
    test(`export › ODCS of ${type} on ${server ?? 'no server'} is valid, with the same models or listed losses`, (t: TestContext) => {
      const { models: _, ...older } = DCS
      const servers = server === undefined ? {} : { servers: { s: { type: server } } }
      const schema = { type, specification }
      const read = parse({ ...older, ...servers, dataContractSpecification: '0.9.3', schema })
      const { models } = read.contract
      assert.ok(models.length > 0)
      const { text, losses } = exportContract(read, { format: 'odcs' })
      const odcs: Value = JSON.parse(text)
      const differing = differingPaths(models, parse(odcs).contract.models)
      const isListed = (path: string) => losses.some((loss) => path.startsWith(`${loss.path}.`))
      assert.deepEqual(
        differing.filter((path) => !isListed(path)),
        [],
      )
      const name = 'odcs-v3.1.0.schema.json'
      const official = standardsFor(t, 'odcs')?.find((file) => file.name === name)
      if (official === undefined) return
      const ajv = new Ajv2019({ strict: false })
      addFormats.default(ajv)
      const validate = ajv.compile(JSON.parse(official.text))
      assert.ok(isObject(odcs) && validate(odcs), JSON.stringify(validate.errors))
    })
  }
}

const dcsWith = (type: string, specification: Value, servers: Value = {}): Value => {
  const { models: _, ...rest } = DCS
  return { ...rest, dataContractSpecification: '0.9.3', servers, schema: { type, specification } }
}

const FORMATS: { readonly [type: string]: (typeof EXPORT_FORMATS)[number] } = {
  'sql-ddl': 'sql',
  jsonschema: 'json-schema',
}

for (const [type, specification] of SPECIFICATIONS) {
  test(`export › ${type} is exported unchanged`, () => {
    const format = EXPORT_FORMATS.find((one) => one === (FORMATS[type] ?? type))
    assert.ok(format)
    const { text, losses } = exportContract(parse(dcsWith(type, specification)), { format })
    assert.deepEqual(losses, [])
    if (typeof specification === 'string') assert.equal(text, specification)
    else assert.deepEqual(JSON.parse(text), specification)
  })
}

test('export › a specification in YAML is exported as JSON, or as YAML if the format is YAML', () => {
  const avro = 'type: record\nname: orders\nfields: [{name: id, type: long}]\n'
  const { text } = exportContract(parse(dcsWith('avro', avro)), { format: 'avro' })
  const fields = [{ name: 'id', type: 'long' }]
  assert.deepEqual(JSON.parse(text), { type: 'record', name: 'orders', fields })
  const dbt = { models: [{ name: 'orders', columns: [{ name: 'id' }] }] }
  const written = exportContract(parse(dcsWith('dbt', dbt)), { format: 'dbt' }).text
  const source = readText(written, 'application/yaml')
  assert.deepEqual(source.ok && source.value, dbt)
})

test('export › SQL is exported unchanged only in the dialect of its server', () => {
  const ddl = 'create table orders (id bigint);'
  const servers = { s: { type: 'snowflake', account: 'a', database: 'd', schema: 's' } }
  const read = parse(dcsWith('sql-ddl', ddl, servers))
  assert.equal(exportContract(read, { format: 'sql', dialect: 'snowflake' }).text, ddl)
  assert.notEqual(exportContract(read, { format: 'sql', dialect: 'mysql' }).text, ddl)
})

const isNumbers = ({ message }: { message: string }): boolean => /numbers/.test(message)

test('export › Protobuf field numbers without a history are a loss', () => {
  const read = parse(ODCS)
  assert.equal(exportContract(read, { format: 'protobuf' }).losses.filter(isNumbers).length, 1)
  const history = { numbering: new Map([['orders', new Map([['id', 7]])]]), isPartial: false }
  const { text, losses } = exportContract(read, { format: 'protobuf', history })
  assert.match(text, /int64 id = 7;/)
  assert.deepEqual(losses.filter(isNumbers), [])
  const partial = { ...history, isPartial: true }
  const isWritten = exportContract(read, { format: 'protobuf', history: partial }).losses.some(
    isNumbers,
  )
  assert.ok(isWritten)
})

describe('export › a script is exported as it was sent only for the product of its server', () => {
  const ddl = 'create table orders (id bigint);'
  const exportAs = (type: string, dialect: Platform, specification = ddl) =>
    exportContract(parse(dcsWith('sql-ddl', specification, { s: { type } })), {
      format: 'sql',
      dialect,
    })
  const NAMESAKES = new Set(
    'postgresql postgres mysql sqlserver mssql snowflake bigquery databricks hive'.split(' '),
  )
  for (const type of SERVER_TYPES) {
    const platform = DIALECTS.find((dialect) => dialect === getServerPlatform(type))
    if (platform === undefined) continue
    test(`${type} for ${platform}`, () => {
      const { text, losses } = exportAs(type, platform)
      const isAsSent = NAMESAKES.has(type)
      assert.equal(text === ddl, isAsSent)
      const isListed = losses.some(({ message }) => message.startsWith(`The script is of ${type},`))
      assert.equal(isListed, !isAsSent)
    })
  }

  test('without a dialect, the product is that of the server', () => {
    const script = `${ddl.slice(0, -1)} diststyle key distkey (id);`
    const read = parse(dcsWith('sql-ddl', script, { s: { type: 'redshift' } }))
    assert.equal(exportContract(read, { format: 'sql' }).text, script)
    assert.doesNotMatch(exportAs('redshift', 'postgresql', script).text, /diststyle/i)
  })

  test('types of a dbt project are those of its database', () => {
    const dbt = { models: [{ name: 'orders', columns: [{ name: 'id', data_type: 'super' }] }] }
    const read = parse(dcsWith('dbt', dbt, { s: { type: 'redshift' } }))
    assert.match(exportContract(read, { format: 'dbt' }).text, /super/)
    assert.doesNotMatch(
      exportContract(read, { format: 'dbt', dialect: 'postgresql' }).text,
      /super/,
    )
  })

  test('commands of psql are left out and listed', () => {
    const script = `\\c shop\n${ddl}\n`
    const { text, losses } = exportAs('postgres', 'postgresql', script)
    assert.equal(text, `${ddl}\n`)
    assert.match(losses[0]?.message ?? '', /commands of psql/)
  })
})
