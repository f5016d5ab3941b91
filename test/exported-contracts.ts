/** Contracts whose exports are compared with the programs that read them. */

import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { exportContract, type ExportFormat } from '../formats/data-contract/export.ts'
import { readDataContract } from '../formats/data-contract/read.ts'
import type { Model } from '../formats/schema/model.ts'
import { writeSqlDdl } from '../formats/schema/sql/write.ts'
import type { Platform } from '../formats/schema/types/native-type.ts'
import { readText } from '../formats/text/text.ts'
import { jsonText, type ObjectValue } from '../formats/text/value.ts'
import { FEATURES } from './export-features.ts'
import { FULL_ODCS } from './full-contracts.ts'
import { FULL_DCS } from './full-dcs.ts'
import { linkedModelsArbitrary } from './linked-models.ts'
import { modelsArbitrary } from './model-arbitrary.ts'

/** The name and id of exported models. */
export const EXPORT_OPTIONS = { name: 'n', id: 'i' }

function readContract(value: ObjectValue) {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'a', strict: false })
  return reading.ok ? { contract: reading.contract, value: source.value } : undefined
}

function readModels(value: ObjectValue): Model[] {
  return readContract(value)?.contract.models ?? []
}

// The languages whose texts an export may return as they were sent.
const AS_SENT: ReadonlySet<string> = new Set(['sql-ddl', 'bigquery'])

/** Exports the documents of all features and versions, except texts in an exported language, which an export may return as they were sent. */
export function exportAll(options: { format: ExportFormat; dialect?: Platform }): string[] {
  const features = FEATURES.map((feature) => feature.with)
  return [...features, ...FULL_ODCS.values(), ...FULL_DCS.values()].flatMap((value) => {
    const read = readContract(value)
    if (read === undefined || AS_SENT.has(read.contract.schemaType ?? '')) return []
    return [exportContract(read, options).text]
  })
}

/** The models of contracts that use every feature. */
export const EXPORTED_CONTRACTS: readonly (readonly Model[])[] = [
  ...FEATURES.map((feature) => readModels(feature.with)),
  ...[...FULL_ODCS.values(), ...FULL_DCS.values()].map(readModels),
  ...fc.sample(modelsArbitrary(), { seed: 13, numRuns: 25 }),
]

/** Tables that refer to each other. */
const LINKED_MODELS: readonly (readonly Model[])[] = fc.sample(linkedModelsArbitrary(), {
  seed: 17,
  numRuns: 25,
})

/** Exports all contracts in a dialect; equal texts count once. */
export function writeAll(dialect: Platform): string[] {
  const texts = [...EXPORTED_CONTRACTS, ...LINKED_MODELS].map(
    (models) => writeSqlDdl(models, { ...EXPORT_OPTIONS, dialect }).text,
  )
  return [...new Set([...texts, ...exportAll({ format: 'sql', dialect })])].filter(
    (text) => text !== '',
  )
}
