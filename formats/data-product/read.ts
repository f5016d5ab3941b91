// Parses data product documents in any supported format.

import { canonicalText } from '../shape/canonical.ts'
import { inspectValue, NOTHING_FOUND, NOWHERE } from '../shape/inspect.ts'
import type { SourceMap, ReadOptions } from '../shape/inspect.ts'
import { any, type ObjectShape, shapeAt } from '../shape/shape.ts'
import { Notes, type Problem, sortedProblems } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { fieldOf, isObject, type ObjectValue, textOf, type Value } from '../text/value.ts'
import type { ComparableProduct, DataProduct, Format } from './data-product.ts'
import { detectFormat } from './detect.ts'
import { DPS } from './dps-shape.ts'
import { readFacts } from './facts.ts'
import { listObjects } from './fields.ts'
import { ODPS_NEWEST, odpsShape } from './odps-shape.ts'

/** The parsed document, or all its problems, sorted by field. */
export type ParseResult =
  | { ok: true; product: ComparableProduct; value: Value; canonical: string; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

/**
 * Parses a data product document (ODPS v0.9.0 to v1.1.0, DPS 0.0.1). `id` is the id it is stored under; a document
 * with a different id is rejected. `strict` turns deviations from the official schema from warnings into errors. All
 * problems are reported together, sorted by field. Never throws.
 */
export function readDataProduct(source: SourceText, options: ReadOptions): ParseResult {
  const { value } = source
  const first = examine(value, NOWHERE, options)
  if (first === undefined || first.errors.length > 0 || !isObject(value)) {
    return { ok: false, problems: problemsIn(source, options) }
  }
  const shape = first.format === 'odps' ? ODPS_NEWEST : DPS
  let canonical: string | undefined
  let warnings: Problem[] | undefined
  return {
    ok: true,
    product: toComparable(first.product, value, shape),
    value,
    // Computed on demand: rarely needed for earlier versions.
    get canonical() {
      return (canonical ??= canonicalText(value, shape))
    },
    // Computed on demand: few callers need warnings, and locating them in the text is the most expensive part.
    get warnings() {
      return (warnings ??= sortedProblems(examine(value, source, options)?.warnings ?? []))
    },
  }
}

function toComparable(
  product: DataProduct,
  value: ObjectValue,
  shape: ObjectShape,
): ComparableProduct {
  const port = shapeAt(shape, ['outputPorts', 0]) ?? any
  const items = listObjects(fieldOf(value, 'outputPorts'))
  const texts = items.map(({ item }) => canonicalText(item, port))
  const outputPorts = product.outputPorts.map((one, at) => ({ ...one, canonical: texts[at] ?? '' }))
  return { ...product, outputPorts }
}

function problemsIn(source: SourceText, options: ReadOptions): Problem[] {
  const notes = new Notes(source)
  if (isObject(source.value)) detectFormat(source.value, notes)
  const examination = examine(source.value, source, options)
  return examination === undefined ? notes.errors : sortedProblems(examination.errors)
}

interface Examination {
  format: Format
  product: DataProduct
  errors: Problem[]
  warnings: Problem[]
}

function examine(value: Value, places: SourceMap, options: ReadOptions): Examination | undefined {
  const notes = new Notes(places)
  const format = isObject(value) ? detectFormat(value, notes) : undefined
  if (!isObject(value) || format === undefined) return undefined
  const shape = format === 'odps' ? odpsShape(textOf(fieldOf(value, 'apiVersion'))) : DPS
  const findings =
    options.isAccepted === true ? NOTHING_FOUND : inspectValue(value, shape, places, options)
  const product = readFacts(value, format, options, notes)
  // The errors of the reader are more specific than those of the shape.
  const fields = new Set(notes.errors.map(({ field }) => field))
  const others = (problems: Problem[]) => problems.filter(({ field }) => !fields.has(field))
  return {
    format,
    product,
    errors: [...others(findings.errors), ...notes.errors],
    warnings: [...others(findings.warnings), ...notes.warnings],
  }
}
