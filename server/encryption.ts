import { existsSync, readFileSync, rmSync } from 'node:fs'
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

/** The encryption key is not the one that the store was sealed with, or cannot be used. */
export class EncryptionKeyMismatch extends Error {
  override readonly name = 'EncryptionKeyMismatch'
}

const KEY_FILE = 'encryption.key'
const NEXT_KEY_FILE = 'encryption.key.new'

// What the store keeps sealed with each key that it knows says whether the key is in use already.
const IN_USE = 'portbook'
const TO_COME = 'portbook, when all is sealed with it'

/** A key that the store knows: its id, and a word sealed with it. */
interface KnownKey {
  id: string
  sealed: Buffer
}

/** The boxes of the key in use and of the one that takes its place. */
export interface KeyChange {
  from: SecretBox
  to: SecretBox
}

/**
 * Opens the box for credentials: with the configured key, or with the one beside the embedded
 * store, which is made at the first start and readable by its owner alone. The first key that a
 * store sees is remembered by a sealed word. Errors: EncryptionKeyMismatch, naming the key ids.
 */
export async function openSecretBox(config: Config, db: Database): Promise<SecretBox> {
  const known = await listKnown(db)
  const box = presentBox(config, known)
  requireInUse(known.length > 0 ? known : [await rememberFirst(db, box)], box)
  return box
}

/**
 * Checks that the present encryption key is the first of the ids, which are those of a file with sealed
 * credentials; a second one is of a key change that had not ended.
 *
 * Errors: EncryptionKeyMismatch if the key is missing or another one.
 */
export function assertKeyOf(path: string, config: Config, keyIds: readonly string[]): void {
  const [inUse = 'none', next] = keyIds
  const keyFile = join(config.dataDirectory, KEY_FILE)
  const key =
    config.encryptionKey ?? (existsSync(keyFile) ? keyBeside(config.dataDirectory, []) : undefined)
  const present = key === undefined ? undefined : secretBox(key).keyId
  if (present === inUse) return
  const change = next === undefined ? '' : ` (which was being changed to ${next})`
  throw new EncryptionKeyMismatch(
    `${path} contains credentials that are sealed with the encryption key ${inUse}${change}, but the key here is ${present ?? 'missing'}. Set PORTBOOK_ENCRYPTION_KEY to that key, or put its file at ${keyFile}.`,
  )
}

/**
 * Lets the store know the key that is to take the place of the one in use, unless it knows it
 * already; also when the change has ended, and when it takes an unfinished one back. A key that came
 * from the file beside the store has its successor beside it first, so that no crash loses it.
 * Errors: EncryptionKeyMismatch.
 */
export async function beginKeyChange(config: Config, db: Database): Promise<KeyChange> {
  const { nextEncryptionKey } = config
  if (nextEncryptionKey === undefined) {
    throw new EncryptionKeyMismatch(
      'rotate-key needs the new key in PORTBOOK_ENCRYPTION_KEY_NEW; `openssl rand -base64 32` makes one',
    )
  }
  const to = secretBox(nextEncryptionKey)
  const known = await listKnown(db)
  if (known.length === 0) {
    throw new EncryptionKeyMismatch(
      'this store was never sealed with an encryption key: start it with the new one',
    )
  }
  const from = presentBox(config, known)
  if (config.encryptionKey !== undefined && from.keyId === to.keyId) {
    throw new EncryptionKeyMismatch(
      `PORTBOOK_ENCRYPTION_KEY_NEW is the key of PORTBOOK_ENCRYPTION_KEY (${to.keyId}): there is nothing to change`,
    )
  }
  requireNoOtherChange(known, { from, to })
  if (known.some((key) => wordOf(to, key) === IN_USE)) return { from, to }
  requireInUse(known, from)
  if (config.encryptionKey === undefined) {
    writeSecretFile(join(config.dataDirectory, NEXT_KEY_FILE), nextEncryptionKey.toString('base64'))
  }
  await announce(db, { from, to })
  return { from, to }
}

/**
 * Takes the new key into use and forgets the old one; nothing may be sealed with the old one any
 * more. It may be repeated. Errors: EncryptionKeyMismatch when the new key was changed meanwhile.
 */
