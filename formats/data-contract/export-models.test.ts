// Physical types, qualified names and keys in every target of an export.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LANGUAGES } from '../schema/languages.ts'
import type { Model } from '../schema/model.ts'
import { Specification } from '../schema/specification.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { SQL_TABLES } from '../schema/types/tables.ts'
import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { readText } from '../text/text.ts'
import { jsonText, type ObjectValue, type Value } from '../text/value.ts'
import { DIALECTS, EXPORT_FORMATS, exportContract, type ExportFormat } from './export.ts'
import { readDataContract } from './read.ts'

function readContract(value: Value) {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'a', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return { contract: reading.contract, value: source.value }
}

function odcs(type: string | undefined, schema: Value[], more: ObjectValue = {}): ObjectValue {
  const servers = type === undefined ? [] : [{ server: 's', type }]
  const head = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'a',
    version: '1',
    status: 'active',
  }
  return { ...head, team: { name: 't' }, servers, schema, ...more }
}

const HEAD_2 = {
  apiVersion: 'v2.2.2',
  kind: 'DataContract',
  uuid: 'a',
  version: '1',
  status: 'current',
  type: 'tables',
  sourcePlatform: 'postgres',
  datasetDomain: 't',
  quantumName: 'q',
}

const DCS_HEAD = {
  dataContractSpecification: '1.2.1',
  id: 'a',
  info: { title: 'A', version: '1' },
}

function exportTo(document: Value, format: ExportFormat, dialect?: Platform) {
  return exportContract(readContract(document), { format, dialect })
}

function readBack(text: string, format: ExportFormat, platform: Platform): Model[] {
  const language = LANGUAGES.find(({ name }) => name === format)
  assert.ok(language !== undefined)
  return language.read(new Specification(text, [], new Notes(NOWHERE)), { platform })
}

const table = (properties: Value[], more: ObjectValue = {}): Value[] => [
  { name: 'o', physicalType: 'table', properties, ...more },
]

