import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import {
  invite,
  newBrowser,
  newPerson,
  PASSWORD,
  setUpOwner,
  signInPerson,
} from '../../../test/people.ts'
import type { Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type Product, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { hashToken, newToken } from '../../platform/kit/token.ts'
import { newSession } from '../../../test/session.ts'
import type { CreatedInvitation, Invitation } from './invitation.ts'
import { addMember, createOrganization } from './service.ts'
import type { Session } from './signed-in.ts'

const INVITATIONS = '/ui/invitations'

function newEmail(): string {
  return `i-${uniqueId()}@example.test`
}

onStore((store) => {
  let product: Product
  let owner: Browser
  let session: Session
  let other: World
  before(async () => {
    product = newProduct(store())
    ;({ browser: owner, session } = await setUpOwner(product))
    other = await newWorld(product)
  })

  const look = (token: unknown, browser = newBrowser(product)): Promise<Response> =>
    browser.ask('POST', `${INVITATIONS}/look`, { token })
  const accept = (
    token: unknown,
    more: object = { name: 'Nora New', password: PASSWORD },
    browser = newBrowser(product),
  ): Promise<Response> => browser.ask('POST', `${INVITATIONS}/accept`, { token, ...more })
  const list = (browser = owner): Promise<Invitation[]> =>
    readJson<Invitation[]>(browser.ask('GET', INVITATIONS))
  const create = (email: string, role: unknown = 'Member', browser = owner): Promise<Response> =>
    browser.ask('POST', INVITATIONS, { email, role })

  test(`POST ${INVITATIONS} › 201 with a link that is not stored and expires after seven days`, async () => {
    const email = `Ina.${uniqueId()}@Example.test`
    const created = await readJson<CreatedInvitation>(create(email, 'Owner'), 201)
    assert.deepEqual(Object.keys(created).toSorted(), [
      'email',
      'expiresAt',
      'id',
      'link',
      'mailed',
      'role',
    ])
    assert.match(created.link, /^http:\/\/portbook\.test\/invitation#pbi_\w{49}$/)
    const token = new URL(created.link).hash.slice(1)
    const text = await readText(owner.ask('GET', INVITATIONS))
    assert.ok(!text.includes(token))
    const listed = (JSON.parse(text) as Invitation[]).find(({ id }) => id === created.id)
    assert.partialDeepStrictEqual(listed, {
      email,
      role: 'Owner',
      invitedBy: 'Olga Owner',
      expired: false,
      expiresAt: created.expiresAt,
    })
    const days = Date.parse(created.expiresAt) - Date.parse(listed?.createdAt ?? '')
    assert.equal(days, 7 * 24 * 60 * 60 * 1000)
    const { rows } = await store().pool.query(
      `select invitation::text as row from invitation where id = '${created.id}'`,
    )
    assert.ok(!JSON.stringify(rows).includes(token))
    assert.ok(JSON.stringify(rows).includes(hashToken(token).toString('hex')))
    assert.deepEqual(await readJson(look(token)), {
      organizationName: session.organization?.name,
      vanityUrl: session.organization?.vanityUrl,
      email,
      role: 'Owner',
      invitedBy: 'Olga Owner',
      expiresAt: created.expiresAt,
    })
  })

  test(`POST ${INVITATIONS} › 409 for a member, in any letter case`, async () => {
    const { email } = await newPerson(product, owner)
    await expectProblem(create(email.toUpperCase()), 409, /is already a member/)
    await expectProblem(create(session.user.email), 409)
  })

  test(`POST ${INVITATIONS} › replaces the invitation of the same address`, async () => {
    const email = newEmail()
    const first = await invite(owner, email)
    const second = await invite(owner, email.toUpperCase(), 'Owner')
    await expectProblem(look(first), 404)
    await expectProblem(accept(first), 404)
    assert.partialDeepStrictEqual(await readJson(look(second)), { role: 'Owner' })
    const of = (await list()).filter((one) => one.email.toLowerCase() === email)
    assert.equal(of.length, 1)
  })

  test(`POST ${INVITATIONS} › 422 for an invalid address, an invalid role or unknown fields`, async () => {
    for (const email of ['', 'a', 'a@', '@b', 'a b@c.example', 'a@b@c', '<a@b.example>']) {
      await expectProblem(create(email), 422)
    }
    await expectProblem(create(`${'a'.repeat(65)}@b.example`), 422)
    await expectProblem(create(`a@${'b'.repeat(320)}`), 422)
    await expectProblem(create(newEmail(), 'Admin'), 422)
    await expectProblem(owner.ask('POST', INVITATIONS, { email: 1, role: 'Member' }), 422)
    await expectProblem(owner.ask('POST', INVITATIONS, {}), 422)
    assert.equal((await create(`jörg-${uniqueId()}@exämple.test`)).status, 201)
  })

  test(`POST ${INVITATIONS} › 409 above a thousand; a replaced invitation does not count`, async () => {
    const { db } = store()
    const person = { email: newEmail(), passwordHash: 'none', role: 'Owner' as const }
    const organizationId = await createOrganization(db, 'Full')
    const userId = await addMember(db, organizationId, person)
    const browser = newBrowser(product)
    browser.token = await newSession(db, product.services.clock, userId)
    await store().pool.query(`
      insert into invitation
      select '${organizationId}', gen_random_uuid(), n || '@x.test', n || '@x.test', 'Member',
        decode(md5(n::text), 'hex'), '${userId}', clock_timestamp()
      from generate_series(1, 1000) as n
    `)
    await expectProblem(create(newEmail(), 'Member', browser), 409, /1000/)
    assert.equal((await create('7@X.test', 'Member', browser)).status, 201)
  })

  test(`DELETE ${INVITATIONS}/{id} › 204, and the link stops working; 404 for another organization's`, async () => {
    const { id, link } = await readJson<CreatedInvitation>(create(newEmail()), 201)
    const token = new URL(link).hash.slice(1)
    const path = `${INVITATIONS}/${id}`
    await expectProblem(other.asPerson('Uo', 'DELETE', path), 404)
    await readText(look(token))
    await readText(owner.ask('DELETE', path), 204)
    await expectProblem(look(token), 404, /withdrawn/)
    await expectProblem(accept(token), 404)
    for (const gone of [id, 'x']) {
      await expectProblem(owner.ask('DELETE', `${INVITATIONS}/${gone}`), 404)
    }
    const theirs = await readJson<Invitation[]>(other.asPerson('Uo', 'GET', INVITATIONS))
    assert.deepEqual(theirs, [])
  })

  for (const [what, getToken] of [
    ['is empty', () => ''],
    ['is unknown', () => newToken('pbi_')],
    ['is of another kind', () => newToken('pbs_')],
    ['has a wrong checksum', (token: string) => `${token.slice(0, -1)}!`],
    ['is in small letters', (token: string) => token.toLowerCase()],
    ['has a trailing space', (token: string) => `${token} `],
  ] as const) {
    test(`POST ${INVITATIONS}/look and accept › 404 for a token that ${what}`, async () => {
      const token = await invite(owner, newEmail())
      await expectProblem(look(getToken(token)), 404)
      await expectProblem(accept(getToken(token)), 404)
      await readText(look(token))
    })
  }

  test(`POST ${INVITATIONS}/look and accept › 422 for a token that is not a string, and 404 at the end of the seventh day`, async () => {
    for (const token of [1, null, undefined, {}, []]) {
      await expectProblem(look(token), 422)
      await expectProblem(accept(token), 422)
    }
    const email = newEmail()
    const inviter = await newPerson(product, owner, 'Owner')
    const invitedAt = newProduct(store(), { clock: fixedClock('2031-03-01T00:00:00Z') })
    const browser = await signInPerson(invitedAt, inviter.email)
    const token = await invite(browser, email)
    const at = (instant: string): Browser =>
      newBrowser(newProduct(store(), { clock: fixedClock(instant) }))
    const [last, over] = ['2031-03-07T23:59:59.999Z', '2031-03-08T00:00:00Z']
    await readText(look(token, at(last)))
    await expectProblem(look(token, at(over)), 404)
    await expectProblem(accept(token, undefined, at(over)), 404)
    const lister = await signInPerson(
      newProduct(store(), { clock: fixedClock(over) }),
      inviter.email,
    )
    const listed = (await list(lister)).find((one) => one.email === email)
    assert.equal(listed?.expired, true)
    await readText(accept(token, undefined, at(last)))
  })

  test('an invitation › is void once its creator is demoted or removed', async () => {
    for (const leave of ['lower', 'remove'] as const) {
      const inviter = await newPerson(product, owner, 'Owner')
      const token = await invite(inviter.browser, newEmail(), 'Owner')
      await readText(look(token))
      const path = `/ui/members/${inviter.session.user.id}`
      if (leave === 'lower') await readText(owner.ask('PUT', path, { role: 'Member' }))
      else await readText(owner.ask('DELETE', path), 204)
      await expectProblem(look(token), 404)
      await expectProblem(accept(token), 404)
      if (leave === 'remove') continue
      // It stays void when its creator is an owner again.
      await readText(owner.ask('PUT', path, { role: 'Owner' }))
      await expectProblem(look(token), 404)
    }
  })
})
