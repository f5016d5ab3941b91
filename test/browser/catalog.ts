/** The product in a process of its own, set up and filled for the tests of the pages. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { startProduct, unattended, type ProductProcess } from '../process.ts'
import { newLocalPlace, newStorePlace, type StorePlace } from '../stores.ts'
import type { Visitor } from './browser.ts'

/** Somebody who can sign in. */
export interface Person {
  email: string
  password: string
}

/** A catalog that serves. */
export interface Catalog {
  url: string
  owner: Person
  /** The secret of an organization key. */
  key: string
  product: ProductProcess
  /** The text that is stored at a path of the API, as it was sent in YAML. */
  storedYaml(path: string): Promise<string>
  /** Calls the API with the organization key, or another; throws unless the answer is a 2xx. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Response>
}

// A hook that a hook defines runs at that hook's end: what ends with the file is said here.
const endings: (() => Promise<void>)[] = []
after(async () => {
  for (const end of endings) await end()
})

/** Starts an empty catalog with an owner and a key; it ends with the tests of the file. */
export async function startCatalog(environment: Record<string, string> = {}): Promise<Catalog> {
  return await startCatalogAt(await newStorePlace(), environment)
}

/**
 * Does the same with a PostgreSQL that the catalog runs for itself. A catalog refuses to read from the
 * server that stores its own data, so only this one can read databases of the test server.
 */
export async function startCatalogForSources(): Promise<Catalog> {
  return await startCatalogAt(newLocalPlace(), {})
}

async function startCatalogAt(
  place: StorePlace,
  environment: Record<string, string>,
): Promise<Catalog> {
  const start = unattended(place)
  const product = await startProduct({ ...start.environment, ...environment })
  const owner = { email: start.environment['PORTBOOK_OWNER_EMAIL'] ?? '', password: start.password }
  endings.push(async () => {
    await product.stop()
    await place.remove()
  })
  return catalogOf(product, owner, start.key())
}

/**
 * Starts a catalog with the demo mesh and a PostgreSQL that it runs for itself, so that it can read
 * databases of the test server; it ends with the tests of the file.
 */
export async function startDemo(): Promise<Catalog> {
  const place = newLocalPlace()
  const { catalog, close } = await openDemo(place.environment)
  endings.push(async () => {
    await close()
    await place.remove()
  })
  return catalog
}

/** Starts a catalog with the demo mesh on any store; whoever starts it ends it. */
export async function openDemo(
  environment: Record<string, string>,
): Promise<{ catalog: Catalog; close(): Promise<void> }> {
  const product = await startProduct(environment, ['serve', '--demo'])
  const directory = environment['PORTBOOK_DATA_DIR'] ?? ''
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8').trim()
  const [email = '', password = ''] = text('demo-sign-in').split(/\s+/).filter(isSignInWord)
  return {
    catalog: catalogOf(product, { email, password }, text('demo-api-key')),
    async close() {
      await product.stop()
    },
  }
}

// The file says in words which is which; the two values stand out.
function isSignInWord(word: string): boolean {
  return word.includes('@') || word.startsWith('demo_')
}

function catalogOf(product: ProductProcess, owner: Person, key: string): Catalog {
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

/** Signs a person in on the page itself, and waits for the page that was asked for. */
export async function signIn({ page }: Visitor, person: Person, to = '/'): Promise<void> {
  await page.goto(to)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

/** Signs a person in without the page, for tests that are about another one. */
export async function signInQuickly({ context }: Visitor, person: Person): Promise<void> {
  const response = await context.request.post('/ui/sign-in', {
    data: person,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  if (!response.ok()) throw new Error(`signing in answered ${response.status()}`)
}
