import { setTimeout as sleep } from 'node:timers/promises'
import { SYSTEM, type ActivityActor } from '../ledger/activity/entry.ts'
import type { FeedFollower } from '../ledger/events/feed-follower.ts'
import { splitBySize } from '../platform/kit/batches.ts'
import type { Clock } from '../platform/kit/clock.ts'
import { planForWholeTables } from '../platform/kit/planning.ts'
import type { Database } from '../platform/tables.ts'
import type { AgreementAt, AgreementKey, AgreementWrite } from './agreement.ts'
import { cancel, settleAgreement, toWrite } from './lifecycle.ts'
import * as store from './occasion-store.ts'
import { NO_MEMBER } from './party-service.ts'
import { presentWrite } from './task.ts'
import { updateAgreements } from './write-store.ts'

/**
 * The occasions on which agreements change because something else does:
 *
 * | Occasion | Agreements | What happens | Events and activity |
 * |---|---|---|---|
 * | a day comes | those that are due | they begin, end or are announced | those of their course |
 * | a person leaves | open ones of the person | they are canceled | those of their course |
 * | a contract changes | those in effect that were approved before | the contract is marked as changed | none |
 * | another team owns a data product | those of the data product | they move to the team | none |
 * | a port or data product is removed | those in effect | they prevent it (`use-service.ts`) | none |
 *
 * The person is removed, and the owner changed, in the transaction of the occasion; jobs repeat both for what imports and
 * earlier versions left.
 */

/** The services for the upkeep of agreements. */
interface StoreServices {
  db: Database
  clock: Clock
}

// One transaction presents and writes this many. It occupies the event loop for a few milliseconds.
const DUE_AT_ONCE = 25
// Those of other organizations that become due in the meantime wait for this many.
const LISTED_AT_ONCE = 500
// The pause after a transaction, in times of its duration. Ten thousand agreements still take less than a minute.
const PAUSE = 2

/**
 * Advances all agreements that are due, taking organizations in turn. Each is advanced once, by the first process that
 * gets to it, with an event for each step that is overdue, in order. Returns their number.
 */
export async function advanceDueAgreements(services: StoreServices): Promise<number> {
  let total = 0
  for (;;) {
    const due = await store.listDueAgreements(services.db, services.clock, LISTED_AT_ONCE)
    const count = await advanceAll(services, due)
    total += count
    if (count === 0) return total
  }
}

async function advanceAll(
  { db, clock }: StoreServices,
  due: readonly AgreementKey[],
): Promise<number> {
  let total = 0
  for (const batch of splitBySize(due, DUE_AT_ONCE, () => 1)) {
    const startedAtMs = performance.now()
    total += await db.transaction().execute(async (transaction) => {
      const locked = await store.lockDueAgreements(transaction, clock, batch)
      return await writeCourses(transaction, clock, locked, { actor: UPKEEP, endReason: null })
    })
    // Requests come between two batches, and find an idle database.
    if (batch.length === DUE_AT_ONCE) await sleep(PAUSE * (performance.now() - startedAtMs))
  }
  return total
}

// Each agreement is presented in this thread.
const ENDED_AT_ONCE = 100

/**
 * Ends all access of a person who has left an organization, and withdraws the person's requests, in the transaction that
 * removes the member. A request at the same moment is either ended, too, or finds no member.
 */
export async function endAccessOfPerson(
  transaction: Database,
  clock: Clock,
  person: store.PersonKey,
  actor: ActivityActor,
): Promise<void> {
  await repeatWhileFull(ENDED_AT_ONCE, async () => {
    const locked = await store.lockAgreementsOfPerson(transaction, clock, person, ENDED_AT_ONCE)
    return await writeCourses(transaction, clock, locked, { actor, endReason: NO_MEMBER })
  })
}

/** Ends the access of people who are not members, of all organizations. Returns the number of agreements. */
export async function endAccessOfFormerMembers({ db, clock }: StoreServices): Promise<number> {
  const ending = { actor: SYSTEM, endReason: NO_MEMBER }
  return await repeatWhileFull(ENDED_AT_ONCE, () =>
    db.transaction().execute(async (transaction) => {
      const locked = await store.lockAgreementsOfFormerMembers(transaction, clock, ENDED_AT_ONCE)
      return await writeCourses(transaction, clock, locked, ending)
    }),
  )
}

const UPKEEP: ActivityActor = { ...SYSTEM, requestId: 'upkeep' }

/** The author of a change, and why it ends agreements; null = only time changes them. */
interface CourseOccasion {
  actor: ActivityActor
  endReason: string | null
}

// Returns the number of agreements.
async function writeCourses(
  transaction: Database,
  clock: Clock,
  locked: readonly AgreementAt[],
  { actor, endReason }: CourseOccasion,
): Promise<number> {
  if (locked.length === 0) return 0
  const writes = locked.map((at) => toCourse(at, endReason, actor.principal))
  return (await updateAgreements(transaction, clock, writes, actor)).length
}

// What time has changed until now is recorded first; an agreement that has expired by then needs no cancellation.
function toCourse(at: AgreementAt, endReason: string | null, principal: string): AgreementWrite {
  const { agreement, now, due } = settleAgreement(at)
  const end = endReason === null ? undefined : cancel(agreement, now)
  if (end === undefined) {
    return presentWrite({ agreement: { ...agreement, updatedBy: principal }, events: due })
  }
  const { agreement: ended, events } = toWrite({ ...agreement, endReason }, end, principal)
  return presentWrite({ agreement: ended, events: [...due, ...events] })
}

/**
 * Marks agreements whose contract was changed in a breaking way, or replaced by another one, since their approval. The
 * agreement itself stays as it was approved. An agreement that was requested while its data product got another owner is
 * moved to this owner.
 */
export const CONTRACT_CHANGES: FeedFollower = {
  name: 'agreement-contracts',
  async handle(transaction, organizationId, events) {
    for (const name of store.CONTRACT_EVENT_NAMES) {
      const versions = events.filter(({ type }) => type === name)
      if (versions.length === 0) continue
      await store.markContractChanges(transaction, organizationId, name, versions)
      if (name !== 'DataProductUpdatedEvent') continue
      const productIds = [...new Set(versions.map(({ subject }) => subject))]
      await moveMisplacedAgreements(transaction, { organizationId, productIds })
    }
  },
}

const MOVED_AT_ONCE = 1000

/**
 * Moves agreements that belong to a former owner of one of their data products to the owner. The statement that changes
 * the owner moves them; imports and earlier versions left others. `products` limits the search; undefined = all
 * organizations. Returns their number; one whose owners differ on both sides counts twice.
 */
export async function moveMisplacedAgreements(
  db: Database,
  products?: store.MovedProducts,
): Promise<number> {
  let total = 0
  for (const side of ['provider', 'consumer'] as const) {
    const move = (on: Database) => store.moveToOwners(on, side, products, MOVED_AT_ONCE)
    total += await repeatWhileFull(MOVED_AT_ONCE, () =>
      products === undefined
        ? db.transaction().execute(async (transaction) => {
            await planForWholeTables(transaction)
            return await move(transaction)
          })
        : move(db),
    )
  }
  return total
}

// Repeats work until a batch is not full. Returns the sum of all batches.
async function repeatWhileFull(sizeMax: number, work: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await work()
    total += count
    if (count < sizeMax) return total
  }
}
