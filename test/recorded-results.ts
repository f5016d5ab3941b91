import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readDataContract } from '../formats/data-contract/read.ts'
import { readText, type Value } from '../formats/text/text.ts'

// The recorded results of public programs, and the contract that they tested.

const FOLDER = new URL('test-results/', import.meta.url)

/** Reads a recorded result by the name of its file. */
export function readRecorded(name: string): Value {
  const source = readText(readFileSync(new URL(name, FOLDER), 'utf8'), 'application/json')
  assert.ok(source.ok)
  return source.value
}

/** The text of the tested contract. */
export const TESTED_CONTRACT = readFileSync(new URL('orders.odcs.yaml', FOLDER), 'utf8')

/** Reads a contract from YAML. */
export function readYamlContract(text: string) {
  const source = readText(text, 'application/yaml')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'orders', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading
}
