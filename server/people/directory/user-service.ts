import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { violatedConstraint } from '../../platform/kit/store-errors.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import type { EndOfMembership } from '../organizations/member-service.ts'
import {
  lockMembersFirst,
  removeUnprotected,
  restoreMember,
  suspendMember,
} from '../organizations/suspension-service.ts'
import { createManagedUser, lockAddress } from '../users/service.ts'
import { toEmailKey } from '../users/user.ts'
import { parseFilter } from './filter.ts'
import type { ScimListQuery } from './scim.ts'
import type { UserChange } from './user-change.ts'
import * as lists from './user-list-store.ts'
import * as store from './user-store.ts'
import {
  applyUserChange,
  digestUser,
  findAddress,
  nameNewUser,
  toNameKey,
  type UserRow,
} from './user.ts'

/** Lists the members that a filter selects, and their number. Errors: scim_filter_invalid. */
export async function listUsers(
  db: Database,
  organizationId: string,
  { filter = '', startIndex, count }: Pick<ScimListQuery, 'filter' | 'startIndex' | 'count'>,
): Promise<{ rows: UserRow[]; total: number }> {
  const comparisons = filter.trim() === '' ? [] : parseFilter(filter, lists.USER_FILTERS)
  const total = await lists.countUsers(db, organizationId, comparisons)
  if (count === 0 || startIndex > total) return { rows: [], total }
  return {
    rows: await lists.listUsers(db, organizationId, comparisons, { startIndex, count }),
    total,
  }
}

/** Returns a member. Errors: not_found. */
export async function getUser(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<UserRow> {
  const user = isUuid(userId) ? await store.findUser(db, organizationId, userId) : undefined
  if (user === undefined) throw notFound()
  return user
}

/** Creates a managed account that is a member. Errors: scim_duplicate, also if there is no address. */
export async function createUser(
  db: Database,
  organizationId: string,
  change: UserChange & { userName: string },
  actor: ActivityActor,
): Promise<UserRow> {
  const email = findAddress(change)
  if (email === undefined) {
    throw new ApiError(
      'scim_duplicate',
      'The user has no e-mail address. Send a primary or work address in "emails", or an address as the "userName".',
    )
  }
  const { userName, externalId = null, givenName = null, familyName = null, active = true } = change
  const displayName = nameNewUser(change, email)
  const record = { userName, externalId, givenName, familyName }
  const id = await withUniqueness(() =>
    db.transaction().execute(async (transaction) => {
      await lockAddresses(transaction, [email, userName])
      await requireUnused(transaction, organizationId, { id: null, userName, externalId, email })
      const person = { email, name: displayName }
      const userId = await createManagedUser(transaction, organizationId, person)
      const user = { ...record, id: userId, displayName, active }
      await store.insertUser(transaction, organizationId, user, actor)
      return userId
    }),
  )
  return await getUser(db, organizationId, id)
}

/** A change of a member by a directory, and its preconditions. */
interface UserUpdate {
  id: string
  change: UserChange
  conditions: Conditions
}

/**
 * Changes a member. The name and the address of a person who is also in another organization stay. Errors: not_found,
 * precondition_failed, scim_duplicate, directory_protected.
 */
export async function updateUser(
  db: Database,
  organizationId: string,
  { id, change, conditions }: UserUpdate,
  actor: ActivityActor,
): Promise<UserRow> {
  const member = { organizationId, userId: id }
  const seen = await getUser(db, organizationId, id)
  await withUniqueness(() =>
    db.transaction().execute(async (transaction) => {
      // The order of locks is that of others who add, suspend or remove a member: addresses, members, the row.
      const wish = applyUserChange(seen, change)
      if (hasOtherNames(seen, wish)) await lockAddresses(transaction, [wish.email, wish.userName])
      if (change.active === false) await lockMembersFirst(transaction, organizationId)
      await store.lockUser(transaction, organizationId, id)
      const user = await getUser(transaction, organizationId, id)
      checkPreconditions(conditions, digestUser(user))
      const changed = await applyToOwn(transaction, organizationId, user, change)
      if (hasOtherNames(user, changed)) await requireUnused(transaction, organizationId, changed)
      await store.updateUser(transaction, organizationId, changed, actor)
      if (user.active && !changed.active) await suspendMember(transaction, member, actor)
      if (!user.active && changed.active) await restoreMember(transaction, member, actor)
    }),
  )
  return await getUser(db, organizationId, id)
}

/** Removes a member, who keeps the account. Errors: not_found, precondition_failed, directory_protected. */
export async function deleteUser(
  db: Database,
  organizationId: string,
  { id, conditions }: Omit<UserUpdate, 'change'>,
  end: EndOfMembership,
  actor: ActivityActor,
): Promise<void> {
  if (!isUuid(id)) throw notFound()
  await db.transaction().execute(async (transaction) => {
    await lockMembersFirst(transaction, organizationId)
    checkPreconditions(conditions, digestUser(await getUser(transaction, organizationId, id)))
    await removeUnprotected(transaction, { organizationId, userId: id }, end, actor)
  })
}

// The name and the address of an account belong to all organizations of the person.
async function applyToOwn(
  db: Database,
  organizationId: string,
  user: UserRow,
  change: UserChange,
): Promise<UserRow> {
  const changed = applyUserChange(user, change)
  const { displayName, email } = user
  if (changed.displayName === displayName && changed.email === email) return changed
  const isForeign = await store.isMemberElsewhere(db, organizationId, user.id)
  return isForeign ? { ...changed, displayName, email } : changed
}

function hasOtherNames(before: UserRow, after: UserRow): boolean {
  return (
    !before.isProvisioned ||
    toNameKey(before.userName) !== toNameKey(after.userName) ||
    before.externalId !== after.externalId ||
    toEmailKey(before.email) !== toEmailKey(after.email)
  )
}

// In one order, so that two transactions with the same addresses do not wait for each other.
async function lockAddresses(db: Database, addresses: readonly string[]): Promise<void> {
  for (const key of [...new Set(addresses.map(toEmailKey))].toSorted()) await lockAddress(db, key)
}

async function requireUnused(
  db: Database,
  organizationId: string,
  user: { id: string | null; userName: string; externalId: string | null; email: string },
): Promise<void> {
  const taken = await store.findOtherUser(db, organizationId, user)
  if (taken !== undefined) throw duplicate(taken.by, taken.id)
}

/** Reports a constraint that rejects a concurrent change. */
async function withUniqueness<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'directory_user_name') throw duplicate('userName')
    if (constraint === 'directory_user_external_id') throw duplicate('externalId')
    throw error
  }
}

function duplicate(attribute: string, id?: string): ApiError {
  const holder = id === undefined ? 'Another user' : `The user ${id}`
  return new ApiError('scim_duplicate', `${holder} has this ${attribute} already.`)
}
