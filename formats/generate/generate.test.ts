import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { modelsArbitrary } from '../../test/model-arbitrary.ts'
import { readDataContract } from '../data-contract/read.ts'
import { exportContract } from '../data-contract/export.ts'
import { readText } from '../text/text.ts'
import { jsonText, type Value } from '../text/value.ts'
import { GENERATION_TYPES, generateFiles, type GenerationType } from './generate.ts'
import { writePydantic } from './pydantic.ts'

const POSTGRES = {
  server: 's',
  type: 'postgresql',
  host: 'h',
  port: 1,
  database: 'shop',
  schema: 'sales',
}

const SCHEMA: Value = [
  {
    name: 'orders',
    physicalName: 'T_ORDERS',
    description: 'All orders',
    properties: [
      {
        name: 'order id',
        physicalName: 'ORDER_ID',
        logicalType: 'integer',
        required: true,
        primaryKey: true,
        primaryKeyPosition: 1,
      },
      {
        name: 'status',
        logicalType: 'string',
        description: 'The "status"\n',
        logicalTypeOptions: { maxLength: 10, pattern: '^(?!x)' },
      },
      {
        name: 'class',
        logicalType: 'array',
        items: { logicalType: 'object', properties: [{ name: 'date', logicalType: 'date' }] },
      },
    ],
  },
  { name: 'Order', physicalName: 'archive.orders', properties: [] },
]

function read(more: Record<string, Value> = {}) {
  const document: Value = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'urn:Orders',
    name: 'Orders',
    version: '1',
    status: 'active',
    team: { name: 't' },
    servers: [POSTGRES],
    schema: SCHEMA,
    ...more,
  }
  const source = readText(jsonText(document), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'urn:Orders', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return { contract: reading.contract, value: source.value }
}

const generate = (type: GenerationType, more: Record<string, Value> = {}) =>
  generateFiles(read(more), type)

const generateText = (type: GenerationType, more: Record<string, Value> = {}): string =>
  generate(type, more)[0]?.content ?? ''

describe('sql-select', () => {
  test('has a query of each model, with physical names', () => {
    assert.deepEqual(generate('sql-select'), [
      {
        filename: 'orders.sql',
        language: 'sql',
        content: 'SELECT\n  "ORDER_ID",\n  "status",\n  "class"\nFROM "sales"."T_ORDERS";\n',
      },
      {
        filename: 'order.sql',
        language: 'sql',
        content: 'SELECT\n  *\nFROM "archive"."orders";\n',
      },
    ])
  })

  for (const [server, from] of [
    [{ type: 'snowflake', account: 'a', database: 'D', schema: 'S' }, '"D"."S"."T_ORDERS"'],
    [{ type: 'bigquery', project: 'p', dataset: 'd' }, '`p`.`d`.`T_ORDERS`'],
    [{ type: 'databricks', host: 'h', catalog: 'c', schema: 's' }, '`c`.`s`.`T_ORDERS`'],
    [{ type: 'sqlserver', host: 'h', database: 'd', schema: 's' }, '[d].[s].[T_ORDERS]'],
    [{ type: 'mysql', host: 'h', port: 1, database: 'd' }, '`d`.`T_ORDERS`'],
    [{ type: 'kafka', host: 'h' }, '"T_ORDERS"'],
  ] as const) {
    test(`follows the quotes and the names of a server of type ${server.type}`, () => {
      const text = generateText('sql-select', { servers: [{ server: 's', ...server }] })
      assert.ok(text.endsWith(`\nFROM ${from};\n`), text)
    })
  }

  test('takes quotes and names from one server', () => {
    const iceberg = { server: 'a', type: 'iceberg', host: 'h' }
    const snowflake = { server: 'b', type: 'snowflake', account: 'a', database: 'D', schema: 'S' }
    const mysql = { server: 'c', type: 'mysql', host: 'h', port: 1, database: 'd' }
    assert.match(
      generateText('sql-select', { servers: [mysql, snowflake] }),
      /FROM `d`\.`T_ORDERS`/,
    )
    const text = generateText('sql-select', { servers: [iceberg, snowflake] })
    assert.match(text, /FROM "D"\."S"\."T_ORDERS"/)
  })

  test('a variable of a server is no part of an address', () => {
    const servers = [{ ...POSTGRES, schema: '${SCHEMA:-sales}' }]
    assert.match(generateText('sql-select', { servers }), /\nFROM "T_ORDERS";\n/)
    assert.doesNotMatch(generateText('dbt-sources', { servers }), /SCHEMA/)
  })

  test('a name cannot end its quotes', () => {
    const schema = [{ name: 'x"; drop table y; --', properties: [{ name: 'a"b' }] }]
    const [file] = generate('sql-select', { schema })
    assert.equal(file?.content, 'SELECT\n  "a""b"\nFROM "sales"."x""; drop table y; --";\n')
    assert.match(file.filename, /^[\w]+\.sql$/)
  })
})

