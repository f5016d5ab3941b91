/** The identities of a person: linked, confirmed and unlinked from the profile; the try of an owner. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { newBrowser, newMember, type Browser } from '../../../test/people.ts'
import {
  expectSignedIn,
  LOOPBACK_URL,
  newClaims,
  newStage,
  verifyDomain,
  type FinishedAnswer,
  type Stage,
} from '../../../test/provider-sign-ins.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { addMember } from '../organizations/service.ts'

const IDENTITIES = '/ui/provider-identities'

/** The own identities, as the page gets them. */
interface OwnIdentities {
  providers: { id: string; identity: { email: string | null } | null }[]
  isRecent: boolean
  hasPassword: boolean
}

async function list(browser: Browser): Promise<OwnIdentities> {
  return await readJson<OwnIdentities>(browser.ask('GET', IDENTITIES))
}

onStore((store) => {
  let world: World
  let stage: Stage
  let path: string
  before(async () => {
    world = await newWorld(newProduct(store(), { baseUrl: LOOPBACK_URL }))
    await verifyDomain(world, 'velmora.example')
    stage = await newStage(world, {
      joinRule: 'everyone',
      domains: ['velmora.example'],
      groupsClaim: 'groups',
    })
    path = `${IDENTITIES}/${stage.provider.id}`
  })
  after(async () => await stage.issuer.close())

  const newPerson = async (): Promise<{ browser: Browser; userId: string }> => {
    const { browser, session } = await newMember(world, world.organizationId)
    browser.organization = world.organizationId
    return { browser, userId: session.user.id }
  }
  const link = async (browser: Browser, claims: Record<string, unknown>): Promise<Response> => {
    stage.claims = claims
    return await stage.finish(await stage.startAt(path, browser))
  }
  const age = (userId: string) =>
    sql`update session set created_at = created_at - interval '6 minutes' where user_id = ${userId}`.execute(
      store().db,
    )

  test('POST /ui/provider-identities/{id} › links the signed-in person with any address, and keeps the session', async () => {
    const { browser, userId } = await newPerson()
    const { token } = browser
    const claims = { ...newClaims('elsewhere.example'), email_verified: false }
    const finished = await readJson<FinishedAnswer>(link(browser, claims))
    assert.deepEqual(
      [finished.kind, finished.next, finished.session],
      ['link', '/settings/profile', null],
    )
    assert.equal(browser.token, token)
    const { providers, hasPassword, isRecent } = await list(browser)
    assert.deepEqual(
      [providers[0]?.identity?.email, hasPassword, isRecent],
      [claims.email, true, true],
    )
    const { session } = await expectSignedIn(stage.signIn({ ...claims, groups: [] }))
    assert.equal(session?.user.id, userId)
    const { rows } = await sql<{ action: string; principal: string }>`
      select action, principal from activity_entry where kind = 'identity-provider' and subject = ${userId}
    `.execute(store().db)
    assert.deepEqual(rows, [{ action: 'linked', principal: `user:${userId}` }])
  })

  test('POST /ui/provider-identities/{id} › 403 for a session of more than 5 minutes', async () => {
    const { browser, userId } = await newPerson()
    await age(userId)
    assert.equal((await list(browser)).isRecent, false)
    const problem = await expectProblem(browser.ask('POST', path, { next: '/' }), 403)
    assert.equal(problem.code, 'sign_in_outdated')
  })

  test('POST /ui/provider-identities/{id} › 409 for an identity of another person, and for a second one of the provider', async () => {
    const claims = newClaims()
    await expectSignedIn(stage.signIn(claims))
    const { browser } = await newPerson()
    assert.equal((await expectProblem(link(browser, claims), 409)).code, 'identity_taken')
    await readText(link(browser, newClaims()))
    assert.equal((await expectProblem(link(browser, newClaims()), 409)).code, 'identity_taken')
  })

  test('a link that one person started cannot be finished in the browser of another, or after signing out', async () => {
    const { browser } = await newPerson()
    const { browser: other } = await newPerson()
    stage.claims = newClaims()
    for (const token of [other.token, undefined]) {
      const started = await stage.startAt(path, browser)
      const mixed = { ...newBrowser(world), token, transaction: browser.transaction }
      const thief = newBrowser(world)
      thief.token = mixed.token
      thief.transaction = mixed.transaction
      assert.equal(
        (await expectProblem(stage.finish({ ...started, browser: thief }), 400)).code,
        'transaction_lost',
      )
    }
    assert.equal((await list(other)).providers[0]?.identity, null)
  })

  test('POST /ui/provider-identities/{id}/confirm › starts a new session of the same person, and asks the provider to ask again', async () => {
    const claims = newClaims()
    const browser = newBrowser(world)
    const { session } = await expectSignedIn(stage.signIn(claims, { browser }))
    await age(session?.user.id ?? '')
    const started = await stage.startAt(`${path}/confirm`, browser)
    assert.equal(started.request.get('prompt'), 'login')
    await expectSignedIn(stage.finish(started))
    assert.equal((await list(browser)).isRecent, true)
    const again = await stage.startAt(`${path}/confirm`, browser)
    const { token } = browser
    stage.claims = newClaims()
    assert.equal((await expectProblem(stage.finish(again), 409)).code, 'identity_taken')
    assert.equal(browser.token, token)
  })

  test('POST /ui/provider-identities/{id}/confirm › 403 if the provider did not ask again, by its claim auth_time', async () => {
    const claims = newClaims()
    const browser = newBrowser(world)
    const { session } = await expectSignedIn(stage.signIn(claims, { browser }))
    await age(session?.user.id ?? '')
    const confirm = async (ageS: number): Promise<Response> => {
      const started = await stage.startAt(`${path}/confirm`, browser)
      stage.claims = { ...claims, auth_time: Math.floor(Date.now() / 1000) - ageS }
      return await stage.finish(started)
    }
    const problem = await expectProblem(confirm(600), 403, /did not ask you to sign in again/)
    assert.equal(problem.code, 'provider_token_invalid')
    assert.equal((await list(browser)).isRecent, false)
    await expectSignedIn(confirm(0))
    assert.equal((await list(browser)).isRecent, true)
  })

  test('DELETE /ui/provider-identities/{id} › 204 ends the sessions of the provider; 422 without another way to sign in', async () => {
    const { browser } = await newPerson()
    const claims = newClaims()
    await readText(link(browser, claims))
    const session = newBrowser(world)
    await expectSignedIn(stage.signIn(claims, { browser: session }))
    await readText(browser.ask('DELETE', path), 204)
    await expectProblem(session.ask('GET', '/ui/session'), 401)
    await expectProblem(browser.ask('DELETE', path), 404)
    const managed = newBrowser(world)
    await expectSignedIn(stage.signIn(newClaims(), { browser: managed }))
    const problem = await expectProblem(managed.ask('DELETE', path), 422, /no longer sign in/)
    assert.equal(problem.code, 'invalid_state')
  })

  test('a session of the provider changes no identities of a person who is also in another organization', async () => {
    const { browser } = await newPerson()
    const claims = newClaims()
    await readText(link(browser, claims))
    const limited = newBrowser(world)
    await expectSignedIn(stage.signIn(claims, { browser: limited }))
    const elsewhere = await newWorld(world)
    const { email } = (
      await readJson<{ user: { email: string } }>(browser.ask('GET', '/ui/session'))
    ).user
    await addMember(store().db, elsewhere.organizationId, {
      email,
      passwordHash: 'none',
      role: 'Member',
    })
    for (const [method, address, body] of [
      ['DELETE', path, undefined],
      ['POST', path, { next: '/' }],
    ] as const) {
      const problem = await expectProblem(limited.ask(method, address, body), 403)
      assert.equal(problem.code, 'session_limited')
    }
  })

  test('the groups of each sign-in replace those of the last one; unknown ones keep them', async () => {
    const claims = newClaims()
    const readGroupsAfter = async (more: Record<string, unknown>) => {
      await expectSignedIn(stage.signIn({ ...claims, ...more }))
      const { rows } = await sql<{ groups: string[]; group_keys: string[]; groups_known: boolean }>`
        select groups, group_keys, groups_known from provider_identity where subject = ${claims.sub}
      `.execute(store().db)
      return rows[0] && [rows[0].groups, rows[0].group_keys, rows[0].groups_known]
    }
    assert.deepEqual(await readGroupsAfter({ groups: ['Data', 'ÄRZTE'] }), [
      ['Data', 'ÄRZTE'],
      ['data', 'ärzte'],
      true,
    ])
    const kept = [['Data', 'ÄRZTE'], ['data', 'ärzte'], false]
    const overage = {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: stage.issuer.issuer } },
    }
    const requests = stage.issuer.requests.length
    assert.deepEqual(await readGroupsAfter(overage), kept)
    assert.ok(
      !stage.issuer.requests.slice(requests).includes('/'),
      'the source of the claims was opened',
    )
    assert.deepEqual(
      await readGroupsAfter({ groups: Array.from({ length: 1001 }, (_, n) => `g${n}`) }),
      kept,
    )
    assert.deepEqual(await readGroupsAfter({ groups: ['one'] }), [['one'], ['one'], true])
    assert.deepEqual(await readGroupsAfter({}), [[], [], true])
  })

  test('POST /ui/identity-providers/{id}/try › shows an owner the claims, the person and the roles, and creates nothing', async () => {
    const owner = newBrowser(world)
    owner.token = world.sessions.Uo
    await sql`
      insert into directory_mapping (organization_id, position, group_name, group_key, kind, team, role)
      values (${world.organizationId}, 1, 'Data', 'data', 'teamMemberRole', 'a', 'Editor')
    `.execute(store().db)
    const claims = { ...newClaims(), groups: ['Data'] }
    const count = async () => {
      const { rows } = await sql`select id from user_account`.execute(store().db)
      return rows.length
    }
    const before = await count()
    stage.claims = claims
    const tryPath = `/ui/identity-providers/${stage.provider.id}/try`
    const { kind, session, tried } = await readJson<FinishedAnswer>(
      stage.finish(await stage.startAt(tryPath, owner)),
    )
    assert.deepEqual(
      [kind, session, tried?.['outcome'], tried?.['email']],
      ['try', null, 'joined', claims.email],
    )
    assert.deepEqual(tried?.['roles'], [{ group: 'Data', team: 'a', role: 'Editor' }])
    assert.equal(await count(), before)
    const member = newBrowser(world)
    member.token = world.sessions.Um
    await expectProblem(member.ask('POST', tryPath, { next: '/' }), 403)
  })
})
