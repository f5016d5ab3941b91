import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import {
  newEncryptionKey,
  parseEncryptionKey,
  secretBox,
  type SecretBox,
} from './kit/secret-box.ts'
import type { Database } from './tables.ts'

/** The encryption key is not the one that the store was sealed with, or cannot be read. */
export class EncryptionKeyMismatch extends Error {
  override readonly name = 'EncryptionKeyMismatch'
}

const KEY_FILE = 'encryption.key'
const PROBE = 'portbook'

/**
 * Opens the box for credentials: with the configured key, or with the one beside the embedded
 * store, which is made at the first start and readable by its owner alone. The first key that a
 * store sees is remembered by a sealed word. Errors: EncryptionKeyMismatch, naming the key ids.
 */
export async function openSecretBox(config: Config, db: Database): Promise<SecretBox> {
  const known = await db.selectFrom('encryption_key').select(['id', 'sealed']).execute()
  const key =
    config.encryptionKey ??
    keyBeside(
      config.dataDirectory,
      known.map(({ id }) => id),
    )
  const box = secretBox(key)
  if (known.length === 0) {
    const sealed = box.seal(PROBE, `encryption_key/${box.keyId}`)
    const row = { id: box.keyId, sealed }
    // Of two processes that start at once with different keys, the second is refused below.
    await db
      .insertInto('encryption_key')
      .values(row)
      .onConflict((on) => on.doNothing())
      .execute()
    const all = await db.selectFrom('encryption_key').select('id').orderBy('created_at').execute()
    return requireKnown(box, all.map(({ id }) => id).slice(0, 1))
  }
  return requireKnown(
    box,
    known.map(({ id }) => id),
  )
}

function requireKnown(box: SecretBox, ids: readonly string[]): SecretBox {
  if (ids.includes(box.keyId)) return box
  throw new EncryptionKeyMismatch(
    `the encryption key ${box.keyId} is not the one that this store was sealed with (${ids.join(', ')}); set PORTBOOK_ENCRYPTION_KEY to that one`,
  )
}

function keyBeside(directory: string, knownIds: readonly string[]): Buffer {
  const path = join(directory, KEY_FILE)
  if (!existsSync(path)) {
    if (knownIds.length > 0) {
      throw new EncryptionKeyMismatch(
        `the encryption key ${knownIds.join(', ')} is missing: put ${path} back, or set PORTBOOK_ENCRYPTION_KEY`,
      )
    }
    writeFileSync(path, `${newEncryptionKey()}\n`, { mode: 0o600, flag: 'wx' })
  }
  const key = parseEncryptionKey(readFileSync(path, 'utf8'))
  if (key === undefined) throw new EncryptionKeyMismatch(`${path} does not hold an encryption key`)
  return key
}
