import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { KEY_SCOPE_NAMES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, withSession } from '../../../test/world.ts'
import type { PersonName, Product, World } from '../../../test/world.ts'
import { newAuthenticator } from '../../requests/access/authenticate.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { PERMISSIONS } from '../../requests/access/permission.ts'
import { isToken } from '../../platform/kit/token.ts'
import { addMember } from '../organizations/service.ts'
import { newSession } from '../../../test/session.ts'
import type { CreatedApiKey, UiApiKeys } from './api-key.ts'
import { createApiKey } from './service.ts'

const KEYS = '/ui/api-keys'
const SETTINGS = '/api/organization/settings'

/** The callers: the three people of the world, the Owner of team a, and the Owner of the team above it. */
const PEOPLE = ['Uo', 'Ue', 'Um', 'team Owner', 'Owner above'] as const
type Who = (typeof PEOPLE)[number]

// The expected statuses of each caller in the order of PEOPLE. A key never has more permissions than its creator.
const MAY_MAKE: readonly [KeyScope, string | undefined, string][] = [
  ['user', undefined, '201 201 201 201 201'],
  ['user_read', undefined, '201 201 201 201 201'],
  ['team', 'a', '201 201 403 201 201'],
  ['team_read', 'a', '201 201 403 201 201'],
  ['team', 'b', '201 403 403 403 403'],
  ['team_read', 'b', '201 403 403 403 403'],
  ['team', 'above', '201 403 403 403 201'],
  ['team', 'unknown', '422 403 403 403 403'],
  ['organization', undefined, '201 403 403 403 403'],
  ['organization_read', undefined, '201 403 403 403 403'],
]

// Keys with their creators, and the statuses of a DELETE by each caller.
const MAY_DELETE: readonly [string, Who, object, string][] = [
  ['a personal key of Ue', 'Ue', { scope: 'user' }, '204 204 403 403 403'],
  ['a personal key of Uo', 'Uo', { scope: 'user' }, '204 403 403 403 403'],
  ['a key of a', 'Uo', { scope: 'team', teamId: 'a' }, '204 204 403 204 204'],
  ['a key of b', 'Uo', { scope: 'team', teamId: 'b' }, '204 403 403 403 403'],
  ['a key of the team above', 'Uo', { scope: 'team', teamId: 'above' }, '204 403 403 403 204'],
  ['a key of the organization', 'Uo', { scope: 'organization' }, '204 403 403 403 403'],
]

