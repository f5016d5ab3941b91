import { odpsFromDps } from '../../formats/data-product/convert.ts'
import { jsonText } from '../../formats/text.ts'
import { notFound } from '../errors.ts'
import { listAnswerAsOf, revisionAsOf } from '../history/service.ts'
import { documentListAnswer } from '../http/document-list.ts'
import { readStored } from '../http/document.ts'
import type { Answer } from '../http/endpoint.ts'
import type { Instant } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { wordsOf } from './data-product.ts'
import * as lists from './list-store.ts'
import * as store from './store.ts'

/** A product's document, now or as of an instant. Errors: not_found. */
export async function getProduct(
  db: Database,
  organizationId: string,
  id: string,
  asOf: Instant | undefined,
): Promise<store.ProductDocument> {
  if (asOf !== undefined) {
    const name = { organizationId, kind: 'data-product', externalId: id } as const
    return { ...(await revisionAsOf(db, name, asOf)), documentJson: null }
  }
  const found = await store.findProduct(db, organizationId, id)
  if (found === undefined) throw notFound()
  return found
}

/** The ODPS form of a stored product: itself, or a DPS document converted. */
export function odpsFormOf(stored: store.ProductDocument, id: string): store.ProductDocument {
  if (stored.format === 'odps') return stored
  const converted = odpsFromDps(readStored(stored).spelled(), id)
  return {
    document: jsonText(converted),
    documentJson: null,
    mediaType: 'application/json',
    format: 'odps',
    digest: `${stored.digest}.odps`,
  }
}

/** Which products a list shows, in which order, of which moment. */
export interface ProductList {
  q?: string | undefined
  teamId?: string[] | undefined
  domainId?: string[] | undefined
  archetype?: string | undefined
  status?: string | undefined
  tag?: string | undefined
  sort: lists.Sort
  p: number
  asOf?: Instant | undefined
}

/** One page of products as JSON, and whether one of them is in a deprecated format. */
export async function listProducts(
  db: Database,
  organizationId: string,
  list: ProductList,
  request: { path: string; search: URLSearchParams },
  headersFor: (format: string) => Record<string, string>,
): Promise<Answer> {
  const { p: page, asOf: instant, sort } = list
  const filter: lists.ProductFilter = {
    ...list,
    words: list.q === undefined || list.q.trim() === '' ? undefined : wordsOf(list.q),
    teamIds: list.teamId,
    domainIds: list.domainId,
  }
  if (instant !== undefined) {
    const filters = lists.formerConditions(filter)
    const order = lists.formerOrder(sort)
    const kind = 'data-product' as const
    return await listAnswerAsOf(
      db,
      { organizationId, kind, instant, filters, order, page },
      request,
      headersFor,
    )
  }
  const references = await lists.listReferences(db, organizationId, filter, sort, page)
  const load = (ids: readonly string[]): Promise<string[]> =>
    lists.loadDocuments(db, organizationId, ids)
  const deprecated = references.find((reference) => reference.format === 'dps')
  const headers = headersFor(deprecated?.format ?? 'odps')
  return await documentListAnswer(references, load, { ...request, page }, headers)
}