export async function endKeyChange(transaction: Database, { from, to }: KeyChange): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('encryption_key')
    .set({ sealed: to.seal(IN_USE, placeOf(to.keyId)) })
    .where('id', '=', to.keyId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    throw new EncryptionKeyMismatch(`the encryption key ${to.keyId} was itself changed meanwhile`)
  }
  if (from.keyId === to.keyId) return
  await transaction.deleteFrom('encryption_key').where('id', '=', from.keyId).execute()
}

/**
 * Puts the new key in the place of the one that was beside the embedded store, atomically. Returns
 * the path; undefined when the key is a setting.
 */
export function replaceKeyFile(config: Config): string | undefined {
  const { dataDirectory, encryptionKey, nextEncryptionKey } = config
  if (encryptionKey !== undefined || nextEncryptionKey === undefined) return undefined
  const path = join(dataDirectory, KEY_FILE)
  writeSecretFile(path, nextEncryptionKey.toString('base64'))
  rmSync(join(dataDirectory, NEXT_KEY_FILE), { force: true })
  return path
}

// The oldest first: of two the second is to take the place of the first.
async function listKnown(db: Database): Promise<KnownKey[]> {
  return await db
    .selectFrom('encryption_key')
    .select(['id', 'sealed'])
    .orderBy('created_at')
    .execute()
}

function presentBox(config: Config, known: readonly KnownKey[]): SecretBox {
  const ids = known.map(({ id }) => id)
  return secretBox(config.encryptionKey ?? keyBeside(config.dataDirectory, ids))
}

// Processes that start at once take turns, so that the store comes to know one key alone.
async function rememberFirst(db: Database, box: SecretBox): Promise<KnownKey> {
  return await db.transaction().execute(async (transaction) => {
    await sql`lock table encryption_key in exclusive mode`.execute(transaction)
    const [first] = await listKnown(transaction)
    return first ?? (await insertKey(transaction, box, IN_USE))
  })
}

// Two that change the key at once take turns: the second finds what the first announced.
async function announce(db: Database, change: KeyChange): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`lock table encryption_key in exclusive mode`.execute(transaction)
    const known = await listKnown(transaction)
    const { from, to } = change
    requireNoOtherChange(known, change)
    requireInUse(known, from)
    const begun = known.find(({ id }) => id === to.keyId)
    if (begun === undefined) await insertKey(transaction, to, TO_COME)
    else if (wordOf(to, begun) === undefined) throw opensNothing(to)
  })
}

async function insertKey(transaction: Database, box: SecretBox, word: string): Promise<KnownKey> {
  const key = { id: box.keyId, sealed: box.seal(word, placeOf(box.keyId)) }
  await transaction.insertInto('encryption_key').values(key).execute()
  return key
}

function requireNoOtherChange(known: readonly KnownKey[], { from, to }: KeyChange): void {
  const [present, next] = known.map(({ id }) => id)
  if (next === undefined || known.every(({ id }) => id === from.keyId || id === to.keyId)) return
  throw new EncryptionKeyMismatch(
    `the change of the encryption key from ${present} to ${next} has not ended: set PORTBOOK_ENCRYPTION_KEY to the one and PORTBOOK_ENCRYPTION_KEY_NEW to the other, not ${from.keyId} and ${to.keyId}`,
  )
}

function requireInUse(known: readonly KnownKey[], box: SecretBox): void {
  const own = known.find(({ id }) => id === box.keyId)
  if (own === undefined) {
    const [present, next] = known.map(({ id }) => id)
    const ids = next === undefined ? present : `${present}, which is being changed to ${next}`
    throw new EncryptionKeyMismatch(
      `the encryption key ${box.keyId} is not the one that this store was sealed with (${ids}); set PORTBOOK_ENCRYPTION_KEY to that one`,
    )
  }
  const word = wordOf(box, own)
  if (word === TO_COME) {
    throw new EncryptionKeyMismatch(
      `the change to the encryption key ${box.keyId} has not ended: run rotate-key again, with the key before it in PORTBOOK_ENCRYPTION_KEY`,
    )
  }
  if (word !== IN_USE) throw opensNothing(box)
}

function opensNothing({ keyId }: SecretBox): EncryptionKeyMismatch {
  return new EncryptionKeyMismatch(
    `the encryption key ${keyId} does not open what this store was sealed with`,
  )
}

/** Opens the word of a known key; undefined when the box does not open it. */
function wordOf(box: SecretBox, { id, sealed }: KnownKey): string | undefined {
  try {
    return box.open(sealed, placeOf(id))
  } catch {
    return undefined
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
