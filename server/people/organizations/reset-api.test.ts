/** Reset links: a person sets a new password with a link from an owner or the operator. */

import { SYSTEM } from '../../ledger/activity/entry.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { invite, newBrowser, newMember, PASSWORD, setUpOwner } from '../../../test/people.ts'
import type { Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { createApiKey } from '../api-keys/service.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { hashToken } from '../../platform/kit/token.ts'
import type { CreatedReset } from '../users/password-reset.ts'
import { createOperatorLinks } from '../users/reset-service.ts'
import { insertMember } from './member-store.ts'
import { createOrganization } from './service.ts'
import type { Session } from './signed-in.ts'

const LOOK = '/ui/password-reset/look'
const RESET = '/ui/password-reset'
const NEW = 'the new long password'

function tokenIn({ link }: { link: string }): string {
  return new URL(link).hash.slice(1)
}

onStore((store) => {
  let product: Product
  let owner: Browser
  let ownerId: string
  let organizationId: string
  before(async () => {
    product = newProduct(store())
    const first = await setUpOwner(product)
    owner = first.browser
    ownerId = first.session.user.id
    organizationId = first.session.organization?.id ?? ''
  })

  const linkFor = (userId: string, by = owner): Promise<Response> =>
    by.ask('POST', `/ui/members/${userId}/password-reset`)
  const newToken = async (userId: string): Promise<string> =>
    tokenIn(await readJson<CreatedReset>(linkFor(userId), 201))
  const reset = (token: unknown, password: unknown = NEW, on = product): Promise<Response> =>
    newBrowser(on).ask('POST', RESET, { token, password })
  const look = (token: unknown, on = product): Promise<Response> =>
    newBrowser(on).ask('POST', LOOK, { token })
  const signIn = (email: string, password: string): Promise<Response> =>
    newBrowser(product).ask('POST', '/ui/sign-in', { email, password })
  const operatorLinks = (email: string) =>
    createOperatorLinks(store().db, product.services.clock, { baseUrl: 'https://c.example', email })

  test(`POST /ui/members/{userId}/password-reset › 201 with a link for 24 hours, of which only a hash is stored`, async () => {
    const { session } = await newMember(product, organizationId)
    const startedAtMs = Date.now()
    const created = await readJson<CreatedReset>(linkFor(session.user.id), 201)
    assert.match(created.link, /^http:\/\/portbook\.test\/reset-password#pbr_\w+$/)
    const lifetimeMs = Date.parse(created.expiresAt) - startedAtMs
    assert.ok(Math.abs(lifetimeMs - 24 * 3_600_000) < 60_000, String(lifetimeMs))
    const { rows } = await store().pool.query<{ token_hash: Buffer; row: string }>(
      'select token_hash, password_reset::text as row from password_reset where user_id = $1',
      [session.user.id],
    )
    assert.deepEqual(rows[0]?.token_hash, hashToken(tokenIn(created)))
    assert.ok(!rows[0].row.includes(tokenIn(created)))
  })

  test(`POST /ui/members/{userId}/password-reset › 403 for oneself, because a session does not replace the password`, async () => {
    await expectProblem(linkFor(ownerId), 403, /your profile/)
    await expectProblem(linkFor(ownerId.toUpperCase()), 403)
  })

  test(`POST /ui/members/{userId}/password-reset › 404 for a person who is not a member, and for an invalid ID`, async () => {
    const elsewhere = await createOrganization(store().db, 'Elsewhere')
    const stranger = await newMember(product, elsewhere)
    for (const id of [stranger.session.user.id, randomUUID(), 'x', '%00']) {
      const answer = await linkFor(id)
      assert.ok([400, 404].includes(answer.status), id)
    }
  })

  /** Adds a person who belongs to the first organization and to another, with the owner of the other. */
  async function newMemberOfTwo(name = 'Elsewhere') {
    const elsewhere = await createOrganization(store().db, name)
    const { session, email } = await newMember(product, elsewhere)
    const token = await invite(owner, email)
    const joined = newBrowser(product).ask('POST', '/ui/invitations/accept', {
      token,
      password: PASSWORD,
    })
    await readText(joined)
    const other = await newMember(product, elsewhere, 'Owner')
    return { userId: session.user.id, email, elsewhere, other }
  }

  test(`POST /ui/members/{userId}/password-reset › 409 for a member of several organizations, and no link`, async () => {
    const { userId } = await newMemberOfTwo()
    for (const round of [1, 2]) {
      const problem = await expectProblem(linkFor(userId), 409, /agreement is recorded/)
      assert.ok(!JSON.stringify(problem).includes('Elsewhere'), String(round))
    }
    const { rows } = await store().pool.query('select from password_reset where user_id = $1', [
      userId,
    ])
    assert.equal(rows.length, 0)
  })

  test(`POST /ui/members/{userId}/password-reset › 201 for the last of several organizations to agree`, async () => {
    const { userId, email, other } = await newMemberOfTwo()
    await expectProblem(linkFor(userId), 409)
    const token = tokenIn(await readJson<CreatedReset>(linkFor(userId, other.browser), 201))
    await readText(reset(token))
    assert.equal((await readJson<Session>(signIn(email, NEW))).organizations.length, 2)
    await expectProblem(linkFor(userId, other.browser), 409, /agreement is recorded/)
  })

  test(`POST /ui/members/{userId}/password-reset › 201 for an owner of all organizations of the person`, async () => {
    const { userId, elsewhere } = await newMemberOfTwo()
    await insertMember(store().db, elsewhere, ownerId, { role: 'Owner' }, SYSTEM)
    await readText(reset(tokenIn(await readJson<CreatedReset>(linkFor(userId), 201))))
  })

  test(`POST /ui/members/{userId}/password-reset › 409 when the other agreement is 7 days old or its owner has been demoted`, async () => {
    const { userId, other } = await newMemberOfTwo()
    await expectProblem(linkFor(userId), 409)
    await store().pool.query(
      "update password_reset_agreement set created_at = created_at - interval '7 days' where user_id = $1",
      [userId],
    )
    await expectProblem(linkFor(userId, other.browser), 409)

    const second = await newMemberOfTwo()
    const agreeing = await newMember(product, organizationId, 'Owner')
    await expectProblem(linkFor(second.userId, agreeing.browser), 409)
    const token = tokenIn(
      await readJson<CreatedReset>(linkFor(second.userId, second.other.browser), 201),
    )
    const path = `/ui/members/${agreeing.session.user.id}`
    await readText(owner.ask('PUT', path, { role: 'Member' }))
    await expectProblem(reset(token), 404)
    await expectProblem(linkFor(second.userId, second.other.browser), 409)
  })

  test(`POST /ui/members/{userId}/password-reset › 409 when the person changed the password after the agreement`, async () => {
    const { userId, email, other } = await newMemberOfTwo()
    await expectProblem(linkFor(userId), 409)
    const browser = newBrowser(product)
    await readText(browser.ask('POST', '/ui/sign-in', { email, password: PASSWORD }))
    const change = { currentPassword: PASSWORD, newPassword: NEW }
    await readText(browser.ask('POST', '/ui/password', change), 204)
    await expectProblem(linkFor(userId, other.browser), 409)
  })

  test(`POST ${LOOK} › 200 with the address; 404 for anything else, and 422 if not a string`, async () => {
    const { email, session } = await newMember(product, organizationId)
    const created = await readJson<CreatedReset>(linkFor(session.user.id), 201)
    const { expiresAt } = created
    assert.deepEqual(await readJson(look(tokenIn(created))), { email, expiresAt })
    for (const token of ['', 'pbr_x', `${tokenIn(created)}x`, 'x'.repeat(10_000)]) {
      await expectProblem(look(token), 404, /used, replaced, expired or unknown/)
    }
    await expectProblem(look(7), 422)
  })

  test(`POST ${RESET} › 200: sets the new password; the old one, all sessions and personal keys stop working`, async () => {
    const { email, session, browser } = await newMember(product, organizationId)
    const { db, clock } = product.services
    const keyFields = { team: undefined, displayName: 'Mine', expiresOn: undefined }
    const userId = session.user.id
    const key = async (scope: 'user' | 'organization') =>
      (
        await createApiKey(
          db,
          clock,
          organizationId,
          { ...keyFields, scope, userId: scope === 'user' ? userId : undefined },
          'system',
        )
      ).secret
    const [own, shared] = [await key('user'), await key('organization')]
    const settings = (secret: string) =>
      product.call('GET', '/api/organization/settings', { key: secret })
    await readText(settings(own))
    assert.deepEqual(await readJson(reset(await newToken(userId))), { email, deletedApiKeys: 1 })
    await expectProblem(signIn(email, PASSWORD), 401)
    await expectProblem(browser.ask('GET', '/ui/session'), 401)
    await expectProblem(settings(own), 401)
    await readText(settings(shared))
    const again = await readJson<Session>(signIn(email, NEW))
    assert.equal(again.user.id, userId)
    assert.equal(again.organization?.id, organizationId)
    const { rows } = await store().pool.query<{ api_key_count: number; keys: number }>(
      `select api_key_count, (select count(*)::int from api_key where organization_id = $1) as keys
       from organization where id = $1`,
      [organizationId],
    )
    assert.equal(rows[0]?.api_key_count, rows[0]?.keys)
  })

  test(`POST ${RESET} › 404 once it is used, also for six concurrent requests`, async () => {
    const { session } = await newMember(product, organizationId)
    const token = await newToken(session.user.id)
    const products = [product, newProduct(store())]
    const statuses = await Promise.all(
      Array.from(
        { length: 6 },
        async (_, index) => (await reset(token, `${NEW} ${index}`, products[index % 2])).status,
      ),
    )
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 404, 404, 404, 404, 404],
    )
    await expectProblem(reset(token), 404)
  })

  test(`POST ${RESET} › 404 when replaced by a newer link, and after the person changed the password`, async () => {
    const { session, browser } = await newMember(product, organizationId)
    const first = await newToken(session.user.id)
    const second = await newToken(session.user.id)
    await expectProblem(reset(first), 404)
    await readText(look(second))
    const change = { currentPassword: PASSWORD, newPassword: NEW }
    await readText(browser.ask('POST', '/ui/password', change), 204)
    await expectProblem(reset(second), 404)
  })

  test(`POST ${RESET} › 404 after 24 hours`, async () => {
    const { session } = await newMember(product, organizationId)
    const token = await newToken(session.user.id)
    await store().pool.query(
      "update password_reset set created_at = '2030-01-01T00:00:00Z' where user_id = $1",
      [session.user.id],
    )
    const at = (instant: string) => newProduct(store(), { clock: fixedClock(instant) })
    await expectProblem(reset(token, NEW, at('2030-01-02T00:00:00Z')), 404)
    await readText(look(token, at('2030-01-01T23:59:59Z')))
    await readText(reset(token, NEW, at('2030-01-01T23:59:59Z')))
  })

  test(`POST ${RESET} › 404 when the creator of the link is no longer an owner, or has left`, async () => {
    const { session } = await newMember(product, organizationId)
    for (const end of ['PUT', 'DELETE'] as const) {
      const second = await newMember(product, organizationId, 'Owner')
      const token = tokenIn(
        await readJson<CreatedReset>(linkFor(session.user.id, second.browser), 201),
      )
      const path = `/ui/members/${second.session.user.id}`
      await readText(
        owner.ask(end, path, end === 'PUT' ? { role: 'Member' } : undefined),
        end === 'PUT' ? 200 : 204,
      )
      await expectProblem(reset(token), 404)
    }
  })

  test(`POST ${RESET} › 404 when the person was removed or joined another organization`, async () => {
    const removed = await newMember(product, organizationId)
    const ofRemoved = await newToken(removed.session.user.id)
    await readText(owner.ask('DELETE', `/ui/members/${removed.session.user.id}`), 204)
    await expectProblem(reset(ofRemoved), 404)

    const joined = await newMember(product, organizationId)
    const ofJoined = await newToken(joined.session.user.id)
    const elsewhere = await createOrganization(store().db, 'Elsewhere')
    const there = await newMember(product, elsewhere, 'Owner')
    const invitation = await invite(there.browser, joined.email)
    await readText(
      newBrowser(product).ask('POST', '/ui/invitations/accept', {
        token: invitation,
        password: PASSWORD,
      }),
    )
    await expectProblem(reset(ofJoined), 404)
    await readText(signIn(joined.email, PASSWORD))
  })

  test(`POST ${RESET} › 422 for a password that is too short or not a string, and the link stays open`, async () => {
    const { session } = await newMember(product, organizationId)
    const token = await newToken(session.user.id)
    await expectViolations(reset(token, 'short'), 422, ['password'])
    await expectProblem(reset(token, 7), 422)
    await readText(reset(token))
  })

  test('an owner of another organization with an account for the address › resets only that account', async () => {
    const { email } = await newMember(product, organizationId)
    const b = await createOrganization(store().db, 'Organization B')
    const bob = (await newMember(product, b, 'Owner')).browser
    const accepted = await readJson<Session>(
      newBrowser(product).ask('POST', '/ui/invitations/accept', {
        token: await invite(bob, email),
        name: 'Squatter',
        password: 'the password of a squatter',
      }),
    )
    await readText(
      reset(tokenIn(await readJson<CreatedReset>(linkFor(accepted.user.id, bob), 201)), NEW),
    )
    const opened = async (password: string) =>
      (await readJson<Session>(signIn(email, password))).organizations.map(({ id }) => id)
    assert.deepEqual(await opened(PASSWORD), [organizationId])
    assert.deepEqual(await opened(NEW), [b])
  })

  test('createOperatorLinks › creates a link for a person in several organizations, and one for each account', async () => {
    const elsewhere = await createOrganization(store().db, 'Elsewhere')
    const { email, session } = await newMember(product, elsewhere)
    const accept = (body: object): Promise<Response> =>
      newBrowser(product).ask('POST', '/ui/invitations/accept', body)
    await readText(accept({ token: await invite(owner, email), password: PASSWORD }))
    const [only, ...none] = await operatorLinks(email.toUpperCase())
    assert.deepEqual([only?.organizations, none], [['Elsewhere', 'Rail & Co'], []])
    const third = await createOrganization(store().db, 'Third')
    const there = (await newMember(product, third, 'Owner')).browser
    const second = { token: await invite(there, email), name: 'S', password: 'another password' }
    await readText(accept(second))
    const links = await operatorLinks(email)
    assert.deepEqual(
      links.map(({ organizations }) => organizations),
      [['Elsewhere', 'Rail & Co'], ['Third']],
    )
    await expectProblem(reset(tokenIn(only ?? { link: '' })), 404)
    await readText(reset(tokenIn(links[0] ?? { link: '' })))
    assert.equal((await readJson<Session>(signIn(email, NEW))).user.id, session.user.id)
    await readText(signIn(email, 'another password'))
  })

  test('createOperatorLinks › throws not_found for an address without an account', async () => {
    await assert.rejects(operatorLinks(`unknown-${uniqueId()}@example.test`), {
      code: 'not_found',
      message: /^No account has the address "unknown-/,
    })
  })
})
