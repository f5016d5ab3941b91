import { randomUUIDv7 } from 'node:crypto'
import { SESSION_PREFIX } from '../access/session.ts'
import { notFound, Refusal } from '../errors.ts'
import { invalidDocument } from '../http/document.ts'
import type { Clock } from '../kit/clock.ts'
import { hashToken, newToken } from '../kit/token.ts'
import type { Database } from '../tables.ts'
import {
  findAccountByPassword,
  findOwnAccount,
  passwordHashOf,
  type PasswordServices,
} from './guess-service.ts'
import * as store from './store.ts'
import type { Account } from './user.ts'

/** Somebody who was just signed in. */
export interface SignedIn {
  userId: string
  /** The session's secret, for the only time: the store keeps its hash. */
  token: string
}

/** Makes a person's account, or finds the one that has the address. Returns its id. */
export async function createUser(
  db: Database,
  person: { email: string; name: string; passwordHash: string },
): Promise<string> {
  return await store.insertUser(db, { id: randomUUIDv7(), ...person })
}

/** Makes a person's account. Returns its id; undefined = another account has the address. */
export async function createNewUser(
  db: Database,
  person: { email: string; name: string; passwordHash: string },
): Promise<string | undefined> {
  const id = randomUUIDv7()
  return (await store.insertNewUser(db, { id, ...person })) ? id : undefined
}

/** Says whether somebody has an account with this address. */
export async function hasAccount(db: Database, email: string): Promise<boolean> {
  return (await store.findAccountByEmail(db, email)) !== undefined
}

/** How a person is called. Errors: not_found. */
export async function showPerson(
  db: Database,
  userId: string,
): Promise<{ id: string; name: string; email: string }> {
  const person = await store.findPerson(db, userId)
  if (person === undefined) throw notFound()
  return person
}

/**
 * Begins a session and returns its secret, for the only time: the store keeps its hash. The session
 * ends after 12 hours without use, and after 7 days in any case. Errors: not_found for an unknown
 * account.
 */
export async function startSession(db: Database, clock: Clock, userId: string): Promise<string> {
  const token = newToken(SESSION_PREFIX)
  const session = { userId, tokenHash: hashToken(token), passwordHash: undefined }
  if (!(await store.insertSession(db, clock, session))) throw notFound()
  return token
}

/**
 * Begins a session for somebody whose password was just verified. Errors: credentials_unknown when the
 * password was changed meanwhile.
 */
export async function startVerifiedSession(
  db: Database,
  clock: Clock,
  { id: userId, passwordHash }: Account,
): Promise<string> {
  const token = newToken(SESSION_PREFIX)
  const session = { userId, tokenHash: hashToken(token), passwordHash }
  if (await store.insertSession(db, clock, session)) return token
  throw new Refusal('credentials_unknown', 'The password was changed at this moment. Try again.')
}

/**
 * Signs a person in, with a new session always; the one that the browser had ends. Errors:
 * credentials_unknown, too_many_requests.
 */
export async function signIn(
  services: PasswordServices,
  attempt: { email: string; password: string; client: string },
  formerToken: string | undefined,
): Promise<SignedIn> {
  const { db, clock } = services
  const account = await findAccountByPassword(services, attempt)
  const token = await startVerifiedSession(db, clock, account)
  if (formerToken !== undefined) await endSession(db, formerToken)
  return { userId: account.id, token }
}

/** Signs out: the session whose secret this is can do nothing more, from now on in every process. */
export async function endSession(db: Database, token: string): Promise<void> {
  await store.deleteSession(db, hashToken(token))
}

/** Ends every session of a person. */
export async function endSessionsOf(db: Database, userId: string): Promise<void> {
  await store.deleteSessionsOf(db, userId)
}

/** Ends every session of a person who is a member of no organization any more. */
export async function endSessionsOfStranger(db: Database, userId: string): Promise<void> {
  await store.deleteSessionsOfStranger(db, userId)
}

/** Changes how a person is called. */
export async function rename(db: Database, userId: string, name: string): Promise<void> {
  await store.updateName(db, userId, name)
}

/**
 * Changes a person's password, ends all their sessions and begins a new one, whose secret it returns.
 * Errors: document_invalid when the current password is wrong, too_many_requests.
 */
export async function changePassword(
  services: PasswordServices,
  userId: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<string> {
  const { db, clock } = services
  const account = await findOwnAccount(services, userId, currentPassword)
  if (account === undefined) throw wrongPassword()
  const passwordHash = await passwordHashOf(newPassword)
  return await db.transaction().execute(async (transaction) => {
    // First the account: who signs in with the old password at this moment waits here, and fails.
    const isChanged = await store.updatePassword(transaction, account, passwordHash)
    if (!isChanged) throw wrongPassword()
    await store.deleteSessionsOf(transaction, userId)
    return await startVerifiedSession(transaction, clock, { id: userId, passwordHash })
  })
}

function wrongPassword(): Refusal {
  return invalidDocument([{ field: 'currentPassword', message: 'is not your current password' }])
}
