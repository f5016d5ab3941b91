import type { Caller } from '../../requests/access/caller.ts'
import { findProductOwner } from '../../ledger/ports/service.ts'
import { notFound } from '../../platform/errors.ts'
import { documentListAnswer } from '../../requests/http/document-list.ts'
import type { Answer, Services } from '../../requests/http/endpoint.ts'
import { may } from '../../requests/access/permission.ts'
import { requirePermission, requireSomewhere } from '../../requests/http/missing-permission.ts'
import { nextLink } from '../../requests/http/paging.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import { readTime, type Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { COUNTED_MONTHS, toSpanKey, type SpanColumns, type SpanFilter } from './span.ts'
import { nameConsumers } from './consumer-store.ts'
import * as store from './store.ts'
import { findUsage } from './summary-store.ts'
import { readSpans } from './otlp.ts'
import { upsertSpans, type UpsertResult } from './upsert-store.ts'
import type { ProductUsage } from './usage.ts'

/** The spans of a request that were not stored, and why. */
interface RejectedSpans {
  count: number
  message: string
}

// The number of requests of an organization that write at the same time: one computes while the other waits for the
// disk.
const WRITERS = 2

type Work = Pick<Services, 'db' | 'bulkDb' | 'clock' | 'offload' | 'serialize'>

/**
 * Stores the spans of a request with traces and counts them. Data products that do not exist are accepted: they may
 * be registered later. Returns the spans that were rejected. Errors: permission_missing for a data product or
 * a stored span of another team, body_malformed, body_unacceptable, validation_failed, document_too_costly, overloaded.
 */
export async function receiveTraces(
  work: Work,
  caller: Caller,
  text: string,
): Promise<RejectedSpans> {
  requireSomewhere(caller, 'DATAPRODUCT_EDIT')
  const { organizationId } = caller
  const body = { document: text, mediaType: 'application/json' }
  const batch = await work.offload.run(organizationId, readSpans, { text }, [body])
  const { columns, count, productIds, rejectedCount, reasons } = batch
  // Requests of an organization would otherwise occupy a connection each while they wait for the same days.
  const write = async (): Promise<number> => {
    await requireReports(work.db, caller, productIds, columns.spanIds)
    return count === 0 ? 0 : await writeSpans(work, caller, columns)
  }
  const outdated = await work.serialize(`usage ${organizationId}`, write, WRITERS)
  return {
    count: rejectedCount + outdated,
    message: [...reasons, ...describeOutdated(outdated)].join('; '),
  }
}

// Another process may store a span of another team after the check, whose place this request then takes. What was
// replaced is therefore checked in the transaction that replaced it. Returns the number of outdated spans.
async function writeSpans(
  { bulkDb, clock }: Pick<Work, 'bulkDb' | 'clock'>,
  caller: Caller,
  columns: SpanColumns,
): Promise<number> {
  const { organizationId } = caller
  const write = async (db: Database): Promise<UpsertResult> =>
    await upsertSpans(db, clock, organizationId, columns)
  if (may(caller, 'DATAPRODUCT_EDIT', undefined)) return (await write(bulkDb)).outdatedCount
  return await bulkDb.transaction().execute(async (transaction) => {
    const { outdatedCount, replacedProductIds } = await write(transaction)
    await requireReports(transaction, caller, replacedProductIds)
    return outdatedCount
  })
}

// Products that do not exist have no owner yet, so any editor may report their usage. A span may not take the place of
// one that belongs to the data product of another team.
async function requireReports(
  db: Database,
  caller: Caller,
  productIds: readonly string[],
  spanIds = '',
): Promise<void> {
  if (may(caller, 'DATAPRODUCT_EDIT', undefined)) return
  const owners = await store.listOwners(db, caller.organizationId, productIds, spanIds)
  for (const owner of owners) requirePermission(caller, 'DATAPRODUCT_EDIT', owner)
}

function describeOutdated(count: number): string[] {
  if (count === 0) return []
  return [
    `spans that started more than ${COUNTED_MONTHS} months ago or in the future are not counted (${count})`,
  ]
}

const OTLP_FRAME = { start: '{"resourceSpans":[', end: ']}' }

