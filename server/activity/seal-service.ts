import type { Caller } from '../access/caller.ts'
import { notFound } from '../errors.ts'
import type { Services } from '../http/endpoint.ts'
import { runIsolated } from '../kit/isolated-jobs.ts'
import * as store from './seal-store.ts'

/**
 * Seals make changes of the activity evident: each has the hash of its entries and of the seal before it. An administrator
 * of the database can compute all hashes again, so the newest hash should be kept outside; it is logged and returned by
 * the API.
 */

// A statement seals at most this many entries, so that it stays well below the query timeout.
const ENTRIES_MAX = 10_000

/** Returns a seal of the caller's organization, the newest without a number. Errors: not_found. */
export async function getSeal(
  { db }: Pick<Services, 'db'>,
  { organizationId }: Caller,
  number: number | undefined,
): Promise<store.Seal> {
  const seal = await store.findSeal(db, organizationId, number)
  if (seal === undefined) throw notFound()
  return seal
}

/**
 * Seals the settled entries of all organizations. Any number of processes may do so at the same time. An organization
 * that cannot be sealed is logged and does not keep the others from being sealed. Returns the number of seals.
 */
export async function sealActivity({
  bulkDb,
  clock,
  log,
}: Pick<Services, 'bulkDb' | 'clock' | 'log'>): Promise<number> {
  await store.insertSealings(bulkDb)
  let count = 0
  const jobs = (await store.listUnsealed(bulkDb)).map((organizationId) => ({
    what: `sealing the activity of the organization ${organizationId}`,
    async work(): Promise<void> {
      for (;;) {
        const seal = await store.insertSeal(bulkDb, clock, organizationId, ENTRIES_MAX)
        if (seal === undefined) break
        count += 1
        const { number, entryCount, hash } = seal
        log.info({ organizationId, number, entryCount, hash }, 'the activity was sealed')
        if (entryCount < ENTRIES_MAX) break
      }
    },
  }))
  await runIsolated(log, jobs)
  return count
}
