import { SYSTEM } from '../../ledger/activity/entry.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import * as due from './due-store.ts'
import { judgeSelection } from './settle-service.ts'
import * as statistics from './statistic-store.ts'

const AT_ONCE = 500

/**
 * Judges the promises again whose data may be late now, and those whose assets pipelines wrote: an incident opens when time
 * passes, not only when something changes. Returns the number of promises and of assets.
 */
export async function judgeDueFreshness({
  db,
  clock,
  settleReality,
}: {
  db: Database
  clock: Clock
  settleReality: SettleReality
}): Promise<number> {
  let total = 0
  for (;;) {
    const promises = await due.listDuePromises(db, clock, AT_ONCE)
    const writes = await due.listUnsettledWrites(db, AT_ONCE)
    const organizations = new Set([...promises, ...writes].map((one) => one.organizationId))
    for (const organizationId of organizations) {
      const isOwn = (one: { organizationId: string }): boolean =>
        one.organizationId === organizationId
      const ownWrites = writes.filter(isOwn)
      const keys = [...promises.filter(isOwn), ...ownWrites.flatMap((write) => write.promises)]
      await db.transaction().execute(async (transaction) => {
        await lockReality(transaction, organizationId)
        const origin = { ...SYSTEM, organizationId }
        const judged = await judgeSelection(transaction, clock, origin, { keys })
        if (judged.contracts.length > 0) {
          await settleReality(transaction, clock, { ...origin, kind: 'signals', ...judged })
        }
        if (ownWrites.length > 0) await due.markSettled(transaction, organizationId, ownWrites)
      })
    }
    total += promises.length + writes.length
    if (promises.length < AT_ONCE && writes.length < AT_ONCE) return total
  }
}

const DELETED_AT_ONCE = 10_000

/** Deletes the values of days that are not kept, and reports about purged assets. Returns their number. */
export async function deleteExpiredStatistics(db: Database, clock: Clock): Promise<number> {
  const days = await deleteInBatches(DELETED_AT_ONCE, async () =>
    statistics.deleteExpiredDays(db, clock, DELETED_AT_ONCE),
  )
  const writes = await deleteInBatches(DELETED_AT_ONCE, async () =>
    statistics.deleteOrphanedWrites(db, DELETED_AT_ONCE),
  )
  return days + writes
}
