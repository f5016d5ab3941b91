import { sql } from 'kysely'
import type { Config } from './config.ts'
import { beginKeyChange, endKeyChange, replaceKeyFile } from './encryption.ts'
import { countUnreadable, resealCredentials } from './integrations/service.ts'
import type { SecretBox } from './kit/secret-box.ts'
import type { Database } from './tables.ts'
import { countUnreadableSecrets, resealWebhookSecrets } from './webhooks/secret-service.ts'

/** The result of a change of the encryption key. */
export interface Rotation {
  /** The IDs of the keys before and after; the same if the change had already ended. */
  fromKeyId: string
  toKeyId: string
  resealedCount: number
  /** The number of credentials sealed with an unknown key, which cannot be opened. */
  unreadableCount: number
  /** The file of the new key; undefined if the key is a setting. */
  keyFile: string | undefined
}

/**
 * Seals all credentials and the secrets of webhooks with PORTBOOK_ENCRYPTION_KEY_NEW and makes it the key of the database. Servers start with the
 * old key until the change has ended, then with the new one. After a crash at any point, running it again completes the
 * change. Errors: EncryptionKeyMismatch, SecretUnreadable.
 */
export async function rotateKey(config: Config, db: Database): Promise<Rotation> {
  const change = await beginKeyChange(config, db)
  const { from, to } = change
  const resealedCount = await resealAll(db, from, to)
  const lateCount = await db.transaction().execute(async (transaction) => {
    // Re-seals credentials that a server sealed with the old key in the meantime. The lock prevents further ones until
    // the old key is deleted.
    await sql`lock table encryption_key, credential, webhook_secret in share row exclusive mode`.execute(
      transaction,
    )
    const count = await resealAll(transaction, from, to)
    await endKeyChange(transaction, change)
    return count
  })
  const keyFile = replaceKeyFile(config)
  return {
    fromKeyId: from.keyId,
    toKeyId: to.keyId,
    resealedCount: resealedCount + lateCount,
    unreadableCount: (await countUnreadable(db, to)) + (await countUnreadableSecrets(db, to)),
    keyFile,
  }
}

async function resealAll(db: Database, from: SecretBox, to: SecretBox): Promise<number> {
  return (await resealCredentials(db, from, to)) + (await resealWebhookSecrets(db, from, to))
}
