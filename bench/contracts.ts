// The contracts that figures are measured with: ODCS 3.1, tables of fifty columns as a warehouse has them.

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

/** Contracts that the load puts in turn. */
export const CONTRACTS_COUNT = 16

/** Tables of a contract whose text has about a megabyte. */
export const MEGABYTE_MODELS_COUNT = 140

/**
 * Writes a contract with so many tables of fifty columns. Equal changes give equal texts, all of one
 * length; a change shows in the contract's version, and every `everyField`th column (none, when it is
 * undefined) takes longer texts or more digits with it.
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

/** How a change shows in the version of a contract, and nowhere else in its text. */
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
    description: `What column ${at} of lane ${model} says`,
  }
}
