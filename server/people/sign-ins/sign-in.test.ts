/** Sign-ins with an identity provider: the options, the flow, and which person signs in. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { invite, newBrowser, newMember, type Browser } from '../../../test/people.ts'
import {
  expectSignedIn,
  LOOPBACK_URL,
  newClaims,
  newStage,
  verifyDomain,
  type Stage,
} from '../../../test/provider-sign-ins.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { addMember, createOrganization } from '../organizations/service.ts'
import type { Session } from '../organizations/signed-in.ts'
import type { SignInOptions } from './sign-in.ts'

onStore((store) => {
  let world: World
  let stage: Stage
  before(async () => {
    world = await newWorld(newProduct(store(), { baseUrl: LOOPBACK_URL }))
    await verifyDomain(world, 'velmora.example')
    stage = await newStage(world, { joinRule: 'everyone', domains: ['velmora.example'] })
  })
  after(async () => await stage.issuer.close())

  const owner = (): Pick<Browser, 'ask'> => ({
    ask: (method, path, body) => world.asPerson('Uo', method, path, { body }),
  })
  const getOptions = (query: string, on = world): Promise<SignInOptions> =>
    readJson<SignInOptions>(newBrowser(on).ask('GET', `/ui/sign-in/options${query}`))
  const listIdentities = async (userId: string) => {
    const { rows } = await sql<Record<string, unknown>>`
      select subject, email, groups, group_keys, groups_known from provider_identity where user_id = ${userId}
    `.execute(store().db)
    return rows
  }

  test('GET /ui/sign-in/options › lists the providers of the only organization for any address', async () => {
    const here = { id: stage.provider.id, name: 'Velmora ID' }
    for (const query of ['', '?email=jo@elsewhere.example', '?email=not-an-address']) {
      const { password, passkeys, providers } = await getOptions(query)
      assert.deepEqual([password, passkeys], [true, false])
      assert.deepEqual(
        providers.map(({ id, name }) => ({ id, name })),
        [here],
      )
    }
    await expectProblem(newBrowser(world).ask('GET', '/ui/sign-in/options?mail=x'), 400)
  })

  test('GET /ui/sign-in/options › with several organizations, finds one by a verified domain or its vanity address', async () => {
    const other = await createOrganization(store().db, 'Other works')
    const listIds = async (query: string) => (await getOptions(query)).providers.map(({ id }) => id)
    const ours = [stage.provider.id]
    assert.deepEqual(await listIds(''), [])
    assert.deepEqual(await listIds('?email=anyone@Velmora.example'), ours)
    assert.deepEqual(await listIds('?email=anyone@sub.velmora.example'), [])
    assert.deepEqual(await listIds('?organization=other-works'), [])
    const { organization } = await readJson<Session>(owner().ask('GET', '/ui/session'))
    assert.deepEqual(await listIds(`?organization=${organization?.vanityUrl}`), ours)
    await sql`update identity_provider set enabled = false where id = ${stage.provider.id}`.execute(
      store().db,
    )
    assert.deepEqual(await listIds('?email=anyone@velmora.example'), [])
    await sql`update identity_provider set enabled = true where id = ${stage.provider.id}`.execute(
      store().db,
    )
    await sql`
      insert into organization_sign_in (organization_id, rule, updated_by) values (${other}, 'provider', 'system')
    `.execute(store().db)
    assert.equal((await getOptions('?organization=other-works')).password, false)
    assert.equal((await getOptions('?email=anyone@velmora.example')).password, true)
  })

  test('POST /ui/sign-in/provider › 200 with the address of the provider, which has code, state, nonce and S256', async () => {
    const { request, browser } = await stage.start()
    assert.equal(request.get('response_type'), 'code')
    assert.equal(request.get('client_id'), 'portbook')
    assert.equal(request.get('scope'), 'openid email profile')
    assert.equal(request.get('code_challenge_method'), 'S256')
    const redirect = `${LOOPBACK_URL}/sign-in/${stage.provider.id}/callback`
    assert.equal(request.get('redirect_uri'), redirect)
    for (const name of ['state', 'nonce', 'code_challenge']) {
      assert.match(request.get(name) ?? '', /^[\w-]{43}$/)
    }
    assert.match(browser.transaction ?? '', /^pbt_\w+$/)
  })

  test('POST /ui/sign-in/provider/finish › a new member joins, is managed, and is the same person the next time', async () => {
    const claims = newClaims()
    const browser = newBrowser(world)
    const first = await expectSignedIn(
      stage.signIn(claims, { browser, body: { next: '/teams?view=list' } }),
    )
    assert.equal(first.next, '/teams?view=list')
    assert.equal(first.session?.user.name, claims.name)
    const { user, organization } = await readJson<Session>(browser.ask('GET', '/ui/session'))
    assert.deepEqual([user.email, organization?.role], [claims.email, 'Member'])
    assert.equal(user.managedBy, organization?.name)
    const again = await expectSignedIn(stage.signIn(claims))
    assert.equal(again.session?.user.id, user.id)
    const { rows } = await sql<{ method: string; subject: string; origin: string }>`
      select session.method, session.subject, member.origin
      from session
      join organization_member as member using (user_id)
      where session.user_id = ${user.id}
    `.execute(store().db)
    const session = { method: 'provider', subject: claims.sub, origin: 'provider' }
    assert.deepEqual(rows, [session, session])
  })

  test('finish › links the member with the same verified address in a verified, listed domain', async () => {
    const claims = newClaims()
    const userId = await addMember(store().db, world.organizationId, {
      email: claims.email,
      passwordHash: 'none',
      role: 'Member',
    })
    const capitals = { ...claims, email: claims.email.toUpperCase() }
    const { session } = await expectSignedIn(stage.signIn(capitals))
    assert.equal(session?.user.id, userId)
    assert.equal((await listIdentities(userId)).length, 1)
    // The same address from another identity: another person has it at the provider now.
    const other = stage.signIn({ ...claims, sub: 'other' })
    assert.equal((await expectProblem(other, 409)).code, 'identity_taken')
  })

  test('finish › an account of another organization with the address stays separate', async () => {
    const claims = newClaims()
    const elsewhere = await createOrganization(store().db, 'Elsewhere')
    const person = { email: claims.email, passwordHash: 'none', role: 'Owner' } as const
    const otherId = await addMember(store().db, elsewhere, person)
    const { session } = await expectSignedIn(stage.signIn(claims))
    assert.notEqual(session?.user.id, otherId)
    assert.equal((await listIdentities(otherId)).length, 0)
  })

  test('finish › an invited person with the verified address joins with the role of the invitation', async () => {
    const claims = newClaims('elsewhere.example')
    const token = await invite(owner(), claims.email, 'Owner')
    const refused = await stage.signIn(claims)
    assert.equal((await expectProblem(refused, 403)).code, 'provider_person_unknown')
    const browser = newBrowser(world)
    await expectSignedIn(stage.signIn(claims, { browser, body: { invitation: token } }))
    const { organization } = await readJson<Session>(browser.ask('GET', '/ui/session'))
    assert.equal(organization?.role, 'Owner')
  })

  test('finish › links the member whose record of the directory has the subject, with any address', async () => {
    const { session, email } = await newMember(world, world.organizationId)
    await sql`
      insert into directory_user (organization_id, user_id, user_name, user_name_key, external_id, updated_by)
      values (${world.organizationId}, ${session.user.id}, ${email}, ${email}, 'object-1', 'system')
    `.execute(store().db)
    const found = await expectSignedIn(stage.signIn({ sub: 'object-1' }))
    assert.equal(found.session?.user.id, session.user.id)
  })

  test('finish › a changed name and address of the claims are those of the account, if no other member has the address', async () => {
    const claims = newClaims()
    const { session } = await expectSignedIn(stage.signIn(claims))
    const renamed = { ...newClaims(), sub: claims.sub }
    const next = await expectSignedIn(stage.signIn(renamed))
    assert.deepEqual(
      [next.session?.user.id, next.session?.user.email, next.session?.user.name],
      [session?.user.id, renamed.email, renamed.name],
    )
    const taken = newClaims()
    await expectSignedIn(stage.signIn(taken))
    for (const change of [
      { email: taken.email },
      { email_verified: false, email: newClaims().email },
    ]) {
      const kept = await expectSignedIn(stage.signIn({ ...renamed, name: 'Other', ...change }))
      assert.deepEqual(
        [kept.session?.user.email, kept.session?.user.name],
        [renamed.email, renamed.name],
      )
    }
  })

  test('finish › ends the session that the browser had', async () => {
    const { browser } = await newMember(world, world.organizationId)
    const former = newBrowser(world)
    former.token = browser.token
    await expectSignedIn(stage.signIn(newClaims(), { browser }))
    await expectProblem(former.ask('GET', '/ui/session'), 401)
    await readText(browser.ask('GET', '/ui/session'))
  })
})
