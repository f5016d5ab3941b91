import type { HttpClient } from './http-client.ts'

/** The part of a request of fetch that libraries for OAuth and keys use. */
interface FetchRequest {
  method?: string | undefined
  headers?: ConstructorParameters<typeof Headers>[0]
  body?: unknown
  signal?: AbortSignal | null | undefined
}

/** A fetch for libraries, which sends through a client with its limits. */
type BoundedFetch = (url: string | URL, request?: FetchRequest) => Promise<Response>

// Responses with these statuses have no body in the fetch standard, and their constructor rejects one.
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Creates a fetch that sends GET and POST requests through a client: with the addresses, limits and authorities of the
 * client, and without redirects. Errors of the fetch: HttpFailure.
 */
export function newFetch(client: HttpClient): BoundedFetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`${method} requests are not sent`)
    const isForm = body instanceof URLSearchParams
    const given = new Headers(headers)
    if (isForm && !given.has('content-type')) {
      given.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
    }
    const answer = await client.send({
      method,
      url: new URL(url),
      headers: Object.fromEntries(given),
      ...(isForm || typeof body === 'string' ? { body: body.toString() } : {}),
      signal: signal ?? new AbortController().signal,
    })
    const { status, text } = answer
    const received = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) received.append(name, value)
    return new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers: received })
  }
}
