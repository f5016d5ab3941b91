import type { DataProduct } from '../../../formats/data-product/data-product.ts'
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