onStore((store) => {
  let product: Product
  let world: World
  let other: World
  let cookies: Record<Who, Record<string, string>>

  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
    other = await newWorld(product)
    cookies = await createPeople(world)
  })

  const call = (who: Who, method: string, path: string, body?: unknown): Promise<Response> =>
    product.call(method, path, { headers: cookies[who], body })
  const create = (who: Who, body: object): Promise<Response> =>
    call(who, 'POST', KEYS, { displayName: `Key ${uniqueId()}`, ...body })
  const listed = (who: Who): Promise<UiApiKeys> => readJson<UiApiKeys>(call(who, 'GET', KEYS))

  const seen = async (who: Who): Promise<Set<string>> =>
    new Set(
      (await listed(who)).keys.map(({ scope, teamId, isMine }) => `${scope} ${teamId} ${isMine}`),
    )

  for (const [scope, teamId, statuses] of MAY_MAKE) {
    test(`POST ${KEYS} › ${scope} ${teamId ?? ''} › ${statuses}`, async () => {
      const answered: string[] = []
      for (const who of PEOPLE) {
        const answer = await create(who, { scope, teamId })
        answered.push(`${who} ${answer.status}`)
        if (answer.status !== 201) continue
        const { organizationApiKeyId: id } = (await answer.json()) as CreatedApiKey
        await readText(call(who, 'DELETE', `${KEYS}/${id}`), 204)
      }
      assert.deepEqual(answered, expected(statuses))
    })
  }

  for (const [what, creator, body, statuses] of MAY_DELETE) {
    test(`DELETE ${KEYS}/{organizationApiKeyId} › ${what} › ${statuses}`, async () => {
      const answered: string[] = []
      for (const who of PEOPLE) {
        const made = await readJson<CreatedApiKey>(create(creator, body), 201)
        const id = made.organizationApiKeyId
        answered.push(`${who} ${(await call(who, 'DELETE', `${KEYS}/${id}`)).status}`)
        await call('Uo', 'DELETE', `${KEYS}/${id}`)
      }
      assert.deepEqual(answered, expected(statuses))
    })
  }

  test(`POST ${KEYS} › 201 with a secret that works immediately, for every scope`, async () => {
    for (const scope of KEY_SCOPE_NAMES) {
      const teamId = scope.startsWith('team') ? 'a' : null
      const body = { scope, teamId, displayName: ` Of ${scope} `, expiresAt: '9999-12-31' }
      const { organizationApiKeyId, key, ...rest } = await readJson<CreatedApiKey>(
        create('Uo', body),
        201,
      )
      assert.ok(isToken(key, 'pbk_'))
      const displayName = `Of ${scope}`
      const readOnly = scope.endsWith('_read')
      const permissions = readOnly ? [] : PERMISSIONS
      assert.deepEqual(rest, { displayName, scope, teamId, expiresAt: '9999-12-31', permissions })
      const settings = await readJson<{ caller: object }>(product.call('GET', SETTINGS, { key }))
      const caller = { organizationApiKeyId, displayName, scope, teamId, readOnly, permissions }
      assert.deepEqual(settings.caller, caller)
      await readText(call('Uo', 'DELETE', `${KEYS}/${organizationApiKeyId}`), 204)
    }
  })

  test(`POST ${KEYS} › creates personal keys with exactly the permissions of the person`, async () => {
    const { key } = await readJson<CreatedApiKey>(create('Um', { scope: 'user' }), 201)
    const body = { info: { name: 'X', owner: 'a' } }
    await expectProblem(product.call('PUT', `/api/assets/${uniqueId()}`, { key, body }), 403)
    await readText(product.call('GET', '/api/assets', { key }))
  })

  test(`POST ${KEYS} › 403 and 422 for the internal ID of a team`, async () => {
    const { id } = await store()
      .db.selectFrom('team')
      .select('id')
      .where('organization_id', '=', world.organizationId)
      .where('external_id', '=', 'a')
      .executeTakeFirstOrThrow()
    await expectProblem(create('team Owner', { scope: 'team', teamId: id }), 403)
    await expectProblem(create('Uo', { scope: 'team', teamId: id }), 422, /Unknown team/)
  })

  test(`POST ${KEYS} › 422 for a team of another organization`, async () => {
    const theirs = `theirs-${uniqueId()}`
    await expectOk(other.as('O', 'PUT', `/api/teams/${theirs}`, { body: { name: 'T' } }))
    await expectViolations(create('Uo', { scope: 'team', teamId: theirs }), 422, ['teamId'])
  })

  for (const [what, body, fields] of [
    ['no scope', { scope: undefined }, ['scope']],
    ['an unknown scope', { scope: 'Team' }, ['scope']],
    ['no team for a key of a team', { scope: 'team' }, ['teamId']],
    ['a team for a personal key', { scope: 'user', teamId: 'a' }, ['teamId']],
    ['a team for a key of the organization', { scope: 'organization', teamId: 'a' }, ['teamId']],
    ['an empty name', { scope: 'user', displayName: '  ' }, ['displayName']],
    ['no name', { scope: 'user', displayName: null }, ['displayName']],
    ['a name of 201 characters', { scope: 'user', displayName: 'x'.repeat(201) }, ['displayName']],
    ['a day in the past', { scope: 'user', expiresAt: '2001-01-01' }, ['expiresAt']],
    ['30 February', { scope: 'user', expiresAt: '2028-02-30' }, ['expiresAt']],
    ['an empty day', { scope: 'user', expiresAt: '' }, ['expiresAt']],
    [
      'several problems',
      { scope: 'x', displayName: '', expiresAt: 1 },
      ['displayName', 'expiresAt', 'scope'],
    ],
  ] as const) {
    test(`POST ${KEYS} › 422 for ${what}`, async () => {
      await expectViolations(create('Uo', body), 422, fields)
    })
  }

  test(`POST ${KEYS} › 400 malformed, 415 YAML, 413 too large, 422 unknown fields`, async () => {
    await expectProblem(call('Uo', 'POST', KEYS, '{"scope":'), 400)
    await expectProblem(call('Uo', 'POST', KEYS, `{"scope":"${'x'.repeat(70_000)}"}`), 413)
    await expectProblem(create('Uo', { scope: 'user', userId: world.userIds.Ue }), 422)
    await expectProblem(call('Uo', 'POST', KEYS, '[]'), 422)
  })

  test(`POST ${KEYS} › accepts today in UTC as the first day`, async () => {
    const then = newProduct(store(), { clock: fixedClock('2030-06-15T23:59:59.999Z') })
    // A separate world, because in that year the sessions of this one have expired.
    const own = await newWorld(product)
    const token = await newSession(store().db, then.services.clock, own.userIds.Uo)
    const on = (expiresAt: string): Promise<Response> =>
      then.call('POST', KEYS, {
        headers: withSession(token),
        body: { scope: 'user', displayName: 'K', expiresAt },
      })
    await expectProblem(on('2030-06-14'), 422, /2030-06-14 is in the past/)
    await readText(on('2030-06-15'), 201)
  })

  test(`POST ${KEYS} › 409 at the 101st, also for many concurrent requests`, async () => {
    const full = await newWorld(product)
    const requests = Array.from({ length: 120 }, (_, at) =>
      full.asPerson(at % 2 === 0 ? 'Uo' : 'Um', 'POST', KEYS, {
        body: { scope: 'user', displayName: 'K' },
      }),
    )
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    const created = statuses.filter((status) => status === 201).length
    assert.equal(created, 100 - 9)
    assert.equal(statuses.filter((status) => status === 409).length, 120 - created)
    const { count, max } = await readJson<UiApiKeys>(full.asPerson('Um', 'GET', KEYS))
    assert.deepEqual({ count, max }, { count: 100, max: 100 })
  })

  test(`POST ${KEYS} › creates no personal key for a person who is not a member`, async () => {
    const { db, clock } = product.services
    const userId = other.userIds.Um
    const newKey = { scope: 'user' as const, team: undefined, userId, displayName: 'K' }
    const key = { ...newKey, expiresOn: undefined }
    await assert.rejects(
      createApiKey(db, clock, world.organizationId, key, 'system'),
      ({ constraint }: { constraint?: string }) => constraint === 'api_key_member',
    )
  })

  test(`GET ${KEYS} › returns names instead of ids, and only the beginning of a secret`, async () => {
    const displayName = `Named ${uniqueId()}`
    const body = { scope: 'team', teamId: 'a', displayName, expiresAt: '9999-01-02' }
    const made = await readJson<CreatedApiKey>(create('team Owner', body), 201)
    const text = await readText(call('Uo', 'GET', KEYS))
    assert.ok(!text.includes(made.key) && !text.includes(made.key.slice(0, 9)))
    const { keys } = JSON.parse(text) as UiApiKeys
    const { createdAt, ...key } =
      keys.find((one) => one.displayName === displayName) ?? assert.fail()
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual(key, {
      organizationApiKeyId: made.organizationApiKeyId,
      displayName,
      secretPrefix: made.key.slice(0, 8),
      scope: 'team',
      permissions: PERMISSIONS,
      isLimited: false,
      teamId: 'a',
      teamName: 'Team A',
      personName: null,
      createdBy: 'team Owner of Team A',
      lastUsedAt: null,
      expiresAt: '9999-01-02',
      expired: false,
      isMine: false,
      mayDelete: true,
    })
  })

  test(`GET ${KEYS} › owners see all, others their own and those of teams whose keys they manage`, async () => {
    await readJson(create('Ue', { scope: 'user_read' }), 201)
    await readJson(create('Uo', { scope: 'team', teamId: 'above' }), 201)
    const all = await seen('Uo')
    const some = ['user null true', 'user null false', 'team a false', 'organization null false']
    for (const one of some) assert.ok(all.has(one), one)
    const ofTeam = ['team a false', 'team_read a false']
    const own = ['user null true', 'user_read null true']
    assert.deepEqual([...(await seen('Ue'))].toSorted(), [...ofTeam, ...own])
    assert.deepEqual([...(await seen('team Owner'))].toSorted(), ofTeam)
    assert.ok((await seen('Owner above')).has('team above false'))
    const counts = await Promise.all(PEOPLE.map(async (who) => (await listed(who)).count))
    assert.equal(new Set(counts).size, 1)
    for (const { mayDelete } of (await listed('Ue')).keys) assert.equal(mayDelete, true)
  })

  test(`GET ${KEYS} › lists expired keys marked and last, and counts them`, async () => {
    const own = await newWorld(product)
    const later = newProduct(store(), { clock: fixedClock('2099-01-01T00:00:00Z') })
    const make = (displayName: string, expiresAt: string | null): Promise<CreatedApiKey> =>
      readJson(
        own.asPerson('Um', 'POST', KEYS, { body: { scope: 'user', displayName, expiresAt } }),
        201,
      )
    await make('Ended', '2098-12-31')
    await make('Last day', '2099-01-01')
    await make('Endless', null)
    const token = await newSession(store().db, later.services.clock, own.userIds.Um)
    const list = await readJson<UiApiKeys>(later.call('GET', KEYS, { headers: withSession(token) }))
    const names = list.keys.map(({ displayName, expired }) => `${displayName} ${expired}`)
    assert.deepEqual(names, ['user false', 'Last day false', 'Endless false', 'Ended true'])
    assert.equal(list.count, 9 + 3)
  })

  test(`GET ${KEYS} › neither lists nor counts keys of another organization`, async () => {
    const before = await listed('Uo')
    const theirs = { scope: 'organization', displayName: 'Theirs' }
    await readJson(other.asPerson('Uo', 'POST', KEYS, { body: theirs }), 201)
    assert.deepEqual(await listed('Uo'), before)
  })

  test(`DELETE ${KEYS}/{organizationApiKeyId} › 404 for an unknown key, one of another organization, and an invalid UUID`, async () => {
    const body = { scope: 'organization', displayName: 'Theirs' }
    const theirs = await readJson<CreatedApiKey>(other.asPerson('Uo', 'POST', KEYS, { body }), 201)
    for (const id of [randomUUID(), theirs.organizationApiKeyId, 'x', '%27']) {
      await expectProblem(call('Uo', 'DELETE', `${KEYS}/${id}`), 404)
    }
    await readText(product.call('GET', SETTINGS, { key: theirs.key }))
  })

  test(`DELETE ${KEYS}/{organizationApiKeyId} › ends the key immediately in this process, within a second in others`, async () => {
    const { key, organizationApiKeyId: id } = await readJson<CreatedApiKey>(
      create('Uo', { scope: 'organization' }),
      201,
    )
    const elsewhere = newAuthenticator(store().db, product.services.clock)
    await elsewhere.authenticate(key)
    await readText(product.call('GET', SETTINGS, { key }))
    await readText(call('Uo', 'DELETE', `${KEYS}/${id}`), 204)
    await expectProblem(product.call('GET', SETTINGS, { key }), 401)
    const isRejected = (): Promise<boolean> =>
      elsewhere.authenticate(key).then(
        () => false,
        () => true,
      )
    await eventually(1000, isRejected, 'the key stops')
  })
})

