import createFetchClient, { type Middleware } from 'openapi-fetch'
import createQueryClient from 'openapi-react-query'
import { connection } from './connection.ts'
import { currentOrganization } from './organization.ts'
import type { components, paths } from './openapi.ts'
import { readProblem, unreachable } from './problem.ts'

/** The shapes of the API that have names. */
export type Schemas = components['schemas']

/** The body of a successful response of an address: `Answer<'/ui/home', 'get'>`. */
export type Answer<
  Path extends keyof paths,
  Method extends keyof paths[Path],
> = paths[Path][Method] extends { responses: infer Responses } ? ContentOf<Responses> : never

type ContentOf<Responses> = {
  [Status in keyof Responses & (200 | 201 | 202)]: Responses[Status] extends {
    content: { 'application/json': infer Body }
  }
    ? Body
    : never
}[keyof Responses & (200 | 201 | 202)]

const errorEvents = new EventTarget()

/** Calls back when the server reports that the session has ended. Returns a function that stops it. */
export function onSessionEnd(listener: () => void): () => void {
  errorEvents.addEventListener('session-end', listener)
  return () => errorEvents.removeEventListener('session-end', listener)
}

/** Calls back when an organization requires its identity provider. Returns a function that stops it. */
export function onProviderRequired(listener: () => void): () => void {
  errorEvents.addEventListener('provider-required', listener)
  return () => errorEvents.removeEventListener('provider-required', listener)
}

/** Calls back when the server reports a missing permission. Returns a function that stops it. */
export function onForbidden(listener: () => void): () => void {
  errorEvents.addEventListener('forbidden', listener)
  return () => errorEvents.removeEventListener('forbidden', listener)
}

/** The headers that every request of the pages carries. */
export function ownHeaders(): Record<string, string> {
  const organization = currentOrganization()
  return {
    'content-type': 'application/json',
    ...(organization === undefined ? {} : { 'portbook-organization': organization }),
  }
}

/** Throws the Problem that an answer is; a good answer passes. `asks` = a 401 is its own business. */
export async function refuseProblem(response: Response, asks = false): Promise<void> {
  if (response.ok || response.status === 304) return
  const problem = await readProblem(response, asks)
  // The session of a suspended person goes on in other organizations: signing in again would not help.
  const isSuspended = problem.code === 'member_suspended'
  if (response.status === 401 && !asks && !isSuspended) {
    errorEvents.dispatchEvent(new Event('session-end'))
  }
  // The session goes on, but not here. Its permissions are not loaded again: without them the page would change.
  if (problem.code === 'provider_required') {
    errorEvents.dispatchEvent(new Event('provider-required'))
  } else if (response.status === 403 || isSuspended) {
    errorEvents.dispatchEvent(new Event('forbidden'))
  }
  throw problem
}

// A 401 of these means wrong credentials, or no session yet.
const ASKING = ['/ui/session', '/ui/sign-in', '/ui/invitations/accept', '/ui/invitations/look']

const pagesOwn: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(ownHeaders())) request.headers.set(name, value)
    return request
  },
  async onResponse({ response, schemaPath }) {
    await refuseProblem(response, ASKING.includes(schemaPath))
  },
  onError({ error }) {
    if (!(error instanceof TypeError)) return undefined
    void connection.check()
    return unreachable()
  },
}

/**
 * Calls an address outside of React; an error response is thrown as a Problem. Pages read JSON, also where an
 * address has other forms.
 */
export const client = createFetchClient<paths, 'application/json'>({
  querySerializer: { array: { style: 'form', explode: true } },
})
client.use(pagesOwn)

/** Returns the body of an answer that has one: `readBody(client.POST('/ui/api-keys', { body }))`. Errors: Problem. */
export async function readBody<Body>(answer: Promise<{ data?: Body }>): Promise<Body> {
  const { data } = await answer
  if (data === undefined) throw new Error('The answer of the server is empty.')
  return data
}

/**
 * Reads an address from a component: `api.useQuery('get', '/api/teams/{id}', { params: { path: { id } } })`. Errors are
 * Problems.
 */
export const api = createQueryClient(client)
