import type { FeedFollower, FollowedEvent } from '../../ledger/events/feed-follower.ts'
import { storeClock, type Clock } from '../../platform/kit/clock.ts'
import { planForLookups } from '../../platform/kit/planning.ts'
import type { Database } from '../../platform/tables.ts'
import * as passes from './reader-pass-store.ts'
import type { ReaderPass } from './reader-pass-store.ts'
import * as store from './reader-store.ts'
import { READ_KINDS } from './reader-store.ts'

/**
 * The upkeep of the numbers of readers in the index: at once when an agreement or a data product changes, and of all
 * documents in a pass that begins every 20 minutes, for usage and for what time changes.
 */

/** The services for counting readers. */
interface ReaderServices {
  db: Database
  clock: Clock
}

// A number is at most an hour old, even if a pass over many documents takes long.
const PASS_MINUTES = 20
const DOCUMENTS_AT_ONCE = 200

/** The maximum number of batches of one run, so that a process that stops does not wait for long. */
const BATCHES_MAX = 100

/**
 * Continues counting the readers of all documents, in short transactions that any process may continue. Returns the
 * number of documents whose number changed.
 */
export async function countReaders({ db, clock }: ReaderServices): Promise<number> {
  await passes.beginPass(db, clock, PASS_MINUTES)
  let count = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const done = await db.transaction().execute((transaction) => countNext(transaction, clock))
    if (done === undefined) break
    count += done
  }
  return count
}

/** Counts the readers of every document again soon, after the index was built. */
export async function recountReaders(db: Database): Promise<void> {
  await passes.deletePass(db)
}

// Undefined = the pass has ended, or another process continues it.
async function countNext(db: Database, clock: Clock): Promise<number | undefined> {
  const pass = await passes.lockPass(db)
  if (pass === undefined) return undefined
  const { organizationId, externalId } = pass
  const kind = pass.kind ?? READ_KINDS[0]
  const ids =
    organizationId === null
      ? []
      : await passes.listNextDocuments(db, organizationId, kind, externalId, DOCUMENTS_AT_ONCE)
  const last = ids.at(-1)
  if (organizationId === null || last === undefined) {
    const next = await findNextPart(db, pass)
    await passes.updatePass(db, clock, next)
    return next === undefined ? undefined : 0
  }
  await planForLookups(db)
  const count = await store.updateReaders(db, clock, organizationId, kind, ids)
  await passes.updatePass(db, clock, { organizationId, kind, externalId: last })
  return count
}

// The next kind of documents, or the next organization; undefined after the last one.
async function findNextPart(
  db: Database,
  { organizationId, kind }: ReaderPass,
): Promise<ReaderPass | undefined> {
  const next = READ_KINDS[READ_KINDS.indexOf(kind ?? READ_KINDS[0]) + 1]
  if (organizationId !== null && next !== undefined) {
    return { organizationId, kind: next, externalId: null }
  }
  const following = await passes.findNextOrganization(db, organizationId)
  if (following === undefined) return undefined
  return { organizationId: following, kind: READ_KINDS[0], externalId: null }
}

const AGREEMENT_KIND = 'access'

/** Counts the readers of the documents that changed agreements, data products and data contracts concern. */
export const READER_CHANGES: FeedFollower = {
  name: 'readers',
  async handle(transaction, organizationId, events) {
    const changed = {
      agreements: listSubjects(events, AGREEMENT_KIND),
      products: listSubjects(events, 'data-product'),
      contracts: listSubjects(events, 'data-contract'),
    }
    if (Object.values(changed).every((ids) => ids.length === 0)) return
    await planForLookups(transaction)
    const { products, contracts } = await store.findReadDocuments(
      transaction,
      organizationId,
      changed,
    )
    await store.updateReaders(transaction, storeClock, organizationId, 'data-product', products)
    await store.updateReaders(transaction, storeClock, organizationId, 'data-contract', contracts)
  },
}

function listSubjects(events: readonly FollowedEvent[], kind: string): string[] {
  return [...new Set(events.filter((event) => event.kind === kind).map(({ subject }) => subject))]
}
