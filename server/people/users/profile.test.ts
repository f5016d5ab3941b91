import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, expectViolations, readJson, readText } from '../../../test/answers.ts'
import { untilBlocked } from '../../../test/eventually.ts'
import { newBrowser, newPerson, PASSWORD, setUpOwner, type Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { fixedClock, storeClock } from '../../platform/kit/clock.ts'
import { hashPassword } from './password.ts'
import { startSession } from './session-service.ts'
import { newSession } from '../../../test/session.ts'
import type { Session } from '../organizations/signed-in.ts'

const SIGN_IN = '/ui/sign-in'
const NO_REQUEST = { client: undefined, userAgent: undefined, requestId: undefined }
const WRONG = 'not the right password'

async function getSessionStatus(browser: Browser): Promise<number> {
  return (await browser.ask('GET', '/ui/session')).status
}

onStore((store) => {
  let product: Product
  let owner: Browser
  let session: Session
  let email: string
  before(async () => {
    product = newProduct(store())
    ;({ browser: owner, session } = await setUpOwner(product))
    email = session.user.email
  })

  const at = (instant: string): Product => newProduct(store(), { clock: fixedClock(instant) })
  const signIn = (
    body: unknown,
    browser: Browser = newBrowser(product),
    headers: Record<string, string> = {},
  ): Promise<Response> => browser.ask('POST', SIGN_IN, body, headers)

  test('POST /ui/sign-out › 200: clears the cookie and invalidates copies of it', async () => {
    const browser = newBrowser(product)
    const other = newBrowser(product)
    await readText(signIn({ email, password: PASSWORD }, browser))
    await readText(signIn({ email, password: PASSWORD }, other))
    const copy = newBrowser(newProduct(store()))
    copy.token = browser.token
    assert.equal(await getSessionStatus(copy), 200)
    assert.deepEqual(await readJson(browser.ask('POST', '/ui/sign-out', {})), { next: null })
    assert.equal(browser.token, undefined)
    assert.equal(await getSessionStatus(copy), 401)
    assert.equal(await getSessionStatus(other), 200)
    await expectProblem(copy.ask('POST', '/ui/sign-out', {}), 401)
  })

  test('POST /ui/sign-out-everywhere › 204, then 401 immediately for all sessions of only that person', async () => {
    const person = await newPerson(product, owner)
    const other = newBrowser(newProduct(store()))
    await readText(signIn({ email: person.email, password: PASSWORD }, other))
    await readText(person.browser.ask('POST', '/ui/sign-out-everywhere', {}), 204)
    assert.equal(person.browser.token, undefined)
    assert.equal(await getSessionStatus(other), 401)
    assert.equal(await getSessionStatus(owner), 200)
  })

  test('PUT /ui/profile › 200 with the new name; 422 for an invalid name', async () => {
    const { browser } = await newPerson(product, owner)
    const put = (body: unknown): Promise<Response> => browser.ask('PUT', '/ui/profile', body)
    const { user } = await readJson<Session>(put({ name: ' Jörg <b>Müller</b> ' }))
    assert.equal(user.name, 'Jörg <b>Müller</b>')
    for (const name of ['', '  ', 'x'.repeat(201), 'a\nb', 7, null, undefined]) {
      await expectViolations(put({ name }), 422, ['name'])
    }
    await expectProblem(put({ name: 'N', email: 'x@example.test' }), 422)
  })

  test('POST /ui/password › 204: sets the password, ends all sessions and starts a new one in this browser', async () => {
    const person = await newPerson(product, owner)
    const other = newBrowser(newProduct(store()))
    await readText(signIn({ email: person.email, password: PASSWORD }, other))
    const before = person.browser.token
    const newPassword = `another long one ${uniqueId()}`
    const change = { currentPassword: PASSWORD, newPassword }
    await readText(person.browser.ask('POST', '/ui/password', change), 204)
    assert.notEqual(person.browser.token, before)
    assert.equal(await getSessionStatus(person.browser), 200)
    assert.equal(await getSessionStatus(other), 401)
    const replay = newBrowser(product)
    replay.token = before
    assert.equal(await getSessionStatus(replay), 401)
    await expectProblem(signIn({ email: person.email, password: PASSWORD }), 401)
    await readText(signIn({ email: person.email, password: newPassword }))
  })

  test('POST /ui/password › 422 for a wrong current or an invalid new password, 429 after too many attempts', async () => {
    const { browser, email: mine } = await newPerson(product, owner)
    const instant = '2026-11-29T12:00:00Z'
    const there = newBrowser(at(instant))
    there.token = browser.token
    await store().pool.query('update session set created_at = $1, last_used_at = $1', [instant])
    const change = (currentPassword: string, newPassword: string): Promise<Response> =>
      there.ask('POST', '/ui/password', { currentPassword, newPassword })
    for (const bad of ['elevenchars', 'x'.repeat(201)]) {
      await expectViolations(change(PASSWORD, bad), 422, ['newPassword'])
    }
    for (let count = 0; count < 5; count += 1) {
      await expectViolations(change(WRONG, 'a new long password'), 422, ['currentPassword'])
    }
    await expectProblem(change(PASSWORD, 'a new long password'), 429, /Too many wrong/)
    assert.equal(await getSessionStatus(there), 200)
    await readText(signIn({ email: mine, password: PASSWORD }))
  })

  test('POST /ui/password › succeeds once for two concurrent requests', async () => {
    const { browser, email: mine } = await newPerson(product, owner)
    const copy = newBrowser(newProduct(store()))
    copy.token = browser.token
    const wishes = [`first long one ${uniqueId()}`, `second long one ${uniqueId()}`]
    const statuses = await Promise.all(
      [browser, copy].map(async (from, index) => {
        const body = { currentPassword: PASSWORD, newPassword: wishes[index] }
        return (await from.ask('POST', '/ui/password', body)).status
      }),
    )
    assert.equal(statuses.filter((status) => status === 204).length, 1, String(statuses))
    const winner = statuses.indexOf(204)
    // The right one first: wrong passwords of other tests count for this address, too.
    for (const [index, status] of [
      [winner, 200],
      [1 - winner, 401],
    ] as const) {
      assert.equal((await signIn({ email: mine, password: wishes[index] })).status, status)
    }
  })

  test('a session that starts while the password is changed › does not outlive it', async () => {
    const { session: person } = await newPerson(product, owner)
    const { db } = store()
    const { id } = person.user
    const startVerified = async (passwordHash: string): Promise<string> =>
      await startSession(db, storeClock, id, { ...NO_REQUEST, method: 'password', passwordHash })
    const stored = await db
      .selectFrom('user_account')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const passwordHash = await hashPassword(product.services.passwordCost, 'a new long password')
    let beginning: Promise<unknown> = Promise.resolve()
    await db.transaction().execute(async (other) => {
      await other
        .updateTable('user_account')
        .set({ password_hash: passwordHash })
        .where('id', '=', id)
        .execute()
      beginning = startVerified(stored.password_hash)
      beginning.catch(() => undefined)
      await untilBlocked(db)
    })
    await assert.rejects(beginning, { code: 'credentials_unknown' })
    await startVerified(passwordHash)
  })

  test('startSession › keeps the hundred most recently used sessions of a person', async () => {
    const { session: person } = await newPerson(product, owner)
    const { db } = store()
    const tokens: string[] = []
    for (let count = 0; count < 103; count += 1) {
      const clock = fixedClock(new Date(Date.UTC(2031, 0, 1) + count * 1000).toISOString())
      tokens.push(await newSession(db, clock, person.user.id))
    }
    const { rows } = await store().pool.query(
      `select count(*)::int as count from session where user_id = '${person.user.id}'`,
    )
    assert.deepEqual(rows, [{ count: 100 }])
    const there = at('2031-01-01T00:10:00Z')
    const statuses = await Promise.all(
      [tokens[2], tokens[3], tokens[102]].map(async (token) => {
        const browser = newBrowser(there)
        browser.token = token
        return await getSessionStatus(browser)
      }),
    )
    assert.deepEqual(statuses, [401, 200, 200])
  })
})
