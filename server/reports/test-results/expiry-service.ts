import { SYSTEM } from '../../ledger/activity/entry.ts'
import { ApiError } from '../../platform/errors.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import * as store from './expiry-store.ts'
import { removeStoredSamples } from './task.ts'

type ExpiryServices = Pick<Services, 'bulkDb' | 'clock' | 'offload' | 'settleReality'>

/**
 * Deletes expired results of all organizations, with what follows from it for their contracts in the same transaction.
 * Returns their number.
 */
export async function deleteExpiredResults({
  bulkDb,
  clock,
  settleReality,
}: Omit<ExpiryServices, 'offload'>): Promise<number> {
  return await deleteInBatches(store.DELETE_RESULTS_MAX, async () =>
    bulkDb.transaction().execute(async (transaction) => {
      const { count, contracts } = await store.deleteExpiredResults(transaction, clock)
      const byOrganization = Map.groupBy(contracts, ({ organizationId }) => organizationId)
      for (const [organizationId, some] of byOrganization) {
        const change = { organizationId, ...SYSTEM, kind: 'tests' } as const
        const ids = some.map(({ contractId }) => contractId)
        await settleReality(transaction, clock, { ...change, contracts: ids })
      }
      return count
    }),
  )
}

/** Deletes the samples of results that were published 30 days ago. Returns the number of results. */
export async function deleteExpiredSamples({
  bulkDb,
  clock,
  offload,
}: Omit<ExpiryServices, 'settleReality'>): Promise<number> {
  let count = 0
  let after: store.ExpiredPlace
  for (;;) {
    const expired = await store.listExpiredSamples(bulkDb, clock, after)
    for (const one of expired) {
      const text = { document: one.document, mediaType: 'application/json' }
      const rest = await ignoreTooCostly(
        offload.run(one.organizationId, removeStoredSamples, text, [text]),
      )
      if (rest === undefined) continue
      await store.removeSamples(bulkDb, one, rest)
      count += 1
    }
    after = expired.at(-1)
    if (after === undefined) return count
  }
}

// One result must not keep the samples of all others. The next run tries again; readers do not get its samples.
async function ignoreTooCostly<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.code === 'document_too_costly') return undefined
    throw error
  }
}
