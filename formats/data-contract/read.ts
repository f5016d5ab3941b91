// Parses data contract documents in any supported format.

import { canonicalText } from '../shape/canonical.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import { lazy } from '../shape/lazy.ts'
import { readDocument } from '../shape/read-document.ts'
import { Notes, type Problem, sortedProblems } from '../text/problem.ts'
import type { ObjectShape } from '../shape/shape.ts'
import { noteNewerVersion } from '../standards/version.ts'
import type { SourceText } from '../text/text.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import type { DataContract, ContractFormat } from './data-contract.ts'
import { DCS_NEWEST, dcsShape } from './dcs/shape.ts'
import { detectFormat, isOdcs2 } from './detect.ts'
import { readFacts } from './facts.ts'
import { readModels } from './models.ts'
import { odcs2Shape } from './odcs/shape.ts'
import { ODCS_NEWEST, ODCS_VERSIONS, odcsShape } from './odcs/shape.ts'

/** The parsed document, or all its problems, sorted by field. */
export type ContractParseResult =
  | { ok: true; contract: DataContract; value: Value; canonical: string; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

/**
 * Parses a data contract document (ODCS 2.2 to 3.2, DCS 0.9 to 1.2). `id` is the id it is stored under; a document
 * with a different id is rejected. `strict` turns deviations from the official schema from warnings into errors. All
 * problems are reported together, sorted by field. Never throws.
 */
export function readDataContract(source: SourceText, options: ReadOptions): ContractParseResult {
  const { value } = source
  const document = readDocument(source, options, (notes) => {
    const format = isObject(value) ? detectFormat(value, notes) : undefined
    if (!isObject(value) || format === undefined) return undefined
    const isOdcs = format === 'odcs'
    return {
      shape: getShape(value, format),
      read: () => ({ value, facts: readFacts(value, format, options, notes) }),
      allowsVariables: isOdcs,
      isNewer: isOdcs && noteNewerVersion(value, ODCS_VERSIONS, notes, options),
    }
  })
  if (!document.ok) return document
  const { facts, value: object } = document.content
  // Callers that only store a document never need its models.
  const getModels = lazy(() => {
    const notes = new Notes(source)
    return { models: readModels(object, facts.format, notes), warnings: notes.warnings }
  })
  const getWarnings = lazy(() =>
    sortedProblems([...document.getWarnings(), ...getModels().warnings]),
  )
  const getCanonical = lazy(() => canonicalText(value, canonicalShape(object, facts.format)))
  return {
    ok: true,
    contract: {
      ...facts,
      get models() {
        return getModels().models
      },
    },
    value,
    get canonical() {
      return getCanonical()
    },
    get warnings() {
      return getWarnings()
    },
  }
}

/** Returns the shape that is used to compare documents of a format in all versions. */
export function canonicalShape(value: ObjectValue, format: ContractFormat): ObjectShape {
  if (format === 'dcs') return DCS_NEWEST
  return isOdcs2(value) ? odcs2Shape : ODCS_NEWEST
}

function getShape(value: ObjectValue, format: ContractFormat): ObjectShape {
  if (format === 'dcs') return dcsShape(asText(getField(value, 'dataContractSpecification')))
  const version = asText(getField(value, 'apiVersion'))
  // The first versions did not require a version.
  return version === undefined && isOdcs2(value) ? odcs2Shape : odcsShape(version)
}
