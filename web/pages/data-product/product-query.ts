import { useQuery } from '@tanstack/react-query'
import type { DataProduct } from '../../../formats/data-product/data-product.ts'
import { readStoredProduct } from '../../../formats/data-product/facts.ts'
import { readJson } from '../../../formats/text/json-read.ts'
import { getField, asText, type Value } from '../../../formats/text/value.ts'
import { storedQuery, type StoredText } from '../../documents/stored-document.ts'
import { PRODUCT_KIND } from './product-kind.ts'

/** A data product as its page shows it. */
export interface ShownProduct {
  stored: StoredText
  product: DataProduct
  /** The whole document. */
  value: Value
  /** The last day on which its format is taken, `YYYY-MM-DD`; undefined = the format stays. */
  endsOn: string | undefined
}

const UNREADABLE = 'The document could not be read. The API still returns its source.'

/** Reads a data product for its page. Errors: Problem, 404 when there is none. */
export function useProduct(id: string) {
  return useQuery({ ...storedQuery(PRODUCT_KIND, id), select: (stored) => shown(stored, id) })
}

function shown(stored: StoredText, id: string): ShownProduct {
  const bounds = { top: 'object', nodesMax: Number.POSITIVE_INFINITY, isAccepted: true } as const
  const read = readJson(stored.json, bounds)
  if (!read.ok) throw new Error(UNREADABLE)
  const product = readStoredProduct(read.value, { id, owner: stored.owner })
  if (product === undefined) throw new Error(UNREADABLE)
  const ends = Date.parse(stored.sunset ?? '')
  const endsOn = Number.isNaN(ends) ? undefined : new Date(ends).toISOString().slice(0, 10)
  return { stored, product, value: read.value, endsOn }
}

/** Returns the description of a product; in ODPS also its limitations and usage. */
export function describeProduct({ product, value }: ShownProduct): readonly [string, string][] {
  const description = getField(value, 'description')
  const told: [string, string | undefined][] = [
    ['Purpose', product.description],
    ['Limitations', asText(getField(description, 'limitations'))],
    ['Usage', asText(getField(description, 'usage'))],
  ]
  return told.flatMap(([title, text]) =>
    text === undefined || text.trim() === '' ? [] : [[title, text]],
  )
}