test('pydantic › has a class of each model and object, with aliases and constraints', () => {
  const [file] = generate('pydantic')
  assert.equal(file?.filename, 'urn_orders.py')
  assert.equal(
    file.content,
    `"Orders"

import datetime as dt
from pydantic import BaseModel
from pydantic import ConfigDict
from pydantic import Field


class OrdersClass(BaseModel):
    date: dt.date | None = None


class Orders(BaseModel):
    "All orders"

    model_config = ConfigDict(populate_by_name=True)

    order_id: int = Field(alias="order id")
    status: str | None = Field(default=None, description="The \\"status\\"\\n", max_length=10)
    class_: list[OrdersClass] | None = Field(default=None, alias="class")


class Order(BaseModel):
    pass
`,
  )
})

test('pydantic › the fields of a primary key are required, and physical types decide', () => {
  const properties = [
    { name: 'id', logicalType: 'integer', primaryKey: true, primaryKeyPosition: 1 },
    { name: 'at', logicalType: 'date', physicalType: 'timestamptz', required: true },
  ]
  const text = generateText('pydantic', { schema: [{ name: 'o', properties }] })
  assert.match(text, /\n {4}id: int\n {4}at: dt\.datetime\n/)
})

test('pydantic › names of attributes are unique and hide no type, and classes come before their use', () => {
  const property = fc.property(modelsArbitrary(), (models) => {
    const text = writePydantic(models, 'n')
    const defined = new Set<string>()
    for (const block of text.split(/^class /m).slice(1)) {
      const name = /^\w+/.exec(block)?.[0] ?? ''
      const lines = block.split('\n').filter((line) => /^ {4}[A-Za-z]\w*: /.test(line))
      const attributes = lines.map((line) => /\w+/.exec(line)?.[0] ?? '')
      assert.equal(new Set(attributes).size, attributes.length, block)
      for (const attribute of attributes) {
        assert.ok(!['str', 'int', 'list', 'dict', 'dt', 'Any', 'Field'].includes(attribute))
      }
      assert.ok(!defined.has(name), name)
      defined.add(name)
    }
  })
  fc.assert(property, { numRuns: 100, seed: 5 })
})

test('dbt-sources › has the source with its tables, columns and tests', () => {
  const [file] = generate('dbt-sources')
  assert.deepEqual(
    [file?.filename, file?.content],
    [
      'urn-orders-sources.yml',
      `version: 2
sources:
  - name: urn-orders
    schema: sales
    tables:
      - name: orders
        identifier: T_ORDERS
        description: All orders
        columns:
          - name: ORDER_ID
            data_type: bigint
            data_tests:
              - not_null
          - name: status
            data_type: varchar(10)
            description: |
              The "status"
          - name: class
            data_type: "jsonb[]"
  - name: urn-orders-archive
    schema: archive
    tables:
      - name: Order
        identifier: orders
        columns: []
`,
    ],
  )
})

for (const [type, format, filename] of [
  ['sql-ddl', 'sql', 'urn-orders.sql'],
  ['dbt-models', 'dbt', 'urn-orders.yml'],
  ['json-schema', 'json-schema', 'urn-orders.schema.json'],
] as const) {
  test(`${type} › is the export ${format}`, () => {
    const [file] = generate(type)
    assert.equal(file?.filename, filename)
    assert.equal(file.content, exportContract(read(), { format }).text)
  })
}

test('every kind of file › works without models, and file names are plain and unique', () => {
  for (const type of GENERATION_TYPES) {
    generate(type, { schema: [] })
    const schema = ['a/b', 'A b', '../x', 'é', 'é'].map((name) => ({ name, properties: [] }))
    const names = generate(type, { schema }).map(({ filename }) => filename)
    assert.equal(new Set(names).size, names.length)
    for (const name of names) assert.match(name, /^[a-z_][\w.-]*$/)
  }
})
