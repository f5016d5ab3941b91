// Detects the standard of a data contract. Documents that were sent to the wrong endpoint get a message with the
// right one.

import type { Notes } from '../text/problem.ts'
import { getField, isObject, type ObjectValue, asText } from '../text/value.ts'
import type { ContractFormat } from './data-contract.ts'

const BOTH =
  'The document has the version fields of both ODCS (apiVersion, kind) and DCS (dataContractSpecification); it is treated as ODCS. Remove the fields of the other format.'

const NEITHER =
  'This is neither an ODCS document (apiVersion and kind: DataContract) nor a DCS document (dataContractSpecification and info); add the fields of its format.'

const PRODUCT = 'This is a data product; send it to /api/dataproducts.'

/** Detects the format of a document; reports an error and returns undefined if it is not supported. */
export function detectFormat(value: ObjectValue, notes: Notes): ContractFormat | undefined {
  const has = (name: string) => (getField(value, name) ?? null) !== null
  const isOdcs = has('apiVersion') || getField(value, 'kind') === 'DataContract'
  const isDcs = has('dataContractSpecification') || isObject(getField(value, 'info'))
  if (getField(value, 'kind') === 'DataProduct' || has('dataProductSpecification')) {
    notes.error([has('kind') ? 'kind' : 'dataProductSpecification'], PRODUCT)
  } else if (isOdcs) {
    if (has('dataContractSpecification')) notes.warning(['dataContractSpecification'], BOTH)
    return 'odcs'
  } else if (isDcs) {
    return 'dcs'
  } else {
    notes.error([], NEITHER)
  }
  return undefined
}

/** Returns whether an ODCS document has the structure of the 2.2 versions, with `dataset` and `columns`. */
export function isOdcs2(value: ObjectValue): boolean {
  const version = asText(getField(value, 'apiVersion'))
  if (version === undefined) return getField(value, 'dataset') !== undefined
  return version.startsWith('v2.')
}
