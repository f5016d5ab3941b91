// Detects the standard of data products, and reads those of any supported format without validating them. Documents that
// were sent to the wrong endpoint get a message with the right one.

import { NOWHERE, type ReadOptions } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { isObject, type ObjectValue, type Value, getField, asText } from '../text/value.ts'
import type { DataProduct, ProductFormat } from './data-product.ts'
import { readDps } from './dps.ts'
import { readOdps } from './odps.ts'

const BOTH =
  'The document has the version fields of both ODPS (apiVersion, kind) and DPS (dataProductSpecification); it is treated as ODPS. Remove the fields of the other format.'

const NEITHER =
  'This is neither an ODPS document (apiVersion and kind: DataProduct) nor a DPS document (dataProductSpecification and info); add the fields of its format.'

const OTHER_ODPS =
  'This follows the Open Data Product Specification of opendataproducts.org; here ODPS means the Open Data Product Standard of bitol.io (apiVersion and kind: DataProduct). Rewrite the document in that one.'

const CONTRACT = 'This is a data contract; send it to /api/datacontracts.'

/** Detects the format of a document; reports an error and returns undefined if it is not supported. */
export function detectFormat(value: ObjectValue, notes: Notes): ProductFormat | undefined {
  const has = (name: string) => (getField(value, name) ?? null) !== null
  const isOdps = has('apiVersion') || getField(value, 'kind') === 'DataProduct'
  const isDps = has('dataProductSpecification') || isObject(getField(value, 'info'))
  if (isOtherOdps(value, isOdps || isDps)) {
    notes.error([has('schema') ? 'schema' : 'product'], OTHER_ODPS)
  } else if (getField(value, 'kind') === 'DataContract' || has('dataContractSpecification')) {
    notes.error([has('kind') ? 'kind' : 'dataContractSpecification'], CONTRACT)
  } else if (isOdps) {
    if (has('dataProductSpecification')) notes.warning(['dataProductSpecification'], BOTH)
    return 'odps'
  } else if (isDps) {
    return 'dps'
  } else {
    notes.error([], NEITHER)
  }
  return undefined
}

// Another standard with the same abbreviation: all fields are below `product`, and `schema` is an address of that
// standard.
function isOtherOdps(value: ObjectValue, hasMarksOfOurs: boolean): boolean {
  const schema = asText(getField(value, 'schema')) ?? ''
  if (/^https?:\/\/([\w-]+\.)*opendataproducts\.org(?:[/:?#]|$)/i.test(schema)) return true
  return !hasMarksOfOurs && isObject(getField(value, 'product'))
}

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