const toMember = (one: { email: string }) => ({ emailAddress: one.email, role: 'Owner' })

/** Adds a parent to team a, and an Owner to each. Returns the headers of all callers. */
async function createPeople(world: World): Promise<Record<Who, Record<string, string>>> {
  const { db, clock } = world.services
  const team = await readJson<{ members: object[] }>(world.as('O', 'GET', '/api/teams/a'))
  const member = async (name: string): Promise<{ email: string; token: string }> => {
    const email = `${name}-${uniqueId()}@example.test`.toLowerCase().replaceAll(' ', '.')
    const person = { email, passwordHash: 'none', role: 'Member' as const }
    const userId = await addMember(db, world.organizationId, person)
    await db.updateTable('user_account').set({ name }).where('id', '=', userId).execute()
    return { email, token: await newSession(db, clock, userId) }
  }
  const owner = await member('team Owner of Team A')
  const above = await member('Owner above')
  const put = (id: string, body: object): Promise<Response> =>
    expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body }))
  await put('above', { name: 'Above', members: [toMember(above)] })
  await put('a', { ...team, parent: 'above', members: [...team.members, toMember(owner)] })
  const session = (person: PersonName) => withSession(world.sessions[person])
  return {
    Uo: session('Uo'),
    Ue: session('Ue'),
    Um: session('Um'),
    'team Owner': withSession(owner.token),
    'Owner above': withSession(above.token),
  }
}

function expected(statuses: string): string[] {
  return statuses.split(' ').map((status, at) => `${PEOPLE[at]} ${status}`)
}
