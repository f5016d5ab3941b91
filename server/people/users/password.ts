import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/**
 * Password hashes: scrypt, stored as `salt:key` in hexadecimal. All accounts with the same address share a salt.
 * Checking a password therefore takes one computation for any number of accounts, and its duration reveals nothing
 * about them.
 */

const SALT_BYTES = 16
const KEY_BYTES = 64

/** The cost of one computation: 32 MiB of memory and some tens of milliseconds. All hashes must have it. */
export const PASSWORD_COST: ScryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }

const HASH = /^([0-9a-f]{32}):([0-9a-f]{128})$/

// Used if no account exists, so that the check takes the same time. It belongs to no password.
const DUMMY_SALT = '2138188abb6d376a92b510f49d5a3844'

/**
 * Hashes a password, with the salt of its address if one exists. This takes tens of milliseconds, so do not call it
 * in a transaction.
 */
export async function hashPassword(
  cost: ScryptOptions,
  password: string,
  salt = randomBytes(SALT_BYTES).toString('hex'),
): Promise<string> {
  return `${salt}:${(await deriveKey(cost, password, salt)).toString('hex')}`
}

/** Returns the salt of the first usable hash; undefined if none is usable. */
export function findSalt(hashes: readonly string[]): string | undefined {
  return hashes.flatMap((hash) => HASH.exec(hash)?.[1] ?? [])[0]
}

/**
 * Returns for each hash whether it matches a password. It computes one key per distinct salt, and at least one.
 */
export async function matchPassword(
  cost: ScryptOptions,
  hashes: readonly string[],
  password: string,
): Promise<boolean[]> {
  const parsed = hashes.map((hash) => HASH.exec(hash))
  const salts = new Set(parsed.flatMap((match) => match?.[1] ?? []))
  if (salts.size === 0) salts.add(DUMMY_SALT)
  const keys = new Map<string, Buffer>()
  for (const salt of salts) keys.set(salt, await deriveKey(cost, password, salt))
  return parsed.map((match) => {
    const [, salt = '', key = ''] = match ?? []
    const derived = keys.get(salt)
    return derived !== undefined && timingSafeEqual(derived, Buffer.from(key, 'hex'))
  })
}

function deriveKey(cost: ScryptOptions, password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
