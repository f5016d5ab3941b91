import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { untilBlocked } from '../../../test/eventually.ts'
import { newBrowser, newMember, PASSWORD, type Browser } from '../../../test/people.ts'
import { newProvider, newProviderSession } from '../../../test/session.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, type Product } from '../../../test/world.ts'
import { endAccessOfPerson } from '../../agreements/occasion-service.ts'
import { eraseAddress } from '../erasure/erasure-service.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import { removeMember } from './member-service.ts'
import { addMember, createOrganization } from './service.ts'
import { allowAnySignInTo } from './sign-in-rule-service.ts'
import type { SignInRule } from './sign-in-rule.ts'

const RULE = '/ui/sign-in-rule'
const ERASURE = { endMembership: endAccessOfPerson, eraseNotices: async () => undefined }

interface Owner {
  userId: string
  email: string
  browser: Browser
}

async function read(browser: Browser): Promise<SignInRule> {
  return await readJson<SignInRule>(browser.ask('GET', RULE))
}

function listIds({ breakGlass }: SignInRule): string[] {
  return breakGlass.map(({ userId }) => userId)
}

onStore((store) => {
  let product: Product
  before(() => {
    product = newProduct(store())
  })

  /** An organization with a provider and two owners; the session of the first one began with the provider. */
  async function newStrictWorld() {
    const { db } = store()
    const organizationId = await createOrganization(db, 'Strict')
    const providerId = await newProvider(db, organizationId)
    const addOwner = async (): Promise<Owner> => {
      const { browser, session, email } = await newMember(product, organizationId, 'Owner')
      return { browser, userId: session.user.id, email }
    }
    const first = await addOwner()
    const password = first.browser.token
    first.browser.token = await newProviderSession(product.services, first.userId, {
      organizationId,
      providerId,
    })
    const second = await addOwner()
    const put = (
      rule: 'any' | 'provider',
      breakGlass: readonly string[],
      by = first,
      headers: Record<string, string> = {},
    ): Promise<Response> => by.browser.ask('PUT', RULE, { rule, breakGlass }, headers)
    return { organizationId, providerId, first, second, password, put, addOwner }
  }

  async function listUses(id: string): Promise<unknown[]> {
    const { rows } = await sql<{ principal: string; person: string }>`
      select principal, person
      from activity_entry
      where organization_id = ${id}
        and action = 'break-glass-used'
    `.execute(store().db)
    return rows
  }

  test('GET › the rule, the break-glass owners and the owners, only for owners', async () => {
    const { first, second, organizationId } = await newStrictWorld()
    const rule = await read(first.browser)
    assert.deepEqual(
      { ...rule, owners: rule.owners.map(({ userId }) => userId).toSorted() },
      {
        rule: 'any',
        breakGlass: [],
        owners: [first.userId, second.userId].toSorted(),
        enabledProviders: 1,
        signedInWithProvider: true,
      },
    )
    assert.equal((await read(second.browser)).signedInWithProvider, false)
    const member = await newMember(product, organizationId)
    await expectProblem(member.browser.ask('GET', RULE), 403)
    await expectProblem(member.browser.ask('PUT', RULE, { rule: 'any', breakGlass: [] }), 403)
  })

  test('PUT › needs an enabled provider, a session of it, and break-glass owners with a password', async () => {
    const { first, second, organizationId, put, password } = await newStrictWorld()
    const { db } = store()
    await expectViolations(put('provider', []), 422, ['breakGlass'])
    const ofPassword = newBrowser(product)
    ofPassword.token = password
    await expectViolations(
      put('provider', [second.userId], { ...first, browser: ofPassword }),
      422,
      ['rule'],
    )
    const member = await newMember(product, organizationId)
    const without = await newMember(product, organizationId, 'Owner')
    await sql`update user_account set password_hash = '' where id = ${without.session.user.id}`.execute(
      db,
    )
    const other = await newStrictWorld()
    for (const id of [member.session.user.id, without.session.user.id, other.first.userId]) {
      await expectViolations(put('provider', [second.userId, id]), 422, ['breakGlass[1]'])
    }
    await expectViolations(put('provider', [second.userId, second.userId]), 422, ['breakGlass'])
    await sql`
      update identity_provider set enabled = false where organization_id = ${organizationId}
    `.execute(db)
    await expectViolations(put('provider', [second.userId]), 422, ['rule'])
    assert.equal((await read(first.browser)).rule, 'any')
  })

  test('PUT › switches the rule on; the break-glass owner signs in with a password and switches it off', async () => {
    const { first, second, organizationId, put, password } = await newStrictWorld()
    const twin = await newStrictWorld()
    await readText(twin.put('any', [twin.second.userId]))
    const rule = await readJson<SignInRule>(put('provider', [second.userId]))
    assert.equal(rule.rule, 'provider')
    assert.deepEqual(listIds(rule), [second.userId])
    const ofPassword = newBrowser(product)
    ofPassword.token = password
    const problem = await expectProblem(ofPassword.ask('GET', '/ui/members'), 403)
    assert.equal(problem['code'], 'provider_required')
    await readText(second.browser.ask('GET', '/ui/members'))
    await readText(put('any', [second.userId], second))
    await readText(ofPassword.ask('GET', '/ui/members'))
    const untouched = await read(twin.first.browser)
    assert.deepEqual([untouched.rule, listIds(untouched)], ['any', [twin.second.userId]])
    const { rows } = await sql<{ action: string; person: string | null }>`
      select action, person
      from activity_entry
      where organization_id = ${organizationId}
        and kind = 'sign-in-rule'
      order by at
    `.execute(store().db)
    assert.deepEqual(
      rows.map(({ action, person }) => [action, person]),
      [
        ['break-glass-added', second.userId],
        ['updated', null],
        ['updated', null],
      ],
    )
    assert.equal((await read(first.browser)).rule, 'any')
  })

  test('PUT › 412 for a former version; the same again is no change', async () => {
    const { first, second, put } = await newStrictWorld()
    const readEtag = async (): Promise<string> =>
      (await first.browser.ask('GET', RULE)).headers.get('etag') ?? ''
    const etag = await readEtag()
    const changed = await put('provider', [second.userId], first, { 'if-match': etag })
    assert.equal(changed.status, 200)
    const next = changed.headers.get('etag')
    assert.notEqual(next, etag)
    await expectProblem(put('any', [], first, { 'if-match': etag }), 412)
    await readText(put('provider', [second.userId]))
    assert.equal(await readEtag(), next)
  })

  test('the last break-glass owner › 409 last_break_glass by each way while the rule is on', async () => {
    const { first, second, organizationId, put } = await newStrictWorld()
    const { db } = store()
    await readText(put('provider', [second.userId]))
    const path = `/ui/members/${second.userId}`
    for (const [what, request] of [
      ['an empty list', put('provider', [])],
      ['a demotion', first.browser.ask('PUT', path, { role: 'Member' })],
      ['a removal', first.browser.ask('DELETE', path, {})],
      ['leaving', second.browser.ask('DELETE', path, {})],
      ['erasing', first.browser.ask('POST', `${path}/erasure`, { email: second.email })],
    ] as const) {
      const problem = await expectProblem(request, 409)
      assert.equal(problem['code'], 'last_break_glass', what)
    }
    await assert.rejects(eraseAddress(db, second.email, ERASURE, SYSTEM), {
      code: 'last_break_glass',
    })
    assert.deepEqual(listIds(await read(first.browser)), [second.userId])
    await readText(put('provider', [first.userId, second.userId]))
    await readText(first.browser.ask('PUT', path, { role: 'Member' }))
    assert.deepEqual(listIds(await read(first.browser)), [first.userId])
    await readText(put('any', [first.userId]))
    const third = await newMember(product, organizationId, 'Owner')
    await readText(third.browser.ask('DELETE', `/ui/members/${first.userId}`, {}), 204)
    assert.deepEqual((await read(third.browser)).breakGlass, [])
  })

  test('two break-glass owners who are removed at once › one stays', async () => {
    const { first, second, organizationId, put, addOwner } = await newStrictWorld()
    const third = await addOwner()
    const { db } = store()
    await readText(put('provider', [second.userId, third.userId]))
    const remove = (database: typeof db, { userId }: Owner): Promise<void> =>
      removeMember(database, { organizationId, userId }, endAccessOfPerson)
    let later: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (other) => {
      await sql`select from organization where id = ${organizationId} for no key update`.execute(
        other,
      )
      later = Promise.allSettled([remove(db, second), remove(db, third)]).then((all) => {
        assert.deepEqual(all.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
      })
      await untilBlocked(db)
    })
    await later
    assert.equal(listIds(await read(first.browser)).length, 1)
  })

  test('a break-glass owner of another organization › does not count here', async () => {
    const { first, second, put } = await newStrictWorld()
    const other = await newStrictWorld()
    await addMember(store().db, other.organizationId, {
      email: second.email,
      passwordHash: 'x',
      role: 'Owner',
    })
    await readText(other.put('provider', [other.second.userId, second.userId]))
    await readText(put('provider', [second.userId]))
    const request = first.browser.ask('PUT', `/ui/members/${second.userId}`, { role: 'Member' })
    const problem = await expectProblem(request, 409)
    assert.equal(problem['code'], 'last_break_glass')
    assert.equal(listIds(await read(other.first.browser)).length, 2)
  })

  test('a break-glass owner who signs in with a password › is reported to the owners, only while the rule is on', async () => {
    const { second, organizationId, put } = await newStrictWorld()
    const other = await newStrictWorld()
    const signIn = async (): Promise<void> => {
      const credentials = { email: second.email, password: PASSWORD }
      await readText(newBrowser(product).ask('POST', '/ui/sign-in', credentials))
    }
    await readText(put('any', [second.userId]))
    await signIn()
    assert.deepEqual(await listUses(organizationId), [])
    await readText(put('provider', [second.userId]))
    await signIn()
    const use = { principal: `user:${second.userId}`, person: second.userId }
    assert.deepEqual(await listUses(organizationId), [use])
    assert.deepEqual(await listUses(other.organizationId), [])
  })

  test('allowAnySignInTo › switches the rule off without a session', async () => {
    const { first, second, organizationId, put } = await newStrictWorld()
    await readText(put('provider', [second.userId]))
    const twin = await newStrictWorld()
    await readText(twin.put('provider', [twin.second.userId]))
    const { db } = store()
    const { vanity_url: address } = await db
      .selectFrom('organization')
      .select('vanity_url')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow()
    assert.equal(await allowAnySignInTo(db, address, SYSTEM), true)
    assert.equal(await allowAnySignInTo(db, address, SYSTEM), false)
    await assert.rejects(allowAnySignInTo(db, 'nowhere', SYSTEM), { code: 'not_found' })
    assert.equal((await read(twin.first.browser)).rule, 'provider')
    const rule = await read(first.browser)
    assert.deepEqual([rule.rule, listIds(rule)], ['any', [second.userId]])
  })
})
