/** Single tables of contracts, which tests change by statements. */

import { exportContract } from '../formats/data-contract/export.ts'
import type { ActualModel } from '../formats/reality/actual.ts'
import { comparePromise } from '../formats/reality/compare.ts'
import { listPromises } from '../formats/reality/promise.ts'
import { getField, type ObjectValue } from '../formats/text/value.ts'
import {
  type NamedContract,
  type ReadContract,
  readContract,
  withServer,
} from './drift-contracts.ts'
import type { DriftDatabase } from './drift-databases.ts'
import type { Random } from './random.ts'

const COLUMN_TYPES = {
  postgresql:
    'smallint,integer,bigint,numeric(12;3),numeric(8;0),real,double precision,boolean,varchar(20),varchar(200),text,' +
    'uuid,date,timestamptz,timestamp,time,jsonb,text[],bytea,char(3)',
  mysql:
    'smallint,int,bigint,decimal(12;3),decimal(8;0),float,double,tinyint(1),varchar(20),varchar(200),longtext,' +
    'date,datetime,datetime(3),time,json,varbinary(20),char(3)',
} as const

const LOGICAL_TYPES = ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'array']

/** Creates contracts with one table of random columns, keys and constraints in the types of a dialect. */
export function createContracts(
  count: number,
  dialect: DriftDatabase['dialect'],
  random: Random,
): NamedContract[] {
  const types = COLUMN_TYPES[dialect].split(',').map((type) => type.replace(';', ','))
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  return Array.from({ length: count }, (_, at) => {
    const keys = Math.floor(random() * 3)
    const properties = Array.from({ length: 4 + Math.floor(random() * 12) }, (__, column) => {
      const isKey = column < keys
      const physicalType = isKey ? (types[1] ?? '') : pick(types)
      const hasType = isKey || random() < 0.7
      return {
        name: `c_${column}`,
        ...(hasType ? { physicalType } : { logicalType: pick(LOGICAL_TYPES) }),
        ...(isKey && { primaryKey: true, primaryKeyPosition: column + 1 }),
        required: random() < 0.5,
        ...(hasType && /^(?:big)?int/.test(physicalType) && !isKey && { unique: random() < 0.6 }),
      }
    })
    const schema = [{ name: 'orders', physicalType: 'table', properties }]
    const head = { apiVersion: 'v3.1.0', kind: 'DataContract', version: '1', status: 'active' }
    return { name: `random ${at}`, value: { ...head, schema } }
  })
}

/** A contract with one model, and the statements that create its table. */
export interface SingleTable {
  document: ObjectValue
  read: ReadContract
  text: string
}

/** Lists the models of a contract, each as a contract in a schema of a database; none for specifications. */
export function listTables(
  contract: NamedContract,
  schema: string,
  { dialect, server }: Pick<DriftDatabase, 'dialect' | 'server'>,
): SingleTable[] {
  const { value } = withServer(contract, server(schema))
  const all = readContract(value)
  if (all === undefined || all.contract.schemaType !== undefined) return []
  return all.contract.models.flatMap(({ origin }) => {
    const document = withOnlyModel(value, origin)
    const read = readContract(document)
    if (read?.contract.models.length !== 1) return []
    return [{ document, read, text: exportContract(read, { format: 'sql', dialect }).text }]
  })
}

// The origin of a model is `/schema/0`, or `/models/orders` in DCS.
function withOnlyModel(value: ObjectValue, origin: string): ObjectValue {
  const [, list = '', ...steps] = origin.split('/')
  const key = steps.join('/').replaceAll('~1', '/').replaceAll('~0', '~')
  const models = value[list]
  const only = Array.isArray(models)
    ? [models[Number(key)] ?? null]
    : { [key]: getField(models, key) ?? null }
  return { ...value, [list]: only }
}

/** Lists the findings of a contract as `field aspect level`; a table that is missing is one. */
export function listDrift(read: ReadContract, tables: ReadonlyMap<string, ActualModel>): string[] {
  return listPromises(read).flatMap(({ path, promise }) => {
    const actual = tables.get(JSON.stringify(path))
    if (actual === undefined) return [' object breaking']
    const { findings } = comparePromise(promise, actual)
    return findings.map(({ field, aspect, level }) => `${field} ${aspect} ${level}`)
  })
}
