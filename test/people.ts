/** People with browsers: each has a separate browser, which keeps the session's cookie. */

import { randomBytes } from 'node:crypto'
import assert from 'node:assert/strict'
import { SESSION_COOKIE } from '../server/requests/access/session.ts'
import { addMember, newSetupToken } from '../server/people/organizations/service.ts'
import type { Session } from '../server/people/organizations/signed-in.ts'
import { hashPassword } from '../server/people/users/password.ts'
import { newSession } from './session.ts'
import { readJson, readText } from './answers.ts'
import { CHEAP_PASSWORD_COST, uniqueId, type Product } from './world.ts'

const TRANSACTION_COOKIE = '__Host-portbook-transaction'

/** A valid password. */
export const PASSWORD = 'a long enough password'

/** Its hash. */
export const PASSWORD_HASH = await hashPassword(CHEAP_PASSWORD_COST, PASSWORD)

/** A browser on the catalog's pages. */
export interface Browser {
  /** The secret of its session; undefined = none. */
  token: string | undefined
  /** The secret of its sign-in with a provider that is under way; undefined = none. */
  transaction: string | undefined
  /** The organization in which the person acts; undefined = the first one. */
  organization: string | undefined
  /** Sends a request like the pages, and keeps the cookie of the response. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>
}

/** Opens a browser without cookies, at its own network address. */
export function newBrowser(product: Pick<Product, 'call'>, address = newAddress()): Browser {
  const browser: Browser = {
    token: undefined,
    transaction: undefined,
    organization: undefined,
    async ask(method, path, body, more = {}) {
      const { token, transaction, organization } = browser
      const cookies = [
        ...(token === undefined ? [] : [`${SESSION_COOKIE}=${token}`]),
        ...(transaction === undefined ? [] : [`${TRANSACTION_COOKIE}=${transaction}`]),
      ]
      const headers: Record<string, string> = {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': address,
        ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
        ...(organization === undefined ? {} : { 'portbook-organization': organization }),
        ...more,
      }
      const response = await product.call(method, path, { body, headers })
      const cookie = response.headers.get('set-cookie')
      if (cookie?.startsWith(`${TRANSACTION_COOKIE}=`) === true) {
        browser.transaction = transactionIn(cookie)
      } else if (cookie !== null) browser.token = tokenIn(cookie)
      return response
    },
  }
  return browser
}

/** Sends requests to a process as a product in this one takes them. */
export function fetchProduct(url: string): Pick<Product, 'call'> {
  return {
    async call(method, path, { body, headers } = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(method === 'GET' || text === undefined ? {} : { body: text }),
      })
    },
  }
}

/** Returns the secret in a cookie, after checking the cookie's attributes; undefined = cleared. */
export function tokenIn(cookie: string): string | undefined {
  const [first = '', ...attributes] = cookie.split('; ')
  const [name, value] = first.split('=')
  assert.equal(name, '__Host-portbook-session')
  const marks = attributes.filter((attribute) => !attribute.startsWith('Max-Age'))
  assert.deepEqual(marks.toSorted(), ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
  if (value === '') {
    assert.ok(attributes.includes('Max-Age=0'), cookie)
    return undefined
  }
  assert.ok(attributes.includes('Max-Age=604800'), cookie)
  return value
}

function transactionIn(cookie: string): string {
  const [first = '', ...attributes] = cookie.split('; ')
  const expected = ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Strict', 'Secure']
  assert.deepEqual(attributes.toSorted(), expected)
  return first.slice(first.indexOf('=') + 1)
}

/** Returns an address that no other test uses. */
export function newAddress(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3)
  return `2a00:${a.toString(16)}:${b.toString(16)}:${c.toString(16)}::1`
}

/** Sets up an empty database; returns the signed-in owner. */
export async function setUpOwner(
  product: Product,
  email = `owner-${uniqueId()}@example.test`,
): Promise<{ browser: Browser; session: Session }> {
  const browser = newBrowser(product)
  const token = await newSetupToken(product.services.db)
  const filledIn = { organization: 'Rail & Co', name: 'Olga Owner', email, password: PASSWORD }
  const session = await readJson<Session>(
    browser.ask('POST', '/ui/set-up', { token, ...filledIn }),
    201,
  )
  return { browser, session }
}

/** Invites a person; returns the secret of the link. */
export async function invite(
  owner: Pick<Browser, 'ask'>,
  email: string,
  role: 'Owner' | 'Member' = 'Member',
): Promise<string> {
  const { link } = await readJson<{ link: string }>(
    owner.ask('POST', '/ui/invitations', { email, role }),
    201,
  )
  return new URL(link).hash.slice(1)
}

/** Adds a person to the organization of an owner; returns their signed-in browser. */
export async function newPerson(
  product: Product,
  owner: Pick<Browser, 'ask'>,
  role: 'Owner' | 'Member' = 'Member',
  name = 'Petra Person',
): Promise<{ browser: Browser; session: Session; email: string }> {
  const { organization } = await readJson<Session>(owner.ask('GET', '/ui/session'))
  assert.ok(organization !== null)
  return await newMember(product, organization.id, role, name)
}

/** Adds a person with a password to an organization; returns their signed-in browser. */
export async function newMember(
  { services, call }: Product,
  organizationId: string,
  role: 'Owner' | 'Member' = 'Member',
  name = 'Mona Member',
): Promise<{ browser: Browser; session: Session; email: string }> {
  const { db, clock } = services
  const email = `m-${uniqueId()}@example.test`
  const person = { email, name, passwordHash: PASSWORD_HASH, role }
  const userId = await addMember(db, organizationId, person)
  const browser = newBrowser({ call })
  browser.token = await newSession(db, clock, userId)
  return { browser, session: await readJson<Session>(browser.ask('GET', '/ui/session')), email }
}

/** Signs a person in with a new browser. */
export async function signInPerson(product: Product, email: string): Promise<Browser> {
  const browser = newBrowser(product)
  await readText(browser.ask('POST', '/ui/sign-in', { email, password: PASSWORD }))
  return browser
}
