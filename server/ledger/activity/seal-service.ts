import type { Caller } from '../../requests/access/caller.ts'
import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { workInTurns } from '../../platform/kit/organization-turns.ts'
import * as store from './seal-store.ts'

/**
 * Seals make changes of the activity evident: each has the hash of its entries and of the seal before it. An administrator
 * of the database can compute all hashes again, so the newest hash should be kept outside; it is logged and returned by
 * the API.
 */

// A statement seals at most this many entries, so that it stays well below the query timeout.
const ENTRIES_MAX = 10_000
const ORGANIZATIONS_AT_ONCE_MAX = 1000

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
 * Seals the settled entries of all organizations: one batch of each in turn. Any number of processes may do so at the
 * same time. An organization that cannot be sealed is logged and does not keep the others from being sealed. Returns the
 * number of seals.
 */
export async function sealActivity(
  { bulkDb, clock, log }: Pick<Services, 'bulkDb' | 'clock' | 'log'>,
  entriesMax = ENTRIES_MAX,
): Promise<number> {
  await store.insertSealings(bulkDb)
  let count = 0
  await workInTurns({
    list: async (page) => await store.listUnsealed(bulkDb, page),
    async work(organizationId) {
      try {
        const seal = await store.insertSeal(bulkDb, clock, organizationId, entriesMax)
        if (seal === undefined) return false
        count += 1
        const { number, entryCount, hash } = seal
        log.info({ organizationId, number, entryCount, hash }, 'the activity was sealed')
        return entryCount === entriesMax
      } catch (error) {
        log.warn({ err: error, organizationId }, 'sealing the activity of an organization failed')
        return false
      }
    },
    limit: ORGANIZATIONS_AT_ONCE_MAX,
  })
  return count
}
