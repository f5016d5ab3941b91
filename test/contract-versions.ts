/** Small data contracts, and the comparison of two versions of one. */

import assert from 'node:assert/strict'
import { type ContractParseResult, readDataContract } from '../formats/data-contract/read.ts'
import { diffDataContracts } from '../formats/diff/contract.ts'
import type { Change } from '../formats/diff/level.ts'
import { readText } from '../formats/text/text.ts'
import {
  asText,
  getField,
  isObject,
  jsonText,
  type ObjectValue,
  type Value,
} from '../formats/text/value.ts'

export const ODCS = {
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'x',
  version: '1',
  status: 'active',
  team: { name: 't' },
}

export const DCS = {
  dataContractSpecification: '1.2.1',
  id: 'x',
  info: { title: 'X', version: '1', owner: 't' },
}

/** Parses a contract under its own id; returns undefined if it is not a document at all. */
export function parseContract(value: Value): ContractParseResult | undefined {
  const source = readText(jsonText(value), 'application/json')
  const id = asText(getField(value, 'id')) ?? asText(getField(value, 'uuid')) ?? 'x'
  return source.ok ? readDataContract(source, { id, strict: false }) : undefined
}

/** Reads a valid contract. */
export function readContract(value: Value): Extract<ContractParseResult, { ok: true }> {
  const result = parseContract(value)
  assert.ok(result?.ok === true, JSON.stringify(result))
  return result
}

/** Merges a fragment into a document: its objects extend those of the document. */
export function mergeFragment(base: ObjectValue, fragment: Value): ObjectValue {
  const parts = Object.entries(isObject(fragment) ? fragment : {})
  const merged = parts.map(([name, part]): [string, Value] => {
    const old = base[name]
    return [name, isObject(old) && isObject(part) ? { ...old, ...part } : part]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

/** Returns the changes between two contracts. */
export function diffContracts(before: Value, after: Value): Change[] {
  return diffDataContracts(readContract(before), readContract(after))
}

/** Returns the changes between two contracts as `level kind path`. */
export function listContractChanges(before: Value, after: Value): string[] {
  return diffContracts(before, after).map(({ level, kind, path }) => `${level} ${kind} ${path}`)
}
