import { ApiError, notFound } from '../platform/errors.ts'
import { listAnswerAsOf, revisionAsOf } from '../ledger/history/service.ts'
import { documentListAnswer } from '../requests/http/document-list.ts'
import type { Answer, ReadingServices } from '../requests/http/endpoint.ts'
import { withIds } from '../requests/http/json.ts'
import { getIdField, type DocumentKind } from '../platform/kinds.ts'
import type { Instant } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { CustomFilter } from './search/custom-field.ts'
import { matchText } from './search/list-service.ts'
import { parseQuery } from './search/query.ts'
import type { RegisteredDocument } from './document.ts'
import type { Order } from './query.ts'
import * as lists from './list-store.ts'
import * as store from './store.ts'
import { isDeprecated } from './sunset.ts'

/** Returns a document, now or as of an instant. Errors: not_found. */
export async function getDocument(
  db: Database,
  kind: DocumentKind,
  organizationId: string,
  id: string,
  asOf?: Instant,
): Promise<RegisteredDocument> {
  if (asOf !== undefined) {
    const name = { organizationId, kind, externalId: id }
    return { ...(await revisionAsOf(db, name, asOf)), documentJson: null }
  }
  const found = await store.findDocument(db, kind, organizationId, id)
  if (found === undefined) throw notFound()
  return found
}

/** Which documents a list shows, in which order, of which moment. */
interface DocumentList {
  organizationId: string
  kind: DocumentKind
  q?: string | undefined
  teamId?: string[] | undefined
  domainId?: string[] | undefined
  owner?: string | undefined
  domain?: string | undefined
  status?: string | undefined
  tag?: string | undefined
  custom?: readonly CustomFilter[]
  /** The required values of columns that only this kind of document has. */
  own?: Readonly<Record<string, string | undefined>>
  sort: Order
  /** The maximum number of elements in a page. */
  elementsMax: number
  p: number
  asOf?: Instant | undefined
}

/**
 * Returns a page of documents as JSON. `headersFor` returns the headers of a format. Errors: query_invalid for
 * custom fields of former versions.
 */
export async function listDocuments(
  { db, offload }: ReadingServices,
  list: DocumentList,
  request: { path: string; search: URLSearchParams },
  headersFor: (format: string) => Record<string, string>,
): Promise<Answer> {
  const { organizationId, kind, p: page, asOf: instant, sort, elementsMax } = list
  const filter: lists.DocumentFilter = {
    ...list,
    teamIds: list.teamId,
    domainIds: list.domainId,
  }
  const { q = '' } = list
  if (instant !== undefined) {
    if (list.custom?.length) throw rejectFormerCustom()
    const words = q.trim() === '' ? undefined : parseQuery(q).names.map(({ joined }) => joined)
    const filters = lists.formerConditions(organizationId, { ...filter, words })
    const order = lists.formerOrder(sort)
    const former = { organizationId, kind, instant, filters, order, page, elementsMax }
    return await listAnswerAsOf({ db, offload }, former, request, getDeprecation(headersFor))
  }
  const match = await matchText(db, organizationId, q)
  const text = match === 'everything' ? undefined : match
  const references =
    match === undefined
      ? []
      : await lists.listReferences(db, {
          organizationId,
          kind,
          filter: { ...filter, match: text },
          sort,
          page,
          elementsMax,
        })
  const firstChunk = new Map(
    references.flatMap(({ key: id, document }) =>
      document === null ? [] : [[id, { id, document }]],
    ),
  )
  const load = async (ids: readonly string[]): Promise<string[]> => {
    const loaded = ids.map((id) => firstChunk.get(id)).filter((found) => found !== undefined)
    firstChunk.clear()
    const isComplete = loaded.length === ids.length
    const documents = isComplete ? loaded : await lists.loadDocuments(db, kind, organizationId, ids)
    return await withIds(documents, getIdField(kind))
  }
  const headers = getDeprecation(headersFor)(references.map(({ format }) => format))
  return await documentListAnswer(references, load, { ...request, page, elementsMax }, headers)
}

function rejectFormerCustom(): ApiError {
  const message =
    'cannot be combined with asOf: custom fields of former versions are not indexed; omit one of them'
  return new ApiError('query_invalid', `The query parameter custom ${message}.`, {
    violations: [{ field: 'custom', message }],
  })
}

function getDeprecation(
  headersFor: (format: string) => Record<string, string>,
): (formats: readonly string[]) => Record<string, string> {
  return (formats) => {
    const deprecated = formats.find(isDeprecated)
    return deprecated === undefined ? {} : headersFor(deprecated)
  }
}
