import type { Config } from './platform/config.ts'
import { beginKeyChange, endKeyChange, replaceKeyFile } from './encryption.ts'
import { countSealedOtherwise, lockSealedTables, resealSecrets } from './platform/sealed-secrets.ts'
import type { Database } from './platform/tables.ts'

/** The result of a change of the encryption key. */
export interface Rotation {
  /** The IDs of the keys before and after; the same if the change had already ended. */
  fromKeyId: string
  toKeyId: string
  resealedCount: number
  /** The number of secrets sealed with an unknown key, which cannot be opened. */
  unreadableCount: number
  /** The file of the new key; undefined if the key is a setting. */
  keyFile: string | undefined
}

/**
 * Seals all secrets with PORTBOOK_ENCRYPTION_KEY_NEW and makes it the key of the database. Servers start with the
 * old key until the change has ended, then with the new one. After a crash at any point, running it again completes the
 * change. Errors: EncryptionKeyMismatch, SecretUnreadable.
 */
export async function rotateKey(config: Config, db: Database): Promise<Rotation> {
  const change = await beginKeyChange(config, db)
  const { from, to } = change
  const resealedCount = await resealSecrets(db, from, to)
  const lateCount = await db.transaction().execute(async (transaction) => {
    // Re-seals secrets that a server sealed with the old key in the meantime. The lock prevents further ones until
    // the old key is deleted.
    await lockSealedTables(transaction)
    const count = await resealSecrets(transaction, from, to)
    await endKeyChange(transaction, change)
    return count
  })
  const keyFile = replaceKeyFile(config)
  return {
    fromKeyId: from.keyId,
    toKeyId: to.keyId,
    resealedCount: resealedCount + lateCount,
    unreadableCount: await countSealedOtherwise(db, to),
    keyFile,
  }
}
