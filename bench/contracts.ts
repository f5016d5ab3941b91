// The contracts of the benchmark: ODCS 3.1, with tables of fifty columns as in a warehouse.

import { OWNER_TEAM } from './documents.ts'

const CHANGE_DIGITS = 12
const FIELDS_COUNT = 50

const TYPES = [
  { logicalType: 'string', physicalType: 'varchar(120)' },
  { logicalType: 'integer', physicalType: 'bigint' },
  { logicalType: 'number', physicalType: 'decimal(12,2)' },
  { logicalType: 'timestamp', physicalType: 'timestamp with time zone' },
  { logicalType: 'boolean', physicalType: 'boolean' },
] as const

/** The number of contracts that the load puts in turn. */
export const CONTRACTS_COUNT = 16

/** The number of tables of a contract with about a megabyte of text. */
export const MEGABYTE_MODELS_COUNT = 140

/**
 * Creates a contract with tables of fifty columns. Equal `change` numbers result in equal texts, all of the same
 * length. A change modifies the contract's version and the text length or digits of every `everyField`th
 * column (none if it is undefined).
 */
export function contractText(
  id: string,
  modelsCount: number,
  change: number,
  everyField?: number,
): string {
  return JSON.stringify({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id,
    name: `Contract ${id}`,
    version: `1.0.0${changeMark(change)}`,
    status: 'active',
    team: { name: OWNER_TEAM.id },
    servers: [
      {
        server: 'production',
        type: 'postgresql',
        host: 'db',
        port: 5432,
        database: 'd',
        schema: 's',
      },
    ],
    schema: Array.from({ length: modelsCount }, (_, model) => ({
      name: `shipments_${model}`,
      physicalType: 'table',
      description: `One row for each shipment of lane ${model}`,
      properties: Array.from({ length: FIELDS_COUNT }, (_field, at) =>
        createProperty(model, at, everyField !== undefined && at % everyField === 0 ? change : 0),
      ),
    })),
  })
}

/** Returns the suffix of a contract's version for a change; it appears nowhere else in the text. */
export function changeMark(change: number): string {
  return `+${String(change).padStart(CHANGE_DIGITS, '0')}`
}

function createProperty(model: number, at: number, change: number): object {
  const type = TYPES[at % TYPES.length] ?? TYPES[0]
  const physicalType =
    type.logicalType === 'string' ? `varchar(${120 + change})` : type.physicalType
  return {
    name: `column_${at}`,
    logicalType: type.logicalType,
    physicalType,
    required: at % 3 === 0,
    description: `Value of column ${at} of lane ${model}`,
  }
}
