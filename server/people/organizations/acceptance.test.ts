import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
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
import { hashToken } from '../../platform/kit/token.ts'
import type { Invitation } from './invitation.ts'
import type { Session } from './signed-in.ts'

const INVITATIONS = '/ui/invitations'

function newEmail(): string {
  return `i-${uniqueId()}@example.test`
}

async function createInvitation(
  world: World,
  email: string,
  role: 'Owner' | 'Member' = 'Member',
): Promise<string> {
  const ask: Browser['ask'] = (method, path, body) => world.asPerson('Uo', method, path, { body })
  return await invite({ ask }, email, role)
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
  test(`POST ${INVITATIONS}/accept › 200: creates an account with the password, makes it a member and signs it in`, async () => {
    const email = newEmail()
    const browser = newBrowser(product)
    const accepting = accept(await invite(owner, email), undefined, browser)
    const accepted = await readJson<Session>(accepting)
    assert.partialDeepStrictEqual(accepted, {
      user: { name: 'Nora New', email },
      organization: { id: session.organization?.id, role: 'Member' },
    })
    assert.deepEqual(await readJson(browser.ask('GET', '/ui/session')), accepted)
    const again = await signInPerson(product, email)
    assert.deepEqual(await readJson(again.ask('GET', '/ui/session')), accepted)
    assert.ok(!(await list()).some((one) => one.email === email))
  })

  test(`POST ${INVITATIONS}/accept › 404 once it is used, also for six concurrent requests`, async () => {
    const token = await invite(owner, newEmail())
    const products = [product, newProduct(store())]
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const browser = newBrowser(products[index % 2] ?? product)
        const person = { name: `N${index}`, password: `a long password ${index}` }
        return (await accept(token, person, browser)).status
      }),
    )
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    for (const status of statuses) assert.ok([200, 404].includes(status), String(statuses))
    await expectProblem(accept(token), 404, /used/)
    await expectProblem(look(token), 404)
  })

  test(`POST ${INVITATIONS}/accept › 401 for a wrong password of an account, then 200 in both organizations`, async () => {
    const person = await newPerson(product, owner)
    const token = await createInvitation(other, person.email, 'Owner')
    const browser = newBrowser(product)
    const wrong = { password: 'another long password' }
    await expectProblem(accept(token, wrong, browser), 401)
    assert.equal(browser.token, undefined)
    await expectProblem(accept(token, { password: '' }, browser), 401)
    const accepted = await readJson<Session>(accept(token, { password: PASSWORD }, browser))
    assert.equal(accepted.user.name, person.session.user.name)
    assert.deepEqual(accepted.organization, accepted.organizations[1])
    assert.deepEqual(
      accepted.organizations.map(({ id, role }) => [id, role]),
      [
        [session.organization?.id, 'Member'],
        [other.organizationId, 'Owner'],
      ],
    )
    // The person's earlier session is a different one, and sees the same.
    const current = await readJson<Session>(person.browser.ask('GET', '/ui/session'))
    assert.equal(current.organizations.length, 2)
    assert.equal(current.organization?.id, session.organization?.id)
  })

  test(`POST ${INVITATIONS}/accept › limits failed attempts at the account's password as at sign-in`, async () => {
    const person = await newPerson(product, owner)
    const token = await createInvitation(other, person.email)
    const password = 'not the right one'
    const there = newProduct(store(), { clock: fixedClock('2026-11-30T00:00:00Z') })
    await store().pool.query(
      `update invitation set created_at = '2026-11-29T00:00:00Z' where token_hash = '\\x${hashToken(token).toString('hex')}'`,
    )
    const guess = (): Promise<Response> => accept(token, { password }, newBrowser(there))
    for (let count = 0; count < 5; count += 1) await expectProblem(guess(), 401)
    await expectProblem(guess(), 429)
    const signIn = { email: person.email, password: PASSWORD }
    await expectProblem(newBrowser(there).ask('POST', '/ui/sign-in', signIn), 429)
  })

  test(`POST ${INVITATIONS}/accept › creates an account per organization for two concurrent invitations of a new address`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const email = newEmail()
      const tokens = [await invite(owner, email), await createInvitation(other, email)]
      const passwords = ['the first long password', 'the second long password']
      const products = [product, newProduct(store())]
      const statuses = await Promise.all(
        tokens.map(async (token, index) => {
          const browser = newBrowser(products[index] ?? product)
          return (await accept(token, { name: 'N', password: passwords[index] }, browser)).status
        }),
      )
      assert.deepEqual(statuses, [200, 200])
      for (const [index, password] of passwords.entries()) {
        const signingIn = newBrowser(product).ask('POST', '/ui/sign-in', { email, password })
        const { organizations } = await readJson<Session>(signingIn)
        const expected = index === 0 ? session.organization?.id : other.organizationId
        assert.deepEqual(
          organizations.map(({ id }) => id),
          [expected],
        )
      }
      const { rows } = await store().pool.query(
        "select distinct split_part(password_hash, ':', 1) from user_account where email = $1",
        [email],
      )
      assert.equal(rows.length, 1, 'all accounts with an address share a salt')
    }
  })

  test(`POST ${INVITATIONS}/accept › 422 for a new person without a name or with a short password`, async () => {
    const token = await invite(owner, newEmail())
    for (const [more, fields] of [
      [{ name: ' ', password: PASSWORD }, ['name']],
      [{ name: 'N', password: 'short' }, ['password']],
      [{ name: '', password: 'short' }, ['name', 'password']],
      [{ name: 'N' }, ['password']],
      [{ name: 'N', password: PASSWORD, role: 'Owner' }, ['role']],
    ] as const) {
      await expectViolations(accept(token, more), 422, fields)
    }
    await readText(accept(token))
  })
})
