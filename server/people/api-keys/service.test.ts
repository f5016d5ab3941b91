import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { KEY_SCOPE_NAMES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { readText } from '../../../test/answers.ts'
import { untilBlocked } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, odps, uniqueId } from '../../../test/world.ts'
import { ApiError } from '../../platform/errors.ts'
import { fixedClock, storeClock, type Clock } from '../../platform/kit/clock.ts'
import { isToken } from '../../platform/kit/token.ts'
import { addMember, createOrganization } from '../organizations/service.ts'
import type { NewApiKey } from './api-key.ts'
import { createApiKey, deleteApiKey, listApiKeys, recordKeyUse } from './service.ts'

onStore((store) => {
  /** Creates an organization with only a team `t` and a member. */
  async function newOrganization() {
    const { db } = store()
    const id = await createOrganization(db, `Organization ${uniqueId()}`)
    const email = `m-${uniqueId()}@example.test`
    const userId = await addMember(db, id, { email, passwordHash: 'none', role: 'Member' })
    const { secret } = await createApiKey(db, storeClock, id, newKey('organization'), 'system')
    const body = { name: 'T' }
    await readText(newProduct(store()).call('PUT', '/api/teams/t', { key: secret, body }))
    return { id, userId, key: secret }
  }

  const create = (organizationId: string, key: NewApiKey, clock: Clock = storeClock) =>
    createApiKey(store().db, clock, organizationId, key, 'system')

  async function countKeys(organizationId: string): Promise<{ counted: number; stored: number }> {
    const { rows } = await sql<{ counted: number; stored: number }>`
      select api_key_count as counted,
        (select count(*) from api_key where organization_id = organization.id)::int as stored
      from organization
      where id = ${organizationId}
    `.execute(store().db)
    return rows[0] ?? assert.fail('no organization')
  }

  test('createApiKey › creates keys of every scope, with a pbk_ secret', async () => {
    const { id, userId } = await newOrganization()
    for (const scope of KEY_SCOPE_NAMES) {
      const key = scope.startsWith('team')
        ? newKey(scope, { team: 't' })
        : newKey(scope, scope.startsWith('user') ? { userId } : {})
      const { secret, team } = await create(id, key)
      assert.ok(isToken(secret, 'pbk_'))
      assert.equal(team, scope.startsWith('team') ? 't' : null)
      const answer = await newProduct(store()).call('GET', '/api/organization/settings', {
        key: secret,
      })
      const { caller } = (await answer.json()) as { caller: { scope: string; readOnly: boolean } }
      assert.equal(caller.scope, scope)
      assert.equal(caller.readOnly, scope.endsWith('_read'))
    }
  })

  test('createApiKey › throws validation_failed for an unknown team or a day in the past', async () => {
    const { id } = await newOrganization()
    const clock = fixedClock('2030-06-15T12:00:00Z')
    await assert.rejects(create(id, newKey('team', { team: 'x' })), failsWith('validation_failed'))
    const over = newKey('team', { team: 't', expiresOn: '2030-06-14' })
    await assert.rejects(
      create(id, over, clock),
      failsWith('validation_failed', /2030-06-14 is in the past/),
    )
    await create(id, newKey('team', { team: 't', expiresOn: '2030-06-15' }), clock)
  })

  test('createApiKey › accepts the internal ID of a team, but prefers an external ID', async () => {
    const { id, key } = await newOrganization()
    const { db } = store()
    const { id: internal } = await db
      .selectFrom('team')
      .select('id')
      .where('organization_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal((await create(id, newKey('team', { team: internal }))).team, 't')
    const body = { name: 'Named like the other one' }
    await readText(newProduct(store()).call('PUT', `/api/teams/${internal}`, { key, body }))
    assert.equal((await create(id, newKey('team', { team: internal }))).team, internal)
  })

  test('createApiKey › rejects a team of another organization, also by its internal ID', async () => {
    const [mine, theirs] = [await newOrganization(), await newOrganization()]
    const { id: internal } = await store()
      .db.selectFrom('team')
      .select('id')
      .where('organization_id', '=', theirs.id)
      .executeTakeFirstOrThrow()
    await assert.rejects(
      create(mine.id, newKey('team', { team: internal })),
      failsWith('validation_failed', /Unknown team/),
    )
  })

  test('createApiKey › creates exactly 100 keys for 120 concurrent calls', async () => {
    const { id } = await newOrganization()
    const there = (await countKeys(id)).stored
    const attempts = Array.from({ length: 120 }, () => create(id, newKey('organization')))
    const settled = await Promise.allSettled(attempts)
    const made = settled.filter(({ status }) => status === 'fulfilled')
    assert.equal(made.length, 100 - there)
    for (const outcome of settled) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'limit_reached')
    }
    assert.deepEqual(await countKeys(id), { counted: 100, stored: 100 })
    await assert.rejects(
      create(id, newKey('organization')),
      failsWith('limit_reached', /100 API keys/),
    )
    const [oldest] = await listApiKeys(store().db, storeClock, id)
    await deleteApiKey(store().db, id, oldest?.id ?? '')
    await create(id, newKey('organization'))
    assert.deepEqual(await countKeys(id), { counted: 100, stored: 100 })
  })

  test('createApiKey › counts expired keys', async () => {
    const { id } = await newOrganization()
    const clock = fixedClock('2020-01-01T00:00:00Z')
    const key = newKey('organization', { expiresOn: '2020-01-01' })
    for (let made = 1; made < 100; made += 1) await create(id, key, clock)
    await assert.rejects(create(id, newKey('organization')), failsWith('limit_reached'))
  })

  test('createApiKey › does not change the count on an error', async () => {
    const { id } = await newOrganization()
    const before = await countKeys(id)
    await assert.rejects(create(id, newKey('team', { team: 'x' })))
    await assert.rejects(create(id, newKey('organization', { expiresOn: '2001-01-01' })))
    assert.deepEqual(await countKeys(id), before)
  })

  test('deleteApiKey › throws not_found for an unknown key, one of another organization, and an invalid UUID', async () => {
    const [mine, theirs] = [await newOrganization(), await newOrganization()]
    const { id: keyId } = await create(theirs.id, newKey('organization'))
    const before = await countKeys(theirs.id)
    for (const id of [keyId, '00000000-0000-7000-8000-000000000000', 'x', '']) {
      await assert.rejects(deleteApiKey(store().db, mine.id, id), failsWith('not_found'))
    }
    assert.deepEqual(await countKeys(theirs.id), before)
  })

  test('deleteApiKey › succeeds and counts once for two concurrent calls', async () => {
    const { id } = await newOrganization()
    const { id: keyId } = await create(id, newKey('organization'))
    const before = await countKeys(id)
    const twice = [deleteApiKey(store().db, id, keyId), deleteApiKey(store().db, id, keyId)]
    const settled = await Promise.allSettled(twice)
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.deepEqual(await countKeys(id), {
      counted: before.counted - 1,
      stored: before.stored - 1,
    })
  })

  test('listApiKeys › lists keys of one organization, oldest first, expired ones marked and last, without secrets', async () => {
    const { id, userId } = await newOrganization()
    await newOrganization()
    const at = fixedClock('2030-01-01T12:00:00Z')
    const names = ['expires today', 'expired', 'never', 'expires tomorrow']
    const days = ['2030-01-02', '2030-01-01', undefined, '2030-01-03']
    for (const [index, displayName] of names.entries()) {
      const expiresOn = days[index]
      await create(
        id,
        { ...newKey('user', { userId, ...(expiresOn && { expiresOn }) }), displayName },
        at,
      )
    }
    const listed = await listApiKeys(store().db, fixedClock('2030-01-02T23:59:59.999Z'), id)
    assert.deepEqual(
      listed.map(({ displayName, expired }) => [displayName, expired]),
      [
        ['K', false],
        ['expires today', false],
        ['never', false],
        ['expires tomorrow', false],
        ['expired', true],
      ],
    )
    const last = listed.at(-1) ?? assert.fail()
    const { id: keyId, createdAt, personName, secretPrefix, ...rest } = last
    assert.match(secretPrefix ?? '', /^pbk_\w{4}$/)
    assert.match(personName ?? '', /^m-/)
    assert.match(keyId, /^[0-9a-f-]{36}$/)
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.deepEqual(rest, {
      displayName: 'expired',
      scope: 'user',
      permissions: null,
      team: null,
      teamName: null,
      userId,
      expiresOn: '2030-01-01',
      expired: true,
      createdBy: 'system',
      lastUsedAt: null,
    })
  })

  test('recordKeyUse › records at most once a minute', async () => {
    const { id } = await newOrganization()
    const { id: keyId } = await create(id, newKey('organization'))
    const used = async (instant: string): Promise<string | null | undefined> => {
      await recordKeyUse(store().db, [{ id: keyId, usedAt: instant }])
      const keys = await listApiKeys(store().db, storeClock, id)
      return keys.find((key) => key.id === keyId)?.lastUsedAt
    }
    assert.equal(await used('2030-01-01T00:00:00Z'), '2030-01-01T00:00:00.000000Z')
    assert.equal(await used('2030-01-01T00:01:00Z'), '2030-01-01T00:00:00.000000Z')
    assert.equal(await used('2030-01-01T00:01:00.001Z'), '2030-01-01T00:01:00.001000Z')
    assert.equal(await used('2030-01-01T00:00:30Z'), '2030-01-01T00:01:00.001000Z')
    await recordKeyUse(store().db, [])
  })

  test('takeKeyUses › records the key of an accepted request once, only in memory', async () => {
    const instant = '2030-01-01T00:00:00Z'
    const product = newProduct(store(), { clock: fixedClock(instant) })
    const { authenticator, db } = product.services
    const { id, key } = await newOrganization()
    await product.call('GET', '/api/organization/settings', { key })
    await product.call('GET', '/api/organization/settings', { key })
    await product.call('GET', '/api/organization/settings', { key: `${key}x` })
    const [first] = await listApiKeys(db, storeClock, id)
    assert.equal(first?.lastUsedAt, null)
    const uses = [{ id: first?.id, usedAt: '2030-01-01T00:00:00.000000Z' }]
    assert.deepEqual(authenticator.takeKeyUses(), uses)
    assert.deepEqual(authenticator.takeKeyUses(), [])
  })

  test('recordKeyUse › does not wait for concurrent changes of a key', async () => {
    const { id } = await newOrganization()
    const held = await create(id, newKey('organization'))
    const free = await create(id, newKey('organization'))
    await store()
      .db.transaction()
      .execute(async (other) => {
        await sql`select from api_key where id = ${held.id} for update`.execute(other)
        const usedAt = '2030-01-01T00:00:00Z'
        await recordKeyUse(
          store().db,
          [held, free].map(({ id }) => ({ id, usedAt })),
        )
      })
    const keys = await listApiKeys(store().db, storeClock, id)
    const usedAt = (of: string) => keys.find((key) => key.id === of)?.lastUsedAt
    assert.equal(usedAt(held.id), null)
    assert.notEqual(usedAt(free.id), null)
  })

  test('createApiKey › throws validation_failed for a team that is deleted concurrently', async () => {
    const { id } = await newOrganization()
    const { db } = store()
    let creating: Promise<unknown> | undefined
    await db.transaction().execute(async (other) => {
      await sql`select from organization where id = ${id} for no key update`.execute(other)
      await sql`delete from team where organization_id = ${id}`.execute(other)
      creating = create(id, newKey('team', { team: 't' }))
      creating.catch(() => undefined)
      await untilBlocked(db)
    })
    await assert.rejects(
      creating ?? Promise.resolve(),
      failsWith('validation_failed', /Unknown team "t/),
    )
    const { counted, stored } = await countKeys(id)
    assert.equal(counted, stored)
  })

  test('a key › its secret is not stored', async () => {
    const { id, key } = await newOrganization()
    const product = newProduct(store())
    await readText(product.call('PUT', '/api/teams/u', { key, body: { name: 'U' } }))
    const document = odps('p', { team: { name: 'u' } })
    await readText(product.call('PUT', '/api/dataproducts/p', { key, body: document }))
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'
    `.execute(store().db)
    assert.ok(tables.length > 8)
    const inBytes = Buffer.from(key).toString('hex')
    const random = key.slice(4, -6)
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`
        select whole::text as text from ${sql.table(name)} as whole
      `.execute(store().db)
      for (const { text } of rows) {
        assert.ok(!text.includes(random) && !text.includes(inBytes), `${name} has the secret`)
      }
    }
    assert.equal((await listApiKeys(store().db, storeClock, id)).length, 1)
    assert.ok(!JSON.stringify(await listApiKeys(store().db, storeClock, id)).includes(random))
  })
})

function newKey(
  scope: KeyScope,
  of: { team?: string; userId?: string; expiresOn?: string } = {},
): NewApiKey {
  const { team, userId, expiresOn } = of
  return { scope, team, userId, expiresOn, displayName: 'K' }
}

/** Returns a function that checks the code and message of an error. */
function failsWith(code: string, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return true
  }
}
