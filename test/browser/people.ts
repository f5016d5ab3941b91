/** People at the pages of a catalog, each before a browser of their own, and its operator beside them. */

import { after } from 'node:test'
import type { APIResponse, Browser } from 'playwright-core'
import { query } from '../operator.ts'
import { startProduct, unattended, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { newVisitor, type Look, type Visitor } from './browser.ts'
import { signInQuickly, type Person } from './catalog.ts'

/** A catalog whose operator the test is, too. */
export interface Site {
  url: string
  place: StorePlace
  owner: Person
  /** The name of the organization that is there from the start. */
  organization: string
  /** Runs a statement beside the process; on PostgreSQL only. */
  query(statement: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
  /** Starts it again, on the same store and port. */
  start(): Promise<void>
}

/** A password that is taken. */
export const PASSWORD = 'lantern ferry mistral'

// A hook that a hook registers would run at that hook's own end; this one is the file's.
const endings: (() => Promise<void>)[] = []
after(async () => {
  for (const end of endings) await end()
})

/** Starts a catalog with an owner; it ends with the tests of the file. */
export async function startSite(): Promise<Site> {
  const place = await newStorePlace()
  const { environment, password, organization } = unattended(place)
  let product: ProductProcess | undefined = await startProduct(environment)
  const { url } = product
  const stop = async (): Promise<void> => {
    await product?.stop()
    product = undefined
  }
  endings.push(async () => {
    await stop()
    await place.remove()
  })
  return {
    url,
    place,
    owner: { email: environment['PORTBOOK_OWNER_EMAIL'] ?? '', password },
    organization,
    query: (statement) => query(place, statement),
    stop,
    async start() {
      product = await startProduct({ ...environment, PORT: new URL(url).port })
    },
  }
}

/** Opens a browser of somebody's own, already signed in. */
export async function signedIn(
  browser: Browser,
  { url }: Pick<Site, 'url'>,
  person: Person,
  look?: Look,
): Promise<Visitor> {
  const visitor = await newVisitor(browser, url, look)
  await signInQuickly(visitor, person)
  return visitor
}

/** Asks the server as the pages of this browser do; in another organization than the first by its id. */
export async function ask(
  { context }: Visitor,
  method: string,
  path: string,
  body?: unknown,
  organization?: string,
): Promise<APIResponse> {
  return await context.request.fetch(path, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      ...(organization === undefined ? {} : { 'portbook-organization': organization }),
    },
    ...(body === undefined ? {} : { data: JSON.stringify(body) }),
  })
}

/** The same, for what has to succeed; gives the JSON of the answer. */
export async function told<T>(...asked: Parameters<typeof ask>): Promise<T> {
  const answer = await ask(...asked)
  if (!answer.ok())
    throw new Error(`${asked[1]} ${asked[2]}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Makes an account by an invitation of an owner's, without the pages. */
export async function invitedBy(
  owner: Visitor,
  { url }: Pick<Site, 'url'>,
  person: { email: string; name: string; role?: 'Owner' | 'Member' },
  organization?: string,
): Promise<Person> {
  const { email, name, role = 'Member' } = person
  const asked = { email, role }
  const { link } = await told<{ link: string }>(
    owner,
    'POST',
    '/ui/invitations',
    asked,
    organization,
  )
  const answer = await fetch(`${url}/ui/invitations/accept`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).hash.slice(1), name, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`joining answered ${answer.status} ${await answer.text()}`)
  return { email, password: PASSWORD }
}

/** Puts a team, with members by their roles; its name is its id in words. */
export async function putTeam(
  owner: Visitor,
  id: string,
  members: readonly { emailAddress: string; role: string }[] = [],
  organization?: string,
): Promise<void> {
  const team = { id, name: `Team ${id}`, type: 'Team', members }
  await told(owner, 'PUT', `/api/teams/${id}`, team, organization)
}

/** A data product as its document. */
export function productDocument(
  id: string,
  team: string,
  more: Record<string, unknown> = {},
): object {
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name: `Product ${id}`,
    version: '1.0.0',
    status: 'active',
    team: { name: team },
    ...more,
  }
}

/** What the clipboard of a page holds. */
export async function clipboardOf({ page }: Visitor): Promise<string> {
  return await page.evaluate<string>('navigator.clipboard.readText()')
}
