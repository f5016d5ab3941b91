import { sql, type RawBuilder } from 'kysely'

/**
 * A session is a person who is signed in, in a browser. The browser holds its secret in a cookie and
 * the store holds the hash. A cookie travels by itself, also when another site asks for it: so
 * whatever changes something must prove that it comes from the catalog's own pages.
 */

/** What every session's secret begins with. */
export const SESSION_PREFIX = 'pbc_'

/** The cookie that holds it. The prefix keeps browsers from sending or taking it in any other way. */
export const SESSION_COOKIE = '__Host-portbook-session'

/** The header that names the organization in which a person acts, by its id. */
export const ORGANIZATION_HEADER = 'portbook-organization'

/** A session ends after so long without use, and after so long in any case. */
const IDLE = sql`interval '12 hours'`
const LIFETIME = sql`interval '7 days'`

// As long as a session may last; the store ends it sooner when it is not used.
const COOKIE_SECONDS = 7 * 24 * 60 * 60

/** Whether a row of the table `session` is over at an instant of the store's clock. */
export function isSessionOver(instant: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    session.last_used_at + ${IDLE} <= ${instant}
    or session.created_at + ${LIFETIME} <= ${instant}
  )`
}

/** The session's secret that a request carries; undefined = none. */
export function sessionTokenOf(headers: Headers): string | undefined {
  const cookies = headers.get('cookie')?.split(';') ?? []
  const start = `${SESSION_COOKIE}=`
  const found = cookies.map((cookie) => cookie.trim()).find((cookie) => cookie.startsWith(start))
  return found?.slice(start.length)
}

/** The headers of an answer that hands a session's secret to the browser. */
export function sessionHeaders(token: string): Record<string, string> {
  return { 'set-cookie': cookieWith(token, COOKIE_SECONDS) }
}

/** The headers of an answer after which the browser has no session's secret any more. */
export function noSessionHeaders(): Record<string, string> {
  return { 'set-cookie': cookieWith('', 0) }
}

function cookieWith(value: string, seconds: number): string {
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`
}

// A form sends none of these, and no page of another site can without being asked first (CORS).
const NO_FORM_SENDS = ['application/json', 'application/yaml', 'application/x-yaml']

/**
 * What keeps a request with a cookie from changing anything, as a sentence; undefined = nothing does.
 * `origins` are the catalog's own. Browsers tell where a request comes from and let no page lie about
 * it; a form can neither send JSON nor be made to.
 */
export function problemOfOrigin(headers: Headers, origins: readonly string[]): string | undefined {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwn = site === null ? origin !== null && origins.includes(origin) : site === 'same-origin'
  if (!isOwn) {
    return "With a session, changes are taken from the catalog's own pages alone. Programs use an API key."
  }
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && NO_FORM_SENDS.includes(type)) return undefined
  return 'With a session, changes need the header Content-Type: application/json (or application/yaml).'
}
