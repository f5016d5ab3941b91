import { randomUUIDv7 } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import { withoutByteOrderMark } from '../../../formats/text/text.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { findProductOwner, findProductOwners } from '../../ledger/ports/service.ts'
import { may } from '../../requests/access/permission.ts'
import { documentListAnswer } from '../../requests/http/document-list.ts'
import type { Answer, Services } from '../../requests/http/endpoint.ts'
import {
  missingPermission,
  requirePermission,
  requireSomewhere,
} from '../../requests/http/missing-permission.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import { readTime, type Clock } from '../../platform/kit/clock.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import type { Database } from '../../platform/tables.ts'
import {
  type BatchEvent,
  type batchResult,
  type BatchReading,
  type FailedEvent,
  readEvent,
  readEvents,
} from './batch.ts'
import type { EventProduct } from './lineage-event.ts'
import * as store from './store.ts'

/** The services that store events. */
type RecordingServices = Pick<Services, 'db' | 'clock' | 'offload' | 'groupedInserts'>

/**
 * Stores an event as it was sent. The event may name a data product that does not exist; if it exists, the caller must
 * be permitted to edit it. Errors: permission_missing, validation_failed, those of `readDocument`,
 * document_too_costly, overloaded.
 */
export async function recordEvent(
  { db, clock, offload, groupedInserts }: RecordingServices,
  caller: Caller,
  text: string,
  product: EventProduct,
): Promise<void> {
  requireSomewhere(caller, 'DATAPRODUCT_EDIT')
  const { organizationId, principal } = caller
  const input = { text, product }
  const texts = [{ document: text, mediaType: 'application/json' }]
  const event = await offload.run(organizationId, readEvent, input, texts)
  if (event.productId !== null) await requireEditor(db, caller, event.productId)
  const columns = { ...event, organizationId, id: randomUUIDv7(), principal }
  const row: store.NewLineageEvent = { columns, document: withoutByteOrderMark(text) }
  await groupedInserts.add('lineage_event', row, (rows) => store.insertEvents(db, clock, rows))
}

/**
 * Stores the events of a batch as they were sent, each on its own. An event that cannot be stored does not affect the
 * others. Errors: permission_missing if the caller may edit nothing, or not the product of the request, those of `readBatch`, document_too_costly,
 * overloaded; those of the store if no event was stored.
 */
export async function recordBatch(
  { db, clock, offload, groupedInserts }: RecordingServices,
  caller: Caller,
  text: string,
  product: EventProduct,
): Promise<z.infer<typeof batchResult>> {
  requireSomewhere(caller, 'DATAPRODUCT_EDIT')
  const { organizationId, principal } = caller
  const texts = [{ document: text, mediaType: 'application/json' }]
  const batch = await offload.run(organizationId, readEvents, { text, product }, texts)
  const { failed } = batch
  if (product.productId !== undefined) await requireEditor(db, caller, product.productId)
  const permitted = await selectPermitted(db, caller, batch)
  const stored = await Promise.allSettled(
    permitted.map(async ({ start, end, event }) => {
      const columns = { ...event, organizationId, id: randomUUIDv7(), principal }
      const row: store.NewLineageEvent = { columns, document: text.slice(start, end).trim() }
      await groupedInserts.add('lineage_event', row, (rows) => store.insertEvents(db, clock, rows))
    }),
  )
  const outcomes = stored.map(findOutage)
  if (outcomes.length > 0 && outcomes.every((one) => one !== undefined)) {
    throw outcomes.find((one) => one?.isOutcomeUnknown) ?? outcomes[0]
  }
  for (const [at, { index }] of permitted.entries()) {
    const outage = outcomes[at]
    if (outage === undefined) continue
    const reason = outage.isOutcomeUnknown
      ? 'It is not known whether the event was stored.'
      : 'The event could not be stored.'
    failed.push({ index, reason, retriable: true })
  }
  return toBatchResult(batch.count, failed)
}

