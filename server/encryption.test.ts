import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { onStore } from '../test/stores.ts'
import { readConfig } from './platform/config.ts'
import { EncryptionKeyMismatch, openSecretBox } from './encryption.ts'
import { newEncryptionKey, secretBox, type SecretBox } from './platform/kit/secret-box.ts'

onStore((store) => {
  let directory: string
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'portbook-encryption-'))
    await store().db.deleteFrom('encryption_key').execute()
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  /** Opens the box with a configured key, or without one with the key in the data directory. */
  const open = (key?: string): Promise<SecretBox> => {
    const environment = { PORTBOOK_DATA_DIR: directory, PORTBOOK_ENCRYPTION_KEY: key }
    return openSecretBox(readConfig(environment), store().db)
  }
  const keyFile = (): string => join(directory, 'encryption.key')
  const knownIds = async (): Promise<string[]> => {
    const rows = await store().db.selectFrom('encryption_key').select('id').execute()
    return rows.map(({ id }) => id)
  }

  test('openSecretBox › creates a key in the data directory that only its owner can read, and reuses it', async () => {
    const first = await open()
    assert.deepEqual(readdirSync(directory), ['encryption.key'])
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600)
    const text = readFileSync(keyFile(), 'utf8')
    const second = await open()
    assert.equal(readFileSync(keyFile(), 'utf8'), text)
    assert.equal(second.open(first.seal('secret', 'place'), 'place'), 'secret')
    assert.deepEqual(await knownIds(), [first.keyId])
    assert.equal((await open(text)).keyId, first.keyId)
  })

  test('openSecretBox › writes no file with a configured key', async () => {
    const key = newEncryptionKey()
    const box = await open(key)
    assert.deepEqual(readdirSync(directory), [])
    assert.equal((await open(key)).keyId, box.keyId)
    assert.deepEqual(await knownIds(), [box.keyId])
  })

  test('openSecretBox › rejects another key, with both key IDs but without the keys', async () => {
    const [right, wrong] = [newEncryptionKey(), newEncryptionKey()]
    const { keyId } = await open(right)
    const other = secretBox(Buffer.from(wrong, 'base64')).keyId
    for (let start = 0; start < 2; start += 1) {
      await assertRefused(open(wrong), keyId, other)
      await assert.rejects(
        open(wrong),
        ({ message }: Error) => !message.includes(wrong.slice(0, 8)),
      )
    }
    writeFileSync(keyFile(), wrong)
    await assertRefused(open(), keyId, other)
    assert.equal((await open(right)).keyId, keyId)
    assert.deepEqual(await knownIds(), [keyId])
  })

  test('openSecretBox › rejects a missing key file, with its path and key ID, and creates no new one', async () => {
    const { keyId } = await open()
    rmSync(keyFile())
    await assertRefused(open(), keyId, keyFile())
    assert.deepEqual(readdirSync(directory), [])
  })

  test('openSecretBox › rejects an invalid key file without showing its contents', async () => {
    for (const text of ['', 'canary']) {
      writeFileSync(keyFile(), text)
      await assertRefused(open(), keyFile())
      await assert.rejects(open(), ({ message }: Error) => !message.includes('canary'))
    }
    assert.deepEqual(await knownIds(), [])
  })

  test('openSecretBox › rejects a different key with the same ID', async () => {
    const key = newEncryptionKey()
    await open(key)
    const sealed = secretBox(Buffer.alloc(32, 1)).seal('portbook', 'encryption_key/x')
    await store().db.updateTable('encryption_key').set({ sealed }).execute()
    await assertRefused(open(key), 'cannot decrypt')
  })

  test('openSecretBox › rejects one of two concurrent first starts with different keys, also later', async () => {
    for (let round = 0; round < 5; round += 1) {
      await store().db.deleteFrom('encryption_key').execute()
      const keys = [newEncryptionKey(), newEncryptionKey()]
      const settled = await Promise.allSettled(keys.map((key) => open(key)))
      const refused = keys.filter((_, at) => settled[at]?.status === 'rejected')
      assert.equal(refused.length, 1)
      assert.equal((await knownIds()).length, 1)
      await assertRefused(open(refused[0]))
    }
  })

  test('openSecretBox › accepts two concurrent first starts with the same key', async () => {
    const key = newEncryptionKey()
    await Promise.all([open(key), open(key), open(key)])
    assert.equal((await knownIds()).length, 1)
  })
})

/** Asserts that a start is rejected with a one-line message that contains all names. */
async function assertRefused(opening: Promise<SecretBox>, ...names: string[]): Promise<void> {
  await assert.rejects(opening, (error) => {
    assert.ok(error instanceof EncryptionKeyMismatch, String(error))
    for (const name of names) assert.ok(error.message.includes(name), error.message)
    assert.ok(!error.message.includes('\n'))
    return true
  })
}
