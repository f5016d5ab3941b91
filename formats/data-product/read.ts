// Reading a data product's document, whichever of the formats it is in.

import { canonicalText } from '../canonical.ts'
import { inspectValue } from '../inspect.ts'
import { Notes, type Problem, sortedProblems } from '../problem.ts'
import type { SourceText } from '../text.ts'
import { fieldOf, isObject, textOf, type Value } from '../value.ts'
import type { DataProduct } from './data-product.ts'
import { detectFormat } from './detect.ts'
import { readDps } from './dps.ts'
import { DPS } from './dps-shape.ts'
import { readOdps } from './odps.ts'
import { ODPS_NEWEST, odpsShape } from './odps-shape.ts'

/** A document that was read, or every reason why it was not, sorted by field. */
export type Reading =
  | { ok: true; product: DataProduct; value: Value; canonical: string; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

/**
 * Reads a data product document (ODPS v0.9.0 to v1.1.0, DPS 0.0.1). `id` is the id it is stored under; a document
 * that names another one is refused. `strict` turns deviations from the official schema from warnings into errors.
 * All problems are reported at once, sorted by field. Never throws.
 */
export function readDataProduct(
  source: SourceText,
  options: { id: string; strict: boolean },
): Reading {
  const notes = new Notes(source)
  const { value } = source
  const format = isObject(value) ? detectFormat(value, notes) : undefined
  if (!isObject(value) || format === undefined) return { ok: false, problems: notes.errors }

  const shape = format === 'odps' ? odpsShape(textOf(fieldOf(value, 'apiVersion'))) : DPS
  const findings = inspectValue(value, shape, source, options)
  const read = format === 'odps' ? readOdps : readDps
  const product = read(value, options.id, notes)
  // What the reader says about a field is closer to the matter than what the shape says about it.
  const fields = new Set(notes.errors.map(({ field }) => field))
  const others = (problems: Problem[]) => problems.filter(({ field }) => !fields.has(field))
  const errors = [...others(findings.errors), ...notes.errors]
  if (errors.length > 0) return { ok: false, problems: sortedProblems(errors) }
  return {
    ok: true,
    product,
    value,
    canonical: canonicalText(value, format === 'odps' ? ODPS_NEWEST : DPS),
    warnings: sortedProblems([...others(findings.warnings), ...notes.warnings]),
  }
}
