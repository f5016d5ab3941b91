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
import { readConfig } from './config.ts'
import { EncryptionKeyMismatch, openSecretBox } from './encryption.ts'
import { upsertSecrets } from './integrations/credential-store.ts'
import { openCredentials, toSecretContext, SecretUnreadable } from './integrations/service.ts'
import { storeClock } from './kit/clock.ts'
import { newEncryptionKey, secretBox, type SecretBox } from './kit/secret-box.ts'
import { rotateKey, type Rotation } from './rotate.ts'

const SECRETS = 130

function boxOf(key: string): SecretBox {
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
    const box = boxOf(key)
    const sealed = Object.entries(texts).map(([field, text]) => ({
      field,
      sealed: box.seal(text, toSecretContext({ ...place, field })),
    }))
    await upsertSecrets(store().db, storeClock, { ...place, keyId: box.keyId }, sealed)
  }

  /** Settings as of a process; without a present key the file beside the store has it. */
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
    return (await rows.where('key_id', '=', boxOf(key).keyId).execute()).length
  }
  async function assertAllOpenWith(key: string): Promise<void> {
    for (const { organizationId, integrationId } of places) {
      assert.deepEqual(
        await openCredentials(store().db, boxOf(key), organizationId, integrationId),
        secrets,
      )
    }
  }
  async function assertOnlyStartsWith(key: string, other: string): Promise<void> {
    assert.equal((await start(key)).keyId, boxOf(key).keyId)
    await assertRefused(start(other))
  }
  /** Lets writes of a table fail while `use` runs, as of the one for which the condition holds. */
  async function whileFailing(
    write: 'update on credential' | 'delete on encryption_key',
    condition: string,
    use: () => Promise<void>,
  ): Promise<void> {
    const { db } = store()
    await sql`
      create function fail_write() returns trigger language plpgsql as ${sql.raw(`$$
        begin
          if ${condition} then raise exception 'the power went'; end if;
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

  test('rotateKey › seals every secret of every organization anew, and the new key alone starts', async () => {
    await assertOnlyStartsWith(old, next)
    const rotation = await rotate(old, next)
    assert.deepEqual(rotation, {
      fromKeyId: boxOf(old).keyId,
      toKeyId: boxOf(next).keyId,
      resealedCount: 2 * SECRETS,
      unreadableCount: 0,
      keyFile: undefined,
    })
    await assertAllOpenWith(next)
    assert.deepEqual(await knownIds(), [boxOf(next).keyId])
    await assertOnlyStartsWith(next, old)
    assert.deepEqual(readdirSync(directory), [])
    // And on to a third one.
    const third = newEncryptionKey()
    assert.equal((await rotate(next, third)).resealedCount, 2 * SECRETS)
    await assertAllOpenWith(third)
    await assertOnlyStartsWith(third, next)
  })

  const times = () =>
    store().db.selectFrom('credential').select('set_at').orderBy('set_at').execute()

  test('rotateKey › leaves when each secret was set as it is', async () => {
    const before = await times()
    await rotate(old, next)
    assert.deepEqual(await times(), before)
  })

  test('rotateKey › the same again when it has ended changes nothing, and saves what came late', async () => {
    await rotate(old, next)
    const again = await rotate(old, next)
    assert.equal(again.resealedCount, 0)
    // A server on the old key was not stopped, and somebody set a secret there.
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
    test(`rotateKey › interrupted ${when}, the same again ends it; until then the old key starts`, async () => {
      const counted = `(select count(*) from credential where key_id = '${boxOf(next).keyId}') >= 100`
      const failing = condition.includes('AFTER') ? counted : condition
      await whileFailing(write, failing, async () => {
        await assert.rejects(rotate(old, next), /the power went/)
        assert.equal(await countSealedWith(next), resealed)
        assert.deepEqual(
          await knownIds(),
          [old, next].map((key) => boxOf(key).keyId),
        )
        await assertOnlyStartsWith(old, next)
        await assert.rejects(start(next), /has not ended: run rotate-key again/)
        // As often as it takes.
        await assert.rejects(rotate(old, next), /the power went/)
      })
      const other = newEncryptionKey()
      await assertRefused(rotate(old, other), boxOf(next).keyId, boxOf(other).keyId)
      await assertRefused(rotate(other, next), boxOf(old).keyId, boxOf(other).keyId)
      await assertRefused(rotate(other, old), boxOf(next).keyId, boxOf(other).keyId)
      assert.equal((await rotate(old, next)).resealedCount, 2 * SECRETS - resealed)
      await assertAllOpenWith(next)
      await assertOnlyStartsWith(next, old)
    })
  }

  test('rotateKey › with the keys exchanged, what was interrupted is taken back', async () => {
    const afterBatch = `(select count(*) from credential where key_id = '${boxOf(next).keyId}') >= 100`
    await whileFailing('update on credential', afterBatch, async () => {
      await assert.rejects(rotate(old, next), /the power went/)
    })
    assert.equal((await rotate(next, old)).resealedCount, 100)
    await assertAllOpenWith(old)
    assert.deepEqual(await knownIds(), [boxOf(old).keyId])
    await assertOnlyStartsWith(old, next)
  })

  test('rotateKey › the key file beside the store is replaced at the end, its owner’s alone', async () => {
    writeFileSync(keyFile(), old)
    await whileFailing('update on credential', 'true', async () => {
      await assert.rejects(rotate(undefined, next), /the power went/)
    })
    // The new key is safe before anything is sealed with it, and another does not take its place.
    const nextFile = `${keyFile()}.new`
    assert.equal(readFileSync(nextFile, 'utf8').trim(), next)
    assert.equal(statSync(nextFile).mode & 0o777, 0o600)
    await assertRefused(rotate(undefined, newEncryptionKey()), boxOf(next).keyId)
    assert.equal(readFileSync(nextFile, 'utf8').trim(), next)
    assert.equal((await start()).keyId, boxOf(old).keyId)

    assert.equal((await rotate(undefined, next)).keyFile, keyFile())
    assert.deepEqual(readdirSync(directory), ['encryption.key'])
    assert.equal(readFileSync(keyFile(), 'utf8').trim(), next)
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600)
    assert.equal((await start()).keyId, boxOf(next).keyId)
    await assertAllOpenWith(next)
    const again = await rotate(undefined, next)
    assert.deepEqual([again.resealedCount, again.fromKeyId], [0, again.toKeyId])
    await assertAllOpenWith(next)

    // A crash between the end in the store and that of the file.
    writeFileSync(keyFile(), old)
    writeFileSync(nextFile, next)
    await assertRefused(start(), boxOf(next).keyId)
    assert.equal((await rotate(undefined, next)).resealedCount, 0)
    assert.deepEqual(readdirSync(directory), ['encryption.key'])
    assert.equal((await start()).keyId, boxOf(next).keyId)
  })

  test('rotateKey › refuses each wrong use with one line, and changes nothing', async () => {
    const wrong = newEncryptionKey()
    await assertRefused(rotate(old), 'PORTBOOK_ENCRYPTION_KEY_NEW')
    await assertRefused(rotate(wrong, next), boxOf(wrong).keyId, boxOf(old).keyId)
    await assertRefused(rotate(old, old), boxOf(old).keyId, 'nothing to change')
    await assertRefused(rotate(undefined, next), keyFile(), boxOf(old).keyId)
    writeFileSync(keyFile(), wrong)
    await assertRefused(rotate(undefined, next), boxOf(wrong).keyId, boxOf(old).keyId)
    writeFileSync(keyFile(), 'canary')
    await assertRefused(rotate(undefined, next), 'does not hold an encryption key')
    assert.ok(!existsSync(`${keyFile()}.new`))
    assert.deepEqual(await knownIds(), [boxOf(old).keyId])
    await assertAllOpenWith(old)
    await assertOnlyStartsWith(old, next)
    await store().db.deleteFrom('encryption_key').execute()
    await assertRefused(rotate(old, next), 'never sealed')
  })

  test('rotateKey › refuses a key that has the id of the new one and is not it', async () => {
    const impostor = {
      id: boxOf(next).keyId,
      sealed: boxOf(old).seal('portbook', `encryption_key/${boxOf(next).keyId}`),
    }
    await store().db.insertInto('encryption_key').values(impostor).execute()
    await assertRefused(rotate(old, next), 'does not open')
    await assertAllOpenWith(old)
  })

  test('rotateKey › stops at a secret that its key does not open, naming it; it can be set and all ends', async () => {
    const [place] = places
    assert.ok(place)
    const box = boxOf(old)
    const sealed = boxOf(newEncryptionKey()).seal(
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

  test('rotateKey › counts what is sealed with a key that nobody knows', async () => {
    const [place] = places
    assert.ok(place)
    await seal(place, { stray: 'x' }, newEncryptionKey())
    const { resealedCount, unreadableCount } = await rotate(old, next)
    assert.deepEqual([resealedCount, unreadableCount], [2 * SECRETS, 1])
  })

  test('rotateKey › two at once to one key both end well; to two keys one is refused', async () => {
    await Promise.all([rotate(old, next), rotate(old, next)])
    await assertAllOpenWith(next)
    await assertOnlyStartsWith(next, old)
    const keys = [newEncryptionKey(), newEncryptionKey()]
    const settled = await Promise.allSettled(keys.map((key) => rotate(next, key)))
    const [won, ...more] = keys.filter((_, at) => settled[at]?.status === 'fulfilled')
    assert.ok(won !== undefined && more.length === 0, JSON.stringify(settled))
    await assertAllOpenWith(won)
    assert.deepEqual(await knownIds(), [boxOf(won).keyId])
  })
})

/** It is refused with one line that names all these and tells no secret. */
async function assertRefused(refused: Promise<unknown>, ...names: string[]): Promise<void> {
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof EncryptionKeyMismatch, String(error))
    for (const name of names) assert.ok(error.message.includes(name), error.message)
    assert.ok(!error.message.includes('\n') && !error.message.includes('canary'))
    assert.ok(!/[\w+/]{43}=/.test(error.message), error.message)
    return true
  })
}
