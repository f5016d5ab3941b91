// Reads data contracts of any supported format, without their models.

import { NOWHERE, type ReadOptions } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import type { ContractFacts, ContractFormat } from './data-contract.ts'
import { readDcs } from './dcs/read.ts'
import { detectFormat } from './detect.ts'
import { readOdcs } from './odcs/read.ts'

/** Reads the facts of a document; reports problems that its shape does not cover. */
export function readFacts(
  value: ObjectValue,
  format: ContractFormat,
  options: ReadOptions,
  notes: Notes,
): ContractFacts {
  return (format === 'odcs' ? readOdcs : readDcs)(value, options, notes)
}

/**
 * Reads the facts of a stored document, which was validated when it was registered; undefined if it cannot be read.
 * `owner` is the team that owns the contract in the catalog.
 */
export function readStoredFacts(
  value: Value,
  { id, owner }: { id: string; owner: string | undefined },
): ContractFacts | undefined {
  const notes = new Notes(NOWHERE)
  const format = isObject(value) ? detectFormat(value, notes) : undefined
  if (!isObject(value) || format === undefined) return undefined
  const options = { id, ownerOverDomain: owner, strict: false, isAccepted: true }
  const facts = readFacts(value, format, options, notes)
  return notes.errors.length > 0 ? undefined : facts
}
