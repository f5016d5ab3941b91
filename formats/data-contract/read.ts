// Parses data contract documents in any supported format.

import { canonicalText } from '../shape/canonical.ts'
import { inspectValue, NOTHING_FOUND, NOWHERE } from '../shape/inspect.ts'
import type { SourceMap, ReadOptions } from '../shape/inspect.ts'
import { Notes, type Problem, sortedProblems } from '../text/problem.ts'
import type { Model } from '../schema/model.ts'
import type { ObjectShape } from '../shape/shape.ts'
import type { SourceText } from '../text/text.ts'
import { fieldOf, isObject, type ObjectValue, textOf, type Value } from '../text/value.ts'
import type { ContractFacts, DataContract, Format } from './data-contract.ts'
import { DCS_NEWEST, dcsShape } from './dcs/shape.ts'
import { detectFormat, isOdcs2 } from './detect.ts'
import { readFacts } from './facts.ts'
import { readModels } from './models.ts'
import { odcs2Shape } from './odcs/shape.ts'
import { ODCS_NEWEST, odcsShape } from './odcs/shape.ts'

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
  const first = examine(value, NOWHERE, options)
  if (first === undefined || first.errors.length > 0 || !isObject(value)) {
    return { ok: false, problems: problemsIn(source, options) }
  }
  const { format, contract } = first
  const notes = new Notes(source)
  const whole = withModels(contract, () => readModels(value, format, notes))
  let canonical: string | undefined
  let warnings: Problem[] | undefined
  return {
    ok: true,
    contract: whole,
    value,
    get canonical() {
      return (canonical ??= canonicalText(value, canonicalShape(value, format)))
    },
    // Computed on demand: few callers need warnings, and locating them in the text is the most expensive part.
    get warnings() {
      return (warnings ??= warningsIn(source, options, whole, notes))
    },
  }
}

/** Returns the shape that is used to compare documents of a format in all versions. */
export function canonicalShape(value: ObjectValue, format: Format): ObjectShape {
  if (format === 'dcs') return DCS_NEWEST
  return isOdcs2(value) ? odcs2Shape : ODCS_NEWEST
}

// Computed on demand: callers that only store a document never need its models.
function withModels(contract: ContractFacts, read: () => Model[]): DataContract {
  let models: Model[] | undefined
  return {
    ...contract,
    get models() {
      return (models ??= read())
    },
  }
}

// Reading the models adds their warnings to `notes`, so they are read first unless a caller has read them already.
function warningsIn(
  source: SourceText,
  options: ReadOptions,
  contract: DataContract,
  notes: Notes,
): Problem[] {
  const warnings = examine(source.value, source, options)?.warnings ?? []
  void contract.models
  return sortedProblems([...warnings, ...notes.warnings])
}

function problemsIn(source: SourceText, options: ReadOptions): Problem[] {
  const notes = new Notes(source)
  if (isObject(source.value)) detectFormat(source.value, notes)
  const examination = examine(source.value, source, options)
  return examination === undefined ? notes.errors : sortedProblems(examination.errors)
}

interface Examination {
  format: Format
  contract: ContractFacts
  errors: Problem[]
  warnings: Problem[]
}

function examine(value: Value, places: SourceMap, options: ReadOptions): Examination | undefined {
  const notes = new Notes(places)
  const format = isObject(value) ? detectFormat(value, notes) : undefined
  if (!isObject(value) || format === undefined) return undefined
  const findings =
    options.isAccepted === true
      ? NOTHING_FOUND
      : inspectValue(value, getShape(value, format), places, options)
  const contract = readFacts(value, format, options, notes)
  // The errors of the reader are more specific than those of the shape.
  const fields = new Set(notes.errors.map(({ field }) => field))
  const others = (problems: Problem[]) => problems.filter(({ field }) => !fields.has(field))
  return {
    format,
    contract,
    errors: [...others(findings.errors), ...notes.errors],
    warnings: [...others(findings.warnings), ...notes.warnings],
  }
}

function getShape(value: ObjectValue, format: Format): ObjectShape {
  if (format === 'dcs') return dcsShape(textOf(fieldOf(value, 'dataContractSpecification')))
  const version = textOf(fieldOf(value, 'apiVersion'))
  // The first versions did not require a version.
  return version === undefined && isOdcs2(value) ? odcs2Shape : odcsShape(version)
}
