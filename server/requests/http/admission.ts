import type { ServerResponse } from 'node:http'
import { ApiError } from '../../platform/errors.ts'
import { newQuota, type Quota, type QuotaLimits } from '../../platform/kit/quota.ts'

/** The work that a process accepts at once. See docs/decisions/0033-connections-and-bodies.md. */
export interface AdmissionLimits {
  /** Requests whose credentials are being checked, by client. */
  authenticating: QuotaLimits
  /** Requests of keys and people whose bodies are complete, by key or person. */
  authenticated: QuotaLimits
  /** Requests to endpoints without a session, such as sign-in, whose bodies are complete, by client. */
  public: QuotaLimits
  /** Bytes of request bodies from the first one to the response, by key or person, and by client. */
  bodyBytes: QuotaLimits
  /** Characters of large responses that were not read yet, by key or person, and by client. */
  responseBytes: QuotaLimits
}

const MEBIBYTE = 1024 * 1024

/** The limits of a process. */
export const ADMISSION_LIMITS: AdmissionLimits = {
  authenticating: { totalMax: 2000, perNameMax: 250 },
  // More than the queues of `lanes.ts` hold: they decide in turns who waits, so no organization can fill this limit.
  authenticated: { totalMax: 2500, perNameMax: 200 },
  public: { totalMax: 200, perNameMax: 50 },
  bodyBytes: { totalMax: 128 * MEBIBYTE, perNameMax: 32 * MEBIBYTE },
  responseBytes: { totalMax: 256 * MEBIBYTE, perNameMax: 64 * MEBIBYTE },
}

/** The requests that are worked on together: those without a session never displace the others. */
type Pot = 'authenticating' | 'authenticated' | 'public'

/** Decides which requests a process works on now, and which must come back later. */
export interface Admission {
  /**
   * Admits a request; the returned function ends it. `name` is the key, person or client that requests
   * are counted by. Errors: too_many_requests, overloaded.
   */
  enter(pot: Pot, name: string): () => void
  /** Rejects a request that `enter` would reject now. Errors: too_many_requests, overloaded. */
  assertRoom(pot: Pot, name: string): void
  /** Bytes of request bodies; the code that takes them reports a rejection. */
  readonly bodyBytes: Quota
  /** Characters of responses. */
  readonly responseBytes: Quota
}

const RETRY_SECONDS = 1
const LARGE_CHARACTERS = 64 * 1024

/** Creates the admission of a process. */
export function newAdmission(limits: AdmissionLimits = ADMISSION_LIMITS): Admission {
  const pots: Record<Pot, Quota> = {
    authenticating: newQuota(limits.authenticating),
    authenticated: newQuota(limits.authenticated),
    public: newQuota(limits.public),
  }
  return {
    enter(pot, name) {
      const names = [name]
      const exceeded = pots[pot].take(names, 1)
      if (exceeded !== undefined) throw toApiError(exceeded)
      return () => pots[pot].release(names, 1)
    },
    assertRoom(pot, name) {
      const exceeded = pots[pot].findExceeded([name])
      if (exceeded !== undefined) throw toApiError(exceeded)
    },
    bodyBytes: newQuota(limits.bodyBytes),
    responseBytes: newQuota(limits.responseBytes),
  }
}

/**
 * Counts a large response until its peer has read it or is gone. `outgoing` is undefined within this
 * process. Errors: too_many_requests and overloaded if too much waits to be read.
 */
export function holdResponse(
  { responseBytes }: Admission,
  outgoing: ServerResponse | undefined,
  names: readonly string[],
  body: unknown,
): void {
  if (typeof body !== 'string' || body.length < LARGE_CHARACTERS) return
  const socket = outgoing?.req.socket
  if (outgoing === undefined || socket === undefined || socket.destroyed) return
  const exceeded = responseBytes.take(names, body.length)
  if (exceeded !== undefined) throw toApiError(exceeded)
  const release = (): void => {
    socket.off('close', release)
    outgoing.off('finish', release)
    responseBytes.release(names, body.length)
  }
  // A response that waits behind another one does not learn that its connection ended.
  socket.once('close', release)
  outgoing.once('finish', release)
}

function toApiError(exceeded: 'total' | 'name'): ApiError {
  const retry = { retryAfterSeconds: RETRY_SECONDS }
  return exceeded === 'name'
    ? new ApiError(
        'too_many_requests',
        'Too many requests of this key, person or client at once. Send fewer in parallel.',
        retry,
      )
    : new ApiError('overloaded', 'Too many requests at once. Try again shortly.', retry)
}
