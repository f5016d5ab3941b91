/** A table of every product that differs from its contract, and the statements that remove the differences. */

import assert from 'node:assert/strict'
import type { DataContract } from '../formats/data-contract/data-contract.ts'
import { prepareModels } from '../formats/data-contract/export-models.ts'
import { readDataContract } from '../formats/data-contract/read.ts'
import {
  type TableAlteration,
  type AlterationFinding,
  writeAlteration,
} from '../formats/reality/alter/alter-table.ts'
import type { Model } from '../formats/schema/model.ts'
import { Specification } from '../formats/schema/specification.ts'
import { readSqlDdl } from '../formats/schema/sql/read.ts'
import { writeSqlDdl } from '../formats/schema/sql/write.ts'
import type { Platform } from '../formats/schema/types/native-type.ts'
import { NOWHERE } from '../formats/shape/inspect.ts'
import { Notes } from '../formats/text/problem.ts'
import { readText } from '../formats/text/text.ts'
import { jsonText, type ObjectValue, type Value } from '../formats/text/value.ts'

/** The products with the type of their servers and the dialect of their SQL. */
export const PRODUCTS: readonly (readonly [product: string, server: string, dialect: Platform])[] =
  [
    ['postgres', 'postgres', 'postgresql'],
    ['cockroachdb', 'postgres', 'postgresql'],
    ['yugabytedb', 'postgres', 'postgresql'],
    ['redshift', 'redshift', 'postgresql'],
    ['mysql', 'mysql', 'mysql'],
    ['mariadb', 'mysql', 'mysql'],
    ['mssql', 'sqlserver', 'sqlserver'],
    ['fabric', 'sqlserver', 'sqlserver'],
    ['snowflake', 'snowflake', 'snowflake'],
    ['bigquery', 'bigquery', 'bigquery'],
    ['databricks', 'databricks', 'databricks'],
    ['glue', 'glue', 'hive'],
    ['iceberg', 'iceberg', 'databricks'],
  ]

const ID = { name: 'id', logicalType: 'integer', required: true }
const BEFORE: Value[] = [
  ID,
  { name: 'name', logicalType: 'string', logicalTypeOptions: { maxLength: 10 } },
  { name: 'Sales region', logicalType: 'string', logicalTypeOptions: { maxLength: 5 } },
]
/** The properties that the contract promises. */
export const AFTER: Value[] = [
  { ...ID, primaryKey: true, primaryKeyPosition: 1 },
  { name: 'name', logicalType: 'string', logicalTypeOptions: { maxLength: 20 }, required: true },
  {
    name: 'Sales region',
    logicalType: 'string',
    logicalTypeOptions: { maxLength: 5 },
    required: true,
    unique: true,
  },
  { name: 'since', logicalType: 'date', required: true },
]
/** The differences between the table and the contract. */
export const FINDINGS: readonly AlterationFinding[] = [
  { field: '', aspect: 'key' },
  { field: 'name', aspect: 'nullable' },
  { field: 'name', aspect: 'type' },
  { field: 'Sales region', aspect: 'nullable' },
  { field: 'Sales region', aspect: 'unique' },
  { field: 'since', aspect: 'column.missing' },
]

/** A table as it was created, the statements that change it, and the contract that it then keeps. */
export interface AlteredExample {
  contract: DataContract
  created: string
  asset: Model
  alteration: TableAlteration
}

/** Writes the table of a product, and the statements that make it keep its contract. */
export function writeExample([
  product,
  server,
  dialect,
]: (typeof PRODUCTS)[number]): AlteredExample {
  const old = readContract(server, BEFORE)
  const contract = readContract(server, AFTER)
  const created = writeSqlDdl(prepareModels(old, dialect).models, {
    dialect,
    name: '',
    id: '',
  }).text
  const asset = readOne(created, dialect)
  const table = { contract, model: 'orders', product, path: ['orders'], findings: FINDINGS }
  const alteration = writeAlteration({ ...table, asset })
  assert.ok(alteration !== undefined)
  return { contract, created, asset, alteration }
}

/** Reads a contract with one table `orders`. */
export function readContract(type: string, properties: Value[]): DataContract {
  const value: ObjectValue = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'a',
    version: '1',
    status: 'active',
    team: { name: 't' },
    servers: [{ server: 's', type }],
    schema: [{ name: 'orders', physicalType: 'table', logicalType: 'object', properties }],
  }
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'a', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.contract
}

/** Reads the first table of a script; every statement is read. */
export function readOne(text: string, platform: Platform): Model {
  const notes = new Notes(NOWHERE)
  const [model] = readSqlDdl(new Specification(text, [], notes), { platform })
  assert.deepEqual(notes.warnings, [], text)
  assert.ok(model !== undefined, text)
  return model
}
