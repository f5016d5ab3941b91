/** A server process for the tests of the pages, set up and filled. */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd, atEndOfFile } from '../at-end.ts'
import { repeatWhileBusy } from '../eventually.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { newLocalPlace, newStorePlace } from '../stores.ts'
import type { Visitor } from './browser.ts'

/** Credentials of a user. */
export interface Person {
  email: string
  password: string
}

/** A running catalog. */
export interface Catalog {
  url: string
  owner: Person
  /** The people who can sign in when the catalog starts; the owner is the first. */
  people: readonly Person[]
  /** The secret of an organization key. */
  key: string
  product: ProductProcess
  /** Returns the stored text at a path of the API, as it was sent in YAML. */
  storedYaml(path: string): Promise<string>
  /** Calls the API with the organization key, or with another one; throws unless the status is 2xx. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Response>
}

/** Starts an empty catalog with an owner and a key; it stops at the end of the test file. */
export async function startCatalog(environment: Record<string, string> = {}): Promise<Catalog> {
  const place = await newStorePlace()
  const start = createUnattendedStart(place)
  const product = await startProduct({ ...start.environment, ...environment })
  const owner = { email: start.environment['PORTBOOK_OWNER_EMAIL'] ?? '', password: start.password }
  atEndOfFile(async () => {
    await product.stop()
    await place.remove()
  })
  return createCatalog(product, owner, start.key())
}

let sharedDemo: Promise<Catalog> | undefined

/**
 * Returns the catalog with the demo mesh that all test files of the process share. It has its own
 * PostgreSQL, so that it can read databases of the test server.
 */
export async function shareDemo(): Promise<Catalog> {
  sharedDemo ??= startDemo()
  return await sharedDemo
}

async function startDemo(): Promise<Catalog> {
  const place = newLocalPlace()
  const { catalog, close } = await openDemo(place.environment)
  atEnd(async () => {
    await close()
    await place.remove()
  })
  return catalog
}

/**
 * Creates an organization in the shared catalog, with an organization key and with an owner who is in no
 * other organization.
 */
export async function newOrganization(): Promise<Catalog> {
  const { url, owner: founder, product } = await shareDemo()
  const name = `Works ${randomBytes(4).toString('hex')}`
  const owner = { email: `${name.replace(' ', '-')}@velmora.example`, password: founder.password }
  const demo = await openSession(url, '/ui/sign-in', founder)
  const { user, organizations } = await demo<Session>('POST', '/ui/organizations', { name })
  const id = organizations.find((one) => one.name === name)?.id
  const invitation = { email: owner.email, role: 'Owner' }
  const { link } = await demo<{ link: string }>('POST', '/ui/invitations', invitation, id)
  const token = new URL(link).hash.slice(1)
  const acceptance = { token, name: 'owner', password: owner.password }
  const own = await openSession(url, '/ui/invitations/accept', acceptance)
  // Only now the organization has another owner.
  await demo('DELETE', `/ui/members/${user.id}`, undefined, id)
  const keyRequest = { scope: 'organization', displayName: 'Key of the tests' }
  const { key } = await own<{ key: string }>('POST', '/ui/api-keys', keyRequest)
  return createCatalog(product, owner, key)
}

interface Session {
  user: { id: string }
  organizations: readonly { id: string; name: string }[]
}

const UNAVAILABLE = 503

type Send = <T>(method: string, path: string, body?: object, organization?: string) => Promise<T>

/** Signs in at a path of the UI API; returns a function that sends requests in the session. */
async function openSession(url: string, path: string, credentials: object): Promise<Send> {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const send = async (
    method: string,
    to: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<Response> => {
    const request = {
      method,
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    const response = await repeatWhileBusy(
      () => fetch(`${url}${to}`, request),
      ({ status }) => status === UNAVAILABLE,
    )
    if (response.ok) return response
    throw new Error(`${method} ${to}: ${response.status} ${await response.text()}`)
  }
  const session = await send('POST', path, credentials)
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  return async <T>(method: string, to: string, body?: object, organization?: string) => {
    const named = organization === undefined ? {} : { 'portbook-organization': organization }
    const response = await send(method, to, body, { cookie, ...named })
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

/** Starts a catalog with the demo mesh on any store; the caller closes it. */
export async function openDemo(
  environment: Record<string, string>,
): Promise<{ catalog: Catalog; close(): Promise<void> }> {
  const product = await startProduct(environment, ['serve', '--demo'])
  const directory = environment['PORTBOOK_DATA_DIR'] ?? ''
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8').trim()
  const words = text('demo-sign-in').split(/\s+/).filter(isSignInWord)
  const people = words.flatMap((email, at) =>
    email.includes('@') ? { email, password: words[at + 1] ?? '' } : [],
  )
  const [owner] = people
  if (owner === undefined) throw new Error('the demo has no owner')
  return {
    catalog: { ...createCatalog(product, owner, text('demo-api-key')), people },
    async close() {
      await product.stop()
    },
  }
}

// The file also contains explanations; only the two values have these forms.
function isSignInWord(word: string): boolean {
  return word.includes('@') || word.startsWith('demo_')
}

function createCatalog(product: ProductProcess, owner: Person, key: string): Catalog {
  const { url } = product
  return {
    url,
    owner,
    people: [owner],
    key,
    product,
    async storedYaml(path) {
      const headers = { 'x-api-key': key, accept: 'application/yaml' }
      const response = await fetch(`${url}${path}`, { headers })
      if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
      return await response.text()
    },
    async call(method, path, body, withKey = key) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'x-api-key': withKey, 'content-type': 'application/json' },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      if (!response.ok)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response
    },
  }
}

/** Signs a person in on the sign-in page, and waits for the page of `to`. */
export async function signIn({ page }: Visitor, person: Person, to = '/'): Promise<void> {
  await page.goto(to)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

/** Signs a person in without the sign-in page, for tests of other pages. */
export async function signInQuickly({ context }: Visitor, person: Person): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const response = await repeatWhileBusy(
    () => context.request.post('/ui/sign-in', { data: person, headers }),
    (answer) => answer.status() === UNAVAILABLE,
  )
  if (!response.ok()) throw new Error(`sign-in returned ${response.status()}`)
}
