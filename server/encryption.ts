import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from './platform/config.ts'
import {
  newEncryptionKey,
  parseEncryptionKey,
  secretBox,
  type SecretBox,
} from './platform/kit/secret-box.ts'
import { writeSecretFile } from './platform/kit/secret-file.ts'
import { sealPlainRecords } from './documents/plain-records/secret-service.ts'
import type { Database } from './platform/tables.ts'

/** An error of an encryption key that is invalid or not the one of the database. */
export class EncryptionKeyMismatch extends Error {
  override readonly name = 'EncryptionKeyMismatch'
}

const KEY_FILE = 'encryption.key'
const NEXT_KEY_FILE = 'encryption.key.new'

// The database stores a marker sealed with each key, which shows whether the key is already in use.
const IN_USE = 'portbook'
const PENDING = 'portbook, when all is sealed with it'

/** A key of the database: its ID, and a marker sealed with it. */
interface StoredKey {
  id: string
  sealed: Buffer
}

/** The boxes of the current and of the next key. */
interface KeyChange {
  from: SecretBox
  to: SecretBox
}

/**
 * Opens the box for credentials with the configured key, or with the one in the data directory, which the first start
 * generates and only its owner can read. The first key is recorded in the database with a sealed marker. Secrets that
 * an earlier version stored in the clear are sealed. Errors: EncryptionKeyMismatch, with the key IDs.
 */
export async function openSecretBox(config: Config, db: Database): Promise<SecretBox> {
  const keys = await listKeys(db)
  const box = presentBox(config, keys)
  requireInUse(keys.length > 0 ? keys : [await recordFirstKey(db, box)], box)
  await sealPlainRecords(db, box)
  return box
}

/**
 * Checks that the current encryption key is the first of the key IDs of a file with sealed credentials. A second ID is
 * that of an unfinished key change.
 *
 * Errors: EncryptionKeyMismatch if the key is missing or different.
 */
export function assertFileKey(path: string, config: Config, keyIds: readonly string[]): void {
  const [inUse = 'none', next] = keyIds
  const keyFile = join(config.dataDirectory, KEY_FILE)
  const key =
    config.encryptionKey ??
    (existsSync(keyFile) ? readKeyFile(config.dataDirectory, []) : undefined)
  const present = key === undefined ? undefined : secretBox(key).keyId
  if (present === inUse) return
  const change = next === undefined ? '' : ` (which is being changed to ${next})`
  throw new EncryptionKeyMismatch(
    `${path} contains credentials that are sealed with the encryption key ${inUse}${change}, but the key here is ${present ?? 'missing'}. Set PORTBOOK_ENCRYPTION_KEY to that key, or put its file at ${keyFile}.`,
  )
}

/**
 * Records the next key in the database, unless it is already recorded. This also works after the change has ended, and
 * to revert an unfinished change. If the current key is from the data directory, the next one is first written there,
 * so that a crash cannot lose it. Errors: EncryptionKeyMismatch.
 */
export async function beginKeyChange(config: Config, db: Database): Promise<KeyChange> {
  const { nextEncryptionKey } = config
  if (nextEncryptionKey === undefined) {
    throw new EncryptionKeyMismatch(
      'rotate-key needs the new key in PORTBOOK_ENCRYPTION_KEY_NEW; `openssl rand -base64 32` generates one',
    )
  }
  const to = secretBox(nextEncryptionKey)
  const keys = await listKeys(db)
  if (keys.length === 0) {
    throw new EncryptionKeyMismatch(
      'this database was never sealed with an encryption key: start Portbook with the new one',
    )
  }
  const from = presentBox(config, keys)
  if (config.encryptionKey !== undefined && from.keyId === to.keyId) {
    throw new EncryptionKeyMismatch(
      `PORTBOOK_ENCRYPTION_KEY_NEW is the key of PORTBOOK_ENCRYPTION_KEY (${to.keyId}): nothing to change`,
    )
  }
  requireNoOtherChange(keys, { from, to })
  if (keys.some((key) => openMarker(to, key) === IN_USE)) return { from, to }
  requireInUse(keys, from)
  if (config.encryptionKey === undefined) {
    writeSecretFile(join(config.dataDirectory, NEXT_KEY_FILE), nextEncryptionKey.toString('base64'))
  }
  await announce(db, { from, to })
  return { from, to }
}

/**
 * Activates the next key and deletes the old one, with which nothing may be sealed any longer. It can be repeated.
 * Errors: EncryptionKeyMismatch if the next key was itself replaced in between.
 */
export async function endKeyChange(transaction: Database, { from, to }: KeyChange): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('encryption_key')
    .set({ sealed: to.seal(IN_USE, toLocation(to.keyId)) })
    .where('id', '=', to.keyId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    throw new EncryptionKeyMismatch(`the encryption key ${to.keyId} was itself replaced in between`)
  }
  if (from.keyId === to.keyId) return
  await transaction.deleteFrom('encryption_key').where('id', '=', from.keyId).execute()
}

