import { SYSTEM, type ActivityActor } from '../../ledger/activity/entry.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Log } from '../../platform/kit/log.ts'
import type { Database } from '../../platform/tables.ts'
import { endMembership, requireAnotherOwner } from './member-service.ts'
import type { EndOfMembership } from './member-service.ts'
import type { MemberKey } from './member.ts'
import { lockMembers } from './member-store.ts'
import * as store from './suspension-store.ts'

/** The days after which the upkeep removes a suspended member. */
const SUSPENDED_DAYS_MAX = 30
const REMOVED_AT_ONCE = 1000

/**
 * Locks the members of an organization until the end of the transaction. A transaction that suspends or removes a member
 * begins with it, before it locks anything of the member.
 */
export async function lockMembersFirst(db: Database, organizationId: string): Promise<void> {
  await lockMembers(db, organizationId)
}

/**
 * Suspends a member in an organization: sessions and personal keys stop working there within a second, and roles do not
 * count. Call it in a transaction after `lockMembersFirst`. Returns whether something changed. Errors: not_found,
 * directory_protected.
 */
export async function suspendMember(
  transaction: Database,
  member: MemberKey,
  actor: ActivityActor,
): Promise<boolean> {
  await requireUnprotected(transaction, member)
  return await store.updateSuspension(transaction, member, 'suspended', actor)
}

/** Restores a suspended member with all former roles. Returns whether something changed. */
export async function restoreMember(
  transaction: Database,
  member: MemberKey,
  actor: ActivityActor,
): Promise<boolean> {
  return await store.updateSuspension(transaction, member, 'restored', actor)
}

/**
 * Removes a member as `removeMember`, unless the member is the last owner or a break-glass owner. Call it in a
 * transaction. Errors: not_found, directory_protected.
 */
export async function removeUnprotected(
  transaction: Database,
  member: MemberKey,
  end: EndOfMembership,
  actor: ActivityActor,
): Promise<void> {
  await requireUnprotected(transaction, member)
  await endMembership(transaction, member, end, actor)
}

/** Locks the members, and asserts that a directory may suspend or remove one. Errors: not_found, directory_protected. */
async function requireUnprotected(transaction: Database, member: MemberKey): Promise<void> {
  const { organizationId, userId } = member
  await lockMembers(transaction, organizationId)
  if (await store.isBreakGlass(transaction, member)) {
    throw protectedMember(
      'This person is a break-glass owner. Take the break-glass access away first.',
    )
  }
  await requireAnotherOwner(transaction, organizationId, userId).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'last_owner') throw error
    throw protectedMember('This person is the last owner. Make another member an owner first.')
  })
}

function protectedMember(message: string): ApiError {
  return new ApiError('directory_protected', message)
}

/**
 * Removes the members of all organizations who have been suspended for 30 days, each in a transaction. The last owner and
 * break-glass owners stay, and are reported in the log. Returns the number of removed members.
 */
export async function removeSuspendedMembers(
  { db, clock, log }: { db: Database; clock: Clock; log: Pick<Log, 'warn'> },
  end: EndOfMembership,
): Promise<number> {
  const due = { days: SUSPENDED_DAYS_MAX, limit: REMOVED_AT_ONCE }
  let count = 0
  for (const member of await store.listLongSuspended(db, clock, due)) {
    try {
      const isRemoved = await db.transaction().execute(async (transaction) => {
        await lockMembers(transaction, member.organizationId)
        // The directory may have restored the member in between.
        const isDue = await store.lockLongSuspended(transaction, clock, member, due.days)
        if (isDue) await removeUnprotected(transaction, member, end, SYSTEM)
        return isDue
      })
      if (isRemoved) count += 1
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      log.warn({ ...member, err: error }, 'a suspended member cannot be removed')
    }
  }
  return count
}
