import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { eventsSoFar } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odps, uniqueId, withSession } from '../../../test/world.ts'
import type { PersonName, Product, World } from '../../../test/world.ts'
import { recordCredentialUse } from '../../people/users/credential-use-worker.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { hashToken, newToken } from '../../platform/kit/token.ts'
import { endAccessOfPerson } from '../../agreements/occasion-service.ts'
import { removeMember } from '../../people/organizations/member-service.ts'
import { addMember, createOrganization } from '../../people/organizations/service.ts'
import { endSession, endAllSessions } from '../../people/users/session-service.ts'
import { newSession } from '../../../test/session.ts'
import { touchSessions } from './session-use-store.ts'

const SETTINGS = '/api/organization/settings'
const UI = '/ui/nothing-here'
const OWN_ORIGIN = { 'sec-fetch-site': 'same-origin' }

function cookie(token: string): Record<string, string> {
  return { cookie: `a=b; __Host-portbook-session=${token} ; c=d` }
}

onStore((store) => {
  let world: World
  let other: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    other = await newWorld(world)
  })

  const settings = (token: string, headers = {}, product: Product = world): Promise<Response> =>
    product.call('GET', SETTINGS, { headers: { ...withSession(token), ...headers } })

  async function newPerson(): Promise<{ userId: string; email: string; token: string }> {
    const email = `p-${uniqueId()}@example.test`
    const { db, clock } = world.services
    const person = { email, passwordHash: 'none', role: 'Member' as const }
    const userId = await addMember(db, world.organizationId, person)
    return { userId, email, token: await newSession(db, clock, userId) }
  }

  test(`GET ${SETTINGS} › 200 with a session, which has the powers of its person`, async () => {
    const { organizationId, caller } = await readJson<Record<string, unknown>>(
      world.call('GET', SETTINGS, { headers: cookie(world.sessions.Ue) }),
    )
    assert.equal(organizationId, world.organizationId)
    assert.partialDeepStrictEqual(caller, {
      organizationApiKeyId: null,
      scope: 'user',
      readOnly: false,
    })
  })

  test('PUT › a session may what its person may, and events name the person', async () => {
    const put = async (person: PersonName, team: string): Promise<number> => {
      const body = odps('p', { id: undefined, team: { name: team } })
      const path = `/api/dataproducts/${uniqueId()}`
      return (await world.asPerson(person, 'PUT', path, { body })).status
    }
    assert.deepEqual(
      [await put('Uo', 'b'), await put('Ue', 'a'), await put('Ue', 'b'), await put('Um', 'a')],
      [200, 200, 403, 403],
    )
    const feed = JSON.stringify(await eventsSoFar(world))
    assert.ok(feed.includes(`"user:${world.userIds.Ue}"`))
  })

  test('/ui › 401 without a session, with a key, and with both', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const call = (headers: Record<string, string>): Promise<Response> =>
        world.call(method, UI, { headers })
      const key = world.keys.O ?? ''
      await expectProblem(call({}), 401, /Sign in/)
      await expectProblem(call({ 'x-api-key': key }), 401, /API keys are not accepted here/)
      const both = { ...withSession(world.sessions.Uo), authorization: `Bearer ${key}` }
      await expectProblem(call(both), 401, /API keys are not accepted here/)
    }
    await expectProblem(world.asPerson('Um', 'GET', UI), 404)
    await expectProblem(world.asPerson('Um', 'POST', UI), 404)
  })

  test('/api › where a key is sent too, the key counts', async () => {
    const headers = { ...withSession(world.sessions.Uo), 'x-api-key': world.keys.T ?? '' }
    const { caller } = await readJson<{ caller: { scope: string } }>(
      world.call('GET', SETTINGS, { headers }),
    )
    assert.equal(caller.scope, 'team')
    const unknown = { ...headers, 'x-api-key': 'pbk_unknown' }
    await expectProblem(world.call('GET', SETTINGS, { headers: unknown }), 401)
  })

  for (const [what, token] of [
    ['is empty', ''],
    ['has a wrong checksum', 'pbc_00000000'],
    ['is unknown', newToken('pbc_')],
    ['is of another kind', newToken('pbk_')],
    ['is endless', 'x'.repeat(4000)],
  ] as const) {
    test(`a session whose secret ${what} › 401`, async () => {
      const headers = cookie(encodeURIComponent(token))
      await expectProblem(world.call('GET', SETTINGS, { headers }), 401)
      await expectProblem(world.call('GET', UI, { headers }), 401)
    })
  }

  const PUT: [string, Record<string, string>, number][] = [
    ['Sec-Fetch-Site: same-origin', OWN_ORIGIN, 200],
    ['the Origin of the base URL', { origin: 'http://portbook.test' }, 200],
    ['the Origin of the request', { origin: 'http://localhost' }, 200],
    [
      'JSON with a charset',
      { ...OWN_ORIGIN, 'content-type': 'application/json; charset=utf-8' },
      200,
    ],
    ['no Origin', {}, 403],
    ['another Origin', { origin: 'https://evil.test' }, 403],
    ['the Origin null', { origin: 'null' }, 403],
    ['an Origin that only begins like it', { origin: 'http://portbook.test.evil.test' }, 403],
    ['another port', { origin: 'http://portbook.test:8080' }, 403],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }, 403],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }, 403],
    [
      'Sec-Fetch-Site: cross-site, with any Origin',
      { 'sec-fetch-site': 'cross-site', origin: 'http://portbook.test' },
      403,
    ],
    ['a form', { ...OWN_ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }, 403],
    ['a plain text', { ...OWN_ORIGIN, 'content-type': 'text/plain' }, 403],
    ['no media type', { ...OWN_ORIGIN, 'content-type': '' }, 403],
  ]
  for (const [what, headers, status] of PUT) {
    test(`PUT with a session and ${what} › ${status}`, async () => {
      const path = `/api/teams/${uniqueId()}`
      const asked = { body: { name: 'T' }, headers: { ...cookie(world.sessions.Uo), ...headers } }
      const response = await world.call('PUT', path, asked)
      if (status === 200) assert.equal(response.status, 200)
      else await expectProblem(response, 403, /own pages|Content-Type/)
      const exists = (await world.as('O', 'GET', path)).status === 200
      assert.equal(exists, status === 200)
    })
  }

  test('GET with a session › 200 from wherever it comes', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
    await readText(settings(world.sessions.Um, headers))
  })

  test('a session › 401 after twelve hours without use, and after seven days in any case', async () => {
    const { db } = store()
    const { userId } = await newPerson()
    const at = (instant: string): Product => newProduct(store(), { clock: fixedClock(instant) })
    const start = fixedClock('2031-03-01T00:00:00Z')
    const idle = await newSession(db, start, userId)
    await expectProblem(settings(idle, {}, at('2031-03-01T12:00:00Z')), 401, /over/)
    const inTime = at('2031-03-01T11:59:59.999Z')
    await readText(settings(idle, {}, inTime))
    await recordCredentialUse(inTime.services)
    await readText(settings(idle, {}, at('2031-03-01T23:59:59.998Z')))
    await expectProblem(settings(idle, {}, at('2031-03-02T12:00:00Z')), 401, /Sign in again/)

    const used = await newSession(db, start, userId)
    for (let hour = 6; hour < 7 * 24; hour += 6) {
      const day = String(1 + Math.floor(hour / 24)).padStart(2, '0')
      const time = `${String(hour % 24).padStart(2, '0')}:00:00Z`
      const product = at(`2031-03-${day}T${time}`)
      await readText(settings(used, {}, product))
      await recordCredentialUse(product.services)
    }
    await readText(settings(used, {}, at('2031-03-07T23:59:59.999Z')))
    await expectProblem(settings(used, {}, at('2031-03-08T00:00:00Z')), 401, /over/)
  })

  test('a session › stays over if its use is recorded after its end, as after a long failover', async () => {
    const { db } = store()
    const { userId } = await newPerson()
    const product = newProduct(store(), { clock: fixedClock('2031-03-01T06:00:00Z') })
    const token = await newSession(db, fixedClock('2031-03-01T00:00:00Z'), userId)
    await readText(settings(token, {}, product))
    const clock = fixedClock('2031-03-01T12:00:00Z')
    await recordCredentialUse({ ...product.services, clock })
    await expectProblem(settings(token, {}, newProduct(store(), { clock })), 401, /over/)
  })

  test('a session › its use is noted at most once a minute', async () => {
    const { db } = store()
    const { userId } = await newPerson()
    const token = await newSession(db, fixedClock('2031-03-01T00:00:00Z'), userId)
    const noted = async (instant: string): Promise<string> => {
      const product = newProduct(store(), { clock: fixedClock(instant) })
      await readText(settings(token, {}, product))
      await recordCredentialUse(product.services)
      const row = db.selectFrom('session').select('last_used_at')
      const found = await row.where('token_hash', '=', hashToken(token)).executeTakeFirstOrThrow()
      return found.last_used_at
    }
    assert.equal(await noted('2031-03-01T00:01:00Z'), '2031-03-01T00:00:00.000000Z')
    assert.equal(await noted('2031-03-01T00:01:00.000001Z'), '2031-03-01T00:01:00.000001Z')
    assert.equal(await noted('2031-03-01T00:02:00Z'), '2031-03-01T00:01:00.000001Z')
  })

  test('a session › its use is recorded with the time of the use, the last one of several', async () => {
    const { db } = store()
    const { userId } = await newPerson()
    const token = await newSession(db, fixedClock('2031-03-01T00:00:00Z'), userId)
    const product = newProduct(store(), { clock: fixedClock('2031-03-01T06:00:00Z') })
    await readText(settings(token, {}, product))
    const later = newProduct(store(), { clock: fixedClock('2031-03-01T07:00:00Z') })
    await readText(settings(token, {}, later))
    const clock = fixedClock('2031-03-01T09:00:00Z')
    const read = async (): Promise<string> => {
      const row = db.selectFrom('session').select('last_used_at')
      const found = await row.where('token_hash', '=', hashToken(token)).executeTakeFirstOrThrow()
      return found.last_used_at
    }
    const uses = later.services.authenticator.takeSessionUses()
    await touchSessions(db, clock, [...uses, ...product.services.authenticator.takeSessionUses()])
    assert.equal(await read(), '2031-03-01T07:00:00.000000Z')
    await readText(settings(token, {}, product))
    await recordCredentialUse({ ...product.services, clock })
    assert.equal(await read(), '2031-03-01T07:00:00.000000Z', 'an earlier use changes nothing')
    const { rows } = await store().pool.query(
      `select last_seen_at = '2031-03-01T06:00:00Z' as is_time_of_use from organization_member where user_id = '${userId}'`,
    )
    assert.deepEqual(rows, [{ is_time_of_use: true }])
  })

  test('startSession › only the hash is stored, and sessions that are over are removed', async () => {
    const { db } = store()
    const { userId, token } = await newPerson()
    const { rows } = await store().pool.query(
      `select encode(token_hash, 'hex') as hash, session::text as row from session where user_id = '${userId}'`,
    )
    assert.deepEqual(
      rows.map(({ hash }) => hash),
      [hashToken(token).toString('hex')],
    )
    assert.ok(!JSON.stringify(rows).includes(token))
    await newSession(db, fixedClock('2999-01-01T00:00:00Z'), userId)
    const left = await db
      .selectFrom('session')
      .select('created_at')
      .where('user_id', '=', userId)
      .execute()
    assert.deepEqual(
      left.map((row) => row.created_at),
      ['2999-01-01T00:00:00.000000Z'],
    )
  })

  test('endSession › 401 at once in every process; the other sessions go on', async () => {
    const there = newProduct(store())
    const { db, clock } = world.services
    const { userId, token } = await newPerson()
    const another = await newSession(db, clock, userId)
    await readText(settings(token, {}, there))
    await endSession(db, token)
    await expectProblem(settings(token, {}, there), 401, /not known/)
    await readText(settings(another))
    await endAllSessions(db, { userId, limitedTo: undefined })
    await expectProblem(settings(another), 401)
    await endSession(db, token)
  })

  test('a member who is removed › 401 at once in every process; in another organization the session goes on', async () => {
    const there = newProduct(store())
    const { db } = store()
    const { userId, email, token } = await newPerson()
    const second = await createOrganization(db, 'Second')
    await addMember(db, second, { email, passwordHash: 'none', role: 'Member' })
    const named = { 'portbook-organization': world.organizationId }
    await readText(settings(token, named, there))
    await removeMember(db, { organizationId: world.organizationId, userId }, endAccessOfPerson)
    await expectProblem(settings(token, named, there), 403, /not a member/)
    const { organizationId } = await readJson<{ organizationId: string }>(
      settings(token, {}, there),
    )
    assert.equal(organizationId, second)
    await addMember(db, world.organizationId, { email, passwordHash: 'none', role: 'Owner' })
    await removeMember(db, { organizationId: second, userId }, endAccessOfPerson)
    await readText(settings(token, named, there))
    await removeMember(db, { organizationId: world.organizationId, userId }, endAccessOfPerson)
    await expectProblem(settings(token, {}, there), 401, /not known/)
    await expectProblem(settings(token, named), 401)
  })

  test('a role that is granted or taken away › counts at once', async () => {
    const { email, token } = await newPerson()
    const team = uniqueId()
    const put = async (): Promise<number> => {
      const body = odps(team, { name: uniqueId(), team: { name: team } })
      const headers = withSession(token)
      return (await world.call('PUT', `/api/dataproducts/${team}`, { body, headers })).status
    }
    for (const [role, status] of [
      ['Member', 403],
      ['Editor', 200],
      ['Steward', 200],
      ['Member', 403],
    ] as const) {
      const body = { name: team, members: [{ emailAddress: email, role }] }
      await readText(
        newProduct(store()).call('PUT', `/api/teams/${team}`, { key: world.keys.O, body }),
      )
      assert.equal(await put(), status, role)
    }
  })

  test('a person of several organizations › names the one in the header, or acts in the first', async () => {
    const { email, token } = await newPerson()
    const { db } = store()
    const second = await createOrganization(db, 'Second')
    await addMember(db, second, { email, passwordHash: 'none', role: 'Owner' })
    const first = await readJson<{ organizationId: string }>(settings(token))
    assert.equal(first.organizationId, world.organizationId)
    for (const organizationId of [world.organizationId, second]) {
      const headers = { 'portbook-organization': organizationId.toUpperCase() }
      const answer = await readJson<{ organizationId: string }>(settings(token, headers))
      assert.equal(answer.organizationId, organizationId)
    }
  })

  test('an organization that one is not in › 403, as if it did not exist', async () => {
    const { Uo } = world.sessions
    const asked = (id: string): Promise<Response> => settings(Uo, { 'portbook-organization': id })
    const theirs = await expectProblem(asked(other.organizationId), 403)
    const nobodys = await expectProblem(asked('00000000-0000-7000-8000-000000000000'), 403)
    assert.deepEqual(theirs, nobodys)
    for (const id of ['', 'x', `${world.organizationId}x`]) await expectProblem(asked(id), 400)
  })

  test('sessions and requests at once › the limit is the person’s, and key use is not noted', async () => {
    const product = newProduct(store(), { requestsPerMinute: 1 })
    const { userId, token } = await newPerson()
    const { db, clock } = world.services
    const another = await newSession(db, clock, userId)
    await readText(settings(token, {}, product))
    await expectProblem(settings(another, {}, product), 429)
    assert.deepEqual(product.services.authenticator.takeKeyUses(), [])
  })
})
