/** A server process for the tests of the pages, set up and filled. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../at-end.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { newLocalPlace, newStorePlace, type StorePlace } from '../stores.ts'
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
  /** The secret of an organization key. */
  key: string
  product: ProductProcess
  /** Returns the stored text at a path of the API, as it was sent in YAML. */
  storedYaml(path: string): Promise<string>
  /** Calls the API with the organization key, or with another one; throws unless the status is 2xx. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Response>
}

/** Starts an empty catalog with an owner and a key; it stops at the end of the test process. */
export async function startCatalog(environment: Record<string, string> = {}): Promise<Catalog> {
  return await startCatalogAt(await newStorePlace(), environment)
}

/**
 * Starts the same with its own PostgreSQL. A catalog refuses to read from the server that stores its
 * own data, so only this one can read databases of the test server.
 */
export async function startCatalogForSources(): Promise<Catalog> {
  return await startCatalogAt(newLocalPlace(), {})
}

async function startCatalogAt(
  place: StorePlace,
  environment: Record<string, string>,
): Promise<Catalog> {
  const start = createUnattendedStart(place)
  const product = await startProduct({ ...start.environment, ...environment })
  const owner = { email: start.environment['PORTBOOK_OWNER_EMAIL'] ?? '', password: start.password }
  atEnd(async () => {
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

/** Starts a catalog with the demo mesh on any store; the caller closes it. */
export async function openDemo(
  environment: Record<string, string>,
): Promise<{ catalog: Catalog; close(): Promise<void> }> {
  const product = await startProduct(environment, ['serve', '--demo'])
  const directory = environment['PORTBOOK_DATA_DIR'] ?? ''
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8').trim()
  const [email = '', password = ''] = text('demo-sign-in').split(/\s+/).filter(isSignInWord)
  return {
    catalog: createCatalog(product, { email, password }, text('demo-api-key')),
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
  const response = await context.request.post('/ui/sign-in', {
    data: person,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  if (!response.ok()) throw new Error(`sign-in returned ${response.status()}`)
}