describe('physical types', () => {
  for (const [platform, logicalType, physicalType, dialect, written] of [
    ['postgres', 'date', 'timestamptz', 'postgresql', 'timestamp with time zone'],
    ['postgres', 'array', 'jsonb', 'postgresql', 'jsonb'],
    ['postgres', 'date', 'timestamptz', 'mysql', 'timestamp(6)'],
    ['postgres', 'array', 'jsonb', 'bigquery', 'JSON'],
    ['postgres', 'integer', 'numeric(10,0)', 'postgresql', 'numeric(10,0)'],
    ['postgres', 'string', 'varchar(36)', 'postgresql', 'varchar(36)'],
    ['mysql', 'boolean', 'int', 'mysql', 'int'],
    ['snowflake', 'date', 'TIMESTAMP_NTZ', 'databricks', 'timestamp_ntz'],
    ['bigquery', 'string', 'INT64', 'postgresql', 'bigint'],
    [undefined, 'date', 'timestamptz', 'postgresql', 'timestamp with time zone'],
  ] as const) {
    test(`${logicalType} with ${physicalType} of ${platform ?? 'no server'} is ${written} in ${dialect}`, () => {
      const items = logicalType === 'array' ? { items: { logicalType: 'string' } } : {}
      const properties = [{ name: 'f', logicalType, physicalType, ...items }]
      const { text, losses } = exportTo(odcs(platform, table(properties)), 'sql', dialect)
      assert.match(text, /^ {2}\S+ (.*)$/m)
      assert.equal(/^ {2}\S+ (.*)$/m.exec(text)?.[1]?.replace(/ NULL$/, ''), written)
      if (physicalType !== 'varchar(36)') assert.ok(losses.some(({ path }) => path === 'o.f'))
    })
  }

  test('are what other formats write if they contradict the logical type', () => {
    const properties = [{ name: 'f', logicalType: 'date', physicalType: 'timestamptz' }]
    const document = odcs('postgres', table(properties))
    for (const format of EXPORT_FORMATS.filter((name) => name !== 'odcs')) {
      const { text, losses } = exportTo(document, format)
      const [model] = readBack(text, format, format === 'bigquery' ? 'bigquery' : 'postgresql')
      assert.equal(model?.fields[0]?.logicalType, 'timestamp', format)
      assert.ok(
        losses.some(({ message }) => message.includes('type is date')),
        format,
      )
    }
  })

  test('that hold an object or list as text keep the structure of values', () => {
    const object = { logicalType: 'object', properties: [{ name: 'a', logicalType: 'integer' }] }
    const document = odcs('postgres', table([{ name: 'f', ...object, physicalType: 'text' }]))
    const [model] = readBack(exportTo(document, 'json-schema').text, 'json-schema', 'json-schema')
    assert.equal(model?.fields[0]?.fields?.[0]?.name, 'a')
  })

  test('that the platform does not have are a loss of targets that declare columns', () => {
    const properties = [{ name: 'f', logicalType: 'string', physicalType: 'order_state' }]
    for (const format of ['sql', 'dbt', 'bigquery'] as const) {
      const { losses } = exportTo(odcs('postgres', table(properties)), format)
      assert.ok(
        losses.some(({ message }) => message.includes('"order_state" is unknown')),
        format,
      )
    }
  })

  test('of DCS that are words of the standard keep their meaning there', () => {
    const models = { o: { type: 'table', fields: { f: { type: 'decimal' } } } }
    const document = { ...DCS_HEAD, servers: { s: { type: 'snowflake', account: 'a' } }, models }
    const { text } = exportTo(document, 'sql')
    assert.match(text, /"f" NUMBER\(38,\d+\)/)
    assert.doesNotMatch(text, /"f" NUMBER\(38,0\)/)
    const config = { postgresType: 'timestamptz' }
    const own = { o: { type: 'table', fields: { f: { type: 'date', config } } } }
    const postgres = { ...document, servers: { s: { type: 'postgres' } }, models: own }
    assert.match(exportTo(postgres, 'sql').text, /"f" timestamp with time zone/)
  })

  const LOGICAL_TYPES = 'string integer number boolean date time timestamp object array map'.split(
    ' ',
  )

  for (const { platform, rows } of SQL_TABLES) {
    test(`of ${platform} are written as they are, or listed, with every logical type`, () => {
      for (const logicalType of LOGICAL_TYPES) {
        const properties = rows.map(({ name }, at) => ({
          name: `f${at}`,
          logicalType,
          physicalType: name,
        }))
        const document = odcs(platform, table(properties))
        const { text, losses } = exportTo(document, 'sql', platform)
        const lost = new Set(losses.map(({ path }) => path))
        const [model] = readBack(text, 'sql', platform)
        for (const [at, { name }] of rows.entries()) {
          const native = readNativeType(name, platform)
          const field = model?.fields[at]
          // A type that cannot be declared has another one with the same values.
          const isWritten =
            field?.physicalType === native.text ||
            (field?.logicalType === native.logicalType && field?.format === native.format)
          const isSame = native.logicalType === logicalType
          assert.ok(isWritten || lost.has(`o.f${at}`), `${logicalType} ${name}: ${text}`)
          assert.ok(isSame || lost.has(`o.f${at}`), `${logicalType} ${name} is not listed`)
        }
      }
    })
  }
})

