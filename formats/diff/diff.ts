// Compares two versions of a data product by meaning: ports are matched by name, tags and links at any position, and
// an order without meaning is ignored.

import { odpsFromDps } from '../data-product/convert.ts'
import type { DataProduct, ProductFormat } from '../data-product/data-product.ts'
import { DPS } from '../data-product/dps-shape.ts'
import { ODPS_NEWEST } from '../data-product/odps-shape.ts'
import { getField, asText, type Value } from '../text/value.ts'
import type { StandardDiff } from './contract.ts'
import type { Change } from './level.ts'
import { DPS_DIALECT, ODPS_DIALECT } from './product.ts'
import { explainVariables } from './variable-change.ts'
import { Walk } from './walk.ts'

export { highestLevel } from './level.ts'
export type { Change, Level } from './level.ts'

/** A parsed data product with its document. */
export interface ReadProduct {
  product: DataProduct
  value: Value
}

/**
 * Lists the changes from one version to the next; empty if and only if both mean the same. Versions in different
 * formats are compared in their ODPS form, and the paths point into that form.
 */
export function diffDataProducts(before: ReadProduct, after: ReadProduct): Change[] {
  if (before.product.format === after.product.format) {
    return diffValues(before.value, after.value, after.product.format)
  }
  const changes = diffValues(odpsForm(before), odpsForm(after), 'odps')
  const formats = { before: before.product.format, after: after.product.format }
  const message = `The document is in ${NAMES[formats.after]} now; it was in ${NAMES[formats.before]}.`
  const change: Change = { path: '', kind: 'changed', level: 'wording', ...formats, message }
  return [change, ...changes.filter((one) => !isFromConversion(one))]
}

/** Lists the changes between two versions in their ODPS form; their own formats may differ. */
export function diffAsOdps(before: ReadProduct, after: ReadProduct): StandardDiff {
  const [one, other] = [odpsForm(before), odpsForm(after)]
  const isConverted = [before, after].some(({ product }) => product.format !== 'odps')
  const all = diffValues(one, other, 'odps')
  const changes = isConverted ? all.filter((change) => !isFromConversion(change)) : all
  return { before: one, after: other, changes, aspects: new Map() }
}

const NAMES = { odps: 'ODPS', dps: 'DPS' }

function odpsForm({ product, value }: ReadProduct): Value {
  return product.format === 'odps' ? value : odpsFromDps(value, product.id)
}

// Marks that the conversion adds so that it can be reversed are not part of the meaning.
function isFromConversion({ path, before, after }: Change): boolean {
  const item = after ?? before
  const isConversionProperty = asText(getField(item, 'property'))?.startsWith('dps.') === true
  return (
    ['/apiVersion', '/kind'].includes(path) ||
    (isConversionProperty && getField(item, 'value') === null)
  )
}

function diffValues(before: Value, after: Value, format: ProductFormat): Change[] {
  return explainVariables(
    format === 'odps'
      ? new Walk(ODPS_DIALECT).documents(before, after, ODPS_NEWEST)
      : new Walk(DPS_DIALECT).documents(before, after, DPS),
  )
}
