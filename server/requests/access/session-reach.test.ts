import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { newBrowser, PASSWORD, setUpOwner, type Browser } from '../../../test/people.ts'
import { newProvider, newProviderSession, newSession } from '../../../test/session.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { hashNewPassword } from '../../people/users/service.ts'
import { addMember, createOrganization } from '../../people/organizations/service.ts'
import type { Session } from '../../people/organizations/signed-in.ts'

const SETTINGS = '/api/organization/settings'

onStore((store) => {
  let product: Product
  let a: string
  let b: string
  let providerOfA: string
  let providerOfB: string
  before(async () => {
    product = newProduct(store())
    const { session } = await setUpOwner(product)
    a = session.organization?.id ?? ''
    b = await createOrganization(store().db, 'Second')
    providerOfA = await newProvider(store().db, a)
    providerOfB = await newProvider(store().db, b)
  })

  async function newPerson(
    ...organizationIds: string[]
  ): Promise<{ userId: string; email: string }> {
    const { db } = store()
    const email = `p-${uniqueId()}@example.test`
    const passwordHash = await hashNewPassword(product.services, email, PASSWORD)
    let userId = ''
    for (const organizationId of organizationIds) {
      userId = await addMember(db, organizationId, { email, passwordHash, role: 'Owner' })
    }
    return { userId, email }
  }

  function openBrowser(token: string, organization?: string, at = product): Browser {
    const browser = newBrowser(at)
    browser.token = token
    browser.organization = organization
    return browser
  }

  const signInAtA = async (userId: string): Promise<string> =>
    await newProviderSession(product.services, userId, {
      organizationId: a,
      providerId: providerOfA,
    })

  async function setRule(organizationId: string, rule: 'any' | 'provider'): Promise<void> {
    await sql`
      insert into organization_sign_in (organization_id, rule, updated_by)
      values (${organizationId}, ${rule}, 'system')
      on conflict (organization_id) do update set rule = excluded.rule
    `.execute(store().db)
  }

  test('a session of a provider of A › acts in A, and 403 session_limited in B, also in downloads', async () => {
    const { userId } = await newPerson(b, a)
    const token = await signInAtA(userId)
    const inA = await readJson<{ organizationId: string }>(openBrowser(token).ask('GET', SETTINGS))
    assert.equal(inA.organizationId, a, 'the first one in which it can act')
    const inB = openBrowser(token, b)
    for (const [method, path, body] of [
      ['GET', SETTINGS, undefined],
      ['GET', '/ui/members', undefined],
      ['PUT', '/api/teams/t', { name: 'T' }],
      ['PUT', '/ui/organization', { name: 'N' }],
      ['POST', '/ui/invitations', { email: 'x@example.test', role: 'Owner' }],
      ['DELETE', `/ui/members/${userId}`, {}],
    ] as const) {
      const problem = await expectProblem(inB.ask(method, path, body), 403)
      assert.equal(problem['code'], 'session_limited', path)
    }
    const download = `/ui/activity/export?format=csv&organization=${b}`
    const problem = await expectProblem(openBrowser(token).ask('GET', download), 403)
    assert.equal(problem['code'], 'session_limited')
    await readText(
      openBrowser(token).ask('GET', `/ui/activity/export?format=csv&organization=${a}`),
    )
  })

  test('a session of a provider of A › a foreign and a missing organization answer alike', async () => {
    const { userId } = await newPerson(a, b)
    const token = await signInAtA(userId)
    const third = await createOrganization(store().db, 'Third')
    const answers = await Promise.all(
      [b, third, '00000000-0000-7000-8000-000000000000'].map((organization) =>
        expectProblem(openBrowser(token, organization).ask('GET', SETTINGS), 403),
      ),
    )
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
  })

  test('GET /ui/session › lists only the organization of the provider', async () => {
    const { userId } = await newPerson(b, a)
    const token = await signInAtA(userId)
    const session = await readJson<Session>(openBrowser(token, b).ask('GET', '/ui/session'))
    assert.deepEqual(
      session.organizations.map(({ id }) => id),
      [a],
    )
    assert.equal(session.organization?.id, a)
    assert.equal(session.limitedTo, a)
    assert.equal(session.mayChangeAccount, false)
    const own = await newSession(store().db, product.services.clock, userId)
    const { organizations, limitedTo, mayChangeAccount } = await readJson<Session>(
      openBrowser(own).ask('GET', '/ui/session'),
    )
    assert.deepEqual([organizations.length, limitedTo, mayChangeAccount], [2, null, true])
  })

  test('a session of a provider › creates no organization, and changes the account only of a person who is in no other', async () => {
    const both = await newPerson(a, b)
    const single = await newPerson(a)
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' }
    const limited = openBrowser(await signInAtA(both.userId))
    for (const [method, path, body] of [
      ['POST', '/ui/password', change],
      ['PUT', '/ui/profile', { name: 'Eve' }],
      ['POST', '/ui/organizations', { name: 'Third' }],
    ] as const) {
      const problem = await expectProblem(limited.ask(method, path, body), 403)
      assert.equal(problem['code'], 'session_limited', path)
    }
    const { user } = await readJson<Session>(limited.ask('GET', '/ui/session'))
    assert.notEqual(user.name, 'Eve')
    await readText(
      newBrowser(product).ask('POST', '/ui/sign-in', { email: both.email, password: PASSWORD }),
    )
    const whole = openBrowser(await signInAtA(single.userId))
    await readText(whole.ask('PUT', '/ui/profile', { name: 'Anna' }))
    await readText(whole.ask('POST', '/ui/password', change), 204)
    const inB = openBrowser(whole.token ?? '', b)
    const problem = await expectProblem(inB.ask('GET', SETTINGS), 403)
    assert.equal(problem['code'], 'session_limited', 'the renewed session is limited, too')
    await expectProblem(whole.ask('POST', '/ui/organizations', { name: 'Third' }), 403)
  })

  test('rule = provider › 403 provider_required for other sessions in every process, the provider, keys and break-glass owners go on', async () => {
    const { db, clock } = product.services
    const there = newProduct(store())
    const person = await newPerson(a, b)
    const owner = await newPerson(a)
    const password = await newSession(db, clock, person.userId)
    const ofB = await newProviderSession(product.services, person.userId, {
      organizationId: b,
      providerId: providerOfB,
    })
    const inA = openBrowser(password, a, there)
    const key = await readJson<{ key: string }>(
      inA.ask('POST', '/ui/api-keys', { scope: 'user', displayName: 'K' }),
      201,
    )
    await setRule(a, 'provider')
    try {
      for (const path of [
        SETTINGS,
        '/ui/members',
        `/ui/activity/export?format=csv&organization=${a}`,
      ]) {
        const problem = await expectProblem(inA.ask('GET', path), 403)
        assert.equal(problem['code'], 'provider_required', path)
      }
      const write = await expectProblem(inA.ask('PUT', '/api/teams/t', { name: 'T' }), 403)
      assert.equal(write['code'], 'provider_required')
      await readText(openBrowser(await signInAtA(person.userId), a).ask('GET', SETTINGS))
      await readText(openBrowser(password, b).ask('GET', SETTINGS))
      const elsewhere = await expectProblem(openBrowser(ofB, a).ask('GET', SETTINGS), 403)
      assert.equal(elsewhere['code'], 'session_limited')
      await readText(product.call('GET', SETTINGS, { key: key.key }))
      const { organizationId } = await readJson<{ organizationId: string }>(
        openBrowser(password).ask('GET', SETTINGS),
      )
      assert.equal(organizationId, b, 'the first one that accepts the session')
      const session = await readJson<Session>(inA.ask('GET', '/ui/session'))
      assert.deepEqual(
        session.organizations.map(({ id, providerRequired }) => [id, providerRequired]),
        [
          [a, true],
          [b, false],
        ],
      )
      assert.equal(session.organization?.id, a, 'the requested one, for its page')
      assert.deepEqual(session.teams, [])
      await sql`
        insert into break_glass (organization_id, user_id, created_by)
        values (${a}, ${owner.userId}, 'system')
      `.execute(db)
      const glass = openBrowser(await newSession(db, clock, owner.userId), a)
      await readText(glass.ask('GET', '/ui/members'))
      const { organization } = await readJson<Session>(glass.ask('GET', '/ui/session'))
      assert.equal(organization?.providerRequired, false)
    } finally {
      await setRule(a, 'any')
    }
    await readText(inA.ask('GET', '/ui/members'))
  })

  test('rule = provider of another organization › changes nothing here', async () => {
    const { userId } = await newPerson(a)
    const other = await createOrganization(store().db, 'Strict')
    await setRule(other, 'provider')
    const token = await newSession(store().db, product.services.clock, userId)
    await readText(openBrowser(token).ask('GET', '/ui/members'))
  })
})
