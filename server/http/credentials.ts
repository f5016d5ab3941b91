import type { Authenticator, Person } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { ORGANIZATION_HEADER, problemOfOrigin, sessionTokenOf } from '../access/session.ts'
import { Refusal } from '../errors.ts'

/** Which credentials are taken: `/api` takes keys and sessions, `/ui` takes sessions alone. */
export type Door = 'api' | 'ui'

/** A request as far as it says who makes it. */
export interface Asked {
  method: string
  url: string
  headers: Headers
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Tells who makes a request. Where a key is sent too, the key counts on `/api`, and on `/ui` it is
 * refused. A change with a session must come from the catalog's own pages. Errors: those of the
 * authenticator, request_forged.
 */
export async function identify(
  authenticator: Authenticator,
  door: Door,
  request: Asked,
  options: { baseUrl: string; afresh?: boolean },
): Promise<Caller> {
  const { headers, method, url } = request
  const secret = secretOf(headers)
  const token = sessionTokenOf(headers)
  if (door === 'api' && (secret !== undefined || token === undefined)) {
    return await authenticator.authenticate(secret, options.afresh)
  }
  refuseKey(secret)
  const organization = headers.get(ORGANIZATION_HEADER) ?? undefined
  const caller = await authenticator.authenticateSession(token, organization)
  requireOwnOrigin({ method, url, headers }, options.baseUrl)
  return caller
}

/**
 * Tells who is signed in, whatever organization the request concerns. Errors: those of the
 * authenticator, request_forged.
 */
export async function identifyPerson(
  authenticator: Authenticator,
  request: Asked,
  baseUrl: string,
): Promise<Person> {
  refuseKey(secretOf(request.headers))
  const person = await authenticator.authenticatePerson(sessionTokenOf(request.headers))
  requireOwnOrigin(request, baseUrl)
  return person
}

/**
 * Lets a request pass that needs nobody to be signed in. To sign somebody in is a change too: another
 * site's page must not do it. Errors: credentials_unknown for a key, request_forged.
 */
export function requireVisitor(request: Asked, baseUrl: string): void {
  refuseKey(secretOf(request.headers))
  requireOwnOrigin(request, baseUrl)
}

function refuseKey(secret: string | undefined): void {
  if (secret === undefined) return
  throw new Refusal('credentials_unknown', 'API keys do not work here. Sign in, and send no key.')
}

function requireOwnOrigin({ method, url, headers }: Asked, baseUrl: string): void {
  if (SAFE_METHODS.includes(method)) return
  const problem = problemOfOrigin(headers, [originOf(baseUrl), originOf(url)])
  if (problem !== undefined) throw new Refusal('request_forged', problem)
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

function secretOf(headers: Headers): string | undefined {
  const key = headers.get('x-api-key')
  const authorization = headers.get('authorization')
  const bearer =
    authorization === null ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
  if (key !== null && bearer !== undefined && key !== bearer) {
    throw new Refusal(
      'credentials_unknown',
      'The headers x-api-key and Authorization carry different credentials. Send one of them.',
    )
  }
  return key ?? bearer
}
