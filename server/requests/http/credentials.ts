import type { Authenticator, Person } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import {
  ORGANIZATION_HEADER,
  ORGANIZATION_PARAMETER,
  problemOfOrigin,
  readSessionToken,
} from '../access/session.ts'
import { ApiError } from '../../platform/errors.ts'

/** The surface a request arrives on: `/api` accepts API keys and sessions, `/ui` only sessions. */
export type Surface = 'api' | 'ui'

/** The parts of a request that authentication needs. */
interface AuthRequest {
  method: string
  url: string
  headers: Headers
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Authenticates the caller of a request. An API key takes precedence over a session on `/api` and is rejected
 * on `/ui`. State-changing requests with a session must be same-origin.
 *
 * Errors: those of the authenticator, request_forged.
 */
export async function authenticate(
  authenticator: Authenticator,
  surface: Surface,
  request: AuthRequest,
  options: { baseUrl: string; bypassCache?: boolean },
): Promise<Caller> {
  const { headers, method, url } = request
  const secret = readApiKey(headers)
  const token = readSessionToken(headers)
  if (surface === 'api' && (secret !== undefined || token === undefined)) {
    return await authenticator.authenticate(secret, options.bypassCache)
  }
  rejectApiKey(secret)
  const organization = readOrganization(surface, request)
  const caller = await authenticator.authenticateSession(token, organization)
  assertSameOrigin({ method, url, headers }, options.baseUrl)
  return caller
}

/**
 * Authenticates a person, in any organization or in none. Errors: those of the authenticator, request_forged.
 */
export async function authenticatePerson(
  authenticator: Authenticator,
  request: AuthRequest,
  baseUrl: string,
): Promise<Person> {
  rejectApiKey(readApiKey(request.headers))
  const person = await authenticator.authenticatePerson(readSessionToken(request.headers))
  assertSameOrigin(request, baseUrl)
  return person
}

/**
 * Rejects cross-site requests to endpoints that work without a session, such as sign-in: logging a victim in
 * to an attacker's account is an attack too.
 *
 * Errors: credentials_unknown if an API key is sent, request_forged.
 */
export function requireSameOrigin(request: AuthRequest, baseUrl: string): void {
  rejectApiKey(readApiKey(request.headers))
  assertSameOrigin(request, baseUrl)
}

// The link of a download cannot send headers.
function readOrganization(
  surface: Surface,
  { method, url, headers }: AuthRequest,
): string | undefined {
  const named = headers.get(ORGANIZATION_HEADER)
  if (named !== null) return named
  const isLink = surface === 'ui' && SAFE_METHODS.includes(method) && URL.canParse(url)
  if (!isLink) return undefined
  return new URL(url).searchParams.get(ORGANIZATION_PARAMETER) ?? undefined
}

function rejectApiKey(secret: string | undefined): void {
  if (secret === undefined) return
  throw new ApiError('credentials_unknown', 'API keys are not accepted here. Sign in instead.')
}

function assertSameOrigin({ method, url, headers }: AuthRequest, baseUrl: string): void {
  if (SAFE_METHODS.includes(method)) return
  const problem = problemOfOrigin(headers, [getOrigin(baseUrl), getOrigin(url)])
  if (problem !== undefined) throw new ApiError('request_forged', problem)
}

function getOrigin(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

function readApiKey(headers: Headers): string | undefined {
  const key = headers.get('x-api-key')
  const authorization = headers.get('authorization')
  const bearer =
    authorization === null ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
  if (key !== null && bearer !== undefined && key !== bearer) {
    throw new ApiError(
      'credentials_unknown',
      'The headers x-api-key and Authorization have different credentials. Send one of them.',
    )
  }
  return key ?? bearer
}
