import { SYSTEM } from '../../ledger/activity/entry.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Offload } from '../../requests/http/offload.ts'
import { settleTrust } from '../trust/settle-service.ts'
import { announce } from './announcement-service.ts'
import { compareDue, compareInThreads } from './comparison-service.ts'
import { clearCurrent, listComparing, lockLinks } from './comparison-store.ts'
import { applyComparisons, deleteOldFindings } from './finding-store.ts'
import { deleteAbandonedDrift } from './staging-store.ts'

const COMPARED_AT_ONCE = { pairsMax: 500, charactersMax: 4 * 1024 * 1024 }

interface ComparingServices {
  db: Database
  clock: Clock
  offload: Offload
}

/**
 * Compares the promises that a change left over because there were too many. What changes before the result is written is
 * compared by that change, or again. Returns the number of promises.
 */
export async function compareWaiting({ db, clock, offload }: ComparingServices): Promise<number> {
  let count = 0
  for (;;) {
    const waiting = await listComparing(db, COMPARED_AT_ONCE.pairsMax)
    if (waiting === undefined) return count
    const { organizationId, keys } = waiting
    const compare = compareInThreads(offload, organizationId)
    const compared = await compareDue(db, organizationId, keys, {
      limits: COMPARED_AT_ONCE,
      compare,
      linkedBecause: 'link',
    })
    const origin = { organizationId, ...SYSTEM }
    await db.transaction().execute(async (db) => {
      await lockReality(db, organizationId, 'shared')
      await lockLinks(db, organizationId, keys)
      const changes = await applyComparisons(db, clock, organizationId, compared)
      await announce(db, clock, origin, compared, changes)
      await clearCurrent(db, organizationId, keys)
      const contracts = keys.map(({ contractId }) => contractId)
      const assets = compared.map(({ assetId }) => assetId)
      await settleTrust(db, clock, organizationId, { products: [], contracts, assets })
    })
    if (compared.length === 0) return count
    count += compared.length
  }
}

const DELETED_AT_ONCE = 1000

/** Deletes findings that were resolved a year ago, and comparisons of runs that have ended. Returns the number of findings. */
export async function deleteOldDrift(db: Database, clock: Clock): Promise<number> {
  await deleteAbandonedDrift(db)
  return await deleteInBatches(DELETED_AT_ONCE, () => deleteOldFindings(db, clock, DELETED_AT_ONCE))
}