/**
 * Returns a page of stored spans as an OTLP document, grouped by resource and scope. A group may repeat. The next page is
 * linked after the last span of this one if the request names a span, or neither a number nor a size; otherwise by its
 * number.
 */
export async function listTraces(
  { db, bulkDb }: Pick<Services, 'db' | 'bulkDb'>,
  { organizationId }: Caller,
  filter: SpanFilter,
  { path, search, ...page }: store.SpanPage & { path: string; search: URLSearchParams },
): Promise<Answer> {
  const references = await store.listSpans(db, organizationId, filter, page)
  const load = async (keys: readonly string[]): Promise<string[]> =>
    groupSpans(await store.loadSpans(bulkDb, organizationId, keys))
  const { page: number, size } = page
  const request = { path, search, page: number, elementsMax: size }
  const answer = await documentListAnswer(references, load, request, {}, OTLP_FRAME)
  const last = references[size - 1]
  const isByNumber = !search.has('after') && (search.has('p') || search.has('size'))
  if (isByNumber || last === undefined || references.length <= size) return answer
  return { ...answer, headers: { link: nextLink(path, search, 'after', last.key) } }
}

function groupSpans(spans: readonly store.StoredSpan[]): string[] {
  const byResource = new Map<string, Map<string, string[]>>()
  for (const { resource, scope, span } of spans) {
    const byScope = byResource.get(resource) ?? new Map<string, string[]>()
    byResource.set(resource, byScope)
    const list = byScope.get(scope) ?? []
    byScope.set(scope, list)
    list.push(span)
  }
  return Array.from(byResource, ([resource, byScope]) => {
    const scopeSpans = Array.from(
      byScope,
      ([scope, list]) => `{"scope":${scope},"spans":[${list.join(',')}]}`,
    )
    return `{"resource":${resource},"scopeSpans":[${scopeSpans.join(',')}]}`
  })
}

/**
 * Deletes the spans that match a filter, and subtracts them from the counts. If only a data product or nothing
 * limits the deletion, the counts of older spans are deleted too. Returns the number of deleted spans. Errors:
 * permission_missing.
 */
export async function deleteTraces(
  { db, bulkDb, clock }: Pick<Services, 'db' | 'bulkDb' | 'clock'>,
  caller: Caller,
  filter: SpanFilter,
  requestId: string,
): Promise<number> {
  const { organizationId, principal } = caller
  const { dataProductId, spanId, ...narrower } = filter
  requireSomewhere(caller, 'DATAPRODUCT_DELETE')
  const productIds = dataProductId === undefined ? [] : [dataProductId]
  const [owner = null] = await store.listOwners(db, organizationId, productIds)
  requirePermission(caller, 'DATAPRODUCT_DELETE', owner)
  const key = spanId === undefined ? undefined : toSpanKey(spanId)
  // Spans that arrive during the deletion stay, so that it ends.
  const before = await readTime(bulkDb, clock)
  const count = await deleteInBatches(store.DELETE_SPANS_MAX, () =>
    store.deleteSpans(
      bulkDb,
      clock,
      organizationId,
      { ...filter, spanId: key },
      { before, principal, requestId },
    ),
  )
  const isWhole = [key, ...Object.values(narrower)].every((value) => value === undefined)
  if (isWhole) {
    await store.clearArchive(bulkDb, clock, organizationId, dataProductId, { principal, requestId })
  }
  return count
}

/** Returns the usage of a data product by month, consumer and output port. Errors: not_found. */
export async function getProductUsage(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organizationId }: Caller,
  id: string,
): Promise<ProductUsage> {
  if ((await findProductOwner(db, organizationId, id)) === undefined) throw notFound()
  const usage = await findUsage(db, clock, organizationId, id)
  const names = await nameConsumers(db, organizationId, id, usage.consumers)
  const consumers = usage.consumers.map((one, at) => ({ ...one, consumer: names[at] ?? null }))
  return { ...usage, consumers }
}

/** Deletes spans after 30 days, whose counts remain, and counts after 13 months. */
export async function expireUsage(db: Database, clock: Clock): Promise<void> {
  await deleteInBatches(store.DELETE_SPANS_MAX, () => store.archiveSpans(db, clock))
  await store.deleteOldCounts(db, clock)
}
