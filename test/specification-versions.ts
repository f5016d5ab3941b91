// Differences of specifications in a schema language, as parts of data contracts.

import assert from 'node:assert/strict'
import { readDataContract } from '../formats/data-contract/read.ts'
import { diffDataContracts } from '../formats/diff/contract.ts'
import type { Change } from '../formats/diff/level.ts'
import { readText } from '../formats/text/text.ts'
import { jsonText, type Value } from '../formats/text/value.ts'

/** Reads a contract whose only content is a specification in a schema language. */
export function readSpecificationContract(language: string, specification: Value) {
  const text = jsonText({
    dataContractSpecification: '0.9.3',
    id: 'orders',
    info: { title: 'Orders', version: '1', owner: 'fulfillment' },
    schema: { type: language, specification },
  })
  const source = readText(text, 'application/json')
  assert.ok(source.ok)
  const read = readDataContract(source, { id: 'orders', strict: false })
  assert.ok(read.ok, JSON.stringify(read))
  return read
}

/** Lists the changes between two contracts that only differ in their specifications. */
export function diffSpecifications(language: string, before: Value, after: Value): Change[] {
  const [older, newer] = [
    readSpecificationContract(language, before),
    readSpecificationContract(language, after),
  ]
  return diffDataContracts(older, newer)
}
