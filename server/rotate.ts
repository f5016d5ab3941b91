import { sql } from 'kysely'
import type { Config } from './config.ts'
import { beginKeyChange, endKeyChange, replaceKeyFile } from './encryption.ts'
import { countUnreadable, resealCredentials } from './integrations/service.ts'
import type { Database } from './tables.ts'

/** What became of a change of the encryption key. */
export interface Rotation {
  /** The ids of the keys before and after; the same when the change had ended before. */
  fromKeyId: string
  toKeyId: string
  resealedCount: number
  /** Credentials that were sealed with a key that the store does not know; nobody can open them. */
  unreadableCount: number
  /** The file that holds the new key; undefined when the key is a setting. */
  keyFile: string | undefined
}

/**
 * Seals every credential with the key of PORTBOOK_ENCRYPTION_KEY_NEW and makes it the store's. Until
 * the end servers start with the old key, from then on with the new one. After a crash, wherever it
 * was, the same again ends it. Errors: EncryptionKeyMismatch, SecretUnreadable.
 */
export async function rotateKey(config: Config, db: Database): Promise<Rotation> {
  const change = await beginKeyChange(config, db)
  const { from, to } = change
  const resealedCount = await resealCredentials(db, from, to)
  const lateCount = await db.transaction().execute(async (transaction) => {
    // What a server sealed with the old key while the others were sealed anew is found here: until
    // the old key is forgotten nobody can set another.
    await sql`lock table encryption_key, credential in share row exclusive mode`.execute(
      transaction,
    )
    const count = await resealCredentials(transaction, from, to)
    await endKeyChange(transaction, change)
    return count
  })
  const keyFile = replaceKeyFile(config)
  return {
    fromKeyId: from.keyId,
    toKeyId: to.keyId,
    resealedCount: resealedCount + lateCount,
    unreadableCount: await countUnreadable(db, to),
    keyFile,
  }
}