/**
 * Replaces the key in the data directory with the next key, atomically. Returns the path; undefined if the key is a
 * setting.
 */
export function replaceKeyFile(config: Config): string | undefined {
  const { dataDirectory, encryptionKey, nextEncryptionKey } = config
  if (encryptionKey !== undefined || nextEncryptionKey === undefined) return undefined
  const path = join(dataDirectory, KEY_FILE)
  writeSecretFile(path, nextEncryptionKey.toString('base64'))
  rmSync(join(dataDirectory, NEXT_KEY_FILE), { force: true })
  return path
}

// Oldest first: the second key will replace the first.
async function listKeys(db: Database): Promise<StoredKey[]> {
  return await db
    .selectFrom('encryption_key')
    .select(['id', 'sealed'])
    .orderBy('created_at')
    .execute()
}

function presentBox(config: Config, keys: readonly StoredKey[]): SecretBox {
  const ids = keys.map(({ id }) => id)
  return secretBox(config.encryptionKey ?? readKeyFile(config.dataDirectory, ids))
}

// The lock serializes concurrent starts, so that only one key is recorded.
async function recordFirstKey(db: Database, box: SecretBox): Promise<StoredKey> {
  return await db.transaction().execute(async (transaction) => {
    await sql`lock table encryption_key in exclusive mode`.execute(transaction)
    const [first] = await listKeys(transaction)
    return first ?? (await insertKey(transaction, box, IN_USE))
  })
}

// The lock serializes concurrent key changes: the second sees the key that the first announced.
async function announce(db: Database, change: KeyChange): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`lock table encryption_key in exclusive mode`.execute(transaction)
    const keys = await listKeys(transaction)
    const { from, to } = change
    requireNoOtherChange(keys, change)
    requireInUse(keys, from)
    const pending = keys.find(({ id }) => id === to.keyId)
    if (pending === undefined) await insertKey(transaction, to, PENDING)
    else if (openMarker(to, pending) === undefined) throw cannotOpen(to)
  })
}

async function insertKey(
  transaction: Database,
  box: SecretBox,
  marker: string,
): Promise<StoredKey> {
  const key = { id: box.keyId, sealed: box.seal(marker, toLocation(box.keyId)) }
  await transaction.insertInto('encryption_key').values(key).execute()
  return key
}

function requireNoOtherChange(keys: readonly StoredKey[], { from, to }: KeyChange): void {
  const [present, next] = keys.map(({ id }) => id)
  if (next === undefined || keys.every(({ id }) => id === from.keyId || id === to.keyId)) return
  throw new EncryptionKeyMismatch(
    `the change of the encryption key from ${present} to ${next} has not ended: set PORTBOOK_ENCRYPTION_KEY to the first and PORTBOOK_ENCRYPTION_KEY_NEW to the second, not ${from.keyId} and ${to.keyId}`,
  )
}

function requireInUse(keys: readonly StoredKey[], box: SecretBox): void {
  const own = keys.find(({ id }) => id === box.keyId)
  if (own === undefined) {
    const [present, next] = keys.map(({ id }) => id)
    const ids = next === undefined ? present : `${present}, which is being changed to ${next}`
    throw new EncryptionKeyMismatch(
      `the encryption key ${box.keyId} is not the one of this database (${ids}); set PORTBOOK_ENCRYPTION_KEY to that one`,
    )
  }
  const marker = openMarker(box, own)
  if (marker === PENDING) {
    throw new EncryptionKeyMismatch(
      `the change to the encryption key ${box.keyId} has not ended: run rotate-key again, with the previous key in PORTBOOK_ENCRYPTION_KEY`,
    )
  }
  if (marker !== IN_USE) throw cannotOpen(box)
}

function cannotOpen({ keyId }: SecretBox): EncryptionKeyMismatch {
  return new EncryptionKeyMismatch(
    `the encryption key ${keyId} cannot decrypt the data of this database`,
  )
}

/** Opens the marker of a key; undefined if the box cannot open it. */
function openMarker(box: SecretBox, { id, sealed }: StoredKey): string | undefined {
  try {
    return box.open(sealed, toLocation(id))
  } catch {
    return undefined
  }
}

function toLocation(keyId: string): string {
  return `encryption_key/${keyId}`
}

function readKeyFile(directory: string, knownIds: readonly string[]): Buffer {
  const path = join(directory, KEY_FILE)
  if (!existsSync(path)) {
    if (knownIds.length > 0) {
      throw new EncryptionKeyMismatch(
        `the encryption key ${knownIds.join(', ')} is missing: restore ${path}, or set PORTBOOK_ENCRYPTION_KEY`,
      )
    }
    writeSecretFile(path, newEncryptionKey())
  }
  const key = parseEncryptionKey(readFileSync(path, 'utf8'))
  if (key === undefined)
    throw new EncryptionKeyMismatch(`${path} does not contain an encryption key`)
  return key
}
