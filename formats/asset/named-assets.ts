// The assets of a data product. Neither standard has a field for them: documents name them in `assets` of the
// product or of an output port; in ODPS that is a custom property.

import { listObjects } from '../data-product/fields.ts'
import { customValue } from '../data-contract/custom-properties.ts'
import { getField, asText, type Value } from '../text/value.ts'

/** Gives the ids of the assets that a data product's document names, each once, in the order of the text. */
export function namedAssets(product: Value): string[] {
  const ports = ['outputPorts', 'inputPorts'].flatMap((list) =>
    listObjects(getField(product, list)).map(({ item }) => item),
  )
  const ids = [product, ...ports].flatMap((owner) => [
    ...idsIn(getField(owner, 'assets')),
    ...idsIn(customValue(getField(owner, 'customProperties'), 'assets')),
    ...idsIn(getField(getField(owner, 'custom'), 'assets')),
  ])
  return [...new Set(ids)]
}

// An asset is named by its id, or by an object that has the id among its fields.
function idsIn(named: Value | undefined): string[] {
  if (typeof named === 'string') return [named]
  if (!Array.isArray(named)) return []
  return named.flatMap((one) => {
    const id = asText(one) ?? asText(getField(one, 'id')) ?? asText(getField(one, 'assetId'))
    return id === undefined ? [] : [id]
  })
}
