import { SYSTEM, type ActivityActor } from '../../ledger/activity/entry.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { deleteKeysOfOwner } from '../api-keys/service.ts'
import { notFound, ApiError } from '../../platform/errors.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { toPage, type Page } from '../../requests/http/paging.ts'
import { storeClock, type Clock } from '../../platform/kit/clock.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { recordDeparture } from '../users/service.ts'
import { endBreakGlass } from './break-glass-service.ts'
import { deleteInvitationsBy } from './invitation-store.ts'
import * as store from './member-store.ts'
import type { Member, MemberKey, MemberRole, OrganizationMember } from './member.ts'
import { touchGroups } from './suspension-store.ts'

const BY_NAME = new Intl.Collator('en')

/** Lists the members of an organization by name, each with their teams. */
export async function listMembers(db: Database, organizationId: string): Promise<Member[]> {
  const members = await store.listMembers(db, organizationId)
  return members.toSorted(
    (a, b) => BY_NAME.compare(a.name, b.name) || BY_NAME.compare(a.email, b.email),
  )
}

/** Lists a page of members in the order in which they joined, and whether there is a next page. */
export async function listMemberPage(
  db: Database,
  organizationId: string,
  page: number,
): Promise<Page<OrganizationMember>> {
  return toPage(await store.listMemberPage(db, organizationId, page))
}

/** Returns the member with an address, in any letter case. Errors: not_found. */
export async function getMemberByAddress(
  db: Database,
  organizationId: string,
  email: string,
): Promise<OrganizationMember> {
  const found = await store.findMemberByAddress(db, organizationId, email)
  if (found === undefined) throw notFound()
  return found
}

/**
 * Serializes transactions that add, remove or suspend members of an organization. One that adds people calls it after
 * `lockAddress`.
 */
export async function lockForJoining(transaction: Database, organizationId: string): Promise<void> {
  await store.lockMembers(transaction, organizationId)
}

/** Adds a person to an organization. Call it in a transaction, after `lockForJoining`. */
export async function joinOrganization(
  transaction: Database,
  organizationId: string,
  userId: string,
  member: { role: MemberRole; origin: 'provider' | 'directory' },
  actor: ActivityActor,
): Promise<void> {
  await store.insertMember(transaction, organizationId, userId, member, actor)
}

/** Changes the role of a member. Errors: not_found, last_owner, last_break_glass. */
export async function changeRole(
  db: Database,
  organizationId: string,
  userId: string,
  role: MemberRole,
  actor: ActivityActor = SYSTEM,
): Promise<Member> {
  if (!isUuid(userId)) throw notFound()
  await db.transaction().execute(async (transaction) => {
    await store.lockMembers(transaction, organizationId)
    if (role === 'Member') {
      await requireAnotherOwner(transaction, organizationId, userId)
      await endBreakGlass(transaction, organizationId, userId, actor)
      await deleteInvitationsBy(transaction, organizationId, userId, actor)
    }
    await store.updateRole(transaction, organizationId, userId, role, actor)
  })
  const [changed] = await store.listMembers(db, organizationId, userId)
  if (changed === undefined) throw notFound()
  return changed
}

/** Ends what other modules keep for a person who leaves an organization, in the transaction that removes the member. */
export type EndOfMembership = (
  transaction: Database,
  clock: Clock,
  member: MemberKey,
  actor: ActivityActor,
) => Promise<void>

/**
 * Removes a person from an organization, with their personal keys and the invitations that they created; `end` removes
 * what depends on the membership elsewhere. Keys and sessions stop working within a second. A person who is left without an organization is signed out.
 *
 * Errors: not_found, last_owner, last_break_glass.
 */
export async function removeMember(
  db: Database,
  { organizationId, userId }: MemberKey,
  end: EndOfMembership,
  actor: ActivityActor = SYSTEM,
): Promise<void> {
  if (!isUuid(userId)) throw notFound()
  await db.transaction().execute(async (transaction) => {
    await endMembership(transaction, { organizationId, userId }, end, actor)
  })
}

/** Removes a person as `removeMember`, in a transaction of the caller. Errors: not_found, last_owner, last_break_glass. */
export async function endMembership(
  transaction: Database,
  { organizationId, userId }: MemberKey,
  end: EndOfMembership,
  actor: ActivityActor,
): Promise<void> {
  await store.lockMembers(transaction, organizationId)
  await requireAnotherOwner(transaction, organizationId, userId)
  await endBreakGlass(transaction, organizationId, userId, actor)
  await deleteKeysOfOwner(transaction, organizationId, { userId }, actor)
  await deleteInvitationsBy(transaction, organizationId, userId, actor)
  await touchGroups(transaction, { organizationId, userId })
  await store.deleteMember(transaction, organizationId, userId, actor)
  await end(transaction, storeClock, { organizationId, userId }, actor)
  await recordDeparture(transaction, userId, organizationId)
}

/** Asserts that the caller is an owner or the person to remove. Errors: permission_missing. */
export function requireOwnerOrSelf(caller: Caller, userId: string): void {
  if (caller.userId !== userId.toLowerCase()) requireOwner(caller)
}

/** Asserts that an organization keeps an owner without a person. Errors: not_found, last_owner. */
export async function requireAnotherOwner(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<void> {
  const role = await store.findRole(db, organizationId, userId)
  if (role === undefined) throw notFound()
  if (role === 'Member' || (await store.hasOtherOwner(db, organizationId, userId))) return
  throw new ApiError(
    'last_owner',
    'An organization needs at least one owner. Make another member an owner first.',
  )
}
