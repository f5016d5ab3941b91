// Reads data products of any supported format, without validating them.

import { NOWHERE, type ReadOptions } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import type { DataProduct, ProductFormat } from './data-product.ts'
import { detectFormat } from './detect.ts'
import { readDps } from './dps.ts'
import { readOdps } from './odps.ts'

/** Reads a document; reports problems that its shape does not cover. */
export function readFacts(
  value: ObjectValue,
  format: ProductFormat,
  options: ReadOptions,
  notes: Notes,
): DataProduct {
  return (format === 'odps' ? readOdps : readDps)(value, options, notes)
}

/**
 * Reads a stored document, which was validated when it was registered; undefined if it cannot be read. `owner` is the
 * team that owns the product in the catalog.
 */
export function readStoredProduct(
  value: Value,
  { id, owner }: { id: string; owner: string | undefined },
): DataProduct | undefined {
  const notes = new Notes(NOWHERE)
  const format = isObject(value) ? detectFormat(value, notes) : undefined
  if (!isObject(value) || format === undefined) return undefined
  const product = readFacts(value, format, { id, owner, strict: false, isAccepted: true }, notes)
  return notes.errors.length > 0 ? undefined : product
}
