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
  return [...new Set([product, ...ports].flatMap(listNamed))]
}

/** An asset that an output port names, and the contract of the port. */
interface OutputAsset {
  contractId: string
  assetId: string
}

/** The maximum number of assets that the output ports of a product name for their contracts. */
const OUTPUT_ASSETS_MAX = 1000

/** Lists the assets that the output ports of a product name, as stored texts; `ports` are its output ports as read. */
export function listOutputAssets(
  product: Value,
  ports: readonly { contractId?: string }[],
): string[] {
  const named = listObjects(getField(product, 'outputPorts')).flatMap(({ item }, at) => {
    const contractId = ports[at]?.contractId
    return contractId === undefined
      ? []
      : listNamed(item).map((assetId) => JSON.stringify([contractId, assetId]))
  })
  return [...new Set(named)].slice(0, OUTPUT_ASSETS_MAX)
}

/** Parses a text of `listOutputAssets`. */
export function parseOutputAsset(text: string): OutputAsset {
  const pair: unknown = JSON.parse(text)
  const [contractId, assetId] = Array.isArray(pair) ? pair.map(String) : []
  return { contractId: contractId ?? '', assetId: assetId ?? '' }
}

function listNamed(owner: Value): string[] {
  return [
    ...idsIn(getField(owner, 'assets')),
    ...idsIn(customValue(getField(owner, 'customProperties'), 'assets')),
    ...idsIn(getField(getField(owner, 'custom'), 'assets')),
  ]
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
