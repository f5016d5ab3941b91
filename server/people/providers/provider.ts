import { z } from '@hono/zod-openapi'
import { isLoopbackHost } from '../../platform/kit/address.ts'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * An OpenID Connect provider with which members of an organization sign in: Entra ID, Okta, Keycloak. It is identified by
 * its issuer, and Portbook is one of its clients, with a client id and usually a client secret.
 */

/** The maximum number of providers of an organization. */
export const PROVIDERS_MAX = 10

/** The maximum number of recent failures that are kept for a provider. */
export const FAILURES_MAX = 20

/** The ways to authenticate at the token endpoint (OpenID Connect Core 1.0, 9); `none` has no secret. */
export const CLIENT_AUTHENTICATIONS = ['basic', 'post', 'none'] as const

/** The claims that can identify a person. */
export const SUBJECT_CLAIMS = ['sub', 'oid'] as const

/** The proof that makes an address count as verified: the claim `email_verified`, or the provider itself for its domains. */
export const EMAIL_TRUSTS = ['claim', 'provider'] as const

/** The people who become members at their first sign-in. */
export const JOIN_RULES = ['invited', 'groups', 'everyone'] as const

/** The settings of a provider that people or the operator choose. */
export interface ProviderSettings {
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
  /** Whether signing out of Portbook signs out of the provider too. */
  signsOut: boolean
  /** Certificates in PEM that are trusted in addition to those of the system. */
  authority: string | null
  enabled: boolean
}

/** A stored provider, without its secret. */
export interface IdentityProvider extends ProviderSettings {
  organizationId: string
  id: string
  origin: 'page' | 'environment'
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

/** The people and sessions that depend on a provider. */
export interface ProviderUse {
  /** The people who are linked to it. */
  linkCount: number
  /** Those of them whose accounts it manages. */
  managedCount: number
  /** The sessions that began with it. */
  sessionCount: number
  lastSignInAt: Instant | null
}

/** A failed sign-in with a provider, for its page. */
export interface SignInFailure {
  failedAt: Instant
  /** An error code of the catalog. */
  code: string
  sentence: string
  requestId: string
}

const instant = z.string().openapi({ format: 'date-time' })

/** The answer about a provider: its settings and what depends on it, never its secret. */
export const providerAnswer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    clientAuthentication: z.enum(CLIENT_AUTHENTICATIONS),
    secretSetAt: instant.nullable().openapi({ description: 'null = it has no client secret' }),
    subjectClaim: z.enum(SUBJECT_CLAIMS),
    emailTrust: z.enum(EMAIL_TRUSTS),
    domains: z.array(z.string()),
    joinRule: z.enum(JOIN_RULES),
    groupsClaim: z.string().nullable(),
    sessionHours: z.int(),
    signsOut: z.boolean(),
    authority: z.string().nullable(),
    enabled: z.boolean(),
    origin: z.enum(['page', 'environment']).openapi({
      description: 'environment = it follows the settings of the server and is read-only here',
    }),
    version: z.int(),
    createdAt: instant,
    updatedAt: instant,
    redirectAddress: z.string().openapi({ description: 'The redirect address to register' }),
    signOutAddress: z.string().openapi({
      description: 'The address to register at which a sign-out at the provider ends',
    }),
    logoutAddress: z.string().openapi({
      description: 'The address to register for log-out tokens (back-channel)',
    }),
    linkCount: z.int().openapi({ description: 'The people who are linked to it' }),
    managedCount: z.int().openapi({ description: 'Those of them whose accounts it manages' }),
    sessionCount: z.int().openapi({ description: 'The sessions that began with it' }),
    lastSignInAt: instant.nullable(),
    failures: z
      .array(
        z.object({
          failedAt: instant,
          code: z.string(),
          sentence: z.string(),
          requestId: z.string(),
        }),
      )
      .max(FAILURES_MAX)
      .openapi({ description: 'The last failed sign-ins, newest first' }),
  })
  .openapi('IdentityProvider')

/** The answer about a provider. */
export type ProviderAnswer = z.infer<typeof providerAnswer>

/** The id that a new provider may have, with its redirect address, which the provider must know before it is saved. */
const providerDraft = z.object({
  id: z.uuid(),
  redirectAddress: z.string(),
  proof: z.string().openapi({ description: 'Proves that the server chose the id' }),
})

/** The providers of an organization. */
export const providersAnswer = z
  .object({
    providers: z.array(providerAnswer).max(PROVIDERS_MAX + 1),
    max: z.int(),
    draft: providerDraft,
    signOutAddress: z.string().openapi({
      description: 'The address to which the provider returns after signing out',
    }),
  })
  .openapi('IdentityProviders')

/** The providers of an organization. */
export type ProvidersAnswer = z.infer<typeof providersAnswer>

/** Returns the page to which a provider returns a sign-in. Each provider has its own (RFC 9700, 4.4.2.2). */
export function toRedirectAddress(baseUrl: string, id: string): string {
  return `${baseUrl}/sign-in/${id}/callback`
}

/** Returns whether Portbook may talk to an address: https, or http if both are on this machine. */
export function isSecure(url: URL, baseUrl: string): boolean {
  if (url.protocol === 'https:') return true
  const areLoopbacks = [url, new URL(baseUrl)].every(({ hostname }) => isLoopbackHost(hostname))
  return url.protocol === 'http:' && areLoopbacks
}
