import { SourceFailure } from '../connector.ts'

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>

/** The parts of a request that a signature covers. */
interface UnsignedRequest {
  method: 'GET' | 'POST'
  url: URL
  headers?: Headers
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
  const tokens = newRenewable(async () => {
    const { headers, ...issued } = await request()
    return { ...issued, value: headers }
  })
  return { headers: async () => await tokens.get(), renew: (refused) => tokens.renew(refused) }
}

/** Something that was issued for a limited time. */
export interface Issued<T> extends Omit<IssuedToken, 'headers'> {
  value: T
}

/** The source of a token or key. */
export interface Renewable<T> {
  /** Returns one that has not expired. Errors: SourceFailure auth, and those of the transport. */
  get(): Promise<T>
  /** Called if the source rejected one; returns false if no other is available. */
  renew(refused: T): boolean
}

/** Creates a source that requests a token or key before the first use, and another before it expires. */
export function newRenewable<T>(request: () => Promise<Issued<T>>): Renewable<T> {
  let current: { value: T; renewAtMs: number } | undefined
  // Concurrent requests wait for the same one.
  let requested: Promise<T> | undefined
  const renew = async (): Promise<T> => {
    try {
      const issued = await request()
      current = { value: issued.value, renewAtMs: getRenewalTime(issued) }
      return issued.value
    } finally {
      requested = undefined
    }
  }
  return {
    async get() {
      if (current !== undefined && performance.now() < current.renewAtMs) return current.value
      return await (requested ??= renew())
    },
    renew(refused) {
      // Another request may have renewed it already.
      if (current?.value === refused) current = undefined
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

function getRenewalTime({
  lifetimeSeconds = Infinity,
  issuedAtMs,
}: Omit<IssuedToken, 'headers'>): number {
  const lifetimeMs = lifetimeSeconds * 1000
  const renewAtMs = issuedAtMs + Math.max(lifetimeMs - RENEWAL_MS, lifetimeMs * 0.9)
  return Number.isNaN(renewAtMs) ? Infinity : renewAtMs
}
