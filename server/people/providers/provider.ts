import type { Instant } from '../../platform/kit/clock.ts'

/**
 * An OpenID Connect provider with which members of an organization sign in: Entra ID, Okta, Keycloak. It is identified by
 * its issuer, and Portbook is one of its clients, with a client id and usually a client secret.
 */

/** The maximum number of recent failures that are kept for a provider. */
export const FAILURES_MAX = 20

/** The ways to authenticate at the token endpoint (OpenID Connect Core 1.0, 9); `none` has no secret. */
const CLIENT_AUTHENTICATIONS = ['basic', 'post', 'none'] as const

/** The claims that can identify a person. */
const SUBJECT_CLAIMS = ['sub', 'oid'] as const

/** The proof that makes an address count as verified: the claim `email_verified`, or the provider itself for its domains. */
const EMAIL_TRUSTS = ['claim', 'provider'] as const

/** The people who become members at their first sign-in. */
const JOIN_RULES = ['invited', 'groups', 'everyone'] as const

/** A stored provider, without its secret. */
export interface IdentityProvider {
  organizationId: string
  id: string
  name: string
  /** As the provider writes it; compared byte for byte. */
  issuer: string
  clientId: string
  clientAuthentication: (typeof CLIENT_AUTHENTICATIONS)[number]
  subjectClaim: (typeof SUBJECT_CLAIMS)[number]
  emailTrust: (typeof EMAIL_TRUSTS)[number]
  /** In lower case and ASCII. */
  domains: string[]
  joinRule: (typeof JOIN_RULES)[number]
  /** The claim with the groups, or the path to it; null = groups are not read. */
  groupsClaim: string | null
  sessionHours: number
  signsOut: boolean
  /** Certificates in PEM that are trusted in addition to those of the system. */
  authority: string | null
  origin: 'page' | 'environment'
  enabled: boolean
  version: number
  createdAt: Instant
  updatedAt: Instant
  updatedBy: string
  /** When its secret was set; null = it has none. */
  secretSetAt: Instant | null
}

/** A provider with its client secret; undefined = it has none. */
export interface OpenedProvider extends IdentityProvider {
  secret: string | undefined
}

/** A failed sign-in with a provider, for its page. */
export interface SignInFailure {
  failedAt: Instant
  /** An error code of the catalog. */
  code: string
  sentence: string
  requestId: string
}
