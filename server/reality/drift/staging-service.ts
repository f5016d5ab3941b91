import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Database } from '../../platform/tables.ts'
import type { Offload } from '../../requests/http/offload.ts'
import { compareInThreads } from './comparison-service.ts'
import { listTiers } from './comparison-store.ts'
import * as store from './staging-store.ts'

/** The limits of the memory in which a run compares. */
const STAGED_AT_ONCE = { pairsMax: 500, charactersMax: 4 * 1024 * 1024 }

/**
 * Compares the changed assets that an attempt has staged with what contracts promise. The publication uses the results
 * that are still current, so that it compares almost nothing itself. No transaction is open.
 */
export async function stageComparisons(
  db: Database,
  offload: Offload,
  attempt: store.StagedAttempt,
  signal: AbortSignal,
): Promise<void> {
  const { organizationId } = attempt
  let after: PromiseKey = { contractId: '', server: '', model: '' }
  let tiers: Awaited<ReturnType<typeof listTiers>> | undefined
  for (;;) {
    signal.throwIfAborted()
    const pairs = await store.listStagedPairs(db, attempt, after, STAGED_AT_ONCE)
    const last = pairs.at(-1)
    if (last === undefined) return
    tiers ??= await listTiers(db, organizationId)
    const compared = await compareInThreads(offload, organizationId)({ pairs, tiers })
    const staged = pairs.flatMap((pair, at) => {
      const result = compared[at]
      return result === undefined ? [] : [{ ...pair, ...result }]
    })
    await store.insertStagedDrift(db, attempt, staged)
    after = last
  }
}

/** Deletes the comparisons of a run up to an attempt, after the attempt. */
export async function deleteStagedComparisons(
  db: Database,
  attempt: store.StagedAttempt,
): Promise<void> {
  await store.deleteStagedDrift(db, attempt)
}
