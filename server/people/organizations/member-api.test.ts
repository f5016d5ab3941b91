import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { newBrowser, newMember } from '../../../test/people.ts'
import type { Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type Product, type World } from '../../../test/world.ts'
import { recordCredentialUse } from '../users/credential-use-worker.ts'
import { createApiKey } from '../api-keys/service.ts'
import { fixedClock, storeClock } from '../../platform/kit/clock.ts'
import { newSession } from '../../../test/session.ts'
import type { Member } from './member.ts'
import { addMember, createOrganization } from './service.ts'
import type { Session } from './signed-in.ts'

const MEMBERS = '/ui/members'
const SETTINGS = '/api/organization/settings'
const CHANGE_MS_MAX = 1000
const NOBODY = '00000000-0000-7000-8000-000000000000'

async function list(browser: Browser): Promise<Member[]> {
  return await readJson<Member[]>(browser.ask('GET', MEMBERS))
}

async function lower(
  browser: Browser,
  userId: string,
  role: unknown = 'Member',
): Promise<Response> {
  return await put(browser, userId, { role })
}

async function put(
  browser: Browser,
  userId: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await browser.ask('PUT', `${MEMBERS}/${userId}`, body, headers)
}

async function remove(browser: Browser, userId: string): Promise<Response> {
  return await browser.ask('DELETE', `${MEMBERS}/${userId}`)
}

