/** Users of a catalog, each with a browser session of their own, and its operator. */

import type { APIResponse, Browser } from 'playwright-core'
import { atEndOfFile } from '../at-end.ts'
import { query } from '../operator.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { newVisitor, type Look, type Visitor } from './browser.ts'
import { signInQuickly, type Person } from './catalog.ts'

/** A catalog that the test also operates. */
export interface Site {
  url: string
  place: StorePlace
  owner: Person
  /** The name of the initial organization. */
  organization: string
  /** Runs a statement in the store; only on PostgreSQL. */
  query(statement: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
  /** Starts it again on the same store and port. */
  start(): Promise<void>
}

/** A password that is accepted. */
export const PASSWORD = 'lantern ferry mistral'

/** Starts a catalog with an owner and further settings; it stops at the end of the test file. */
export async function startSite(settings: Record<string, string> = {}): Promise<Site> {
  const place = await newStorePlace()
  const start = createUnattendedStart(place)
  const { password, organization } = start
  const environment = { ...start.environment, ...settings }
  let product: ProductProcess | undefined = await startProduct(environment)
  const { url } = product
  const stop = async (): Promise<void> => {
    await product?.stop()
    product = undefined
  }
  atEndOfFile(async () => {
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

/** Opens a separate browser session that is already signed in. */
export async function newSignedInVisitor(
  browser: Browser,
  { url }: Pick<Site, 'url'>,
  person: Person,
  look?: Look,
): Promise<Visitor> {
  const visitor = await newVisitor(browser, url, look)
  await signInQuickly(visitor, person)
  return visitor
}

/**
 * Sends a request with the session of this browser; to an organization other than the first by its id.
 */
export async function request(
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

/** Sends a request that must succeed, and returns the JSON of the response. */
export async function requestJson<T>(...input: Parameters<typeof request>): Promise<T> {
  const answer = await request(...input)
  if (!answer.ok())
    throw new Error(`${input[1]} ${input[2]}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Creates an organization of the visitor's user, opens all further pages in it, and returns its id. */
export async function enterNewOrganization(visitor: Visitor, name: string): Promise<string> {
  const { organizations } = await requestJson<{ organizations: { id: string; name: string }[] }>(
    visitor,
    'POST',
    '/ui/organizations',
    { name },
  )
  const { id } = organizations.find((one) => one.name === name) ?? { id: '' }
  await visitor.context.addInitScript(`sessionStorage.setItem('portbook-organization', '${id}')`)
  return id
}

/** Creates an account by accepting an owner's invitation, without the pages. */
export async function acceptInvitation(
  owner: Visitor,
  { url }: Pick<Site, 'url'>,
  person: { email: string; name: string; role?: 'Owner' | 'Member' },
  organization?: string,
): Promise<Person> {
  const { email, name, role = 'Member' } = person
  const invitation = { email, role }
  const { link } = await requestJson<{ link: string }>(
    owner,
    'POST',
    '/ui/invitations',
    invitation,
    organization,
  )
  const answer = await fetch(`${url}/ui/invitations/accept`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).hash.slice(1), name, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`joining returned ${answer.status} ${await answer.text()}`)
  return { email, password: PASSWORD }
}

/** Creates a team with members by their roles; its name derives from its id. */
export async function putTeam(
  owner: Visitor,
  id: string,
  members: readonly { emailAddress: string; role: string }[] = [],
  organization?: string,
): Promise<void> {
  const team = { id, name: `Team ${id}`, type: 'Team', members }
  await requestJson(owner, 'PUT', `/api/teams/${id}`, team, organization)
}

/** Returns the document of a data product. */
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

/** Returns the text in the clipboard. */
export async function readClipboard({ page }: Visitor): Promise<string> {
  return await page.evaluate<string>('navigator.clipboard.readText()')
}
