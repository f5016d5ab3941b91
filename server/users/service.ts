import { randomUUIDv7 } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'
import { SESSION_PREFIX } from '../access/session.ts'
import type { Clock } from '../kit/clock.ts'
import { hashToken, newToken } from '../kit/token.ts'
import type { Database } from '../tables.ts'
import { deleteSession, deleteSessionsOf, insertSession, insertUser } from './store.ts'

/** Hashes a password with scrypt; it takes tens of milliseconds, so never inside a transaction. */
export async function passwordHashOf(password: string): Promise<string> {
  return await hashPassword(password)
}

/** Makes a person's account, or finds the one that has the address. Returns its id. */
export async function createUser(
  db: Database,
  person: { email: string; name: string; passwordHash: string },
): Promise<string> {
  return await insertUser(db, { id: randomUUIDv7(), ...person })
}

/**
 * Signs a person in and returns the session's secret, for the only time: the store keeps its hash.
 * The session ends after 12 hours without use, and after 7 days in any case.
 */
export async function startSession(db: Database, clock: Clock, userId: string): Promise<string> {
  const token = newToken(SESSION_PREFIX)
  await insertSession(db, clock, userId, hashToken(token))
  return token
}

/** Signs out: the session whose secret this is can do nothing more, from now on in every process. */
export async function endSession(db: Database, token: string): Promise<void> {
  await deleteSession(db, hashToken(token))
}

/** Ends every session of a person. */
export async function endSessionsOf(db: Database, userId: string): Promise<void> {
  await deleteSessionsOf(db, userId)
}
