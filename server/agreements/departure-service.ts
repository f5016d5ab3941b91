import { SYSTEM, type ActivityActor } from '../ledger/activity/entry.ts'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import type { AgreementAt } from './agreement.ts'
import { presentWrite, settleAgreement, toWrite } from './change-service.ts'
import {
  lockAgreementsOfFormerMembers,
  lockAgreementsOfPerson,
  type PersonKey,
} from './departure-store.ts'
import { cancel } from './lifecycle.ts'
import { NO_MEMBER } from './party-service.ts'
import { updateAgreements, type AgreementWrite } from './store.ts'

// Each agreement is presented in this thread.
const ENDED_AT_ONCE = 100

/**
 * Ends all access of a person who has left an organization, and withdraws the person's requests, in the transaction that
 * removes the member. A request at the same moment is either ended, too, or finds no member.
 */
export async function endAccessOfPerson(
  transaction: Database,
  clock: Clock,
  person: PersonKey,
  actor: ActivityActor,
): Promise<void> {
  for (;;) {
    const locked = await lockAgreementsOfPerson(transaction, clock, person, ENDED_AT_ONCE)
    if (locked.length === 0) return
    await endAll(transaction, clock, locked, actor)
  }
}

/**
 * Ends the access of people who are no longer members, of all organizations: an import, or a version that did not end it
 * at once, left it. Returns the number of agreements.
 */
export async function endAccessOfFormerMembers({
  db,
  clock,
}: {
  db: Database
  clock: Clock
}): Promise<number> {
  let total = 0
  for (;;) {
    const count = await db.transaction().execute(async (transaction) => {
      const locked = await lockAgreementsOfFormerMembers(transaction, clock, ENDED_AT_ONCE)
      if (locked.length > 0) await endAll(transaction, clock, locked, SYSTEM)
      return locked.length
    })
    total += count
    if (count < ENDED_AT_ONCE) return total
  }
}

async function endAll(
  transaction: Database,
  clock: Clock,
  locked: readonly AgreementAt[],
  actor: ActivityActor,
): Promise<void> {
  const writes = locked.map((at) => toEnded(at, actor.principal))
  await updateAgreements(transaction, clock, writes, actor)
}

// What time has changed until now is recorded first; an agreement that has expired by then needs no cancellation.
function toEnded(at: AgreementAt, principal: string): AgreementWrite {
  const { agreement, now, due } = settleAgreement(at)
  const change = cancel(agreement, now)
  if (change === undefined)
    return presentWrite({ agreement: { ...agreement, updatedBy: principal }, events: due })
  const { agreement: ended, events } = toWrite(agreement, change, principal)
  return presentWrite({
    agreement: { ...ended, endReason: NO_MEMBER },
    events: [...due, ...events],
  })
}
