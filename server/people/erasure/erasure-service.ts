import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import { withdrawInvitationsTo } from '../organizations/invitation-service.ts'
import { endMembership, type EndOfMembership } from '../organizations/member-service.ts'
import { forgetAttempts } from '../users/password-service.ts'
import { lockAddress } from '../users/service.ts'
import { toEmailKey } from '../users/user.ts'
import { listDocumentsWithAddress, type AddressSearch } from './document-store.ts'
import type { ErasableAccount, ErasureCounts, OrganizationOfPerson } from './erasure.ts'
import * as store from './erasure-store.ts'

/** The parts of other modules in erasing a person, in the transaction that erases. */
export interface ErasureOccasions {
  endMembership: EndOfMembership
  eraseNotices(
    transaction: Database,
    person: { userId: string; organizationIds: readonly string[] },
  ): Promise<void>
}

/** A member of an owner's organization. */
interface MemberToErase {
  organizationId: string
  userId: string
  /** The owner, who cannot erase their own account. */
  ownerId: string
}

/**
 * Returns what erasing a member deletes, and the documents that it leaves. Errors: those of `eraseMember`, except for
 * the confirmation.
 */
export async function previewErasure(
  db: Database,
  member: MemberToErase,
): Promise<{ counts: ErasureCounts } & AddressSearch> {
  const account = await requireErasable(db, member)
  const ids = [member.organizationId]
  const counts = await store.countTraces(db, ids, account)
  const emailKey = toEmailKey(account.email)
  const search = await listDocumentsWithAddress(db, ids, emailKey, { isLimited: true })
  return { counts, ...search }
}

/**
 * Erases a member of an owner's organization who is and was in no other one. `email` is the address of the member, as a
 * confirmation. Returns the documents that still contain it.
 *
 * Errors: not_found; permission_missing for the own account; validation_failed for another address; member_elsewhere;
 * last_owner.
 */
export async function eraseMember(
  db: Database,
  member: MemberToErase,
  confirmation: { email: string },
  occasions: ErasureOccasions,
  actor: ActivityActor,
): Promise<AddressSearch> {
  const ids = [member.organizationId]
  const emailKey = toEmailKey(confirmation.email)
  await db.transaction().execute(async (transaction) => {
    // Before the account is read: a person with the address may be joining.
    await lockAddress(transaction, confirmation.email)
    const account = await requireErasable(transaction, member)
    if (toEmailKey(account.email) !== emailKey) {
      throw invalidRequest([{ field: 'email', message: 'is not the address of this member' }])
    }
    const erasure = { account, emailKey, organizationIds: ids, onlyIn: member.organizationId }
    await eraseIn(transaction, erasure, occasions, actor)
  })
  return await listDocumentsWithAddress(db, ids, emailKey, { isLimited: true })
}

// The answer must not reveal which other organizations know the person.
async function requireErasable(
  db: Database,
  { organizationId, userId, ownerId }: MemberToErase,
): Promise<ErasableAccount> {
  if (!isUuid(userId)) throw notFound()
  if (userId.toLowerCase() === ownerId) {
    throw new ApiError(
      'permission_missing',
      'You cannot erase yourself. Ask another owner, or the operator of this installation.',
    )
  }
  const memberships = await store.listMemberships(db, userId)
  const account = await store.findErasable(db, userId)
  if (account === undefined || !memberships.some((one) => one.organizationId === organizationId)) {
    throw notFound()
  }
  await assertKnownOnlyIn(db, organizationId, userId)
  return account
}

