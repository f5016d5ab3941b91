/** Drafts of contracts from the documents of tables, checked with the official schema. */

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { draftContract } from '../formats/asset/contract.ts'
import { assetModel } from '../formats/asset/model.ts'
import { buildAsset } from '../formats/asset/read.ts'
import { readDataContract } from '../formats/data-contract/read.ts'
import type { TypeTable } from '../formats/schema/types/type-table.ts'
import { readText } from '../formats/text/text.ts'
import { jsonText, type ObjectValue, type Value } from '../formats/text/value.ts'
import { sameModels } from './model-equality.ts'
import { standardsFor } from './standards.ts'

/** The properties with the location of tables, by source. */
export const LOCATIONS: Readonly<Record<string, ObjectValue>> = {
  postgres: { host: 'db.example', port: 5432, database: 'shop', schema: 'public' },
  mysql: { host: 'db.example', port: 3306, database: 'shop' },
  mariadb: { host: 'db.example', port: '3306', database: 'shop' },
  mssql: { host: 'db.example', port: 1433, database: 'shop', schema: 'dbo' },
  fabric: {
    host: 'x.datawarehouse.fabric.microsoft.com',
    port: 1433,
    database: 'shop',
    schema: 'dbo',
  },
  iceberg: { catalog: 'prod', schema: 'sales' },
  snowflake: {
    host: 'myorg-account1.snowflakecomputing.com',
    account: 'myorg-account1',
    database: 'SHOP',
    schema: 'PUBLIC',
  },
  databricks: { host: 'dbc-1.cloud.example', catalog: 'main', schema: 'sales' },
  glue: { account: '123456789012', region: 'eu-central-1', database: 'sales' },
  bigquery: { project: 'shop', dataset: 'sales', region: 'EU' },
}

/** Creates the document of a table. */
export function createTable(source: string, columns: Value, more: ObjectValue = {}): ObjectValue {
  const info = {
    source,
    type: `${source}_table`,
    name: 'orders',
    description: 'Orders',
    owner: 'a',
  }
  return { id: 'orders', info, columns, custom: { ...LOCATIONS[source], ...more } }
}

/** Lists the types of a platform, with an example of each. */
export function listTypes({ rows }: TypeTable): string[] {
  const names = rows.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  return [
    ...names,
    ...names.flatMap((name) => [`${name}(5)`, `${name}(12,2)`, `${name}[]`]),
    "enum('a','b')",
    "set('a','b')",
    'unknown',
    'character varying',
    'numeric(38,0)',
    'timestamp(3) with time zone',
    'time without time zone',
    'interval day to second',
    '"My Type"',
  ]
}

/** Creates a column of each type. */
export function createColumns(types: readonly string[]): Value {
  return types.map((type, at) => ({ name: `c${at}`, type, required: at % 2 === 0 }))
}

/**
 * Creates a function that drafts a contract and asserts that the draft is valid under the official schema and reads back as
 * the models of the assets; undefined if the official schemas are not available.
 */
export function createDraftCheck(
  t: TestContext,
): ((tables: readonly ObjectValue[]) => ObjectValue) | undefined {
  const files = standardsFor(t, 'odcs')
  const file = files?.find(({ name }) => name === 'odcs-v3.2.0.schema.json')
  if (file === undefined) return undefined
  const ajv = new Ajv2019({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(file.text))
  return (tables) => {
    const draft = draftContract(buildAsset(tables[0] ?? null, 'orders'), tables)
    assert.ok(validate(draft), JSON.stringify([validate.errors, draft]))
    const source = readText(jsonText(draft), 'application/json')
    assert.ok(source.ok)
    const reading = readDataContract(source, { id: 'orders', strict: true })
    assert.ok(reading.ok, JSON.stringify(reading))
    const models = tables.map((table) => assetModel(table))
    const { contract } = reading
    const message = JSON.stringify([models, contract.models])
    assert.ok(sameModels(models, contract.models), message)
    // sameModels ignores the spelling of types, which a draft must preserve.
    assert.deepEqual(listPhysicalTypes(contract.models), listPhysicalTypes(models))
    return draft
  }
}

function listPhysicalTypes(models: readonly { fields: { physicalType?: string }[] }[]): unknown {
  return models.map(({ fields }) => fields.map(({ physicalType }) => physicalType))
}
