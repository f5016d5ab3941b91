/** The types of the lattice in documents: one contract for each type, in the forms in which contracts state types. */

import type { ContractParseResult } from '../formats/data-contract/read.ts'
import { parseContract, DCS, ODCS } from './contract-versions.ts'
import type { LatticeType } from './type-lattice.ts'
import type { ObjectValue, Value } from '../formats/text/value.ts'

/** A valid contract. */
type Contract = Extract<ContractParseResult, { ok: true }>

/** Server types, one for each platform that servers have, and none. */
export const SERVER_TYPES = [
  'postgres',
  'mysql',
  'sqlserver',
  'snowflake',
  'bigquery',
  'databricks',
  'hive',
  'iceberg',
  undefined,
] as const

/** The forms in which a contract states the type of a field. */
export const FORMS = {
  ODCS: (type, server) => ({
    ...ODCS,
    ...(server === undefined ? {} : { servers: [{ server: 's', type: server }] }),
    schema: [{ name: 'o', properties: [{ name: 'a', ...type }] }],
  }),
  DCS: ({ physicalType, logicalType }, server) =>
    logicalType === undefined
      ? {
          ...DCS,
          ...toServers(server),
          models: {
            o: { fields: { a: physicalType === undefined ? {} : { type: physicalType } } },
          },
        }
      : undefined,
  dbt: ({ physicalType, logicalType }, server) => {
    if (logicalType !== undefined) return undefined
    const column = { name: 'a', ...(physicalType === undefined ? {} : { data_type: physicalType }) }
    return toSpecification('dbt', { models: [{ name: 'o', columns: [column] }] }, server)
  },
  SQL: ({ physicalType, logicalType }, server) =>
    physicalType === undefined || logicalType !== undefined
      ? undefined
      : toSpecification('sql-ddl', `create table o (a ${physicalType});`, server),
} as const satisfies Record<string, (type: LatticeType, server?: string) => Value | undefined>

function toServers(server: string | undefined): ObjectValue {
  return server === undefined ? {} : { servers: { s: { type: server } } }
}

function toSpecification(type: string, specification: Value, server: string | undefined): Value {
  return {
    ...DCS,
    dataContractSpecification: '0.9.3',
    ...toServers(server),
    schema: { type, specification },
  }
}

/** Reads the contract of each type that a form can state; undefined for others. */
export function readDocuments(
  types: readonly LatticeType[],
  form: keyof typeof FORMS,
  server: (typeof SERVER_TYPES)[number],
): (Contract | undefined)[] {
  return types.map((type) => {
    const document = FORMS[form](type, server)
    const result = document === undefined ? undefined : parseContract(document)
    return result?.ok === true ? result : undefined
  })
}