describe('qualified names of tables', () => {
  const NAMES: readonly (readonly [string, string, Platform, string])[] = [
    ['postgres', 'sales.orders', 'postgresql', '"sales"."orders"'],
    ['postgres', 'shop.sales.orders', 'postgresql', '"sales"."orders"'],
    ['postgres', '"sales.v1".orders', 'postgresql', '"sales.v1"."orders"'],
    ['postgres', '"sales.orders"', 'postgresql', '"sales.orders"'],
    ['postgres', 'Odd name.v1', 'postgresql', '"Odd name.v1"'],
    ['postgres', 'orders_v1.2', 'postgresql', '"orders_v1.2"'],
    ['redshift', 'sales.orders', 'mysql', '`sales`.`orders`'],
    ['mysql', 'shop.orders', 'mysql', '`shop`.`orders`'],
    ['sqlserver', '[dbo].[o.rders]', 'sqlserver', '[dbo].[o.rders]'],
    ['snowflake', 'DB.SALES.ORDERS', 'snowflake', '"DB"."SALES"."ORDERS"'],
    ['bigquery', 'my-project.sales.orders', 'bigquery', '`my-project`.`sales`.`orders`'],
    ['bigquery', '`my-project.sales.orders`', 'bigquery', '`my-project`.`sales`.`orders`'],
    ['databricks', 'main.sales.orders', 'databricks', '`main`.`sales`.`orders`'],
    ['databricks', 'main.sales.orders', 'postgresql', '"sales"."orders"'],
    ['glue', 'sales.orders', 'hive', '`sales`.`orders`'],
    ['oracle', 'sales.orders', 'postgresql', '"sales"."orders"'],
    ['googleCloudPlatform', 'sales.orders', 'postgresql', '"sales"."orders"'],
    ['kafka', 'sales.orders', 'postgresql', '"sales.orders"'],
    ['s3', 'orders.csv', 'postgresql', '"orders.csv"'],
  ]

  for (const [type, physicalName, dialect, written] of NAMES) {
    test(`${physicalName} of ${type} is ${written} in ${dialect}`, () => {
      const properties = [{ name: 'f', logicalType: 'string' }]
      for (const name of [{ name: 'o', physicalName }, { name: physicalName }]) {
        const schema = [{ ...name, physicalType: 'table', properties }]
        const { text } = exportTo(odcs(type, schema), 'sql', dialect)
        assert.ok(text.includes(`CREATE TABLE ${written} (`), text)
      }
    })
  }

  test('are split in ODCS 2.2 and DCS, for dbt and for BigQuery', () => {
    const columns = [{ column: 'f', logicalType: 'string' }]
    const odcs2 = {
      ...HEAD_2,
      dataset: [{ table: 'o', physicalName: 'sales.orders', columns }],
    }
    const dcs = {
      ...DCS_HEAD,
      servers: { s: { type: 'postgres' } },
      models: {
        o: { type: 'table', config: { postgresTable: 'sales.orders' }, fields: { f: {} } },
      },
    }
    for (const document of [odcs2, dcs]) {
      for (const dialect of DIALECTS) {
        const { text } = exportTo(document, 'sql', dialect)
        if (text !== '') assert.match(text, /CREATE TABLE (["`[])sales["`\]]\.["`[]orders["`\]] /)
      }
      const [dbt] = readBack(exportTo(document, 'dbt').text, 'dbt', 'postgresql')
      assert.deepEqual([dbt?.namespace, dbt?.physicalName], ['sales', 'orders'])
      const [bigquery] = readBack(exportTo(document, 'bigquery').text, 'bigquery', 'bigquery')
      assert.deepEqual([bigquery?.namespace, bigquery?.name], ['sales', 'orders'])
    }
  })

  test('with a variable are no address, which is a loss', () => {
    const properties = [{ name: 'f', logicalType: 'string' }]
    const document = odcs('postgres', table(properties, { physicalName: '${SCHEMA}.orders' }))
    for (const format of ['sql', 'dbt', 'bigquery'] as const) {
      const { text, losses } = exportTo(document, format)
      assert.doesNotMatch(text, /SCHEMA/)
      assert.ok(losses.some(({ path, message }) => path === 'o' && message.includes('a variable')))
    }
  })

  test('do not have the namespace of messages, which is a loss', () => {
    const properties = [{ name: 'f', logicalType: 'string' }]
    const customProperties = [{ property: 'namespace', value: 'com.example' }]
    const document = odcs('postgres', table(properties, { customProperties }))
    const o = { type: 'table', config: { avroNamespace: 'com.example' }, fields: { f: {} } }
    const dcs = { ...DCS_HEAD, servers: { s: { type: 'postgres' } }, models: { o } }
    for (const one of [document, dcs]) {
      for (const format of ['sql', 'dbt', 'bigquery'] as const) {
        const { text, losses } = exportTo(one, format)
        assert.doesNotMatch(text, /com\.example/)
        assert.ok(losses.some(({ path, message }) => path === 'o' && message.includes('namespace')))
      }
      assert.match(exportTo(one, 'avro').text, /com\.example/)
    }
  })

  test('are not split for formats without tables, and of topics', () => {
    const properties = [{ name: 'f', logicalType: 'string' }]
    const named = { physicalName: 'sales.orders' }
    const avro: unknown = JSON.parse(
      exportTo(odcs('postgres', table(properties, named)), 'avro').text,
    )
    assert.deepEqual(Object.keys(avro ?? {}).includes('namespace'), false)
    const topic = odcs('postgres', table(properties, { ...named, physicalType: 'topic' }))
    assert.match(exportTo(topic, 'sql').text, /"sales\.orders"/)
  })
})

describe('the columns of a primary key', () => {
  test('are required in every target', () => {
    const key = { primaryKey: true, primaryKeyPosition: 1 }
    const properties = [{ name: 'id', logicalType: 'integer', ...key }]
    const document = odcs('postgres', table(properties))
    for (const format of EXPORT_FORMATS.filter((name) => name !== 'odcs')) {
      const { text } = exportTo(document, format)
      const [model] = readBack(text, format, format === 'bigquery' ? 'bigquery' : 'postgresql')
      const [field] = model?.fields ?? []
      assert.equal(field?.required, true, `${format}: ${text}`)
    }
    for (const dialect of DIALECTS.filter((name) => name !== 'hive')) {
      const { text } = exportTo(document, 'sql', dialect)
      assert.ok(
        readBack(text, 'sql', dialect)[0]?.fields.every(({ required }) => required),
        text,
      )
    }
  })
})

describe('what ODCS 3.2 adds', () => {
  const vector = { logicalType: 'vector', logicalTypeOptions: { dimensions: 3 } }
  const properties = [
    { name: 'v', ...vector },
    { name: 'old', logicalType: 'string', deprecated: true, description: 'Use v.' },
    { name: 'share', logicalType: 'number', semanticType: 'measure', transformLogic: 'sum(x)' },
  ]
  const document = odcs('postgres', table(properties, { deprecated: true }), {
    apiVersion: 'v3.2.0',
  })
  const write = (format: ExportFormat, dialect?: Platform) => exportTo(document, format, dialect)

  test('vectors are lists of numbers, of their length where a list can have one', () => {
    const list = {
      type: 'array',
      items: { type: 'number', format: 'float' },
      minItems: 3,
      maxItems: 3,
    }
    const schema: unknown = JSON.parse(write('json-schema').text)
    assert.deepEqual(Object(schema).properties.v, list)
    assert.match(write('avro').text, /"items": "float"/)
    assert.match(write('protobuf').text, /repeated float v = 1;/)
    assert.match(write('sql', 'snowflake').text, /"v" VECTOR\(FLOAT,3\)/)
    assert.match(write('sql', 'bigquery').text, /`v` ARRAY<FLOAT64>/)
    assert.match(write('bigquery').text, /"type": "FLOAT64",\s+"mode": "REPEATED"/)
    const { text, losses } = write('sql', 'postgresql')
    assert.match(text, /"v" real\[\]/)
    assert.match(losses.find(({ path }) => path === 'o.v')?.message ?? '', /3 elements.*extension/)
  })

  test('deprecated parts are marked, or their descriptions state it', () => {
    const schema: unknown = JSON.parse(write('json-schema').text)
    assert.deepEqual(
      [Object(schema).deprecated, Object(schema).properties.old.deprecated],
      [true, true],
    )
    assert.match(
      write('protobuf').text,
      /option deprecated = true;[^]* old = 2 \[deprecated = true\];/,
    )
    assert.match(write('sql').text, /COMMENT ON COLUMN "o"\."old" IS 'Deprecated\. Use v\.'/)
    assert.match(write('sql').text, /COMMENT ON TABLE "o" IS 'Deprecated\.'/)
    assert.match(write('dbt').text, /description: Deprecated\. Use v\./)
    assert.match(write('bigquery').text, /"description": "Deprecated\. Use v\."/)
    assert.doesNotMatch(write('avro').text, /deprecated/i)
    const lost = write('avro').losses.filter(({ message }) => message.includes('deprecated'))
    assert.deepEqual(lost.map(({ path }) => path).toSorted(), ['o', 'o.old'])
  })

  test('measures are left out of every target except ODCS, and listed', () => {
    assert.match(write('odcs').text, /sum\(x\)/)
    for (const format of EXPORT_FORMATS.filter((name) => name !== 'odcs')) {
      for (const dialect of format === 'sql' ? DIALECTS : [undefined]) {
        const { text, losses } = write(format, dialect)
        assert.doesNotMatch(text, /share/)
        assert.ok(
          losses.some(({ path, message }) => path === 'o.share' && /left out/.test(message)),
        )
      }
    }
  })
})
