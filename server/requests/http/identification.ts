import type { Person } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import type { HttpContext, Pipeline } from './context.ts'
import { authenticate, authenticatePerson, requireSameOrigin, type Surface } from './credentials.ts'
import type { Route } from './endpoint.ts'
import { repeatLostRead } from './writes.ts'

/** The caller, person or visitor that a request comes from. */
export interface Requester {
  caller?: Caller
  person?: Person
  /** The name that requests are counted by: the key, the person, or the client's address. */
  name: string
  /** The client's address. */
  client: string
  /** The requests that this one shares limits with. */
  pot: 'authenticated' | 'public'
}

/** Creates the requester of a caller in an organization. */
export function toRequester(caller: Caller, client: string): Requester {
  return { caller, name: caller.principal, client, pot: 'authenticated' }
}

/** Authenticates the requester as the route's permission requires. Errors: those of `authenticate`. */
export async function identifyForRoute(
  pipeline: Pipeline,
  context: HttpContext,
  surface: Surface,
  { described }: Route,
  client: string,
): Promise<Requester> {
  const { authenticator, baseUrl } = pipeline.services
  const request = context.req.raw
  if (described.permission === 'public') {
    requireSameOrigin(request, baseUrl)
    return { name: `client:${client}`, client, pot: 'public' }
  }
  if (described.permission === 'authenticated') {
    const person = await authenticatePerson(authenticator, request, baseUrl)
    return { person, name: `user:${person.userId}`, client, pot: 'authenticated' }
  }
  return toRequester(await authenticateCaller(pipeline, context, surface), client)
}

/**
 * Authenticates the requester, within the limit of concurrent authentications. Errors:
 * too_many_requests, overloaded, and those of `identified`.
 */
export async function admitRequester(
  pipeline: Pipeline,
  context: HttpContext,
  identified: (client: string) => Promise<Requester>,
): Promise<Requester> {
  const peer = context.env?.incoming?.socket.remoteAddress
  const client = pipeline.clients.resolveClient(peer, context.req.raw.headers)
  const leave = pipeline.admission.enter('authenticating', client)
  try {
    return await repeatLostRead(() => identified(client))
  } finally {
    leave()
  }
}

/** Authenticates a caller in an organization. Errors: those of `authenticate`. */
export function authenticateCaller(
  { services }: Pipeline,
  context: HttpContext,
  surface: Surface,
  bypassCache = false,
): Promise<Caller> {
  const { baseUrl, authenticator } = services
  return authenticate(authenticator, surface, context.req.raw, { baseUrl, bypassCache })
}
