import { sql, type RawBuilder } from 'kysely'
import { parseMediaType } from '../../platform/kit/media-types.ts'

/**
 * Sessions of signed-in people in browsers. The browser holds the secret in a cookie, and the database its
 * hash. Browsers send cookies with requests of other sites too, so every change must prove that it comes from
 * the catalog's own pages.
 */

/** The prefix of every session secret. */
export const SESSION_PREFIX = 'pbc_'

/** The cookie of a session. The prefix restricts how browsers send and accept it. */
export const SESSION_COOKIE = '__Host-portbook-session'

/** The header with the id of the organization in which a person acts. */
export const ORGANIZATION_HEADER = 'portbook-organization'

/** The query parameter with this id, for links of the pages. */
export const ORGANIZATION_PARAMETER = 'organization'

/** A session ends after so long without use, and after so long in any case. */
const IDLE = sql`interval '12 hours'`
const LIFETIME = sql`interval '7 days'`

// As long as a session may last; the store ends it sooner when it is not used.
const COOKIE_SECONDS = 7 * 24 * 60 * 60

/** SQL expression: the instant at which a row of `session` ends if it is not used again. */
export const SESSION_END = sql`least(
    session.last_used_at + ${IDLE}, session.created_at + ${LIFETIME}, session.expires_at
  )`

/** SQL condition: a row of `session` has ended at an instant of the database clock. */
export function isSessionOver(instant: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${SESSION_END} <= ${instant})`
}

/** The session's secret that a request carries; undefined = none. */
export function readSessionToken(headers: Headers): string | undefined {
  return readCookie(headers, SESSION_COOKIE)
}

/** Returns the value of a cookie that a request carries; undefined = none. */
export function readCookie(headers: Headers, name: string): string | undefined {
  const cookies = headers.get('cookie')?.split(';') ?? []
  const start = `${name}=`
  const found = cookies.map((cookie) => cookie.trim()).find((cookie) => cookie.startsWith(start))
  return found?.slice(start.length)
}

/** Returns the headers that set the session cookie. */
export function sessionHeaders(token: string): Record<string, string> {
  return { 'set-cookie': cookieWith(token, COOKIE_SECONDS) }
}

/** Returns the headers that remove the session cookie. */
export function noSessionHeaders(): Record<string, string> {
  return { 'set-cookie': cookieWith('', 0) }
}

function cookieWith(value: string, seconds: number): string {
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`
}

// Forms send none of these, and pages of other sites need permission to (CORS).
const NO_FORM_SENDS = ['application/json', 'application/yaml']

/**
 * Returns why a request with a cookie may not change anything, as a sentence; undefined if it may. `origins`
 * are the catalog's own. Browsers report the origin of a request truthfully, and forms cannot send JSON.
 */
export function problemOfOrigin(headers: Headers, origins: readonly string[]): string | undefined {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwn = site === null ? origin !== null && origins.includes(origin) : site === 'same-origin'
  if (!isOwn) {
    return "With a session, only the catalog's own pages may make changes. Programs use an API key."
  }
  const { type } = parseMediaType(headers.get('content-type') ?? '')
  if (NO_FORM_SENDS.includes(type)) return undefined
  return 'With a session, changes need the header Content-Type: application/json (or application/yaml).'
}
