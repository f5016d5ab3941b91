import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { newBrowser, PASSWORD, setUpOwner, type Browser } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, uniqueId, type Product } from '../../../test/world.ts'
import { newToken } from '../../platform/kit/token.ts'
import type { Session } from '../organizations/signed-in.ts'

const SIGN_IN = '/ui/sign-in'
const WRONG = 'not the right password'

async function getSessionStatus(browser: Browser): Promise<number> {
  return (await browser.ask('GET', '/ui/session')).status
}

onStore((store) => {
  let product: Product
  let session: Session
  let email: string
  before(async () => {
    product = newProduct(store())
    session = (await setUpOwner(product)).session
    email = session.user.email
  })

  const signIn = (
    body: unknown,
    browser: Browser = newBrowser(product),
    headers: Record<string, string> = {},
  ): Promise<Response> => browser.ask('POST', SIGN_IN, body, headers)
  test(`POST ${SIGN_IN} › 200 with the session and a cookie, for the address in any letter case`, async () => {
    for (const typed of [email, email.toUpperCase(), ` ${email} `]) {
      const browser = newBrowser(product)
      const answer = await signIn({ email: typed, password: PASSWORD }, browser)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.deepEqual(await readJson<Session>(Promise.resolve(answer)), session)
      assert.deepEqual(await readJson<Session>(browser.ask('GET', '/ui/session')), session)
    }
  })

  test(`POST ${SIGN_IN} › 401 with the same message for a wrong password and an unknown address`, async () => {
    const bodies = [
      { email, password: WRONG },
      { email, password: '' },
      { email, password: PASSWORD.toUpperCase() },
      { email: `unknown-${uniqueId()}@example.test`, password: PASSWORD },
      { email: 'no address', password: PASSWORD },
      { email: '', password: '' },
    ]
    const problems: unknown[] = []
    for (const body of bodies) {
      const browser = newBrowser(product)
      const answer = await signIn(body, browser)
      assert.equal(answer.headers.get('set-cookie'), null)
      problems.push(await expectProblem(answer, 401, /The address or the password is wrong/))
    }
    assert.equal(new Set(problems.map((problem) => JSON.stringify(problem))).size, 1)
    await readText(signIn({ email, password: PASSWORD }))
  })

  for (const [what, body, status] of [
    ['no password', { email: 'a@b.example' }, 422],
    ['no address', { password: PASSWORD }, 422],
    ['another field', { email: 'a@b.example', password: PASSWORD, remember: true }, 422],
    ['a number for a password', { email: 'a@b.example', password: 1 }, 422],
    ['a list', [], 422],
    ['nothing', '', 400],
    ['no JSON', '{', 400],
    ['17 KiB', { email: 'a@b.example', password: 'x'.repeat(17 * 1024) }, 413],
  ] as const) {
    test(`POST ${SIGN_IN} › ${status} for ${what}`, async () => {
      await expectProblem(signIn(body), status)
    })
  }

  test(`POST ${SIGN_IN} › always starts a new session, and ends the one that was sent`, async () => {
    const browser = newBrowser(product)
    const planted = newToken('pbc_')
    browser.token = planted
    await readText(signIn({ email, password: PASSWORD }, browser))
    const first = browser.token
    assert.notEqual(first, planted)
    await readText(signIn({ email, password: PASSWORD }, browser))
    assert.notEqual(browser.token, first)
    for (const [token, status] of [
      [planted, 401],
      [first, 401],
      [browser.token, 200],
    ] as const) {
      const another = newBrowser(product)
      another.token = token
      assert.equal(await getSessionStatus(another), status)
    }
  })
})
