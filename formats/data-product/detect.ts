// Detects the standard of a document. Documents that were sent to the wrong endpoint get a message with the right
// one.

import type { Notes } from '../text/problem.ts'
import { getField, isObject, type ObjectValue, asText } from '../text/value.ts'
import type { ProductFormat } from './data-product.ts'

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
