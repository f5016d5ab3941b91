/**
 * The requests to OpenID providers and token issuers. Their addresses come from people and from documents of other
 * machines, so that each request is limited and checked by the dialer.
 */

import { isLoopbackHost } from './address.ts'
import type { Dialer } from './dialer.ts'
import { HttpFailure, openHttpClient } from './http-client.ts'

/** The limits of a request. */
export interface IdentityLimits {
  /** The time until the end of the response. */
  requestMs: number
  /** The size of a response. */
  responseBytes: number
}

/** The limits of every request. Discovery documents and keys have about 10 KiB. */
export const IDENTITY_LIMITS: IdentityLimits = { requestMs: 5000, responseBytes: 256 * 1024 }

/** The members of a request, as jose and oauth4webapi give them. */
interface IdentityRequest {
  method?: string
  headers?: ConstructorParameters<typeof Headers>[0]
  body?: unknown
  signal?: AbortSignal | null
}

/**
 * Sends a request and returns its complete response; redirects are not followed. Errors: HttpFailure.
 */
export type IdentityFetch = (url: string | URL, request?: IdentityRequest) => Promise<Response>

/**
 * Creates the function that sends requests to a provider. `authority` has further trusted certificates in PEM. http is
 * allowed only on the same machine, at a loopback address.
 */
export function newIdentityFetch(
  dialer: Dialer,
  authority: string | undefined,
  limits: Partial<IdentityLimits> = {},
): IdentityFetch {
  const { requestMs, responseBytes } = { ...IDENTITY_LIMITS, ...limits }
  return async (address, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(address)
    assertEncrypted(url)
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`${method} is not supported`)
    const client = await openHttpClient(
      dialer,
      {
        bodyBytesMax: responseBytes,
        idleTimeoutMs: requestMs,
        totalTimeoutMs: requestMs,
        connectionsMax: 1,
      },
      authority === undefined ? undefined : [authority],
    )
    try {
      const answer = await client.send({
        method,
        url,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body !== undefined && body !== null && { body: toText(body) }),
        signal: signal ?? AbortSignal.timeout(requestMs),
      })
      const hasBody = answer.status !== 204 && answer.status !== 304
      return new Response(hasBody ? answer.text : null, {
        status: answer.status,
        headers: selectHeaders(answer.headers),
      })
    } finally {
      client.close()
    }
  }
}

/** Throws unless a URL is https, or http at a loopback address. Errors: HttpFailure refused. */
function assertEncrypted({ protocol, hostname, host }: URL): void {
  if (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) return
  throw new HttpFailure(
    'refused',
    `${host} needs an https address. http is only allowed for providers on the same machine.`,
  )
}

function toText(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new TypeError('The body of a request must be a text or a form')
}

// The length and encoding are those of the sent bytes, not of the text.
function selectHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        !/^(?:content-(?:length|encoding)|transfer-encoding|connection|set-cookie)$/.test(name),
    ),
  )
}
