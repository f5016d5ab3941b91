import { randomUUIDv7 } from 'node:crypto'
import { hashPassword } from '@better-auth/utils/password'
import type { Database } from '../tables.ts'
import { insertUser } from './store.ts'

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
