import { SYSTEM } from '../../ledger/activity/entry.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { compareIntegration } from './compare-service.ts'
import { deleteOldFindings } from './finding-store.ts'
import { listDue } from './upkeep-store.ts'

const INTEGRATIONS_AT_ONCE_MAX = 100
const DELETED_AT_ONCE = 1000

/**
 * Compares grants again after agreements, ports or teams have changed, and when the grace period of an agreement has ended.
 * Deletes findings that were resolved a year ago. Returns the number of comparisons.
 */
export async function compareDueGrants({
  db,
  clock,
}: {
  db: Database
  clock: Clock
}): Promise<number> {
  await deleteInBatches(DELETED_AT_ONCE, () => deleteOldFindings(db, clock, DELETED_AT_ONCE))
  const due = await listDue(db, clock, INTEGRATIONS_AT_ONCE_MAX)
  const failures: unknown[] = []
  for (const key of due) {
    // One that fails must not keep others waiting: it stays the first of the list.
    await db
      .transaction()
      .execute((transaction) =>
        compareIntegration(transaction, clock, { ...key, ...SYSTEM, cause: 'agreement' }),
      )
      .catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} comparisons of grants failed.`)
  }
  return due.length
}
