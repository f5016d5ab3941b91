import { notFound } from '../../platform/errors.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import type {
  DeliveryDetails,
  DeliveryFilter,
  DeliverySummary,
  DeliveryTarget,
} from './delivery.ts'
import * as store from './ledger-store.ts'

/** The maximum number of deliveries in a page of the ledger. */
const DELIVERIES_ON_PAGE_MAX = 100

/** The maximum number of deliveries that one request sends again. */
const REPLAYED_MAX = 10_000

const DELETED_AT_ONCE = 1000

/** Lists a page of the ledger of a receiver, the newest delivery first, and whether there are more. */
export async function listLedger(
  db: Database,
  target: DeliveryTarget,
  filter: DeliveryFilter,
  page: number,
): Promise<{ deliveries: DeliverySummary[]; hasMore: boolean }> {
  const range = { offset: page * DELIVERIES_ON_PAGE_MAX, limit: DELIVERIES_ON_PAGE_MAX + 1 }
  const rows = await store.listDeliveries(db, target, filter, range)
  return {
    deliveries: rows.slice(0, DELIVERIES_ON_PAGE_MAX),
    hasMore: rows.length > DELIVERIES_ON_PAGE_MAX,
  }
}

/** Returns a delivery of a receiver with its attempts. Errors: not_found. */
export async function getDelivery(
  db: Database,
  target: DeliveryTarget,
  id: string,
): Promise<DeliveryDetails> {
  const delivery = isUuid(id) ? await store.findDelivery(db, target, id) : undefined
  if (delivery === undefined) throw notFound()
  return { ...delivery, attemptList: await store.listAttempts(db, target.organizationId, id) }
}

/** Sends a delivery again; one that waits for its next attempt is attempted now. Errors: not_found. */
export async function replayDelivery(
  { db, clock }: { db: Database; clock: Clock },
  target: DeliveryTarget,
  id: string,
): Promise<void> {
  await getDelivery(db, target, id)
  await store.replayDeliveries(db, clock, target, { id })
}

/** Sends the first deliveries that match a filter again, at most 10,000. Returns their number. */
export async function replayRange(
  { db, clock }: { db: Database; clock: Clock },
  target: DeliveryTarget,
  filter: DeliveryFilter,
): Promise<number> {
  return await store.replayDeliveries(db, clock, target, { filter, limit: REPLAYED_MAX })
}

/** Deletes the deliveries that ended more than 30 days ago, with their attempts. Returns their number. */
export async function deleteExpiredDeliveries(db: Database, clock: Clock): Promise<number> {
  return await deleteInBatches(DELETED_AT_ONCE, () =>
    store.deleteEndedDeliveries(db, clock, DELETED_AT_ONCE),
  )
}
