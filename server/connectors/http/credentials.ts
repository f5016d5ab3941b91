import { SourceFailure } from '../connector.ts'

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>

/** The parts of a request that a signature covers. */
interface UnsignedRequest {
  method: 'GET' | 'POST'
  url: URL
  body?: string
}

/** The credentials of one session with a source. */
export interface Credentials {
  /** Returns the headers that authenticate a request. Errors: SourceFailure auth, and those of the transport. */
  headers(request: UnsignedRequest): Promise<Headers>
  /** Called if the source rejected those headers; returns false if no other token is available. */
  renew(refused: Headers): boolean
}

/** A token that was issued for a limited time. */
export interface IssuedToken {
  headers: Headers
  /** Undefined = no known expiry. */
  lifetimeSeconds: number | undefined
  /** On the monotonic clock: when it was requested. */
  issuedAtMs: number
}

/** A token is renewed this long before it expires, or when a tenth of its lifetime is left. */
const RENEWAL_MS = 60_000

/** Credentials for a source without authentication. */
export const NO_CREDENTIALS: Credentials = { headers: async () => ({}), renew: () => false }

/** Creates credentials of a token that cannot be renewed. Errors: SourceFailure auth. */
export function newTokenCredentials(token: string, more: Headers = {}): Credentials {
  const headers = { ...toBearer(token), ...more }
  return { headers: async () => headers, renew: () => false }
}

/** Creates credentials that request a token before the first request, and another before it expires. */
export function newRenewableCredentials(request: () => Promise<IssuedToken>): Credentials {
  let token: { headers: Headers; renewAtMs: number } | undefined
  // Concurrent requests that need a token wait for the same one.
  let requested: Promise<Headers> | undefined
  const renew = async (): Promise<Headers> => {
    try {
      const issued = await request()
      token = { headers: issued.headers, renewAtMs: getRenewalTime(issued) }
      return token.headers
    } finally {
      requested = undefined
    }
  }
  return {
    async headers() {
      if (token !== undefined && performance.now() < token.renewAtMs) return token.headers
      return await (requested ??= renew())
    },
    renew(refused) {
      // Another request may have renewed the token already.
      if (token?.headers === refused) token = undefined
      return true
    },
  }
}

/** Returns the header of a bearer token. Errors: SourceFailure auth, without the token. */
export function toBearer(token: string): Headers {
  // A header cannot contain such a token; the error must not repeat it.
  if (!/^[\x21-\x7E]+$/.test(token)) {
    throw new SourceFailure('auth', 'The token is missing or has invalid characters')
  }
  return { authorization: `Bearer ${token}` }
}

function getRenewalTime({ lifetimeSeconds = Infinity, issuedAtMs }: IssuedToken): number {
  const lifetimeMs = lifetimeSeconds * 1000
  const renewAtMs = issuedAtMs + Math.max(lifetimeMs - RENEWAL_MS, lifetimeMs * 0.9)
  return Number.isNaN(renewAtMs) ? Infinity : renewAtMs
}