// Otherwise an owner could take the names of former members out of the activity of another organization.
async function assertKnownOnlyIn(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<void> {
  if (!(await store.isKnownElsewhere(db, organizationId, userId))) return
  throw new ApiError(
    'member_elsewhere',
    'This person is or was also a member of another organization. Only the operator of this installation can erase them, with the command "erase" and the address. You can remove the person from this organization.',
  )
}

/** An account that the operator erases, with what it has. */
export interface ErasureByOperator {
  account: ErasableAccount
  memberships: OrganizationOfPerson[]
  counts: ErasureCounts
}

/** The accounts and organizations of an address that the operator erases. */
export interface OperatorErasure {
  accounts: ErasureByOperator[]
  /** The organizations that have the name of an account, or invited the address. */
  organizationIds: string[]
}

/** Returns what the operator erases by an address, in all organizations, in any letter case. */
export async function findErasure(db: Database, email: string): Promise<OperatorErasure> {
  const emailKey = toEmailKey(email)
  const accounts: ErasureByOperator[] = []
  const organizationIds = new Set(await store.listKnowing(db, { userId: undefined, emailKey }))
  for (const account of await store.listErasable(db, email)) {
    const memberships = await store.listMemberships(db, account.id)
    const ids = await store.listKnowing(db, { userId: account.id, emailKey })
    for (const id of ids) organizationIds.add(id)
    accounts.push({ account, memberships, counts: await store.countTraces(db, ids, account) })
  }
  return { accounts, organizationIds: [...organizationIds] }
}

/**
 * Erases an address, with the accounts that have it, in one transaction. A second call finds nothing, and erases what was
 * added in between. Errors: last_owner, which names the organizations.
 */
export async function eraseAddress(
  db: Database,
  email: string,
  occasions: ErasureOccasions,
  actor: ActivityActor,
): Promise<void> {
  const emailKey = toEmailKey(email)
  await db.transaction().execute(async (transaction) => {
    await lockAddress(transaction, email)
    for (const account of await store.listErasable(transaction, email)) {
      const known = { userId: account.id, emailKey }
      const organizationIds = await store.listKnowing(transaction, known)
      await eraseIn(transaction, { account, emailKey, organizationIds }, occasions, actor)
    }
    const left = { userId: undefined, emailKey }
    const invited = await store.listKnowing(transaction, left)
    for (const id of invited) await withdrawInvitationsTo(transaction, id, emailKey, actor)
    await store.eraseNames(transaction, invited, left, actor)
    await store.deleteRefusals(transaction, await store.listOrganizations(transaction), emailKey)
  })
}

/** Lists all documents of all organizations that contain an address. */
export async function listAllDocuments(
  db: Database,
  email: string,
): Promise<AddressSearch['documents']> {
  const ids = await store.listOrganizations(db)
  const { documents } = await listDocumentsWithAddress(db, ids, toEmailKey(email), {
    isLimited: false,
  })
  return documents
}

/** A person to erase, in the organizations that know them. */
interface Erasure {
  account: ErasableAccount
  emailKey: string
  organizationIds: readonly string[]
  /** The only organization that may know the person; absent = any. */
  onlyIn?: string
}

// Organizations are locked before the account, in the order of their ids, as members are removed. The person may join
// another one until the account is locked.
async function eraseIn(
  transaction: Database,
  { account: { id: userId, email }, emailKey, organizationIds, onlyIn }: Erasure,
  occasions: ErasureOccasions,
  actor: ActivityActor,
): Promise<void> {
  await endMemberships(transaction, { userId, onlyIn }, occasions, actor)
  await store.lockAccount(transaction, userId)
  const joined = await endMemberships(transaction, { userId, onlyIn }, occasions, actor)
  const ids = [...organizationIds, ...joined]
  for (const id of ids) await withdrawInvitationsTo(transaction, id, emailKey, actor)
  await forgetAttempts(transaction, { userId, email })
  await store.eraseAccount(transaction, userId)
  await store.eraseNames(transaction, ids, { userId, emailKey }, actor)
  await store.deleteRefusals(transaction, ids, emailKey)
  await occasions.eraseNotices(transaction, { userId, organizationIds: ids })
}

// Returns the ids of the organizations.
async function endMemberships(
  transaction: Database,
  { userId, onlyIn }: { userId: string; onlyIn: string | undefined },
  occasions: ErasureOccasions,
  actor: ActivityActor,
): Promise<string[]> {
  const memberships = await store.listMemberships(transaction, userId)
  if (onlyIn !== undefined) await assertKnownOnlyIn(transaction, onlyIn, userId)
  assertNotLastOwner(memberships)
  for (const { organizationId } of memberships) {
    const member = { organizationId, userId }
    await endMembership(transaction, member, occasions.endMembership, actor)
  }
  return memberships.map(({ organizationId }) => organizationId)
}

/** Asserts that every organization keeps an owner. Errors: last_owner. */
export function assertNotLastOwner(memberships: readonly OrganizationOfPerson[]): void {
  const names = memberships.filter((one) => one.isLastOwner).map((one) => `"${one.organization}"`)
  if (names.length === 0) return
  throw new ApiError(
    'last_owner',
    `The person is the last owner of ${names.join(' and ')}. Make another member an owner there first, on the page Members.`,
  )
}