onStore((store) => {
  let product: Product
  let other: World
  before(async () => {
    product = newProduct(store())
    other = await newWorld(product)
  })

  /** Creates a separate organization with a signed-in owner. */
  async function newOrganization(): Promise<{ owner: Browser; session: Session }> {
    const organizationId = await createOrganization(store().db, `Organization ${uniqueId()}`)
    const { browser, session } = await newMember(product, organizationId, 'Owner', 'Olga Owner')
    return { owner: browser, session }
  }

  const createKey = async (organizationId: string, userId: string): Promise<string> => {
    const settings = { scope: 'user' as const, team: undefined, expiresOn: undefined }
    const key = { ...settings, userId, displayName: 'K' }
    return (await createApiKey(store().db, storeClock, organizationId, key, 'system')).secret
  }

  describe('members', () => {
    let owner: Browser
    let session: Session
    let organizationId: string
    beforeEach(async () => {
      ;({ owner, session } = await newOrganization())
      organizationId = session.organization?.id ?? ''
    })

    test(`GET ${MEMBERS} › 200 for every member, with the members by name and their teams`, async () => {
      const zoe = await newMember(product, organizationId, 'Member', 'Zoë')
      const adam = await newMember(product, organizationId, 'Owner', 'adam')
      const { secret: key } = await createApiKey(
        store().db,
        storeClock,
        organizationId,
        {
          scope: 'organization',
          team: undefined,
          userId: undefined,
          displayName: 'K',
          expiresOn: undefined,
        },
        'system',
      )
      const put = (id: string, body: object): Promise<string> =>
        readText(product.call('PUT', `/api/teams/${id}`, { key, body }))
      const emailAddress = zoe.email.toUpperCase()
      await put('top', { name: 'Top', members: [{ emailAddress, role: 'Editor' }] })
      await put('low', { name: 'Low', parent: 'top', members: [{ emailAddress, role: 'Owner' }] })
      const members = await list(zoe.browser)
      assert.deepEqual(
        members.map(({ name, role, email, teams }) => ({ name, role, email, teams })),
        [
          { name: 'adam', role: 'Owner', email: adam.email, teams: [] },
          { name: 'Olga Owner', role: 'Owner', email: session.user.email, teams: [] },
          {
            name: 'Zoë',
            role: 'Member',
            email: zoe.email,
            teams: [
              { id: 'low', name: 'Low', role: 'Owner', group: null },
              { id: 'top', name: 'Top', role: 'Editor', group: null },
            ],
          },
        ],
      )
      const { teams } = await readJson<Session>(zoe.browser.ask('GET', '/ui/session'))
      assert.deepEqual(
        teams.map(({ id, name, roles }) => ({ id, name, roles })),
        [
          { id: 'low', name: 'Low', roles: ['Editor', 'Owner'] },
          { id: 'top', name: 'Top', roles: ['Editor'] },
        ],
      )
      assert.ok(teams[0]?.permissions.includes('TEAM_EDIT'))
      assert.ok(!teams[1]?.permissions.includes('TEAM_EDIT'))
      assert.ok(teams[1]?.permissions.includes('DATAPRODUCT_EDIT'))
    })

    test(`GET ${MEMBERS} › records lastSeenAt to the minute, only in that organization`, async () => {
      const clock = fixedClock('2031-03-01T00:00:00Z')
      const token = await newSession(store().db, clock, session.user.id)
      const second = await createOrganization(store().db, 'Second')
      const person = { email: session.user.email, passwordHash: 'none', role: 'Owner' as const }
      await addMember(store().db, second, person)
      const seenAt = async (instant: string, organization: string): Promise<string | null> => {
        const product = newProduct(store(), { clock: fixedClock(instant) })
        const browser = newBrowser(product)
        Object.assign(browser, { token, organization })
        await list(browser)
        await recordCredentialUse(product.services)
        return (await list(browser))[0]?.lastSeenAt ?? null
      }
      const [first, minute] = ['2031-03-01T01:00:00.000000Z', '2031-03-01T01:01:00.000000Z']
      assert.equal(await seenAt(first, organizationId), first)
      assert.equal(await seenAt(minute, organizationId), first)
      const later = '2031-03-01T02:00:00.000000Z'
      assert.equal(await seenAt(later, second), later)
      assert.equal(
        await seenAt('2031-03-01T02:00:30Z', organizationId),
        '2031-03-01T02:00:30.000000Z',
      )
      const { rows } = await store().pool.query(
        `select last_seen_at::text from organization_member where organization_id = '${second}'`,
      )
      assert.match(JSON.stringify(rows), /02:00:00\+00/)
    })

    test(`PUT ${MEMBERS}/{userId} › 200 with the member, and changes their permissions immediately`, async () => {
      const person = await newMember(product, organizationId)
      const id = person.session.user.id
      const rename = async (): Promise<number> =>
        (await person.browser.ask('PUT', '/ui/organization', { name: 'N' })).status
      assert.equal(await rename(), 403)
      const raised = await readJson<Member>(lower(owner, id, 'Owner'))
      assert.partialDeepStrictEqual(raised, { userId: id, role: 'Owner', email: person.email })
      assert.equal(await rename(), 200)
      assert.partialDeepStrictEqual(await readJson<Member>(lower(owner, id)), { role: 'Member' })
      assert.equal(await rename(), 403)
    })

    test(`PUT ${MEMBERS}/{userId} › 200 without an effect of or on the role in another organization`, async () => {
      const { db } = product.services
      const person = await newMember(product, organizationId)
      const id = person.session.user.id
      const elsewhere = await createOrganization(db, 'Elsewhere')
      await addMember(db, elsewhere, { email: person.email, passwordHash: 'none', role: 'Owner' })
      const readChanges = async (): Promise<unknown[]> =>
        await db
          .selectFrom('activity_entry')
          .select(['organization_id', 'details'])
          .where('person', '=', id)
          .where('action', '=', 'role-changed')
          .execute()
      await readText(lower(owner, id))
      assert.deepEqual(await readChanges(), [])
      await readText(lower(owner, id, 'Owner'))
      await readText(lower(owner, id))
      const changes = await readChanges()
      assert.equal(changes.length, 2)
      assert.ok(!JSON.stringify(changes).includes(elsewhere))
      const { role } = await db
        .selectFrom('organization_member')
        .select('role')
        .where('organization_id', '=', elsewhere)
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(role, 'Owner')
    })

    test(`PUT and DELETE ${MEMBERS}/{userId} › 422 for the last owner, who can neither be demoted nor leave`, async () => {
      const me = session.user.id
      await newMember(product, organizationId)
      await expectProblem(lower(owner, me), 422, /at least one owner/)
      await expectProblem(remove(owner, me), 422, /at least one owner/)
      await readText(lower(owner, me, 'Owner'))
      const second = await newMember(product, organizationId, 'Owner')
      await readText(lower(second.browser, me))
      await expectProblem(remove(second.browser, second.session.user.id), 422)
    })

    for (const [what, way] of [
      ['lower each other', lower],
      ['remove each other', remove],
      ['leave', undefined],
    ] as const) {
      test(`two owners who ${what} at the same time › leave one owner`, async () => {
        const second = await newMember(product, organizationId, 'Owner')
        const there = newBrowser(newProduct(store()))
        there.token = second.browser.token
        const [one, two] = [session.user.id, second.session.user.id]
        const answers = await Promise.all(
          way === undefined
            ? [remove(owner, one), remove(there, two)]
            : [way(owner, two), way(there, one)],
        )
        const bad = answers.filter(({ ok }) => !ok).map(({ status }) => status)
        assert.equal(bad.length, 1)
        // For the second request the other one is the last owner, or the caller is no longer an owner.
        assert.ok([401, 403, 422].includes(bad[0] ?? 0), String(bad))
        const { rows } = await store().pool.query(
          `select 1 from organization_member where organization_id = '${organizationId}' and role = 'Owner'`,
        )
        assert.equal(rows.length, 1)
      })
    }

    test(`PUT ${MEMBERS}/{userId} › 400, 404, 413, 415 and 422 for invalid requests`, async () => {
      const { session: person } = await newMember(product, organizationId)
      for (const body of [{}, { role: 'owner' }, { role: 'Admin' }, { role: 'Member', x: 1 }, []]) {
        await expectProblem(put(owner, person.user.id, body), 422)
      }
      await expectProblem(put(owner, person.user.id, '{'), 400)
      await expectProblem(put(owner, person.user.id, { role: 'x'.repeat(17_000) }), 413)
      const yaml = { 'content-type': 'application/yaml' }
      await expectProblem(put(owner, person.user.id, 'role: Owner', yaml), 415)
      for (const id of [NOBODY, 'x', other.userIds.Um]) {
        await expectProblem(put(owner, id, { role: 'Owner' }), 404)
        await expectProblem(remove(owner, id), 404)
      }
    })

    test(`DELETE ${MEMBERS}/{userId} › 204: ends sessions and keys within a second in every process`, async () => {
      const person = await newMember(product, organizationId)
      const id = person.session.user.id
      const key = await createKey(organizationId, id)
      const there = newProduct(store())
      const [byKey, bySession] = [
        async () => (await there.call('GET', SETTINGS, { key })).status,
        async () => (await person.browser.ask('GET', '/ui/session')).status,
      ]
      assert.deepEqual([await byKey(), await bySession()], [200, 200])
      assert.equal((await product.call('GET', SETTINGS, { key })).status, 200)
      await readText(remove(owner, id), 204)
      // Immediately in the process that removed the member.
      assert.equal((await product.call('GET', SETTINGS, { key })).status, 401)
      assert.equal(await bySession(), 401)
      await eventually(CHANGE_MS_MAX, async () => (await byKey()) === 401, 'the key stops')
      const { rows } = await store().pool.query(
        `select api_key_count from organization where id = '${organizationId}'`,
      )
      assert.deepEqual(rows, [{ api_key_count: 0 }])
      await expectProblem(remove(owner, id), 404)
      assert.ok(!(await list(owner)).some(({ userId }) => userId === id))
    })

    test(`DELETE ${MEMBERS}/{userId} › keeps the person's membership in another organization`, async () => {
      const person = await newMember(product, organizationId)
      const id = person.session.user.id
      const { owner: elsewhere, session: theirs } = await newOrganization()
      const secondId = theirs.organization?.id ?? ''
      const member = { email: person.email, passwordHash: 'none', role: 'Member' as const }
      await addMember(store().db, secondId, member)
      const keys = [await createKey(organizationId, id), await createKey(secondId, id)]
      await readText(remove(owner, id), 204)
      const { browser } = person
      browser.organization = organizationId
      await expectProblem(browser.ask('GET', MEMBERS), 403, /not a member/)
      const fallen = await readJson<Session>(browser.ask('GET', '/ui/session'))
      assert.equal(fallen.organization?.id, secondId)
      assert.equal(fallen.organizations.length, 1)
      browser.organization = secondId
      assert.equal((await list(browser)).length, 2)
      const statuses = keys.map(
        async (key) => (await product.call('GET', SETTINGS, { key })).status,
      )
      assert.deepEqual(await Promise.all(statuses), [401, 200])
      await readText(remove(elsewhere, id), 204)
      await expectProblem(browser.ask('GET', '/ui/session'), 401)
    })

    test(`DELETE ${MEMBERS}/{userId} › lets a member leave, but not remove others`, async () => {
      const [one, two] = [
        await newMember(product, organizationId),
        await newMember(product, organizationId),
      ]
      await expectProblem(remove(one.browser, two.session.user.id), 403)
      await expectProblem(remove(one.browser, session.user.id), 403)
      await expectProblem(remove(one.browser, NOBODY), 403)
      await readText(remove(one.browser, one.session.user.id.toUpperCase()), 204)
      await expectProblem(one.browser.ask('GET', '/ui/session'), 401)
    })
  })

  test('DELETE a member who creates a key at the same time › leaves no key without an owner', async () => {
    const { owner, session } = await newOrganization()
    const organizationId = session.organization?.id ?? ''
    for (let round = 0; round < 10; round += 1) {
      const { session: person } = await newMember(product, organizationId)
      await Promise.allSettled([
        createKey(organizationId, person.user.id),
        readText(remove(owner, person.user.id), 204),
      ])
    }
    const { rows } = await store().pool.query(
      `select (select count(*)::int from api_key where organization_id = '${organizationId}') as keys,
         (select api_key_count from organization where id = '${organizationId}') as counted,
         (select count(*)::int from organization_member where organization_id = '${organizationId}') as members`,
    )
    assert.deepEqual(rows, [{ keys: 0, counted: 0, members: 1 }])
  })
})
