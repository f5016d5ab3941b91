import type { SignInAttempt } from './password-service.ts'
import { randomUUIDv7 } from 'node:crypto'
import { notFound, type ApiError } from '../../platform/errors.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import { findAccountByPassword, findOwnAccount, type PasswordServices } from './password-service.ts'
import { findSalt, hashPassword } from './password.ts'
import { updateManagedUser, updateProfile } from './managed-account-store.ts'
import { newManagedAccountError } from './managed-account.ts'
import { deleteReset } from './reset-store.ts'
import { endSession, renewSession, requireFullReach, startSession } from './session-service.ts'
import { deleteSessionsOfDeparture } from './session-store.ts'
import type { SessionReach } from './session.ts'
import * as store from './store.ts'
import type { Profile } from './user.ts'

/** A person who has just signed in. */
export interface SignedIn {
  userId: string
  /** The session's token, of which only a hash is stored. */
  token: string
}

/** A person without an account. */
interface NewPerson {
  email: string
  name: string
  passwordHash: string
}

/**
 * Returns the ID of an account with an address, and creates one if none exists. Only for callers that may decide
 * who has the address: the first start and the demo.
 */
export async function createUser(db: Database, person: NewPerson): Promise<string> {
  await store.lockAddress(db, person.email)
  const [existing] = await store.listAccounts(db, person.email)
  if (existing !== undefined) return existing.id
  const id = randomUUIDv7()
  await store.insertUser(db, { id, ...person })
  return id
}

/** Hashes a new password with the salt that the accounts of its address share. */
export async function hashNewPassword(
  { db, passwordCost }: Pick<Services, 'db' | 'passwordCost'>,
  email: string,
  password: string,
): Promise<string> {
  return await hashPassword(passwordCost, password, await findAddressSalt(db, email))
}

/** Serializes transactions that add accounts or members with one address. */
export async function lockAddress(db: Database, email: string): Promise<void> {
  await store.lockAddress(db, email)
}

/**
 * Creates the account of an invited person, separate from the accounts of other organizations with the address. If
 * the organization had removed the person, they get their account back, with the new name and password. Accounts with
 * the address that belong to no organization lose their passwords. Call it in a transaction, after `lockAddress`.
 *
 * Returns the account's ID; undefined if the salt of the address has changed since the password was hashed.
 */
export async function createInvitedUser(
  db: Database,
  organizationId: string,
  person: NewPerson,
): Promise<string | undefined> {
  const { email, passwordHash } = person
  const salt = await findAddressSalt(db, email)
  if (salt !== undefined && salt !== findSalt([passwordHash])) return undefined
  const former = await store.retireNonMembers(db, email, organizationId)
  if (former !== undefined) {
    await store.setPassword(db, former, person)
    return former
  }
  const id = randomUUIDv7()
  await store.insertUser(db, { id, ...person })
  return id
}

/**
 * Creates the account that the identity provider or the directory of an organization manages: without a password,
 * and separate from the accounts of other organizations with the address. A person that the organization had removed
 * gets their account back. Call it in a transaction, after `lockAddress`. Returns the account's ID.
 */
export async function createManagedUser(
  db: Database,
  organizationId: string,
  { email, name }: Pick<NewPerson, 'email' | 'name'>,
): Promise<string> {
  const former = await store.retireNonMembers(db, email, organizationId)
  if (former !== undefined) {
    await updateManagedUser(db, former, { email, name, managedBy: organizationId })
    return former
  }
  const id = randomUUIDv7()
  await store.insertUser(db, { id, email, name, passwordHash: '', managedBy: organizationId })
  return id
}

/**
 * Gives an account the name and address that the identity provider of an organization states, if they may change. Call it
 * in a transaction, after `lockAddress`. Returns whether anything was changed.
 */
export async function changeProfile(
  db: Database,
  organizationId: string,
  userId: string,
  profile: { email: string; name: string | undefined; requestId: string },
): Promise<boolean> {
  return await updateProfile(db, organizationId, userId, profile)
}

async function findAddressSalt(db: Database, email: string): Promise<string | undefined> {
  const accounts = await store.listAccounts(db, email)
  return findSalt(accounts.map(({ passwordHash }) => passwordHash))
}

/** Returns the profile of a person. Errors: not_found. */
export async function getPerson(db: Database, userId: string): Promise<Profile> {
  const person = await store.findPerson(db, userId)
  if (person === undefined) throw notFound()
  return person
}

/** Returns whether a person can sign in with a password. */
export async function hasPassword(db: Database, userId: string): Promise<boolean> {
  const account = await store.findAccount(db, userId)
  return account !== undefined && account.passwordHash !== ''
}

/** Asserts that a person manages their account. Errors: not_found, managed_by_provider. */
export async function requireOwnAccount(db: Database, userId: string): Promise<void> {
  const { managedBy } = await getPerson(db, userId)
  if (managedBy !== null) throw newManagedAccountError(managedBy)
}

/**
 * Signs a person in. It always starts a new session, and ends the one that the browser had. Errors:
 * credentials_unknown, too_many_requests.
 */
export async function signIn(
  services: PasswordServices,
  attempt: SignInAttempt,
  formerToken: string | undefined,
): Promise<SignedIn> {
  const { db, clock } = services
  const { id, passwordHash } = await findAccountByPassword(services, attempt)
  const token = await startSession(db, clock, id, { ...attempt, method: 'password', passwordHash })
  if (formerToken !== undefined) await endSession(db, formerToken, attempt.requestId)
  return { userId: id, token }
}

/**
 * Records that a person was removed from an organization, and ends their sessions with its providers. A person who is
 * left without an organization is signed out.
 */
export async function recordDeparture(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<void> {
  await store.updateLastOrganization(db, userId, organizationId)
  await deleteSessionsOfDeparture(db, userId, organizationId)
}

/** Changes the name of a person. Errors: not_found, session_limited, managed_by_provider. */
export async function rename(
  db: Database,
  reach: SessionReach,
  change: { name: string; requestId: string },
): Promise<void> {
  const { userId } = reach
  await requireFullReach(db, reach)
  await requireOwnAccount(db, userId)
  await store.updateName(db, userId, change)
}

/**
 * Changes a person's password, ends their other sessions, and gives this one a new secret, which it returns. Errors:
 * session_limited, managed_by_provider, validation_failed if the current password is wrong, credentials_unknown if this
 * session has just been ended, too_many_requests.
 */
export async function changePassword(
  services: PasswordServices,
  { sessionToken, ...reach }: SessionReach & { sessionToken: string },
  {
    currentPassword,
    newPassword,
    requestId,
  }: { currentPassword: string; newPassword: string; requestId: string },
): Promise<string> {
  const { db } = services
  const { userId } = reach
  await requireFullReach(db, reach)
  await requireOwnAccount(db, userId)
  const account = await findOwnAccount(services, userId, currentPassword)
  if (account === undefined) throw wrongPassword()
  const salt = findSalt([account.passwordHash])
  const passwordHash = await hashPassword(services.passwordCost, newPassword, salt)
  return await db.transaction().execute(async (transaction) => {
    // The account is updated first, so that a concurrent sign-in with the old password waits and then fails.
    const isChanged = await store.updatePassword(transaction, account, passwordHash, requestId)
    if (!isChanged) throw wrongPassword()
    // A person who accepts an invitation with the former password waits for this transaction, and then fails.
    await requireFullReach(transaction, reach)
    await deleteReset(transaction, userId)
    return await renewSession(transaction, userId, sessionToken, requestId)
  })
}

function wrongPassword(): ApiError {
  return invalidRequest([{ field: 'currentPassword', message: 'is not your current password' }])
}
