import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import {
  newEncryptionKey,
  parseEncryptionKey,
  secretBox,
  type SecretBox,
} from './kit/secret-box.ts'
import { writeSecretFile } from './kit/secret-file.ts'
import type { Database } from './tables.ts'

/** The encryption key is not the one that the store was sealed with, or cannot be read. */
export class EncryptionKeyMismatch extends Error {
  override readonly name = 'EncryptionKeyMismatch'
}

const KEY_FILE = 'encryption.key'
const PROBE = 'portbook'

/** A key that the store knows: its id, and a word sealed with it. */
interface KnownKey {
  id: string
  sealed: Buffer
}

/**
 * Opens the box for credentials: with the configured key, or with the one beside the embedded
 * store, which is made at the first start and readable by its owner alone. The first key that a
 * store sees is remembered by a sealed word. Errors: EncryptionKeyMismatch, naming the key ids.
 */
export async function openSecretBox(config: Config, db: Database): Promise<SecretBox> {
  const known = await db.selectFrom('encryption_key').select(['id', 'sealed']).execute()
  const ids = known.map(({ id }) => id)
  const box = secretBox(config.encryptionKey ?? keyBeside(config.dataDirectory, ids))
  requireOneOf(known.length > 0 ? known : [await rememberFirst(db, box)], box)
  return box
}

// Processes that start at once take turns, so that the store comes to know one key alone.
async function rememberFirst(db: Database, box: SecretBox): Promise<KnownKey> {
  return await db.transaction().execute(async (transaction) => {
    await sql`lock table encryption_key in exclusive mode`.execute(transaction)
    const first = await transaction
      .selectFrom('encryption_key')
      .select(['id', 'sealed'])
      .orderBy('created_at')
      .executeTakeFirst()
    if (first !== undefined) return first
    const mine = { id: box.keyId, sealed: box.seal(PROBE, placeOf(box.keyId)) }
    await transaction.insertInto('encryption_key').values(mine).execute()
    return mine
  })
}

function requireOneOf(known: readonly KnownKey[], box: SecretBox): void {
  const own = known.find(({ id }) => id === box.keyId)
  if (own === undefined) {
    const ids = known.map(({ id }) => id).join(', ')
    throw new EncryptionKeyMismatch(
      `the encryption key ${box.keyId} is not the one that this store was sealed with (${ids}); set PORTBOOK_ENCRYPTION_KEY to that one`,
    )
  }
  if (!opens(box, own)) {
    throw new EncryptionKeyMismatch(
      `the encryption key ${box.keyId} does not open what this store was sealed with`,
    )
  }
}

function opens(box: SecretBox, { id, sealed }: KnownKey): boolean {
  try {
    return box.open(sealed, placeOf(id)) === PROBE
  } catch {
    return false
  }
}

function placeOf(keyId: string): string {
  return `encryption_key/${keyId}`
}

function keyBeside(directory: string, knownIds: readonly string[]): Buffer {
  const path = join(directory, KEY_FILE)
  if (!existsSync(path)) {
    if (knownIds.length > 0) {
      throw new EncryptionKeyMismatch(
        `the encryption key ${knownIds.join(', ')} is missing: put ${path} back, or set PORTBOOK_ENCRYPTION_KEY`,
      )
    }
    writeSecretFile(path, newEncryptionKey())
  }
  const key = parseEncryptionKey(readFileSync(path, 'utf8'))
  if (key === undefined) throw new EncryptionKeyMismatch(`${path} does not hold an encryption key`)
  return key
}