/** Returns the outage for which an event was not stored; undefined = it was stored. Errors: any other failure. */
function findOutage(result: PromiseSettledResult<void>): StoreUnavailable | undefined {
  if (result.status === 'fulfilled') return undefined
  if (result.reason instanceof StoreUnavailable) return result.reason
  throw result.reason
}

/** Returns the events whose data products the caller may edit; the others are added to the failed ones. */
async function selectPermitted(
  db: Database,
  caller: Caller,
  { events, failed }: BatchReading,
): Promise<readonly BatchEvent[]> {
  if (may(caller, 'DATAPRODUCT_EDIT', undefined)) return events
  const productIds = [...new Set(events.flatMap(({ event }) => event.productId ?? []))]
  const owners = await findProductOwners(db, caller.organizationId, productIds)
  return events.filter(({ index, event: { productId } }) => {
    const owner = productId === null ? undefined : owners.get(productId)
    if (owner === undefined || may(caller, 'DATAPRODUCT_EDIT', owner)) return true
    const reason = missingPermission('DATAPRODUCT_EDIT', owner).message
    failed.push({ index, reason, retriable: false })
    return false
  })
}

function toBatchResult(
  received: number,
  failed: readonly FailedEvent[],
): z.infer<typeof batchResult> {
  const retriable = failed.filter((one) => one.retriable).length
  return {
    status: failed.length === 0 ? 'success' : 'partial_success',
    summary: {
      received,
      successful: received - failed.length,
      failed: failed.length,
      retriable,
      non_retriable: failed.length - retriable,
    },
    failed_events: failed.toSorted((a, b) => a.index - b.index),
  }
}

async function requireEditor(db: Database, caller: Caller, productId: string): Promise<void> {
  // Most events come from callers that may edit every product; they need no further statement.
  if (may(caller, 'DATAPRODUCT_EDIT', undefined)) return
  const owner = await findProductOwner(db, caller.organizationId, productId)
  if (owner !== undefined) requirePermission(caller, 'DATAPRODUCT_EDIT', owner)
}

/** Returns a page of events as JSON, newest first. */
export async function listEvents(
  { db, bulkDb }: Pick<Services, 'db' | 'bulkDb'>,
  organizationId: string,
  filter: store.LineageEventFilter,
  request: { path: string; search: URLSearchParams; page: number; elementsMax: number },
): Promise<Answer> {
  const references = await store.listEvents(db, organizationId, filter, request)
  const load = (keys: readonly store.LineageEventKey[]): Promise<string[]> =>
    store.loadEvents(bulkDb, organizationId, keys)
  return await documentListAnswer(references, load, request)
}

// A statement deletes at most this many events, so that it stays well below the query timeout.
const DELETE_EVENTS_MAX = 10_000

/**
 * Deletes the events that match a filter, all of them without one. Returns their number. Errors: permission_missing.
 */
export async function deleteEvents(
  { bulkDb, clock }: Pick<Services, 'bulkDb' | 'clock'>,
  caller: Caller,
  filter: store.LineageEventFilter,
  requestId: string,
): Promise<number> {
  requirePermission(
    caller,
    'DATAPRODUCT_DELETE',
    null,
    'Only organization owners and organization keys can delete lineage events.',
  )
  // Events that arrive from now on stay, so that the deletion ends.
  const before = await readTime(bulkDb, clock)
  const limit = DELETE_EVENTS_MAX
  const { organizationId, principal } = caller
  const deletion = { before, limit, principal, requestId }
  return await deleteInBatches(limit, () =>
    store.deleteEvents(bulkDb, organizationId, filter, deletion),
  )
}

/** Deletes the events of all organizations that are older than 90 days. Returns their number. */
export async function deleteExpiredEvents(db: Database, clock: Clock): Promise<number> {
  const limit = DELETE_EVENTS_MAX
  return await deleteInBatches(limit, () => store.deleteExpiredEvents(db, clock, limit))
}
