/** Small data contracts, and short forms of what is read from them. */

import assert from 'node:assert/strict'
import type { Field } from '../formats/schema/model.ts'
import { type MediaType, readText } from '../formats/text/text.ts'
import { jsonText, type Value } from '../formats/text/value.ts'
import type { DataContract } from '../formats/data-contract/data-contract.ts'
import { type ContractParseResult, readDataContract } from '../formats/data-contract/read.ts'

export const ODCS = {
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

export const DCS = {
  dataContractSpecification: '1.2.1',
  id: 'orders',
  info: { title: 'Orders', version: '1.0.0', owner: 'sales' },
}

/** Parses a contract under the id `orders`; a text is parsed as it is. */
export function readContract(
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

/** Parses a valid contract. */
export function parseContract(
  value: Value | string,
  mediaType: MediaType = 'application/json',
): DataContract {
  const reading = readContract(value, { mediaType })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.contract
}

/** Lists the problems of an invalid contract as `field: message`. */
export function listProblems(value: Value, strict = false): string[] {
  const reading = readContract(value, { strict })
  assert.ok(!reading.ok)
  return reading.problems.map(({ field, message }) => `${field}: ${message}`)
}

/** Lists the warnings about a valid contract as `field: message`. */
export function listWarnings(value: Value): string[] {
  const reading = readContract(value)
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

/** Lists the fields of the first model, without properties that have their defaults. */
export function listFields(contract: DataContract): object[] {
  return (contract.models[0]?.fields ?? []).map(compactField)
}
