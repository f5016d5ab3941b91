import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { addIntegration } from '../test/integrations.ts'
import { onStore } from '../test/stores.ts'
import { newProduct, newWorld, type World } from '../test/world.ts'
import { readConfig } from './platform/config.ts'
import { EncryptionKeyMismatch, openSecretBox } from './encryption.ts'
import { upsertSecrets } from './ingestion/integrations/credential-store.ts'
import { openCredentials, toSecretContext } from './ingestion/integrations/service.ts'
import { SecretUnreadable } from './platform/sealed-secrets.ts'
import { storeClock } from './platform/kit/clock.ts'
import { newEncryptionKey, secretBox, type SecretBox } from './platform/kit/secret-box.ts'
import { rotateKey, type Rotation } from './rotate.ts'

const SECRETS = 130

function createBox(key: string): SecretBox {
  return secretBox(Buffer.from(key, 'base64'))
}

onStore((store) => {
  let places: { organizationId: string; integrationId: string }[]
  let directory: string
  let old: string
  let next: string
  let secrets: Record<string, string>

  before(async () => {
    const first = await newWorld(newProduct(store()))
    places = [await placeIn(first), await placeIn(await newWorld(first))]
  })
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'portbook-rotate-'))
    old = newEncryptionKey()
    next = newEncryptionKey()
    const { db } = store()
    await db.deleteFrom('encryption_key').execute()
    await db.deleteFrom('credential').execute()
    await start(old)
    secrets = {}
    for (let index = 0; index < SECRETS; index += 1) {
      secrets[`field${index}`] = `canary-${randomBytes(9).toString('hex')}`
    }
    for (const place of places) await seal(place, secrets, old)
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  async function placeIn(world: World): Promise<(typeof places)[number]> {
    const externalId = await addIntegration(world, null)
    const { id } = await store()
      .db.selectFrom('integration')
      .select('id')
      .where('organization_id', '=', world.organizationId)
      .where('external_id', '=', externalId)
      .executeTakeFirstOrThrow()
    return { organizationId: world.organizationId, integrationId: id }
  }

  async function seal(
    place: (typeof places)[number],
    texts: Record<string, string>,
    key: string,
  ): Promise<void> {
    const box = createBox(key)
    const sealed = Object.entries(texts).map(([field, text]) => ({
      field,
      sealed: box.seal(text, toSecretContext({ ...place, field })),
    }))
    await upsertSecrets(store().db, storeClock, { ...place, keyId: box.keyId }, sealed)
  }

  /** Returns the settings of a process; without a key, it is in the data directory. */
  function settings(key?: string, nextKey?: string): Record<string, string | undefined> {
    return {
      PORTBOOK_DATA_DIR: directory,
      PORTBOOK_ENCRYPTION_KEY: key,
      PORTBOOK_ENCRYPTION_KEY_NEW: nextKey,
    }
  }
  async function start(key?: string): Promise<SecretBox> {
    return await openSecretBox(readConfig(settings(key)), store().db)
  }
  async function rotate(key?: string, nextKey?: string): Promise<Rotation> {
    return await rotateKey(readConfig(settings(key, nextKey)), store().db)
  }
  const keyFile = (): string => join(directory, 'encryption.key')

  async function knownIds(): Promise<string[]> {
    const known = store().db.selectFrom('encryption_key').select('id').orderBy('created_at')
    return (await known.execute()).map(({ id }) => id)
  }
  async function countSealedWith(key: string): Promise<number> {
    const rows = store().db.selectFrom('credential').select('field')
    return (await rows.where('key_id', '=', createBox(key).keyId).execute()).length
  }
  async function assertAllOpenWith(key: string): Promise<void> {
    for (const { organizationId, integrationId } of places) {
      assert.deepEqual(
        await openCredentials(store().db, createBox(key), organizationId, integrationId),
        secrets,
      )
    }
  }
  async function assertOnlyStartsWith(key: string, other: string): Promise<void> {
    assert.equal((await start(key)).keyId, createBox(key).keyId)
    await assertRefused(start(other))
  }
  /** Lets writes to a table fail while `use` runs, starting with the first for which the condition is true. */
  async function whileFailing(
    write: 'update on credential' | 'delete on encryption_key',
    condition: string,
    use: () => Promise<void>,
  ): Promise<void> {
    const { db } = store()
    await sql`
      create function fail_write() returns trigger language plpgsql as ${sql.raw(`$$
        begin
          if ${condition} then raise exception 'power failure'; end if;
          return coalesce(new, old);
        end
      $$`)}
    `.execute(db)
    await sql`
      create trigger fail_write before ${sql.raw(write)}
      for each row execute function fail_write()
    `.execute(db)
    try {
      await use()
    } finally {
      await sql`drop function fail_write cascade`.execute(db)
    }
  }

  test('rotateKey › re-seals all secrets of all organizations, after which only the new key starts', async () => {
    await assertOnlyStartsWith(old, next)
    const rotation = await rotate(old, next)
    assert.deepEqual(rotation, {
      fromKeyId: createBox(old).keyId,
      toKeyId: createBox(next).keyId,
      resealedCount: 2 * SECRETS,
      unreadableCount: 0,
      keyFile: undefined,
    })
    await assertAllOpenWith(next)
    assert.deepEqual(await knownIds(), [createBox(next).keyId])
    await assertOnlyStartsWith(next, old)
    assert.deepEqual(readdirSync(directory), [])
    // Change to a third key.
    const third = newEncryptionKey()
    assert.equal((await rotate(next, third)).resealedCount, 2 * SECRETS)
    await assertAllOpenWith(third)
    await assertOnlyStartsWith(third, next)
  })

  const times = () =>
    store().db.selectFrom('credential').select('set_at').orderBy('set_at').execute()

  test('rotateKey › keeps the time at which each secret was set', async () => {
    const before = await times()
    await rotate(old, next)
    assert.deepEqual(await times(), before)
  })

  test('rotateKey › changes nothing when repeated, except for late secrets', async () => {
    await rotate(old, next)
    const again = await rotate(old, next)
    assert.equal(again.resealedCount, 0)
    // A server with the old key was not stopped, and a secret was set there.
    const [place] = places
    assert.ok(place)
    await seal(place, { field0: secrets['field0'] ?? '' }, old)
    assert.equal((await rotate(old, next)).resealedCount, 1)
    await assertAllOpenWith(next)
    await assertOnlyStartsWith(next, old)
  })

  for (const [when, write, condition, resealed] of [
    ['before the first secret', 'update on credential', 'true', 0],
    ['after one batch', 'update on credential', "new.field = 'AFTER'", 100],
    ['when all is sealed', 'delete on encryption_key', 'true', 2 * SECRETS],
  ] as const) {
    test(`rotateKey › interrupted ${when}, completes when repeated; until then the old key starts`, async () => {
      const counted = `(select count(*) from credential where key_id = '${createBox(next).keyId}') >= 100`
      const failing = condition.includes('AFTER') ? counted : condition
      await whileFailing(write, failing, async () => {
        await assert.rejects(rotate(old, next), /power failure/)
        assert.equal(await countSealedWith(next), resealed)
        assert.deepEqual(
          await knownIds(),
          [old, next].map((key) => createBox(key).keyId),
        )
        await assertOnlyStartsWith(old, next)
        await assert.rejects(start(next), /has not ended: run rotate-key again/)
        // Repeated until it succeeds.
        await assert.rejects(rotate(old, next), /power failure/)
      })
      const other = newEncryptionKey()
      await assertRefused(rotate(old, other), createBox(next).keyId, createBox(other).keyId)
      await assertRefused(rotate(other, next), createBox(old).keyId, createBox(other).keyId)
      await assertRefused(rotate(other, old), createBox(next).keyId, createBox(other).keyId)
      assert.equal((await rotate(old, next)).resealedCount, 2 * SECRETS - resealed)
      await assertAllOpenWith(next)
      await assertOnlyStartsWith(next, old)
    })
  }

  test('rotateKey › reverts an interrupted change with the keys swapped', async () => {
    const afterBatch = `(select count(*) from credential where key_id = '${createBox(next).keyId}') >= 100`
    await whileFailing('update on credential', afterBatch, async () => {
      await assert.rejects(rotate(old, next), /power failure/)
    })
    assert.equal((await rotate(next, old)).resealedCount, 100)
    await assertAllOpenWith(old)
    assert.deepEqual(await knownIds(), [createBox(old).keyId])
    await assertOnlyStartsWith(old, next)
  })

  test('rotateKey › replaces the key file at the end with one that only its owner can read', async () => {
    writeFileSync(keyFile(), old)
    await whileFailing('update on credential', 'true', async () => {
      await assert.rejects(rotate(undefined, next), /power failure/)
    })
    // The new key is saved before it is used, and another key does not replace it.
    const nextFile = `${keyFile()}.new`
    assert.equal(readFileSync(nextFile, 'utf8').trim(), next)
    assert.equal(statSync(nextFile).mode & 0o777, 0o600)
    await assertRefused(rotate(undefined, newEncryptionKey()), createBox(next).keyId)
    assert.equal(readFileSync(nextFile, 'utf8').trim(), next)
    assert.equal((await start()).keyId, createBox(old).keyId)

    assert.equal((await rotate(undefined, next)).keyFile, keyFile())
    assert.deepEqual(readdirSync(directory), ['encryption.key'])
    assert.equal(readFileSync(keyFile(), 'utf8').trim(), next)
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600)
    assert.equal((await start()).keyId, createBox(next).keyId)
    await assertAllOpenWith(next)
    const again = await rotate(undefined, next)
    assert.deepEqual([again.resealedCount, again.fromKeyId], [0, again.toKeyId])
    await assertAllOpenWith(next)

    // A crash between the updates of the database and of the file.
    writeFileSync(keyFile(), old)
    writeFileSync(nextFile, next)
    await assertRefused(start(), createBox(next).keyId)
    assert.equal((await rotate(undefined, next)).resealedCount, 0)
    assert.deepEqual(readdirSync(directory), ['encryption.key'])
    assert.equal((await start()).keyId, createBox(next).keyId)
  })

  test('rotateKey › rejects wrong uses with one line, and changes nothing', async () => {
    const wrong = newEncryptionKey()
    await assertRefused(rotate(old), 'PORTBOOK_ENCRYPTION_KEY_NEW')
    await assertRefused(rotate(wrong, next), createBox(wrong).keyId, createBox(old).keyId)
    await assertRefused(rotate(old, old), createBox(old).keyId, 'nothing to change')
    await assertRefused(rotate(undefined, next), keyFile(), createBox(old).keyId)
    writeFileSync(keyFile(), wrong)
    await assertRefused(rotate(undefined, next), createBox(wrong).keyId, createBox(old).keyId)
    writeFileSync(keyFile(), 'canary')
    await assertRefused(rotate(undefined, next), 'does not contain an encryption key')
    assert.ok(!existsSync(`${keyFile()}.new`))
    assert.deepEqual(await knownIds(), [createBox(old).keyId])
    await assertAllOpenWith(old)
    await assertOnlyStartsWith(old, next)
    await store().db.deleteFrom('encryption_key').execute()
    await assertRefused(rotate(old, next), 'never sealed')
  })

  test('rotateKey › rejects a different key with the ID of the new one', async () => {
    const impostor = {
      id: createBox(next).keyId,
      sealed: createBox(old).seal('portbook', `encryption_key/${createBox(next).keyId}`),
    }
    await store().db.insertInto('encryption_key').values(impostor).execute()
    await assertRefused(rotate(old, next), 'cannot decrypt')
    await assertAllOpenWith(old)
  })

  test('rotateKey › stops at a secret that its key cannot open, and completes after it was set again', async () => {
    const [place] = places
    assert.ok(place)
    const box = createBox(old)
    const sealed = createBox(newEncryptionKey()).seal(
      'x',
      toSecretContext({ ...place, field: 'field0' }),
    )
    const owner = { ...place, keyId: box.keyId }
    await upsertSecrets(store().db, storeClock, owner, [{ field: 'field0', sealed }])
    await assert.rejects(rotate(old, next), (error) => {
      assert.ok(error instanceof SecretUnreadable)
      for (const name of ['field0', place.integrationId, place.organizationId, box.keyId])
        assert.ok(error.message.includes(name), error.message)
      return true
    })
    await assertOnlyStartsWith(old, next)
    await seal(place, { field0: secrets['field0'] ?? '' }, old)
    await rotate(old, next)
    await assertAllOpenWith(next)
  })

  test('rotateKey › counts secrets that are sealed with an unknown key', async () => {
    const [place] = places
    assert.ok(place)
    await seal(place, { stray: 'x' }, newEncryptionKey())
    const { resealedCount, unreadableCount } = await rotate(old, next)
    assert.deepEqual([resealedCount, unreadableCount], [2 * SECRETS, 1])
  })

  test('rotateKey › accepts two concurrent changes to the same key, and rejects one to another', async () => {
    await Promise.all([rotate(old, next), rotate(old, next)])
    await assertAllOpenWith(next)
    await assertOnlyStartsWith(next, old)
    const keys = [newEncryptionKey(), newEncryptionKey()]
    const settled = await Promise.allSettled(keys.map((key) => rotate(next, key)))
    const [won, ...more] = keys.filter((_, at) => settled[at]?.status === 'fulfilled')
    assert.ok(won !== undefined && more.length === 0, JSON.stringify(settled))
    await assertAllOpenWith(won)
    assert.deepEqual(await knownIds(), [createBox(won).keyId])
  })
})

/** Asserts a rejection with a one-line message that contains all names and no secret. */
async function assertRefused(refused: Promise<unknown>, ...names: string[]): Promise<void> {
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof EncryptionKeyMismatch, String(error))
    for (const name of names) assert.ok(error.message.includes(name), error.message)
    assert.ok(!error.message.includes('\n') && !error.message.includes('canary'))
    assert.ok(!/[\w+/]{43}=/.test(error.message), error.message)
    return true
  })
}
