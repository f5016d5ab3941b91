// Parses data product documents in any supported format.

import { canonicalText } from '../shape/canonical.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import { lazy } from '../shape/lazy.ts'
import { readDocument } from '../shape/read-document.ts'
import { any, type ObjectShape, shapeAt } from '../shape/shape.ts'
import { noteNewerVersion } from '../standards/version.ts'
import type { Problem } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { getField, isObject, asText, type Value } from '../text/value.ts'
import type { ComparableProduct, DataProduct } from './data-product.ts'
import { detectFormat, readFacts } from './facts.ts'
import { DPS } from './dps-shape.ts'
import { listObjects } from './fields.ts'
import { ODPS_NEWEST, ODPS_VERSIONS, odpsShape } from './odps-shape.ts'

/** The parsed document, or all its problems, sorted by field. */
export type ProductParseResult =
  | { ok: true; product: ComparableProduct; value: Value; canonical: string; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

/**
 * Parses a data product document (ODPS v0.9.0 to v1.1.0, DPS 0.0.1). `id` is the id it is stored under; a document
 * with a different id is rejected. `strict` turns deviations from the official schema from warnings into errors. All
 * problems are reported together, sorted by field. Never throws.
 */
export function readDataProduct(source: SourceText, options: ReadOptions): ProductParseResult {
  const { value } = source
  const document = readDocument(source, options, (notes) => {
    const format = isObject(value) ? detectFormat(value, notes) : undefined
    if (!isObject(value) || format === undefined) return undefined
    const isOdps = format === 'odps'
    return {
      shape: isOdps ? odpsShape(asText(getField(value, 'apiVersion'))) : DPS,
      read: () => readFacts(value, format, options, notes),
      allowsVariables: isOdps,
      isNewer: isOdps && noteNewerVersion(value, ODPS_VERSIONS, notes, options),
    }
  })
  if (!document.ok) return document
  const { content, getWarnings } = document
  const newest = content.format === 'odps' ? ODPS_NEWEST : DPS
  // Rarely needed for earlier versions.
  const getCanonical = lazy(() => canonicalText(value, newest))
  return {
    ok: true,
    product: toComparable(content, value, newest),
    value,
    get canonical() {
      return getCanonical()
    },
    get warnings() {
      return getWarnings()
    },
  }
}

function toComparable(product: DataProduct, value: Value, shape: ObjectShape): ComparableProduct {
  const port = shapeAt(shape, ['outputPorts', 0]) ?? any
  const items = listObjects(getField(value, 'outputPorts'))
  const texts = items.map(({ item }) => canonicalText(item, port))
  const outputPorts = product.outputPorts.map((one, at) => ({ ...one, canonical: texts[at] ?? '' }))
  return { ...product, outputPorts }
}
