import type { DataProduct } from '../../../formats/data-product/data-product.ts'
import { getEffectiveStatus, isEndingStatus } from '../../../formats/data-product/standing.ts'
import { asText, getField } from '../../../formats/text/value.ts'
import { api, type Schemas } from '../../api/client.ts'
import type { ShownDocument } from '../../documents/document-page.tsx'

/** A data product as its page shows it. */
export type ShownProduct = ShownDocument<DataProduct>

/** Returns the description of a product; in ODPS also its limitations and usage. */
export function describeProduct({ facts, value }: ShownProduct): readonly [string, string][] {
  const description = getField(value, 'description')
  const texts: [string, string | undefined][] = [
    ['Purpose', facts.description],
    ['Limitations', asText(getField(description, 'limitations'))],
    ['Usage', asText(getField(description, 'usage'))],
  ]
  return texts.flatMap(([title, text]) =>
    text === undefined || text.trim() === '' ? [] : [[title, text]],
  )
}

/** Lists what a page of a product shows as deprecated: the product, if it or a port is, and contracts of its ports. */
export function listDeprecatedOfProduct(
  { facts }: ShownProduct,
  contracts: readonly Schemas['PortContract'][],
): { kind: 'data-product' | 'data-contract'; id: string }[] {
  const own = [facts, ...facts.inputPorts, ...facts.outputPorts]
  const isOwn = own.some((part) => isEndingStatus(getEffectiveStatus(part)))
  const ending = contracts.flatMap(({ contractId, contract }) =>
    isEndingStatus(contract?.status ?? undefined)
      ? [{ kind: 'data-contract' as const, id: contractId }]
      : [],
  )
  return [...(isOwn ? [{ kind: 'data-product' as const, id: facts.id }] : []), ...ending]
}

/** The resources upstream and downstream of a product. */
export type Lineage = Schemas['Lineage']

/** The number of steps in each direction. */
export type Depth = '1' | '2' | '3'

/** Asks for the neighbours of a data product. */
export function lineageQuery(id: string, depth: Depth) {
  return api.queryOptions('get', '/api/dataproducts/{id}/lineage', {
    params: { path: { id }, query: { depth: Number(depth) } },
  })
}
