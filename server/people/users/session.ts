import type { SecretBox } from '../../platform/kit/secret-box.ts'

/**
 * The beginnings of sessions. Every sign-in ends in `startSession`, which records how the person proved who they are,
 * and from which client.
 */

/** The ways in which a session can begin. */
export const SESSION_METHODS = ['password', 'provider', 'invitation', 'reset', 'set-up'] as const

/** A way in which a session begins. */
type SessionMethod = (typeof SESSION_METHODS)[number]

/** The client with which a person signs in, and the request. */
export interface SignInOrigin {
  /** The client that a request comes from, as limits count it (`http/client-address.ts`); undefined = not a request. */
  client: string | undefined
  /** The client's description of itself, of any length; undefined = none. */
  userAgent: string | undefined
  /** The request with which the person signs in; undefined = not a request, which leaves no entry in the activity. */
  requestId: string | undefined
}

/** The beginning of a session. */
export interface SessionStart extends SignInOrigin {
  method: Exclude<SessionMethod, 'provider'>
  /** The password hash that was just verified. The session starts only if the account still has it. */
  passwordHash?: string | undefined
}

/** The beginning of a session with a provider. It acts only in the provider's organization. */
export interface ProviderSessionStart extends SignInOrigin {
  method: 'provider'
  organizationId: string
  providerId: string
  /** The person at the provider. */
  subject: string
  /** The session at the provider; undefined = the provider does not name it. */
  sid: string | undefined
  /** Hours after which the session ends in any case. */
  hours: number
  /** The ID token, if the end of the session is reported to the provider, and the box that seals it. */
  idToken?: { text: string; secretBox: SecretBox } | undefined
}

/** A person and the part of the organizations in which their session acts. */
export interface SessionReach {
  userId: string
  /** The only organization in which the session acts; undefined = any. */
  limitedTo: string | undefined
}

/** Returns the client that sent a request, for the session that the request begins. */
export function toSignInOrigin({
  client,
  headers,
  requestId,
}: {
  client: string
  headers: Headers
  requestId: string
}): SignInOrigin & { client: string; requestId: string } {
  return { client, userAgent: headers.get('user-agent') ?? undefined, requestId }
}

/** A session that has just ended. Its provider is null if it began in another way. */
export interface EndedSession {
  id: string
  organizationId: string | null
  providerId: string | null
  /** The ID token of its sign-in, if the provider is to be signed out of. */
  sealedIdToken: Buffer | null
}
